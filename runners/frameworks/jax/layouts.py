"""The reference's weights in a network of ours: the same order, other layouts."""

import numpy as np
from flax import nnx


def adopt(network, weights):
    """Give a network the weights of the reference, an iterable of arrays in the order in which the network was built."""
    for (name, parameter), value in zip(parameters(network), weights, strict=True):
        parameter[...] = laid_out(name, value, parameter.shape, getattr(network, "flattened", ()))


def parameters(module):
    """Yield name and parameter, in the order in which they were made."""
    for name, value in vars(module).items():
        if isinstance(value, nnx.Param):
            yield name, value
        elif isinstance(value, nnx.Module):
            yield from parameters(value)


def laid_out(name, value, shape, flattened):
    """Turn (out, in, height, width) and (out, in) round; `flattened` are channels, height and width before a dense layer."""
    if value.ndim == 4:
        value = value.transpose(2, 3, 1, 0)
    elif value.ndim == 2 and value.shape[1] == np.prod(flattened):
        value = value.reshape(-1, *flattened).transpose(2, 3, 1, 0)
    elif name == "kernel":
        value = value.T
    return value.reshape(shape)
