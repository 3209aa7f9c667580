"""Batches out of data sets that lie in RAM, in OneFlow."""

import oneflow as flow


def batches(samples, labels, request):
    """Yield full batches without end; each epoch goes through all samples in a new order, shared by the processes."""
    size, place = request["batch_per_device"], request["process"]
    chance = flow.Generator("cpu")
    chance.manual_seed(request["seed"])
    while True:
        order = flow.randperm(len(labels), generator=chance)[place["rank"] :: place["count"]]
        for start in range(0, len(labels) // place["count"] - size + 1, size):
            chosen = order[start : start + size]
            yield samples[chosen], labels[chosen]


def accuracy(trained, samples, labels, device, size=1000):
    """Return the share of the samples that is classified correctly."""
    right = 0
    for start in range(0, len(labels), size):
        answers = trained(samples[start : start + size].to(device)).argmax(dim=1)
        right += (answers.cpu() == labels[start : start + size]).sum().item()
    return right / len(labels)
