"""The IMDB film reviews as word ids, prepared as Keras' published ones are.

Words are what stands between blanks and punctuation in lower case, apostrophes kept: the official training set has 88,582
of them, as Keras' index does. They are numbered by falling frequency in the training set, equally frequent ones by alphabet.
Nothing is kept on disk: reading and counting the 25,000 reviews takes about ten seconds, outside the window.
"""

import array
import collections
import itertools
import os
import sys

from runners.worker.datasets import files

FOLDERS = ("aclimdb",)
SPLITS = {
    "train": ("train", "val"),
    "test": ("test",),
}  # a copy that sets some aside for validation is put together again
LABELS = ("neg", "pos")  # 0 and 1
PADDING, START, UNKNOWN, FIRST_WORD = range(4)
SEPARATORS = str.maketrans(dict.fromkeys('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n', " "))
REMEDY = "Unpack the Large Movie Review Dataset (aclImdb) there anew, or name another data directory."


def imdb(directory, split, workload):
    """Return the word ids of all reviews of "train" or "test", `length` each, as array("i"), and their labels as bytearray.

    A review is a start mark and its words; the last `length` of these are kept, and padding follows where there are fewer.
    Negative reviews come first, each kind by file name.
    """
    folder = files.data_set(directory, "IMDB", FOLDERS)
    known = list(_reviews(folder, "train", workload))
    wanted = known if split == "train" else list(_reviews(folder, split, workload))
    index = _index((words for words, _ in known), workload["network"]["vocabulary"])
    length = workload["network"]["length"]
    ids = array.array("i")
    for words, _ in wanted:
        ids.extend(_encoded(words, index, length))
    return ids, bytearray(label for _, label in wanted)


def _reviews(folder, split, workload):
    """Yield words and label of each review."""
    parts = [part for part in SPLITS[split] if part == split or os.path.isdir(os.path.join(folder, part))]
    found = [
        (label, name, os.path.join(folder, part, kind, name))
        for part in parts
        for label, kind in enumerate(LABELS)
        for name in files.listing(os.path.join(folder, part, kind), REMEDY)
        if name.endswith(".txt")
    ]
    places = " and ".join(os.path.join(folder, part) for part in parts)
    files.expect(len(found), workload["real"][f"{split}_samples"], "reviews", places, REMEDY)
    for label, _, path in sorted(found):
        yield _words(files.read_text(path, REMEDY)), label


def _words(text):
    """Take a text apart; equal words are one object, or six million of them would need much memory."""
    return [sys.intern(word) for word in text.lower().translate(SEPARATORS).split(" ") if word]


def _index(reviews, vocabulary):
    counts = collections.Counter(itertools.chain.from_iterable(reviews))
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: number for number, word in enumerate(ranked[: vocabulary - FIRST_WORD], FIRST_WORD)}


def _encoded(words, index, length):
    ids = [START] + [index.get(word, UNKNOWN) for word in words]
    return ids[-length:] + [PADDING] * (length - len(ids))
