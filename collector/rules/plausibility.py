"""Numbers against what is known: the specification of the workload, public runs, physics."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from collector.findings import Context, Finding, computing_device, results, runs, specification
from collector.rates import throughput, work
from collector.validity import ACCURACY_SLACK, LOGITS_TOLERANCE, LOSS_TOLERANCE
from collector.wording import either, json_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Result, Submission
    from collector.vocabulary import Workload

MEMORY = (64 * 2**20, 64 * 2**40)  # bytes; less or more is another unit
MEMORY_SLACK = 0.10  # drivers keep some, and makers count in GB or in GiB
LEAST_WORK, MOST_WORK = 1e9, 1e16  # FLOP/s of one device, from a small board to the largest accelerator
FP32_OF_A_THREAD = 4e11  # two 512-bit multiply-adds a cycle at 6 GHz
HALF_OF_A_THREAD = 8e12  # a matrix unit of 1,024 multiply-adds a cycle at 4 GHz
NEAR_PEAK = 0.8


def specified_network(submission: Submission, context: Context) -> Iterator[Finding]:
    """An ok result was measured with the specified network: parameters, probe loss, logits."""
    for path, result in results(submission):
        workload, proof = specification(result, context), result.equality
        if workload is None or proof is None or result.outcome != "ok":
            continue
        place, expected = f"{path}.equality", workload.expected_loss
        if proof.parameters is not None and proof.parameters not in workload.parameters:
            wanted = either([f"{count:,}" for count in workload.parameters])
            yield Finding("unequal-network", f"{place}.parameters", f"{proof.parameters:,}", wanted)
        if proof.probe_loss is not None and expected and abs(proof.probe_loss - expected) > LOSS_TOLERANCE * expected:
            wanted = f"{expected:.4g} within {LOSS_TOLERANCE:.0%}"
            yield Finding("unequal-network", f"{place}.probe_loss", f"{proof.probe_loss:.6g}", wanted)
        if proof.logits_error is not None and proof.logits_error > LOGITS_TOLERANCE:
            found, wanted = f"{proof.logits_error:.3g}", f"at most {LOGITS_TOLERANCE:g}"
            yield Finding("unequal-network", f"{place}.logits_error", found, wanted)


def losses_of_training(submission: Submission, context: Context) -> Iterator[Finding]:
    """A measured training shows its loss."""
    for path, result, run in runs(submission):
        trained = submission.origin == "measured" and result.outcome == "ok" and _mode(result, context) == "training"
        if trained and not run.loss:
            yield Finding("loss-missing", f"{path}.loss", "an empty list", "the losses of the window")


def quality_of_the_network(submission: Submission, context: Context) -> Iterator[Finding]:
    """A quality is a fraction, and lies where public runs of the workload end."""
    for path, result in results(submission):
        workload = specification(result, context)
        window = workload.accuracy if workload else None
        for place, metric, value in _qualities(result, path, context):
            if not 0 <= value <= 1:
                yield Finding("quality-out-of-range", place, f"{value:g}", "a fraction from 0 to 1")
            elif window and metric == window.metric and result.outcome == "ok":
                low, high = window.low - ACCURACY_SLACK, window.high
                if value < low:
                    yield Finding("quality-too-low", place, f"{value:g}", f"at least {low:g}")
                if value > high:
                    yield Finding("quality-unusually-high", place, f"{value:g}", f"at most {high:g}")


def memory_in_bytes(submission: Submission, context: Context) -> Iterator[Finding]:
    """Memory is stated in bytes, and a device has about as much as its kind."""
    for name, machine in submission.machines.items():
        steps: list[str | int] = ["machines", name]
        sizes: list[tuple[list[str | int], int | None]] = [([*steps, "memory_bytes"], machine.memory_bytes)]
        for position, device in enumerate(machine.devices):
            place = [*steps, "devices", position, "memory_bytes"]
            sizes.append((place, device.memory_bytes))
            known = context.vocabulary.hardware.get(context.vocabulary.canonical_hardware(device.name or "") or "")
            wanted = known.memory_bytes if known else None
            if wanted and device.memory_bytes and abs(device.memory_bytes / wanted - 1) > MEMORY_SLACK:
                expected = f"about {_size(wanted)}, as {device.name} has"
                yield Finding("implausible-memory", json_path(place), _size(device.memory_bytes), expected)
        for place, size in sizes:
            if size is not None and not MEMORY[0] <= size <= MEMORY[1]:
                expected = f"{_size(MEMORY[0])} to {_size(MEMORY[1])}"
                yield Finding("implausible-memory", json_path(place), _size(size), expected)


def memory_of_a_run(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A run uses no more memory than its device has."""
    for path, result, run in runs(submission):
        device = computing_device(submission, result)
        if device and device.memory_bytes and (run.peak_device_memory_bytes or 0) > device.memory_bytes:
            expected = f"at most {_size(device.memory_bytes)}, the memory of the device"
            found = _size(run.peak_device_memory_bytes or 0)
            yield Finding("implausible-memory", f"{path}.peak_device_memory_bytes", found, expected)


