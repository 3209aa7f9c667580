"""From the layouts of the synthetic batches and of the reference to Keras': channels last, inputs before outputs."""

import numpy as np
import tensorflow as tf


def channels_last(arrays):
    """Return a batch with its images, if it has any, as (sample, row, column, channel)."""
    return tuple(np.ascontiguousarray(np.moveaxis(array, 1, -1)) if array.ndim == 4 else array for array in arrays)


def assign(network, values):
    """Give a network the reference's arrays, which come in the order of its own variables."""
    flattened = [layer.input.shape[1:] for layer in network.layers if isinstance(layer, tf.keras.layers.Flatten)]
    remaining = iter(values)
    for variable in network.trainable_variables:
        value = next(remaining)
        if "gru_cell" in variable.path:
            value = gates(np.stack([value, next(remaining)]) if variable.name == "bias" else value.T)
        elif variable.name == "kernel":
            value = convolution(value) if value.ndim == 4 else dense(value, flattened)
        if len(variable.shape) == value.ndim:
            assert variable.shape == value.shape, f"{variable.path} is {variable.shape}, not {value.shape}"
        variable.assign(value.reshape(variable.shape))  # attention keeps its heads in an axis of their own
    assert next(remaining, None) is None, "the network has used all arrays"


def convolution(value):
    return value.transpose(2, 3, 1, 0)


def dense(value, flattened):
    """Turn (out, in) round; what comes from a flattened image is numbered by row, column, channel in Keras."""
    for rows, columns, channels in flattened:
        if value.shape[1] == rows * columns * channels:
            value = value.reshape(-1, channels, rows, columns).transpose(0, 2, 3, 1).reshape(value.shape)
    return value.T


def gates(value):
    """Put the gates reset, update, new, which lie behind one another, into Keras' order."""
    reset, update, new = np.split(value, 3, axis=-1)
    return np.concatenate([update, reset, new], axis=-1)
