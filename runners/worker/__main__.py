"""The worker: measures one run of one framework, inside that framework's own Python.

    <environment's python> <root>/runners/worker/__main__.py request.json result.json

This text is the protocol, version 2. Files in, files out, in a scratch folder: frameworks print on stdout. One process
is one run on one device. The exit status is 0 whenever `result.json` was written, and it is written in one piece at the very end; a
process that ends without it has crashed. Python 3.6 syntax and the standard library only, because the framework's Python
may be that old. The script's own folder leaves `sys.path`: its modules must not shadow what a framework imports.

request.json, every key present:

    protocol           2
    framework          the folder under runners/frameworks
    workload           {"id", and all keys of data/workloads/<id>.toml}
    device             "auto", "cpu" or "gpu"
    precision          "fp32", "tf32", "amp-fp16" (loss scale dynamic), "amp-bf16" or "fp16"
    data               {"kind": "synthetic-device", "synthetic-host" or "real", "directory": text or null}
    scale              {"nodes", "devices": in all, one process each, "launcher": text or null for one device,
                       "hosts": one address a node, "port": the first free one on them; both null for one device}
    loader_workers     processes that load real data; null: the adapter's choice
    reference          null, or the file with weights, inputs and outputs of the reference network (reference.py)
    batch_per_device   samples of a step on each device
    threads            threads of this process on the CPU; null: the framework's default
    seed               of weights and synthetic data
    warmup_steps       steps before the window (0 for whole epochs)
    measured_steps     steps in the window; null and unused for whole epochs
    epochs             null, or that many whole epochs of real data as the window, and then the test metric (not timed)
    options            {name: value}; what the adapter doesn't know is unsupported
    progress           null, or a file that the worker makes: two little-endian unsigned 64-bit integers, the phase
                       (0 starting, 1 preparing, 2 warm-up, 3 measuring, 4 finishing) and the steps done in all

A job of several devices is as many workers with one request, started by an existing launcher; process.py finds out which
of them a worker is. The first writes result.json, the others result.<rank>.json; a worker that can't go on ends with exit
status 1, so that the launcher ends the others, which may be waiting for it.

result.json:

    protocol           2
    outcome            "ok", "oom", "failed", "unsupported" or "invalid" (measured, but a check of the network failed)
    reason             null when ok, else a sentence
    limit              whose limit it is when unsupported: "ours", "upstream" or "never"; else null
    traceback          text when an exception wasn't foreseen, else null
    run                the keys of collector.schema.Run less `telemetry` and `log_sha256`; null before the window's end
    equality           {"parameters", "probe_loss", "logits_error"}; null before the probe; a NaN is null
    loader             {"loader", "workers", "cache"} as in schema.Data; null before the window's end
    checksum           sum of all parameters after the last step; null for one device
    stack              {"framework_version", "api", "language", "language_version", "cuda", "cudnn", "nccl", "blas",
                       "packages"}; null if the framework couldn't be imported
    device             {"name", "kind", "memory_bytes", "tf32"}; null likewise; null inside: the launcher knows better
    fingerprint        {"adapter", "workload"}: SHA-256, see fingerprint.py

`run.loss` holds the losses of the measured steps. `run.epoch_seconds` are host time stamps, the last one with the final
synchronisation in it. Times are seconds by one monotonic clock and not rounded.
"""

import json
import os
import sys

PROTOCOL = 2


def main(request_path, result_path):
    """Read the request, carry it out, write the result; return the exit status."""
    own = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(own))
    sys.path[:] = [root] + [path for path in sys.path if os.path.abspath(path) != own]
    from runners.worker import process
    from runners.worker.execute import execute

    with open(request_path, encoding="utf-8") as file:
        request = json.load(file)
    if request["protocol"] != PROTOCOL:
        raise SystemExit(
            f"The request speaks protocol {request['protocol']}, this worker {PROTOCOL}: use one checkout."
        )
    request["process"] = process.place(request["scale"])
    result = execute(request, root)
    write(result, process.result_path(result_path, request["process"]))
    alone = request["process"]["count"] == 1
    return 0 if alone or result["outcome"] in ("ok", "invalid") else 1


def write(result, path):
    """Write a result in one piece: whoever reads it sees all of it or nothing."""
    with open(path + ".partial", "w", encoding="utf-8") as file:
        json.dump(result, file, ensure_ascii=False, allow_nan=False, sort_keys=True)
    os.replace(path + ".partial", path)


if __name__ == "__main__":
    if len(sys.argv) != 3:  # noqa: PLR2004 - the script and its two arguments
        raise SystemExit("usage: <environment's python> runners/worker/__main__.py request.json result.json")
    sys.exit(main(sys.argv[1], sys.argv[2]))
