"""The figures of the hardware vocabulary: each has its source, and none contradicts another."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest

from collector import store

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
FIGURES = ("memory_bytes", "bandwidth_bytes_per_second", "tdp_watts", "peak")
TF32_SINCE = 8.0


def test_there_are_devices_of_all_makers(vocabulary):
    assert len(vocabulary.hardware) >= 120
    makers = {entry.vendor for entry in vocabulary.hardware.values()}
    assert {"NVIDIA", "AMD", "Intel", "Apple", "Google", "Huawei", "Cambricon", "Graphcore"} <= makers


def test_every_figure_has_its_source(vocabulary):
    for name, entry in vocabulary.hardware.items():
        assert entry.source or not any(getattr(entry, figure) for figure in FIGURES), name


def test_a_device_without_its_variant_has_no_peak(vocabulary):
    assert [name for name, entry in vocabulary.hardware.items() if entry.peak and not entry.variant_stated] == []


def test_figures_are_of_the_right_order(vocabulary):
    for name, entry in vocabulary.hardware.items():
        assert 2**30 <= (entry.memory_bytes or 2**30) <= 2**39, name
        assert 5e10 <= (entry.bandwidth_bytes_per_second or 5e10) <= 2e13, name
        assert 5 <= (entry.tdp_watts or 5) <= 2000, name
        assert all(1e12 <= peak <= 1e16 for peak in entry.peak.values()), name


def test_less_precision_is_never_slower(vocabulary):
    for name, entry in vocabulary.hardware.items():
        known = [entry.peak[p] for p in ("fp32", "tf32", "amp-fp16") if p in entry.peak]
        assert all(less <= 1.01 * more for less, more in itertools.pairwise(known)), name  # white papers round


def test_a_gpu_of_nvidia_knows_its_compute_capability_and_what_follows_from_it(vocabulary):
    for name, entry in vocabulary.hardware.items():
        if entry.vendor == "NVIDIA" and entry.kind == "gpu":
            assert entry.compute_capability or not entry.variant_stated, name
            newer = (entry.compute_capability or 0) >= TF32_SINCE
            assert newer or not {"tf32", "amp-bf16"} & entry.peak.keys(), name


def test_a_device_in_two_files_is_refused_by_name(tmp_path):
    shutil.copytree(SAMPLES / "data", tmp_path / "data")
    folder = tmp_path / "data" / "vocabulary" / "hardware"
    folder.mkdir()
    for stem in ("a", "b"):
        (folder / f"{stem}.toml").write_text('["One"]\nkind = "gpu"\nvendor = "X"\naliases = []\n', "utf-8")
    with pytest.raises(store.DataError, match=r"b\.toml has 'One', which another file there has too"):
        store.load_vocabulary(tmp_path / "data")
