"""Names of one chip become one device; names of different chips stay apart."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "names",
    [
        ("Tesla V100-SXM2-32GB", "V100 32GB SXM2", "tesla v100-sxm2-32gb"),
        ("NVIDIA H200", "H200 SXM"),
        ("V100", "Tesla V100", " NVIDIA V100 "),
    ],
)
def test_spellings_of_one_device_are_one(vocabulary, names):
    assert len({vocabulary.canonical_hardware(name) for name in names} - {None}) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("RTX 4090", "RTX 4090 D", "RTX 4090 Laptop GPU"),
        ("V100", "Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB", "Tesla V100-PCIE-16GB"),
    ],
)
def test_variants_of_a_device_stay_apart(vocabulary, names):
    assert len({vocabulary.canonical_hardware(name) for name in names} - {None}) == len(names)


def test_no_spelling_belongs_to_two_devices(vocabulary):
    spellings = [
        spelling.casefold() for name, entry in vocabulary.hardware.items() for spelling in {name, *entry.aliases}
    ]
    assert len(spellings) == len(set(spellings))


def test_every_peak_has_its_source(vocabulary):
    assert [name for name, entry in vocabulary.hardware.items() if entry.peak and not entry.source] == []


def test_a_device_without_its_variant_has_no_peak(vocabulary):
    assert all(entry.variant_stated or not entry.peak for entry in vocabulary.hardware.values())
