"""Spellings of device names: a lookup key that evens out what tells no devices apart, and the count beside a name.

Nothing that may tell variants apart is taken off: `4090 D`, `4090 Laptop` and `TITAN X (Pascal)` keep every word.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MARKS = re.compile(r"[®™©]|\((?:r|tm|c)\)", re.IGNORECASE)
CLOCK = re.compile(r"@\s*[\d.]+\s*[gm]hz")
CORES = re.compile(r"\b\d+[- ]core\b")
LINE = re.compile(r"\b(rtx|gtx|rx|ascend|tpu|gaudi|arc|titan|epyc|quadro)(?=[avw]?\d)")  # RTX4090
SUFFIX = re.compile(r"\b(\d{3,4})(ti|super|d|xtx?|gre)\b")  # 1080Ti
MEMORY = re.compile(r"\b(\d+) ?gi?b?\b(?= |$)")
# Words that no two devices differ in alone.
MAKERS = frozenset(("amd", "corporation", "google", "huawei", "intel", "nvidia"))
KINDS = frozenset(("accelerator", "cpu", "geforce", "gpu", "graphics", "processor", "tesla"))

# Machine labels of hosts and clouds: what stands before or behind the devices.
HOST = re.compile(
    r"^(?:(?:1CC|ASUS|Dell(?:Texas)?|Lambda(?:Cloud)?|LENOVO|RAIDZ1|SMC|Supermicro)[ _]+)+", re.IGNORECASE
)
TAIL = re.compile(r"(?:_(?:<host>|lambda-scalar|h200))?_v\d+(?:_bk)?$")
NOTE = re.compile(r"\s*(?:\((?:AWS|Azure|GCP|Google Cloud)\b[^()]*\)|\[(?:ZLUDA|ROCm|HIP|DirectML)\])", re.IGNORECASE)
SLICE = re.compile(r"^((?:google )?(?:cloud )?tpu[- ]?v\d\w*)[- ]\d+$", re.IGNORECASE)  # tpu-v3-1024, counted in cores
WATTS = re.compile(r"\s*\((\d{2,4}) ?W\)", re.IGNORECASE)
BEHIND_SLASH = re.compile(r"\s/\s.*$")  # ... / 488 GB, the host's memory
MAKER = r"(?:nvidia|amd|intel|tesla|geforce|quadro|radeon|habana|gaudi|gtx|rtx|[a-z]\d)"
COUNTED = (
    r"^(?P<count>\d{1,4}) ?(?:gpus?|cards?) ?\((?P<name>.+)\)$",  # 1 GPU (GTX 1080 Ti)
    r"^(?P<count>\d{1,4}) ?[x×*] ?(?!tx?\b)(?P<name>[a-z].*)$",  # 8xV100; 7900 XTX has no count
    r"^(?P<count>\d{1,2}) ?[x×*] ?(?P<name>\d{3}.*)$",  # 2x 4090
    rf"^(?P<count>\d{{1,3}}) (?P<name>{MAKER}.*)$",  # 1 NVidia GTX-1080 Ti
    r"^.*_(?P<count>\d{1,4})x(?P<name>(?:[a-z]|\d{3}).*)$",  # Some_Host_8xH100_80GB
    r"^(?P<name>.*[^\s*×]) ?[*×] ?(?P<count>\d{1,4})(?: ?gpus?)?(?P<rest>-.*)?$",  # V100*1-16GB
    r"^(?P<name>.*\S) x ?(?P<count>\d{1,4})(?: ?gpus?)?$",  # V100 x8
)
COUNTS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in COUNTED)


@dataclass(frozen=True)
class Spelling:
    """A device's name as written, less what isn't the name: how many there are, and the power limit behind it."""

    name: str
    count: int | None = None
    watts: int | None = None


def spelled(text: str) -> Spelling:
    """Return name, count and power limit of what a source writes for a device; what it doesn't say is None."""
    name = BEHIND_SLASH.sub("", HOST.sub("", TAIL.sub("", " ".join(text.split()))))
    limit = WATTS.search(name)
    name = NOTE.sub("", WATTS.sub("", name))
    counted = next(filter(None, (pattern.match(name) for pattern in COUNTS)), None)
    if counted:
        name = counted["name"] + (counted.groupdict().get("rest") or "")
    if part := SLICE.match(name):
        name = part[1]
    return Spelling(name.strip(), int(counted["count"]) if counted else None, int(limit[1]) if limit else None)


def forms(text: str) -> tuple[str, ...]:
    """Return the forms under which to look a name up, in this order: a note or a power limit may name a variant.

    A count goes first, so that `2 x Gaudi` isn't Gaudi 2.
    """
    found = spelled(text)
    limited = f"{found.name} ({found.watts}W)" if found.watts else found.name
    return (limited, found.name, text) if found.count else (text, limited, found.name)


def key(name: str) -> str:
    """Return what spellings of one name share: its words in order of the alphabet, without case, marks and makers."""
    text = unicodedata.normalize("NFKC", MARKS.sub(" ", name)).casefold()
    text = re.sub(r"[^\w+.]|_", " ", CORES.sub(" ", CLOCK.sub(" ", text)))
    text = SUFFIX.sub(r"\1 \2", LINE.sub(r"\1 ", " ".join(text.split())))
    return " ".join(sorted(word for word in MEMORY.sub(r"\1gb", text).split() if word not in MAKERS | KINDS))
