"""CIFAR-10 CNN: the smallest of the workloads with images. All numbers come from `workload`."""

from runners.worker.contract import Unsupported


# step: model
def network(workload):
    raise Unsupported(f"Write the model: {workload['network']}.", "ours")


# step: loss
def loss(network, images, labels):
    raise Unsupported("Write the loss: softmax cross-entropy, the mean over the batch.", "ours")


# step: optimizer
def optimizer(network, workload):
    raise Unsupported(f"Write the optimizer: {workload['optimizer']}.", "ours")
