"""From request to result: choose the adapter, prove the network, measure, judge. Whatever happens is an outcome."""

import importlib
import math
import os
import time
import traceback

from runners.worker import checks, measure, progress, reference
from runners.worker.contract import Unsupported, Unusable
from runners.worker.fingerprint import fingerprint

REASON_LENGTH = 500  # a sentence for a table; the traceback has the rest


def execute(request, root):
    """Carry out a request; return the result. `root` is the folder that holds `runners`."""
    first = not request["process"]["rank"]  # the one whose result counts, where the job has several processes
    report = progress.open_progress(request["progress"] if first else None)
    folder = os.path.join(root, "runners", "frameworks", request["framework"])
    result = {
        "protocol": request["protocol"], "outcome": "failed", "reason": None, "limit": None, "traceback": None, "run": None,
        "equality": None, "loader": None, "checksum": None, "stack": None, "device": None, "fingerprint": fingerprint(folder, request["workload"]),
    }  # fmt: skip
    adapters = []
    try:
        adapters.append(_adapter(request))
        _carry_out(adapters[0], request, report, result)
    except Unsupported as error:
        result.update(outcome="unsupported", reason=str(error), limit=error.limit)
    except Unusable as error:
        result.update(outcome="failed", reason=str(error))
    except Exception as error:
        result.update(_failure(error, adapters), traceback=traceback.format_exc())
    return result


def _adapter(request):
    """Make the adapter. Some import their framework only then: it reads the job's place from variables at once."""
    try:
        module = importlib.import_module(f"runners.frameworks.{request['framework']}.adapter")
        checks.refuse_unsupported(module.Adapter, request)
        return module.Adapter(request)
    except ImportError as error:
        raise Unusable(
            f"{request['framework']} can't be imported in this environment: {error}."
            f" Make one with `rosetta setup {request['framework']}`, or name another with --python."
        ) from error


def _carry_out(adapter, request, report, result):
    """Fill in the result as far as it gets: what was found out before a failure is kept."""
    started_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    result.update(stack=adapter.stack(), device=adapter.device())
    report(progress.PREPARING, 0)
    adapter.prepare()
    parameters, probe = adapter.parameters(), adapter.probe()
    miscounted = checks.parameter_count(
        parameters, request["workload"]
    )  # then the reference's weights don't fit either
    error = reference.logits_error(adapter, request["reference"]) if request["reference"] and not miscounted else None
    result["equality"] = {"parameters": parameters, "probe_loss": _finite(probe), "logits_error": _finite(error)}
    times = measure.measure(adapter, request, report)
    report(progress.FINISHING, times["warmup_steps"] + times["measured_steps"])
    losses = adapter.losses()
    quality = adapter.evaluate() if request["epochs"] and not request["process"]["rank"] else None
    result["run"] = _run(started_at, request, times, losses, quality, adapter.peak_memory())
    result.update(
        loader=adapter.loader(), checksum=_finite(adapter.checksum()) if request["process"]["count"] > 1 else None
    )
    adapter.release()
    problems = [
        miscounted,
        checks.probe_loss(probe, request["workload"]),
        checks.logits(error),
        checks.finite_losses(losses),
        checks.final_quality(quality, request),
    ]
    found = " ".join(problem for problem in problems if problem)
    result.update(outcome="invalid" if found else "ok", reason=found or None)


def _run(started_at, request, times, losses, quality, peak_memory):
    """Put together the keys of the schema's `Run`; its losses are those of the window, up to the first non-finite one."""
    finite = losses[: checks.first_not_finite(losses)] if request["workload"]["mode"] == "training" else []
    metric = request["workload"].get("accuracy", {}).get("metric")
    return dict(
        times,
        started_at=started_at,
        samples_per_step=request["batch_per_device"] * request["process"]["count"],
        loss=finite[times["warmup_steps"] :],
        peak_device_memory_bytes=peak_memory,
        quality=None if quality is None else {"metric": metric, "value": quality},
    )


def _failure(error, adapters):
    """Say what an exception means, in the adapter's opinion if there is one yet."""
    memory = any(adapter.out_of_memory(error) for adapter in adapters) or isinstance(error, MemoryError)
    first = (str(error).strip().splitlines() or ["no message"])[0][:REASON_LENGTH]
    reason = f"{type(error).__name__}: {first}"
    return (
        {"outcome": "oom", "reason": f"Memory ran out: {reason}"} if memory else {"outcome": "failed", "reason": reason}
    )


def _finite(value):
    return value if value is not None and math.isfinite(value) else None
