"""Places in tie groups. Pure: knows samples, not submissions.

Standard competition ranking (1, 1, 3): a tie group shares a place and takes as many places as it has entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.estimate import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.estimate import Better, Samples


def places(entries: Sequence[Samples], better: Better, key: str) -> list[int]:
    """Return the place of each entry, given from best to worst.

    An entry shares the place of the tie group's first one unless it is clearly worse; then it begins the next group.
    """
    found: list[int] = []
    leader: Samples = ()
    for position, samples in enumerate(entries):
        tied = bool(found) and compare(samples, leader, better, key) != "worse"
        found.append(found[-1] if tied else position + 1)
        leader = leader if tied else samples
    return found