def possible_throughput(submission: Submission, context: Context) -> Iterator[Finding]:
    """The work per second is what a device of its kind can do, below its dense peak where that is known."""
    for path, result in results(submission):
        workload, device = specification(result, context), computing_device(submission, result)
        if workload is None or device is None or not workload.board or result.outcome != "ok":
            continue
        hardware = context.vocabulary.hardware.get(context.vocabulary.canonical_hardware(device.name or "") or "")
        peak = hardware.peak.get(result.precision or "") if hardware else None
        for place, rate in _rates(result, workload, path):
            done = work(rate, workload, result.mode or workload.mode, result.scale.devices or 1)
            yield from _possible(place, done, peak, _most(submission, result))


def _most(submission: Submission, result: Result) -> float:
    """Return what no device of the result's kind exceeds, FLOP/s; a processor by its threads."""
    machine, device = submission.machines[result.machine], computing_device(submission, result)
    threads = machine.cpu.visible_threads if machine.cpu else None
    if device is None or device.kind != "cpu" or threads is None:
        return MOST_WORK
    return threads * (FP32_OF_A_THREAD if result.precision == "fp32" else HALF_OF_A_THREAD)


def _possible(place: str, done: float, peak: float | None, most: float) -> Iterator[Finding]:
    found = f"{done:.3g} FLOP/s a device"
    if peak and done > peak:
        yield Finding("over-peak", place, f"{found}, {done / peak:.0%} of its peak", f"less than {peak:.3g} FLOP/s")
    elif peak and done > NEAR_PEAK * peak:
        yield Finding("near-peak", place, f"{found}, {done / peak:.0%} of its peak", f"less than {NEAR_PEAK:.0%}")
    elif not LEAST_WORK <= done <= most:
        yield Finding("implausible-throughput", place, found, f"{LEAST_WORK:.0e} to {most:.0e} FLOP/s")


def _rates(result: Result, workload: Workload, path: str) -> Iterator[tuple[str, float]]:
    """Yield samples per second with the place that they follow from: the median run, each reported value."""
    measured = [rate for run in result.runs if (rate := throughput(run)) is not None]
    if measured:
        yield f"{path}.runs", median(measured)
    samples = {
        "fixed-epochs-seconds": workload.real.epochs * workload.real.train_samples if workload.real else None,
        "seconds-per-1000-images": 1000,
    }
    for position, reported in enumerate(result.reported):
        place, number = f"{path}.reported[{position}].value", samples.get(reported.metric)
        if reported.value is None or reported.value <= 0:
            continue
        if reported.metric == "throughput":
            yield place, reported.value
        elif number and reported.unit == "s":
            yield place, number / reported.value


def _qualities(result: Result, path: str, context: Context) -> Iterator[tuple[str, str, float]]:
    """Yield every quality as place, metric and fraction."""
    for position, run in enumerate(result.runs):
        if run.quality:
            yield f"{path}.runs[{position}].quality.value", run.quality.metric, run.quality.value
    for position, reported in enumerate(result.reported):
        metric = context.vocabulary.metrics.get(reported.metric)
        factor = metric and (1.0 if reported.unit == metric.unit else metric.other_units.get(reported.unit))
        if metric and metric.unit == "fraction" and factor and reported.value is not None:
            yield f"{path}.reported[{position}].value", reported.metric, reported.value * factor


def _mode(result: Result, context: Context) -> str | None:
    workload = specification(result, context)
    return result.mode or (workload.mode if workload else None)


def _size(size: int) -> str:
    """Return bytes, with the largest binary unit beside that keeps them above 1."""
    for power, name in ((4, "TiB"), (3, "GiB"), (2, "MiB"), (1, "KiB")):
        if size >= 1024**power:
            return f"{size:,} bytes ({size / 1024**power:.3g} {name})"
    return f"{size:,} bytes"
