"""Least squares in pure Python: the reference adapter. With the option `fail` it provokes each outcome, for the tests."""

import itertools
import os
import random
import signal
import time

from runners.worker.contract import Adapter as Contract
from runners.worker.contract import python_stack

RING = 8  # distinct batches
FAILS_AT = 3  # the step that `fail` strikes, from 1
SLOW_SECONDS = 0.02


# step: data
def make_batch(chance, size, features):
    """Draw points and the side of a plane they lie on, 1 or -1: so zero weights have a loss of exactly 1."""
    points = [[chance.uniform(-1, 1) for _ in range(features)] for _ in range(size)]
    return [(point, 1.0 if sum(point) > 0 else -1.0) for point in points]


# step: model
def predict(weights, point):
    """Return the height of a plane over the point: one weight a feature, and the bias behind them."""
    return sum(weight * value for weight, value in zip(weights, point)) + weights[-1]


# step: loss
def squared_error(weights, batch):
    """Return the mean of the squared residuals."""
    return sum((predict(weights, point) - target) ** 2 for point, target in batch) / len(batch)


# step: loss
def gradient(weights, batch):
    """Return the derivative of the loss by each weight."""
    residuals = [(predict(weights, point) - target, [*point, 1.0]) for point, target in batch]
    return [2 * sum(residual * point[k] for residual, point in residuals) / len(batch) for k in range(len(weights))]


# step: optimizer
def descend(weights, slopes, learning_rate):
    """Return the weights after one step downhill."""
    return [weight - learning_rate * slope for weight, slope in zip(weights, slopes)]


class Adapter(Contract):
    """Pure Python has one device, one precision, and nothing to wait for."""

    supports = {"toy-regression": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host")}}
    options = ("fail", "above")  # how it fails, and the batch above which it does

    def prepare(self):
        size, features = self.request["batch_per_device"], self.workload["network"]["features"]
        chance = random.Random(self.request["seed"])
        self.batches = itertools.cycle([make_batch(chance, size, features) for _ in range(RING)])
        self.weights = [0.0] * (features + 1)
        self.kept = []

    def parameters(self):
        return len(self.weights) + (self.request["options"].get("fail") == "wrong-parameters")

    def probe(self):
        return squared_error(self.weights, make_batch(random.Random(0), 64, self.workload["network"]["features"]))

    # step: train
    def step(self):
        batch = next(self.batches)
        self.kept.append(squared_error(self.weights, batch))
        self.weights = descend(self.weights, gradient(self.weights, batch), self.workload["optimizer"]["learning_rate"])
        self.provoke(self.request["options"].get("fail"))

    # step: synchronise
    def synchronise(self):
        """Nothing is pending: plain Python has finished when it returns."""

    def losses(self):
        return self.kept

    def stack(self):
        return python_stack("1.0", "pure")

    def provoke(self, fail):
        """Do at one step what frameworks do in the field."""
        if fail == "slow":
            time.sleep(SLOW_SECONDS)
        if len(self.kept) != FAILS_AT or self.request["batch_per_device"] <= self.request["options"].get("above", 0):
            return
        if fail == "exception":
            raise RuntimeError("the toy was asked to fail")
        if fail == "oom":
            raise MemoryError("the toy was asked to run out of memory")
        if fail == "nan":
            self.kept[-1] = float("nan")
        if fail == "crash":
            os.abort()
        if fail == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        while fail == "hang":
            time.sleep(1)
