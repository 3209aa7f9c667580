"""Which code and which specification made a result: hashes that layout and comments don't change."""

import hashlib
import io
import json
import os
import tokenize

SKIPPED = (tokenize.ENCODING, tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)
LAYOUT = {tokenize.NEWLINE: "newline", tokenize.INDENT: "indent", tokenize.DEDENT: "dedent"}
# Python 3.12 takes f-strings apart and 3.14 t-strings; older ones see one token. The hash must be the same.
OPENING = tuple(getattr(tokenize, name, None) for name in ("FSTRING_START", "TSTRING_START"))
CLOSING = tuple(getattr(tokenize, name, None) for name in ("FSTRING_END", "TSTRING_END"))


def fingerprint(folder, workload):
    """Return SHA-256 of the token streams of a folder's modules, and of the workload's canonical JSON."""
    adapter = hashlib.sha256()
    for name in sorted(entry for entry in os.listdir(folder) if entry.endswith(".py")):
        for part in [name, *tokens(os.path.join(folder, name))]:
            adapter.update(part.encode("utf-8") + b"\0")
    canonical = json.dumps(workload, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return {"adapter": adapter.hexdigest(), "workload": hashlib.sha256(canonical.encode("utf-8")).hexdigest()}


def tokens(path):
    """Yield a module's tokens as text, alike on every Python."""
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    depth, start = 0, None
    for token in tokenize.tokenize(io.BytesIO("".join(lines).encode("utf-8")).readline):
        if token.type in OPENING:
            start = start if depth else token.start
            depth += 1
        elif token.type in CLOSING:
            depth -= 1
            if not depth:
                yield _source(lines, start, token.end)
        elif not depth and token.type not in SKIPPED:
            yield LAYOUT.get(token.type, token.string)


def _source(lines, start, end):
    """Return what stands between two positions: lines from 1, columns from 0."""
    part = lines[start[0] - 1 : end[0]]
    part[-1] = part[-1][: end[1]]
    part[0] = part[0][start[1] :]
    return "".join(part)
