"""Film reviews become word ids, as Keras' published ones did."""

from __future__ import annotations

import pytest

from runners.worker import datasets
from runners.worker.contract import Unusable

LENGTH = 5
WORKLOAD = {"network": {"vocabulary": 7, "length": LENGTH}, "real": {"train_samples": 4, "test_samples": 2}}


@pytest.fixture
def folder(tmp_path):
    """Four training reviews and two to test; by frequency the words are b, a, c, it's, and some that come once."""
    write(tmp_path, "train/neg/0_2.txt", "B b, b<a a c-c")
    write(tmp_path, "train/neg/10_1.txt", "b")
    write(tmp_path, "train/pos/0_9.txt", "(it's) IT'S\tb\na a c")
    write(tmp_path, "train/pos/1_9.txt", "")
    write(tmp_path, "test/neg/0_1.txt", "never a b")
    write(tmp_path, "test/pos/0_8.txt", "a b c it's é b")
    return tmp_path / "aclImdb"


def write(folder, name, text):
    path = folder / "aclImdb" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="")


def rows(folder, split, workload=WORKLOAD):
    ids, labels = datasets.imdb(str(folder), split, workload)
    assert ids.typecode == "i"
    return [list(ids[start : start + LENGTH]) for start in range(0, len(ids), LENGTH)], list(labels)


def test_words_are_numbered_by_frequency_after_padding_start_and_unknown(folder):
    b, a, c, its = 3, 4, 5, 6
    reviews, labels = rows(folder, "train")
    assert reviews == [
        [b, a, a, c, c],  # the start and the first two words are cut off
        [1, b, 0, 0, 0],
        [its, b, a, a, c],
        [1, 0, 0, 0, 0],
    ]
    assert labels == [0, 0, 1, 1]


def test_words_that_the_training_set_lacks_are_unknown(folder):
    assert rows(folder, "test") == ([[1, 2, 4, 3, 0], [3, 5, 6, 2, 3]], [0, 1])


def test_words_beyond_the_vocabulary_are_unknown(folder):
    small = {**WORKLOAD, "network": {"vocabulary": 5, "length": LENGTH}}
    assert rows(folder, "train", small)[0][0] == [3, 4, 4, 2, 2]


def test_equally_frequent_words_are_numbered_by_alphabet(tmp_path):
    for name, text in {"neg/0.txt": "z y", "pos/0.txt": "x"}.items():
        write(tmp_path, f"train/{name}", text)
    two = {**WORKLOAD, "real": {"train_samples": 2}}
    assert rows(tmp_path, "train", two)[0] == [[1, 5, 4, 0, 0], [1, 3, 0, 0, 0]]


def test_reviews_that_a_copy_sets_aside_for_validation_are_training_reviews_in_their_usual_order(folder):
    whole = rows(folder, "train")
    for kind in ("neg", "pos"):
        (folder / "val" / kind).mkdir(parents=True)
    (folder / "train" / "neg" / "0_2.txt").rename(folder / "val" / "neg" / "0_2.txt")
    assert rows(folder.parent, "train") == whole


def test_another_number_of_reviews_is_refused_with_both_numbers(folder):
    (folder / "train" / "pos" / "1_9.txt").unlink()
    with pytest.raises(Unusable, match=r"aclImdb/train has 3 reviews; 4 are expected\. Unpack"):
        rows(folder, "train")
    write(folder.parent, "train/pos/1_9.txt", "")
    write(folder.parent, "test/pos/1_9.txt", "")
    with pytest.raises(Unusable, match=r"aclImdb/test has 3 reviews; 2 are expected"):
        rows(folder, "test")


def test_other_files_are_no_reviews(folder):
    whole = rows(folder, "train")
    write(folder.parent, "train/pos/notes.md", "b b b b")
    write(folder.parent, "train/pos/._1_9.txt", "b b b b")
    write(folder.parent, "train/unsup/0_0.txt", "b b b b")
    assert rows(folder, "train") == whole


def test_a_review_that_is_no_text_is_named(folder):
    (folder / "train" / "pos" / "0_9.txt").write_bytes(b"fine until \xff here")
    with pytest.raises(Unusable, match=r"train/pos/0_9\.txt is not UTF-8: invalid start byte at byte 11\. Unpack"):
        rows(folder, "train")


def test_a_folder_that_is_missing_is_named(folder):
    (folder / "train" / "neg").rename(folder / "elsewhere")
    with pytest.raises(Unusable, match=r"train/neg can't be read: No such file"):
        rows(folder, "train")
