"""Data sets in their official layouts, checked before anybody trains on them: CIFAR-10 and folders of pictures."""

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


@pytest.fixture
def pictures(tmp_path):
    """Three pictures of two classes in a folder named as ImageNet's are."""
    for name in ("b/2.JPEG", "b/10.jpg", "a/1.png", "a/notes.txt", "a/.hidden.jpg"):
        path = tmp_path / "imagenet-tiny" / "train" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return tmp_path / "imagenet-tiny"


@pytest.mark.parametrize("named", ["the folder", "its parent"])
def test_pictures_come_by_class_and_name_and_other_files_are_passed_over(pictures, named):
    directory = pictures if named == "the folder" else pictures.parent
    paths, labels, classes = datasets.image_folder(str(directory), "train")
    assert [path[len(str(pictures)) :] for path in paths] == ["/train/a/1.png", "/train/b/10.jpg", "/train/b/2.JPEG"]
    assert (labels, classes) == ([0, 1, 1], ["a", "b"])


def test_the_first_of_several_folders_with_a_fitting_name_is_taken(pictures):
    (pictures.parent / "imagenet" / "train" / "only").mkdir(parents=True)
    (pictures.parent / "imagenet" / "train" / "only" / "1.jpg").write_bytes(b"")
    assert datasets.image_folder(str(pictures.parent), "train")[2] == ["only"]


def test_a_split_that_is_missing_is_named(pictures):
    with pytest.raises(Unusable, match=r"imagenet-tiny/val can't be read: No such file.*Unpack ImageNet"):
        datasets.image_folder(str(pictures), "val")


def test_a_directory_that_is_missing_is_named():
    with pytest.raises(Unusable, match=r"/nowhere can't be read: No such file.*--data-dir"):
        datasets.image_folder("/nowhere", "train")


def test_a_split_without_classes_or_without_pictures_says_so(tmp_path):
    (tmp_path / "train").mkdir()
    with pytest.raises(Unusable, match=r"train has 0 folders; one a class, 1 to 1000 in all, are expected"):
        datasets.image_folder(str(tmp_path), "train")
    (tmp_path / "train" / "a").mkdir()
    (tmp_path / "train" / "a" / "1.gif").write_bytes(b"")
    with pytest.raises(Unusable, match=r"train has no file with a name in \.jpeg, \.jpg, \.png"):
        datasets.image_folder(str(tmp_path), "train")


def test_more_classes_than_the_networks_know_are_refused(tmp_path):
    for number in range(1001):
        (tmp_path / "train" / str(number)).mkdir(parents=True)
    with pytest.raises(Unusable, match="1001 folders"):
        datasets.image_folder(str(tmp_path), "train")
