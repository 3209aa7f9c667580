"""Data sets for the report's tests: written as submission files, loaded like any other."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from sitegen import labels
from sitegen.report.material import Material
from sitegen.report.typeset import compose, pdf
from sitegen.report.words import load_report_words
from sitegen.words import LANGUAGES, load_words

from collector import store

STEPS = 100
README = r"ilkarman-deeplearningframeworks/(?!.*-notebooks).*"


def measured(framework="pytorch", version="2.13.0", rates=(512.0, 509.5, 515.25, 511.0, 507.75), **changes):
    """Return a measured submission of the CIFAR-10 CNN with one run a rate (samples/s)."""
    machine = changes.pop("machine", "desk-2core")
    result = {
        "workload": "cifar10-cnn",
        "workload_version": 1,
        "machine": "m1",
        "stack": "s1",
        "variant": None,
        "mode": "training",
        "precision": "fp32",
        "loss_scale": None,
        "data": {"kind": "synthetic-device", "loader": None, "workers": None, "cache": None},
        "batch": {"level": "same", "per_device": 64, "accumulation": 1, "global": 64, "search": None},
        "scale": {"nodes": 1, "devices": 1, "launcher": None},
        "threads_per_process": 2,
        "options": {},
        "class": "plain",
        "window": "steady",
        "seed": 0,
        "fingerprint": {"adapter": "a" * 64, "workload": "b" * 64},
        "equality": {"parameters": 3441592, "probe_loss": 2.303, "logits_error": None},
        "outcome": "ok",
        "reason": None,
        "limit": None,
        "runs": [run(rate, number) for number, rate in enumerate(rates)],
        "reported": [],
        "notes": [],
    } | changes
    return {
        "schema_version": 1,
        "submitter": {"name": "local", "organisation": None, "url": None},
        "origin": "measured",
        "source": None,
        "supersedes": None,
        "withdrawn": None,
        "harness": {
            "version": "0.1.0",
            "commit": "c" * 40,
            "dirty": False,
            "command": "rosetta run",
            "profile": "quick",
        },
        "machines": {"m1": machine_facts(machine)},
        "stacks": {"s1": stack(framework, version)},
        "results": [result],
    }


def run(rate, number):
    times = [64 / rate * (1 + 0.01 * ((step * 7 + number) % 5 - 2)) for step in range(STEPS)]
    return {
        "started_at": f"2026-11-30T12:0{number}:00Z",
        "warmup_steps": 20,
        "measured_steps": STEPS,
        "first_step_seconds": 0.81 + number / 100,
        "warmup_step_seconds": [0.81 + number / 100, *[64 / rate * 1.05] * 19],
        "step_seconds": times,
        "window_seconds": sum(times) + 1e-4,
        "samples_per_step": 64,
        "loss": [2.3041, 2.2876],
        "epoch_seconds": None,
        "peak_device_memory_bytes": None,
        "telemetry": {"start": {}, "end": {}},
        "quality": None,
        "log_sha256": f"{number}{round(rate * 100):x}".rjust(64, "0"),
    }


def machine_facts(name):
    device = {"name": "AMD EPYC 9B14", "kind": "cpu", "per_node": 1, "visible": 1}
    return {
        "name": name,
        "nodes": 1,
        "cpu": {"name": "AMD EPYC 9B14", "sockets": 1, "cores": 2, "threads": 2, "visible_threads": 2},
        "memory_bytes": 25274458112,
        "os": "Debian GNU/Linux 12",
        "kernel": "6.1.0",
        "devices": [device | dict.fromkeys(("memory_bytes", "driver", "power_limit_watts", "tf32"))],
        "interconnect": None,
        "storage": None,
        "container": None,
    }


def stack(framework, version):
    stated = {"framework": framework, "framework_version": version, "language": "python", "language_version": "3.11.7"}
    rest = dict.fromkeys(("cuda", "cudnn", "nccl", "install_seconds", "install_bytes"))
    more = {"api": "eager", "blas": "mkl", "packages": {"numpy": "2.4.6"}, "environment": {"OMP_NUM_THREADS": "2"}}
    return stated | rest | more


@pytest.fixture(scope="session")
def submission():
    """Return the function that makes a measured submission."""
    return measured


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Return a function that writes submissions, beside published ones of the project whose path fits, or none."""

    def written(*submissions, published=None):
        folder = tmp_path_factory.mktemp("project")
        data, local = folder / "data", folder / "local"
        for name in ("vocabulary", "workloads"):
            shutil.copytree(store.DATA / name, data / name)
        for path in (store.DATA / "submissions/published").rglob("*.json") if published else ():
            if not re.fullmatch(published, f"{path.parent.name}/{path.name}"):
                continue
            target = data / "submissions/published" / path.parent.name / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        local.mkdir()
        for number, plain in enumerate(submissions):
            (local / f"{number}.json").write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
        return data, local

    return written


@pytest.fixture(scope="session")
def load(folders):
    """Return a function that loads submissions as a data set."""

    def loaded(*submissions, published=None):
        return store.load(*folders(*submissions, published=published))

    return loaded


@pytest.fixture(scope="session")
def several(load):
    """Load a data set with ties, a clear difference, a pair of runs, a failure, two settings, and published figures."""
    return load(
        measured(),
        measured("mxnet", "1.9.1", rates=(400.0, 401.0, 399.0, 402.0, 398.0)),
        measured("tensorflow", "2.20.0", rates=(508.0, 509.0, 512.0, 514.0, 511.0)),
        measured("jax", "0.5.0", rates=(300.0, 301.0)),
        measured("oneflow", "1.0.0", rates=(), outcome="oom", reason="It needs 12 GiB; the device has 8 GiB."),
        measured(rates=(100.0, 101.0, 102.0), threads_per_process=1),
        published=README,
    )


@pytest.fixture(scope="session")
def material():
    """Return a function that gives the chapters what they are written from."""

    def made(dataset, language="en"):
        return Material(dataset, labels.Edition(load_words(language), dataset.vocabulary), load_report_words(language))

    return made


@pytest.fixture(scope="session")
def composed(several):
    """Write the report on that data set in each language, as values."""
    return {language: compose(several, language, pytest.fail) for language in LANGUAGES}


@pytest.fixture(scope="session")
def pdfs(composed):
    """Set the same as PDF files."""
    return {language: pdf(document) for language, document in composed.items()}
