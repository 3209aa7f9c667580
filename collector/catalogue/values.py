"""Codes about numbers: times, proofs, quality, plausibility."""

from __future__ import annotations

from collector.catalogue.entry import Entry, Severity

ENTRIES = {
    "non-positive-time": Entry(
        "Time of zero or less",
        "Whatever is timed takes more than 0 s; the clock must be monotonic.",
        "measure again with the current worker",
    ),
    "step-count": Entry(
        "Number of steps",
        "The list has another length than the number of steps stated. A decimal comma makes two numbers of one.",
        "look for a value too many or too few, and measure again if it isn't plain",
    ),
    "window-shorter-than-steps": Entry(
        "Window shorter than its steps",
        "The window spans all steps, so it lasts at least as long as they do together.",
        "correct whichever is wrong, or measure again",
    ),
    "window-longer-than-steps": Entry(
        "Window far longer than its steps",
        "Some delay at the end is normal where a device works behind the host; a factor of 100 is a change of unit.",
        "make sure that both are seconds",
        Severity.WARNING,
    ),
    "whole-seconds": Entry(
        "Whole units of time",
        "Rounding to whole units makes short times wrong by several per cent.",
        "give the digits that were measured, if there are any",
        Severity.WARNING,
    ),
    "runs-out-of-order": Entry(
        "Runs out of order", "Runs stand in the order of their start.", "sort them", Severity.WARNING
    ),
    "implausible-date": Entry(
        "Implausible date",
        "The date lies in the future, or before there was anything to measure: a clock that isn't set.",
        "correct the date",
    ),
    "unequal-network": Entry(
        "Not the specified network",
        "Parameter count, probe loss or logits differ from the specification: another network was measured.",
        "write the outcome invalid with its reason, or correct the adapter and measure again",
    ),
    "loss-missing": Entry(
        "No loss",
        "Without a loss nothing shows that the training was real.",
        "measure again with the current worker",
        Severity.WARNING,
    ),
    "quality-out-of-range": Entry(
        "Quality outside its range",
        "Accuracy and AUC lie between 0 and 1, or 0 and 100 in per cent.",
        "correct the value or its unit",
        about_source=True,
    ),
    "quality-too-low": Entry(
        "Quality too low",
        "The trained network is worse than public runs of the same workload: it didn't learn as specified.",
        "write the outcome invalid with its reason, or correct the adapter and measure again",
        about_source=True,
    ),
    "quality-unusually-high": Entry(
        "Quality unusually high",
        "The trained network is better than public runs of the same workload.",
        "make sure that test data stayed out of the training",
        Severity.WARNING,
    ),
    "summary-differs": Entry(
        "Summary doesn't follow from its runs",
        "The stated figure is more than 0.5 % off what the runs beside it give: one of them belongs elsewhere.",
        "make sure that both are of the same runs; a slip of the source is kept as printed",
        Severity.WARNING,
    ),
    "unlike-neighbours": Entry(
        "Unlike its neighbours",
        "The same framework on the same device under the same settings was several times its usual spread away.",
        "look for another load, a power limit or a slow path; if nothing is found, leave it as it is",
        Severity.WARNING,
    ),
    "carried-over": Entry(
        "Carried over?",
        "A value equals that of an older release to all of its digits, which two measurements hardly ever do.",
        "look whether the newer release was measured at all; if it was, leave it as it is",
        Severity.WARNING,
    ),
    "implausible-memory": Entry(
        "Implausible memory",
        "The number fits another unit than bytes, or another device than the one named.",
        "write bytes",
        Severity.WARNING,
    ),
    "implausible-throughput": Entry(
        "Implausible throughput",
        "The work per second is far outside what devices of this kind do: seconds and milliseconds may be mixed up.",
        "make sure of the unit and the batch",
        Severity.WARNING,
    ),
    "over-peak": Entry(
        "Faster than the device",
        "The work per second exceeds the device's dense peak, which is impossible at this precision.",
        "make sure of precision, batch and unit",
        about_source=True,
    ),
    "near-peak": Entry(
        "Close to the device's peak",
        "More than 80 % of the dense peak is hardly ever reached by a whole training step.",
        "make sure of precision, batch and unit",
        Severity.WARNING,
    ),
}
