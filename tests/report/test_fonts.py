"""What the font has, and what stands in for what it lacks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegen.fonts import legible, width, wrap


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("吞吐率 Throughput × ≥ “”", "吞吐率 Throughput × ≥ “”"),
        ("李喆", "李[U+5586]"),
        ("fast \U0001f600", "fast [U+1F600]"),
        ("a\u202eb", "a[U+202E]b"),
        ("a\u0007b", "a[U+0007]b"),
        ("one\ntwo\tthree", "one two three"),
        ("Sa\u0301rka", "Sárka"),
        ("lone \ud800", "lone [U+D800]"),
    ],
)
def test_a_character_that_the_font_lacks_becomes_its_code(text, shown):
    assert legible(text)[0] == shown


def test_the_replaced_characters_are_named():
    assert legible("喆 and \U0001f600 and 喆") == ("[U+5586] and [U+1F600] and [U+5586]", ("喆", "\U0001f600"))


@given(st.text())
def test_whatever_comes_in_what_comes_out_can_be_printed(text):
    assert legible(legible(text)[0]) == (legible(text)[0], ())


@given(
    st.text(min_size=1, max_size=200), st.integers(min_value=20, max_value=300), st.integers(min_value=1, max_value=4)
)
def test_wrapped_lines_fit_their_room(text, room, lines):
    broken = wrap(legible(text)[0].strip() or "x", 7, room, lines)
    assert 1 <= len(broken) <= lines
    assert all(width(line, 7) <= room + 1e-6 for line in broken)


@given(st.lists(st.text(alphabet="abcdefghij", min_size=1, max_size=8), min_size=1, max_size=10))
def test_nothing_is_lost_where_there_is_room(words):
    assert "".join(wrap(" ".join(words), 7, 100, 99)).replace(" ", "") == "".join(words)
