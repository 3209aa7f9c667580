"""Codes about names: those inside the file and those of the vocabulary."""

from __future__ import annotations

from collector.catalogue.entry import Entry, Severity

ENTRIES = {
    "unknown-machine": Entry(
        "Unknown machine", "The result names a machine that the file doesn't describe.", "describe it under `machines`"
    ),
    "unknown-stack": Entry(
        "Unknown stack", "The result names a stack that the file doesn't describe.", "describe it under `stacks`"
    ),
    "unused-machine": Entry("Unused machine", "No result was measured on this machine.", "remove it", Severity.WARNING),
    "unused-stack": Entry("Unused stack", "No result was measured with this stack.", "remove it", Severity.WARNING),
    "unknown-workload": Entry(
        "Unknown workload",
        "The vocabulary lists every workload, foreign ones too.",
        "use its id, or add it under data/workloads",
    ),
    "unknown-workload-version": Entry(
        "Unknown workload version",
        "The specification has no such version.",
        "use the version that was measured, or update Rosetta Bench",
    ),
    "unknown-framework": Entry(
        "Unknown framework",
        "The vocabulary lists every framework; its release is a field of its own.",
        "use its id, or add it to data/vocabulary/frameworks.toml",
    ),
    "unknown-metric": Entry(
        "Unknown metric",
        "A board shows one metric, so its name must be known.",
        "use its id, or add it to data/vocabulary/metrics.toml",
    ),
    "unknown-unit": Entry(
        "Unknown unit",
        "Each metric has one unit and a few that convert to it; nothing else is converted.",
        "convert the value, or write the unit in that form",
    ),
    "unknown-hardware": Entry(
        "Unknown device",
        "The vocabulary doesn't know the device, so it compares with nothing under another spelling.",
        "if it is a new device, add it to data/vocabulary/hardware",
        Severity.WARNING,
    ),
    "version-spelling": Entry(
        "Spelling of a version",
        "A version is written as the framework prints it, without its name and without a leading v.",
        "write the bare version",
        Severity.WARNING,
    ),
}
