"""CIFAR-10's official binary files, checked before anybody trains on them."""

from __future__ import annotations

import pytest

from runners.worker import datasets
from runners.worker.contract import Unusable

RECORD = 3073


@pytest.fixture
def folder(tmp_path):
    """Five training files of two records and a test file of three; the label is the record's number in its file."""
    folder = tmp_path / "cifar-10-batches-bin"
    folder.mkdir()
    for number in range(1, 6):
        write(folder / f"data_batch_{number}.bin", labels=range(2), pixel=number)
    write(folder / "test_batch.bin", labels=range(3), pixel=9)
    return folder


def write(path, labels, pixel):
    path.write_bytes(b"".join(bytes([label]) + bytes([pixel]) * (RECORD - 1) for label in labels))


def test_records_come_in_the_order_of_the_files(folder):
    records = datasets.cifar10(str(folder), "train", 10)
    assert list(records[::RECORD]) == [0, 1] * 5
    assert list(records[1::RECORD]) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert len(datasets.cifar10(str(folder), "test", 3)) == 3 * RECORD


def test_the_parent_of_the_official_folder_does_too(folder):
    assert datasets.cifar10(str(folder.parent), "test", 3) == datasets.cifar10(str(folder), "test", 3)


def test_a_missing_file_is_named(folder):
    (folder / "data_batch_4.bin").unlink()
    with pytest.raises(Unusable, match=r"data_batch_4\.bin can't be read: No such file"):
        datasets.cifar10(str(folder), "train", 10)


@pytest.mark.parametrize("size", [0, RECORD, 2 * RECORD - 1, 2 * RECORD + 1])
def test_a_file_of_another_length_is_named_with_both_lengths(folder, size):
    (folder / "data_batch_2.bin").write_bytes(bytes(size))
    with pytest.raises(Unusable, match=rf"data_batch_2\.bin has {size} bytes; 2 records of 3073, 6146 in all"):
        datasets.cifar10(str(folder), "train", 10)


def test_a_label_beyond_the_ten_classes_is_named(folder):
    write(folder / "test_batch.bin", labels=[1, 10, 3], pixel=0)
    with pytest.raises(Unusable, match=r"test_batch\.bin has the label 10"):
        datasets.cifar10(str(folder), "test", 3)


def test_no_directory_at_all_has_a_remedy():
    with pytest.raises(Unusable, match="--data-dir"):
        datasets.cifar10(None, "train", 10)
