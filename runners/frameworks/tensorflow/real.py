"""Real data through tf.data: shuffled shares of the epochs, pictures from files, predictions for a test set."""

import numpy as np
import tensorflow as tf

from runners.worker.contract import Unusable
from runners.worker.datasets import chestxray, image_folder

SIDE = 224
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet's channels


def batches(columns, request, read=None):
    """Yield full batches without end; each epoch takes all samples in a new order, which the processes share.

    `columns` are arrays of one entry a sample; `read` makes a sample of these, several at a time.
    """
    place, size = request["process"], request["batch_per_device"]
    share = len(columns[0]) // place["count"]
    if share < size:
        raise Unusable(
            f"A process has {share} samples of {len(columns[0])}, less than a batch of {size}. Name a larger data set."
        )
    with tf.device("CPU:0"):
        samples = tf.data.Dataset.from_tensor_slices(columns).shuffle(len(columns[0]), seed=request["seed"])
    samples = samples.take(share * place["count"]).shard(place["count"], place["rank"])
    if read:
        workers = request["loader_workers"]
        samples = samples.map(read, num_parallel_calls=tf.data.AUTOTUNE if workers is None else workers or None)
    return iter(samples.batch(size, drop_remainder=True).repeat().prefetch(tf.data.AUTOTUNE))


def predictions(network, samples, read=None):
    """Return the outputs of a trained network for each sample of a test set."""
    with tf.device("CPU:0"):
        dataset = tf.data.Dataset.from_tensor_slices(samples)
    if read:
        dataset = dataset.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    predict = tf.function(lambda batch: network(batch, training=False), reduce_retracing=True)
    outputs = [predict(batch).numpy() for batch in dataset.batch(100).prefetch(tf.data.AUTOTUNE)]
    return np.concatenate(outputs).astype(np.float32)


def accuracy(network, samples, labels):
    """Return the share of a test set that is classified correctly."""
    return float((predictions(network, samples).argmax(axis=1) == labels).mean())


def pictures(request):
    """Return the paths and the labels of ImageNet's training pictures."""
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    return np.array(paths), np.array(labels, np.int64)


def x_rays(request, split):
    """Return the paths and the findings of chest X-rays."""
    paths, findings = chestxray(request["data"]["directory"], split, request["workload"])
    return np.array(paths), np.array(findings, np.float32)


def random_crop(path, label):
    """Read a picture for training: a random part of 8 to 100 % of it, resized, mirrored every other time."""
    contents = tf.io.read_file(path)
    is_jpeg = tf.io.is_jpeg(contents)
    shape = tf.cond(is_jpeg, lambda: tf.io.extract_jpeg_shape(contents), lambda: tf.shape(decoded(contents)))
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        shape,
        tf.zeros((1, 0, 4)),  # no box: the whole picture
        min_object_covered=0.0,
        aspect_ratio_range=(3 / 4, 4 / 3),
        area_range=(0.08, 1.0),
        use_image_if_no_bounding_boxes=True,
    )
    part = tf.cond(
        is_jpeg,  # then nothing but the part is decoded
        lambda: tf.io.decode_and_crop_jpeg(contents, tf.concat([begin[:2], size[:2]], axis=0), channels=3),
        lambda: tf.slice(decoded(contents), begin, size),
    )
    return normalised(tf.image.random_flip_left_right(tf.image.resize(part, (SIDE, SIDE)))), label


def centre_crop(path):
    """Read a picture for inference: the middle 224 x 224 after its shorter side has become 256."""
    picture = decoded(tf.io.read_file(path))
    sides = tf.cast(tf.shape(picture)[:2], tf.float32)
    resized = tf.image.resize(picture, tf.cast(tf.round(256 * sides / tf.reduce_min(sides)), tf.int32))
    return (normalised(middle(resized)),)


def random_part(path, findings):
    """Read an X-ray for training: a random 224 x 224 of 264 x 264, mirrored every other time."""
    picture = tf.image.resize(decoded(tf.io.read_file(path)), (264, 264))
    return normalised(tf.image.random_flip_left_right(tf.image.random_crop(picture, (SIDE, SIDE, 3)))), findings


def middle_part(path):
    """Read an X-ray for the test: the middle 224 x 224 of 264 x 264."""
    return normalised(middle(tf.image.resize(decoded(tf.io.read_file(path)), (264, 264))))


def decoded(contents):
    return tf.io.decode_image(contents, channels=3, expand_animations=False)


def middle(picture):
    return tf.image.resize_with_crop_or_pad(picture, SIDE, SIDE)


def normalised(picture):
    return (picture / 255 - MEAN) / DEVIATION
