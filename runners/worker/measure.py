"""The loop and the clock: warm-up, window, synchronisation. Nothing is averaged here.

The garbage collector stays on, as in the training job of any user; what preparation left is collected before the
window. Step times are host time stamps without synchronisation: their sum is the window less the last wait.
"""

import gc
import time

from runners.worker import progress


def measure(adapter, request, report, clock=time.perf_counter):
    """Run warm-up and window; return the times of a run, in seconds.

    With `epochs` in the request the window is that many whole epochs, shuffling included. Each is waited for: a framework
    that queues its steps would else have all of them in memory, and the epochs' times would be those of queueing.
    """
    warmup = _warm_up(adapter, request["warmup_steps"], report, clock)
    epochs = request["epochs"] or 1
    count = steps_per_epoch(request) if request["epochs"] else request["measured_steps"]
    gc.collect()
    adapter.synchronise()
    adapter.barrier()
    stamps, ends = [clock()], []
    for _epoch in range(epochs):
        _stamp(stamps, adapter.step, count, lambda done: report(progress.MEASURING, len(warmup) + done), clock)
        adapter.synchronise()
        adapter.barrier()
        ends.append(clock())
    steps = _differences(stamps)
    return {
        "warmup_steps": len(warmup),
        "measured_steps": count * epochs,
        "first_step_seconds": (warmup + steps)[0],
        "warmup_step_seconds": warmup,
        "step_seconds": steps,
        "window_seconds": ends[-1] - stamps[0],
        "epoch_seconds": _differences([stamps[0], *ends]) if request["epochs"] else None,
    }


def steps_per_epoch(request):
    """Return the number of full batches of all devices in the workload's training set, None for a workload without one."""
    real = request["workload"].get("real")
    return real["train_samples"] // (request["batch_per_device"] * request["scale"]["devices"]) if real else None


def _warm_up(adapter, count, report, clock):
    """Synchronise the first step too, so that its time is that of compiling rather than of queueing."""
    if not count:
        return []
    adapter.synchronise()
    first = clock()
    adapter.step()
    adapter.synchronise()
    report(progress.WARM_UP, 1)
    stamps = [clock()]
    _stamp(stamps, adapter.step, count - 1, lambda done: report(progress.WARM_UP, 1 + done), clock)
    return [stamps[0] - first, *_differences(stamps)]


def _stamp(stamps, step, count, report, clock):
    """Take steps, and append the time after each to the stamps, which begin with that before the first of all."""
    for _step in range(count):
        step()
        stamps.append(clock())
        report(len(stamps) - 1)


def _differences(stamps):
    return [later - earlier for earlier, later in zip(stamps, stamps[1:])]
