"""The contract as plain functions: they run inside any framework's Python, and in the tests.

A check returns None, or the sentence that says what is wrong, with the numbers.
"""

import math

from runners.worker.contract import Unsupported

TOLERANCE = 0.10  # of the probe loss: catches a wrong loss or initialisation, forgives a fresh network's noise
LOGITS_TOLERANCE = 1e-4  # of the largest output: single precision through the deepest network stays well below
SLACK = 0.01  # below the lowest quality that public runs show


def refuse_unsupported(adapter, request):
    """Raise `Unsupported` unless the adapter class declares workload, precision, data kind and options."""
    workload = request["workload"]["id"]
    _one_of("workload", workload, adapter.supports)
    _one_of(f"precision of {workload}", request["precision"], adapter.supports[workload]["precisions"])
    _one_of(f"data kind of {workload}", request["data"]["kind"], adapter.supports[workload]["data"])
    if request["scale"]["devices"] > 1:
        _one_of("launcher of several processes", request["scale"]["launcher"], adapter.launchers)
    for name in sorted(request["options"]):
        _one_of("option", name, adapter.options)
    if request["epochs"]:
        _epochs_make_sense(request)


def parameter_count(found, workload):
    """Hold the network to the specification's parameter count, exactly."""
    if found in workload["parameters"]:
        return None
    return f"The network has {found} trainable parameters; {workload['id']} has {_any(workload['parameters'])}."


def probe_loss(found, workload):
    """Hold the loss before training within 10 % of what an untrained network must have."""
    expected = workload.get("expected_loss")
    if expected is None or (found is not None and abs(found - expected) <= TOLERANCE * expected):
        return None
    if found is None:
        return f"The network shows no probe loss; {expected:.6g} ± {TOLERANCE:.0%} is expected."
    return f"The probe loss before training is {found:.6g}; {expected:.6g} ± {TOLERANCE:.0%} is expected."


def logits(error):
    """Hold the outputs under given weights to the reference's; None: there was no reference."""
    if error is None or error <= LOGITS_TOLERANCE:
        return None
    return f"With the reference's weights the outputs differ by {error:.2g} of their size; at most {LOGITS_TOLERANCE:g} is allowed."


def finite_losses(losses):
    """Hold every loss finite."""
    bad = first_not_finite(losses)
    return None if bad is None else f"The loss of step {bad + 1} of {len(losses)} is {losses[bad]}; it must be finite."


def final_quality(found, request):
    """Hold the quality after the specified epochs to the lowest that public runs show."""
    wanted = request["workload"].get("accuracy")
    if found is None or not wanted or request["epochs"] != request["workload"]["real"]["epochs"]:
        return None
    if found >= wanted["low"] - SLACK:
        return None
    return f"The final {wanted['metric']} is {found:.4f}; at least {wanted['low'] - SLACK:.4f} is expected."


def first_not_finite(losses):
    """Return the position of the first NaN or infinite loss, or None."""
    return next((position for position, loss in enumerate(losses) if not math.isfinite(loss)), None)


def _one_of(what, found, known):
    if found not in known:
        raise Unsupported(
            f"This adapter has no code for the {what} {found!r} yet; it has code for {_any(known)}.", "ours"
        )


def _epochs_make_sense(request):
    if request["data"]["kind"] != "real" or not request["workload"].get("real"):
        raise Unsupported("Whole epochs need real data, and a workload that says how many samples they have.", "never")
    samples, batch = request["workload"]["real"]["train_samples"], request["batch_per_device"]
    if samples < batch:
        raise Unsupported(f"An epoch of {samples} samples has no full batch of {batch}.", "never")


def _any(names):
    return " or ".join(str(name) for name in names) or "none"
