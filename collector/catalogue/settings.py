"""Codes about settings that contradict each other."""

from __future__ import annotations

from collector.catalogue.entry import Entry, Severity

ENTRIES = {
    "samples-per-step": Entry(
        "Samples of a step",
        "A step works on the global batch, no more and no less.",
        "correct whichever is wrong",
        about_source=True,
    ),
    "global-batch": Entry(
        "Global batch",
        "The global batch is the batch of a device times devices times accumulation.",
        "correct whichever is wrong",
        about_source=True,
    ),
    "batch-level": Entry(
        "Batch level",
        "The levels one and same are fixed by the workload.",
        "correct the batch, or write null for the level",
        about_source=True,
    ),
    "device-count": Entry(
        "Number of devices",
        "A job can't use more devices or nodes than the machine has, nor more nodes than devices. On a CPU a device of "
        "several is a process, and together they can't have more threads than the machine lets them use.",
        "correct whichever is wrong",
        about_source=True,
    ),
    "count-in-name": Entry(
        "Number of devices in a name",
        "A name says another number of devices than the field; labels aren't trusted, fields are.",
        "correct whichever is wrong",
        Severity.WARNING,
    ),
    "precision-in-name": Entry(
        "Precision in a name",
        "A name says another precision than the field; labels aren't trusted, fields are.",
        "correct whichever is wrong",
        Severity.WARNING,
    ),
    "plain-with-options": Entry(
        "Plain with options",
        "The class plain means the framework's defaults; any option makes a result tuned.",
        "write tuned, or remove the option",
    ),
    "not-comparable": Entry(
        "Not comparable",
        "A setting that isn't stated equals no other, so the result stands alone on its board.",
        "state it if it is known",
        Severity.WARNING,
    ),
    "tf32-not-stated": Entry(
        "TF32 not stated",
        "On this GPU, fp32 may silently be TF32, several times faster and less exact.",
        "state `tf32` of the device as the framework reports it",
        about_source=True,
    ),
    "tf32-contradicts": Entry(
        "TF32 contradicts the precision",
        "TF32 is a precision of its own and never called fp32.",
        "write the precision that was used, with a machine entry of its own for each state",
        about_source=True,
    ),
    "window-too-short": Entry(
        "Sustained window too short",
        "A sustained window has at least 1,000 steps or lasts 10 minutes.",
        "write steady, or measure longer",
    ),
    "fixed-epochs": Entry(
        "Not the fixed epochs",
        "The time for the fixed epochs holds only for that many epochs over all of the data.",
        "measure the number of epochs that the workload asks for",
        about_source=True,
    ),
}
