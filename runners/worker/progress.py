"""Where the run is, for whoever watches from outside: 16 bytes that cost one store a step."""

import mmap
import os
import struct

STARTING, PREPARING, WARM_UP, MEASURING, FINISHING = range(5)
LAYOUT = struct.Struct("<QQ")  # phase, steps done in all


def open_progress(path):
    """Return `report(phase, steps)`; without a path what it stores is seen by nobody."""
    place = bytearray(LAYOUT.size) if path is None else _mapped(path)

    def report(phase, steps):
        LAYOUT.pack_into(place, 0, phase, steps)

    report(STARTING, 0)
    return report


def _mapped(path):
    with open(path, "wb") as file:
        file.write(bytes(LAYOUT.size))
    descriptor = os.open(path, os.O_RDWR)
    try:
        return mmap.mmap(descriptor, LAYOUT.size)
    finally:
        os.close(descriptor)
