"""Names of one chip become one device; names of different chips stay apart; what isn't known is listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector import store
from collector.spelling import Spelling, key, spelled

GOLDEN = Path(__file__).with_name("golden") / "published-devices.tsv"
NAMES = [line.split("\t")[0] for line in GOLDEN.read_text("utf-8").splitlines()]
VOCABULARY = store.load_vocabulary()
DEVICES = sorted(VOCABULARY.hardware)
COUNTED = (
    "{n}x{name}",
    "{n}x {name}",
    "{n} X {name}",
    "{n} × {name}",
    "{name} x{n}",
    "{name}*{n}",
    "{name} * {n} GPUs",
)


def resolved(vocabulary, name):
    """Return a line of the golden file: name, count, power limit, device or what it looks like."""
    found, device = spelled(name), vocabulary.canonical_hardware(name)
    like = device or f"unknown, like: {'; '.join(vocabulary.devices_like(name)) or 'nothing'}"
    return f"{name}\t{found.count or '-'}\t{found.watts or '-'}\t{like}"


def test_the_names_of_published_figures_resolve_as_in_the_golden_file(vocabulary, request):
    lines = "".join(f"{resolved(vocabulary, name)}\n" for name in NAMES)
    if request.config.getoption("--update-golden", default=False):
        GOLDEN.write_text(lines, encoding="utf-8")
    assert lines == GOLDEN.read_text("utf-8")


def test_at_least_nineteen_in_twenty_published_names_are_known(vocabulary):
    assert sum(vocabulary.canonical_hardware(name) is not None for name in NAMES) >= 0.95 * len(NAMES)


@pytest.mark.parametrize(
    "names",
    [
        ("Tesla V100-SXM2-32GB", "V100 32GB SXM2", "tesla v100-sxm2-32gb", "NVIDIA V100 SXM2 32 GiB"),
        ("NVIDIA H200", "H200 SXM"),
        ("V100", "Tesla V100", " NVIDIA V100 ", "1 NVidia Tesla V100", "8xV100", "Tesla V100 * 1 GPU / 488 GB"),
        ("V100 (AWS p3.2xlarge)", "p3.2xlarge", "Tesla V100-SXM2-16GB"),
        ("Tesla V100*1-16GB", "LambdaCloud V100 16GB"),
        ("1 NVidia GTX-1080 Ti", "1 GPU (Nvidia GeForce GTX 1080 Ti)", "GTX1080Ti", "GeForce® GTX 1080 Ti", "1080 Ti"),
        ("AMD Radeon RX 7900 XTX", "Radeon RX 7900 XTX", "Radeon RX 7900 XTX [ZLUDA]", "RX7900XTX"),
        ("Titan RTX", "RTX Titan", "NVIDIA TITAN RTX"),
        ("Habana Gaudi", "2 × Intel Gaudi", "2 GPUs (Gaudi)", "2 Gaudi", "Gaudi * 2", "Gaudi*3"),
        ("4090", "RTX 4090", "GeForce RTX4090", "2x RTX 4090"),
        ("AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763", "2x EPYC 7763"),
        ("Intel(R) Xeon(R) CPU E5-2698 v4 @ 2.20GHz", "Xeon E5-2698 v4"),
    ],
)
def test_spellings_of_one_device_are_one(vocabulary, names):
    found = {vocabulary.canonical_hardware(name) for name in names}
    assert len(found) == 1
    assert None not in found


@pytest.mark.parametrize(
    "names",
    [
        ("RTX 4090", "RTX 4090 D", "RTX 4090 Laptop GPU"),
        ("4090", "4090 D", "4090 Laptop GPU"),
        ("8x4090", "8x4090 D", "8x4090 Laptop GPU"),
        ("V100", "Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB", "Tesla V100-PCIE-16GB", "V100 16GB", "V100S"),
        ("Tesla V100-SXM3-32GB", "Tesla V100-SXM3-32GB-H"),
        ("2x NVIDIA V100-SXM3-32GB (350W)", "2x NVIDIA V100-SXM3-32GB (450W)"),
        ("Gaudi", "Gaudi2", "Gaudi 3"),
        ("GTX 1080", "GTX 1080 Ti", "GTX 1080 with Max-Q Design"),
        ("RTX 4070", "RTX 4070 Ti", "RTX 4070 SUPER", "RTX 4070 Ti SUPER", "RTX 4070 Laptop GPU"),
        ("Titan X", "TITAN X (Pascal)", "GTX TITAN X", "TITAN Xp", "TITAN V", "Titan RTX"),
        ("RTX 6000", "Quadro RTX 6000", "RTX 6000 Ada", "RTX A6000", "RTX PRO 6000"),
        ("RX 7900 XT", "RX 7900 XTX", "RX 7900 GRE"),
        ("H100 PCIe", "H100 SXM", "H100 NVL", "H100"),
        ("Ascend 910", "Ascend 910A", "Ascend 910B", "Ascend 910B2"),
        ("Xeon Platinum 8380", "Xeon Platinum 8380H"),
        ("MI300X", "MI300A", "MI325X"),
    ],
)
def test_variants_of_a_device_stay_apart(vocabulary, names):
    assert len({vocabulary.canonical_hardware(name) for name in names} - {None}) == len(names)


@pytest.mark.parametrize(
    "name", ["1080 Titan", "GTX 4090", "RTX 4090 (Laptop) D", "V100 64GB", "H100 SXM 40GB", "GPU", ""]
)
def test_what_is_no_device_is_not_made_one(vocabulary, name):
    assert vocabulary.canonical_hardware(name) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("8xV100", Spelling("V100", 8)),
        (
            "2x Intel(R) Xeon(R) Platinum 8168 CPU @ 2.70GHz",
            Spelling("Intel(R) Xeon(R) Platinum 8168 CPU @ 2.70GHz", 2),
        ),
        ("Tesla V100*4-16GB", Spelling("Tesla V100-16GB", 4)),
        ("1 GPU (Nvidia GeForce GTX 1080 Ti)", Spelling("Nvidia GeForce GTX 1080 Ti", 1)),
        ("NVIDIA A100-SXM4-80GB (500W)", Spelling("NVIDIA A100-SXM4-80GB", None, 500)),
        ("LambdaOD_8x_Texas_2xH100_80GB_SXM5_<host>_v2", Spelling("H100_80GB_SXM5", 2)),
        ("1CC 4x H100 80GB SXM5", Spelling("H100 80GB SXM5", 4)),
        ("tpu-v3-1024", Spelling("tpu-v3")),  # a slice is counted in cores, so it says no number of chips
        ("Radeon RX 7900 XTX", Spelling("Radeon RX 7900 XTX")),
        ("7900 XT", Spelling("7900 XT")),
        ("980 Ti", Spelling("980 Ti")),
        ("TITAN X (Pascal)", Spelling("TITAN X (Pascal)")),
    ],
)
def test_count_and_power_limit_come_back_beside_the_name(text, found):
    assert spelled(text) == found


@given(st.sampled_from(DEVICES), st.integers(1, 999), st.sampled_from(COUNTED))
def test_a_count_beside_a_name_changes_nothing_but_the_count(name, n, form):
    text = form.format(n=n, name=name)
    assert (VOCABULARY.canonical_hardware(text), spelled(text).count) == (name, n)


@given(st.data(), st.sampled_from(DEVICES), st.sampled_from(" -_"))
def test_case_order_and_separators_change_nothing(data, name, separator):
    words = data.draw(st.permutations(name.replace(",", " ").split()))
    assert VOCABULARY.canonical_hardware(separator.join(words).swapcase()) == name


VARIANTS = ("D", "Ti", "SUPER", "Laptop", "Mobile", "Max-Q", "NVL", "(Pascal)", "X", "64GB", "S", "v2", "Lite", "(Ada)")


@given(st.sampled_from(DEVICES), st.sampled_from(VARIANTS))
def test_a_word_more_is_never_the_same_device(name, word):
    assert VOCABULARY.canonical_hardware(f"{name} {word}") != name


@given(st.text())
def test_any_text_has_a_spelling_and_a_key(text):
    found = spelled(text)
    assert set(found.name) <= {*text, " "}
    assert key(f"\n {text}\t") == key(text)


def test_no_spelling_belongs_to_two_devices_or_is_nothing(vocabulary):
    owners = {}
    for name, entry in vocabulary.hardware.items():
        for spelling in (name, *entry.aliases):
            assert key(spelling)
            assert owners.setdefault(key(spelling), name) == name
