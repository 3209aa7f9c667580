"""Our throughput over that of a bare loop, in one process of the framework's Python; prints the ratio of each round.

    <environment's python> benchmarks/bare/compare.py <root> <framework> <request.json> ours|bare

The two alternate in short blocks, each going first every other time, so that a machine's drift hits both alike; the last
argument says which is built first, because where memory comes to lie makes one a few per cent faster for a whole process.
Ours is the worker's own loop with its adapter, stamps, progress file and all; the bare loop reads the clock before and behind.
"""

import importlib
import importlib.util
import json
import sys
import tempfile
import time

ROUNDS, STEPS, WARM_UP = 8, 6, 10


def main(root, framework, request_path, built_first):
    sys.path[0] = root
    with open(request_path, encoding="utf-8") as file:
        request = json.load(file)
    make = {
        "ours": lambda: harness(framework, request),
        "bare": lambda: hand_written(f"{root}/benchmarks/bare/{framework}.py", request),
    }
    made = {name: make[name]() for name in sorted(make, key=lambda name: name != built_first)}
    ours, bare = made["ours"], made["bare"]
    ratios = []
    for number in range(ROUNDS):
        first, second = (ours, bare) if number % 2 else (bare, ours)
        seconds = {first: first(), second: second()}
        ratios.append(seconds[bare] / seconds[ours])
    print(json.dumps(ratios))


def harness(framework, request):
    """Return a function that measures one window through the worker and returns its seconds."""
    from runners.worker import measure, progress

    request.update(process={"rank": 0, "count": 1, "local_rank": 0}, warmup_steps=WARM_UP, measured_steps=STEPS)
    adapter = importlib.import_module(f"runners.frameworks.{framework}.adapter").Adapter(request)
    adapter.prepare()
    report = progress.open_progress(tempfile.mkstemp()[1])
    measure.measure(adapter, request, report)
    return lambda: measure.measure(adapter, dict(request, warmup_steps=0), report)["window_seconds"]


def hand_written(path, request):
    """Return a function that runs the bare loop once and returns its seconds."""
    description = importlib.util.spec_from_file_location("bare", path)
    module = importlib.util.module_from_spec(description)
    description.loader.exec_module(module)
    step, wait = module.training(request["batch_per_device"], request["threads"])

    def run(steps=STEPS):
        wait()
        start = time.perf_counter()
        for _ in range(steps):
            step()
        wait()
        return time.perf_counter() - start

    run(WARM_UP)
    return run


if __name__ == "__main__":
    main(*sys.argv[1:])
