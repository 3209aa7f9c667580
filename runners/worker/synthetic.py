"""Synthetic batches as NumPy arrays, the same for every framework: what is drawn depends on workload and seed alone.

NumPy is imported when a batch is drawn: the frameworks that need batches from here all bring it.
"""

RING = 8  # distinct batches: none is met twice in a row, and all fit in memory
FIRST_WORD = 1000  # of the words that BERT's synthetic sentences have: smaller ids are marks of its vocabulary


def ring(request, process):
    """Return `RING` batches for the process at that place; no two processes of a job have a batch in common."""
    chance = _chance(request["seed"] + 1 + process["rank"])  # the probe has seed 0 to itself
    return [batch(chance, request["batch_per_device"], request["workload"]) for _ in range(RING)]


def probe(workload, size=64):
    """Return the fixed batch on which every framework shows the loss of an untrained network."""
    return batch(_chance(0), size, workload)


def batch(chance, size, workload):
    """Draw one batch of `size` samples: a tuple of arrays, `DRAW` says which for each workload."""
    return DRAW[workload["id"]](chance, size, workload["network"])


def images(chance, size, network):
    """Draw images (size, channels, height, width), float32 uniform in [0, 1), alone."""
    return (chance.uniform(size=(size, *network["input"])).astype("float32"),)


def labelled_images(chance, size, network):
    """Draw images, and labels (size,), int64 uniform over the classes."""
    return (*images(chance, size, network), chance.randint(network["classes"], size=size).astype("int64"))


def images_with_findings(chance, size, network):
    """Draw images, and for each class whether it shows there (size, classes), float32, 0 or 1 with equal chance."""
    return (*images(chance, size, network), chance.randint(2, size=(size, network["classes"])).astype("float32"))


def reviews(chance, size, network):
    """Draw word ids (size, length), int64 uniform over the vocabulary, and labels (size,), int64."""
    words = chance.randint(network["vocabulary"], size=(size, network["length"])).astype("int64")
    return words, chance.randint(network["classes"], size=size).astype("int64")


def masked_sentences(chance, size, network):
    """Draw pairs of sentences with some words to predict, all int64.

    Word ids, token types (0, then 1 from the middle on) and attention mask (all 1), each (size, length); positions to
    predict (size, predictions), distinct and rising; the words there, of the same shape; whether the second sentence
    follows the first (size,), 0 or 1.
    """
    length, predictions, vocabulary = network["length"], network["predictions"], network["vocabulary"]
    words = chance.randint(FIRST_WORD, vocabulary, size=(size, length))
    types = words * 0
    types[:, length // 2 :] = 1
    positions = chance.uniform(size=(size, length)).argsort(axis=1)[:, :predictions]
    positions.sort(axis=1)
    missing = chance.randint(FIRST_WORD, vocabulary, size=(size, predictions))
    follows = chance.randint(2, size=size)
    mask = types * 0 + 1
    return tuple(array.astype("int64") for array in (words, types, mask, positions, missing, follows))


DRAW = {
    "cifar10-cnn": labelled_images,
    "resnet50": labelled_images,
    "vgg16": labelled_images,
    "resnet50-features": images,
    "densenet121-chestxray": images_with_findings,
    "gru-imdb": reviews,
    "bert-base": masked_sentences,
}


def _chance(seed):
    from numpy.random import RandomState

    return RandomState(seed)
