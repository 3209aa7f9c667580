"""Machine facts against what the system says, and GPUs through a driver made up for the test."""

from __future__ import annotations

import os
import re
import types
from pathlib import Path

import pytest

from collector import schema
from runners import gpus, machine
from runners.gpus import Gpu

CARDS = [Gpu("NVIDIA H200", f"GPU-{letter}", 150_754_820_096, "580.65.06", 700.0) for letter in "ab"]


@pytest.fixture
def cards(monkeypatch):
    monkeypatch.setattr(gpus, "find", lambda: CARDS)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


def test_facts_agree_with_the_system():
    facts = machine.describe("cpu")
    cpuinfo = Path("/proc/cpuinfo").read_text("utf-8")
    assert facts.cpu.threads == len(re.findall(r"^processor\s*:", cpuinfo, re.MULTILINE))
    assert facts.cpu.name in " ".join(cpuinfo.split())
    assert 1 <= facts.cpu.visible_threads <= len(os.sched_getaffinity(0))
    (total,) = re.findall(r"^MemTotal:\s*(\d+) kB", Path("/proc/meminfo").read_text("utf-8"), re.MULTILINE)
    assert facts.memory_bytes == int(total) * 1024
    assert facts.kernel == os.uname().release
    assert schema.Machine.model_validate(facts.model_dump()) == facts


def test_affinity_limits_the_visible_threads():
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert machine.visible_threads() == 1
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize(
    ("membership", "files", "quotas"),
    [
        ("0::/job\n", {"job/cpu.max": "150000 100000\n"}, [1.5]),
        ("0::/outer/inner\n", {"outer/cpu.max": "200000 100000\n", "outer/inner/cpu.max": "max 100000\n"}, [2.0]),
        ("3:cpu,cpuacct:/job\n2:memory:/job\n", {"cpu,cpuacct/job/cpu.cfs_quota_us": "50000\n",
                                                 "cpu,cpuacct/job/cpu.cfs_period_us": "100000\n"}, [0.5]),
        ("3:cpu:/job\n", {"cpu/job/cpu.cfs_quota_us": "-1\n", "cpu/job/cpu.cfs_period_us": "100000\n"}, []),
        ("0::/nowhere\n", {}, []),
    ],
)  # fmt: skip
def test_quotas_of_control_groups_are_read_in_both_versions(tmp_path, membership, files, quotas):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert list(machine._quotas(membership, tmp_path)) == quotas


@pytest.mark.parametrize(
    ("setting", "shown"),
    [(None, [0, 1]), ("", []), ("-1", []), ("1", [1]), ("1,0", [1, 0]), ("0,7,1", [0]), ("GPU-b", [1]), ("x", [])],
)
def test_visible_cards_are_those_that_cuda_shows(setting, shown):
    assert gpus.visible(CARDS, setting) == shown


@pytest.mark.usefixtures("cards")
def test_a_machine_with_gpus_is_named_after_those_it_shows(monkeypatch):
    facts = machine.describe("gpu")
    assert facts.name == "2x-nvidia-h200"
    (device,) = facts.devices
    assert (device.kind, device.per_node, device.visible, device.driver) == ("gpu", 2, 2, "580.65.06")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert machine.describe("gpu").name == "1x-nvidia-h200"
    assert machine.describe("gpu").devices[0].visible == 1
    assert "GPU-" not in facts.model_dump_json()


@pytest.mark.usefixtures("cards")
def test_the_default_device_is_a_gpu_only_if_one_is_shown(monkeypatch):
    assert machine.default_kind() == "gpu"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert machine.default_kind() == "cpu"


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Intel(R) Xeon(R) Platinum 8480+ CPU @ 2.00GHz", "intel-xeon-platinum-8480"),
        ("AMD EPYC 9B14 96-Core Processor", "amd-epyc-9b14-96-core"),
        ("Šárka 李", "rka"),
        ("李", "machine"),
    ],
)
def test_names_of_machines_are_plain(name, slug):
    assert machine.slug(name) == slug


def test_telemetry_of_a_cpu_says_how_busy_it_is():
    state = machine.telemetry("cpu")()
    assert state["load_average_1min"] >= 0
    assert set(state) == {"load_average_1min", "frequency_mhz", "governor"}


@pytest.mark.usefixtures("cards")
def test_telemetry_of_a_gpu_is_that_of_the_first_card_that_cuda_shows(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1,0")
    monkeypatch.setattr(gpus, "telemetry", lambda index: {"card": index})
    assert machine.telemetry("gpu")() == {"card": 1}


class NoSupportError(Exception):
    pass


def driver(**answers):
    """Return a module like pynvml; a question without an answer raises its error."""

    def unsupported(*_arguments):
        raise NoSupportError

    questions = (
        "SystemGetDriverVersion", "DeviceGetCount", "DeviceGetHandleByIndex", "DeviceGetName", "DeviceGetUUID",
        "DeviceGetMemoryInfo", "DeviceGetEnforcedPowerLimit", "DeviceGetCurrentClocksEventReasons",
        "DeviceGetPowerUsage", "DeviceGetEccMode", "DeviceGetMigMode", "DeviceGetClockInfo", "DeviceGetTemperature",
        "Init", "Shutdown",
    )  # fmt: skip
    module = types.ModuleType("pynvml")
    module.NVMLError = NoSupportError
    module.NVML_CLOCK_SM, module.NVML_CLOCK_MEM, module.NVML_TEMPERATURE_GPU = 1, 2, 0
    module.nvmlClocksEventReasonGpuIdle, module.nvmlClocksEventReasonSwPowerCap = 1, 4
    for question in questions:
        answer = answers.get(question)
        known = question in answers
        setattr(module, f"nvml{question}", (lambda *_a, answer=answer: answer) if known else unsupported)
    return module


WORKING = {"Init": None, "Shutdown": None, "SystemGetDriverVersion": "580.65.06", "DeviceGetCount": 1,
           "DeviceGetHandleByIndex": "card", "DeviceGetName": "NVIDIA H200", "DeviceGetUUID": "GPU-a"}  # fmt: skip


def test_a_card_tells_what_it_is_and_how_it_is_doing(monkeypatch):
    told = {
        "DeviceGetMemoryInfo": types.SimpleNamespace(total=150_754_820_096),
        "DeviceGetEnforcedPowerLimit": 700_000,
        "DeviceGetCurrentClocksEventReasons": 5,
        "DeviceGetPowerUsage": 123_456,
        "DeviceGetEccMode": [1, 1],
        "DeviceGetMigMode": [0, 0],
        "DeviceGetClockInfo": 1980,
        "DeviceGetTemperature": 41,
    }
    monkeypatch.setitem(__import__("sys").modules, "pynvml", driver(**WORKING, **told))
    assert gpus.find() == [Gpu("NVIDIA H200", "GPU-a", 150_754_820_096, "580.65.06", 700.0)]
    assert gpus.telemetry(0) == {
        "sm_clock_mhz": 1980,
        "memory_clock_mhz": 1980,
        "temperature_celsius": 41,
        "power_watts": 123.456,
        "throttle_reasons": "GpuIdle, SwPowerCap",
        "ecc": True,
        "mig": False,
    }


def test_what_a_card_cannot_tell_is_null_and_no_driver_is_no_card(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pynvml", driver(**WORKING))
    assert gpus.find() == [Gpu("NVIDIA H200", "GPU-a", None, "580.65.06", None)]
    assert set(gpus.telemetry(0).values()) == {None}
    monkeypatch.setitem(__import__("sys").modules, "pynvml", driver())
    assert gpus.find() == []
    assert gpus.telemetry(0) == {}
