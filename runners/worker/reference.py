"""The proof that two frameworks train one network: with the same weights and inputs it gives the reference's outputs.

The launcher computes the reference (runners/reference) and hands it over in an .npz file, written with NumPy and read with
the NumPy that comes with the framework. Its keys, in the order of the file:

    weights/<name>    float32, one for each trainable array, in the order in which the network uses them; convolutions are
                      (out, in, height, width), dense layers (out, in), embeddings (words, features). Running statistics of
                      batch normalisation are not among them: they are 0 and 1, as in a new network.
    inputs/<name>     as `synthetic.batch` draws them, less the labels
    outputs/<name>    float64
"""


def logits_error(adapter, path):
    """Return the largest of max |difference| / max |reference| over the outputs; None if the adapter can't show any."""
    import numpy as np

    parts = {"weights": {}, "inputs": {}, "outputs": {}}
    with np.load(path) as file:
        for key in file.files:
            part, _, name = key.partition("/")
            parts[part][name] = file[key]
    expected = list(parts["outputs"].values())
    found = adapter.logits(parts["weights"], list(parts["inputs"].values()))
    if found is None:
        return None
    for one, other in zip(found, expected):
        if one.shape != other.shape:
            return float("inf")
    return max(float(abs(one - other).max() / abs(other).max()) for one, other in zip(found, expected))
