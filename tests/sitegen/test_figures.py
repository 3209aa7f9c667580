"""Numbers as text."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegen import figures


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (613.42, "613.4"),
        (3113.2, "3,113"),
        (0.00012345, "0.0001234"),
        (9.9996, "10.000"),
        (0, "0.000"),
        (1234567.8, "1,234,568"),
    ],
)
def test_a_measured_number_has_four_significant_digits(value, text):
    assert figures.measured(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(148.0, "148"), (14.1, "14.1"), (1620, "1,620"), (1.6, "1.6"), (0.7525, "0.7525")]
)
def test_a_published_number_gains_no_digits(value, text):
    assert figures.printed(value) == text


@given(st.floats(min_value=1e-9, max_value=1e12))
def test_a_measured_number_is_within_half_of_its_last_digit(value):
    text = figures.measured(value).replace(",", "")
    assert math.isclose(float(text), value, rel_tol=6e-4)
    assert "e" not in text


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0\u00a0B"), (1023, "1,023\u00a0B"), (1024, "1.0\u00a0KiB"), (25274458112, "23.5\u00a0GiB")]
)
def test_bytes_come_in_binary_units(size, text):
    assert figures.memory(size) == text


@given(st.text(max_size=80), st.integers(min_value=1, max_value=40))
def test_a_shortened_text_is_never_longer_than_asked(text, longest):
    assert len(figures.shorten(text, longest)) <= longest
