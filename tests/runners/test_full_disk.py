"""A file system that is really full: the command says so, nothing is half written, and it goes on once there is room."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

import pytest

# A mount that nobody else sees, full but for a few bytes; then room again. What was written is copied out of it.
SCRIPT = """
set -e
mkdir -p "$OUT"
mount -t tmpfs -o size=512k full "$OUT"
dd if=/dev/zero of="$OUT/filler" bs=4096 2> /dev/null || true
set +e
{command} > "$KEPT/first" 2>&1; echo $? > "$KEPT/first.rc"
find "$OUT" -name '.*json*' -o -name '*.json' -size 0 > "$KEPT/halves"
rm "$OUT/filler"
{command} > "$KEPT/second" 2>&1; echo $? > "$KEPT/second.rc"
cp -r "$OUT/submissions" "$KEPT"
"""


@pytest.fixture
def mount():
    """Skip where a user may not mount a file system of their own; CI must allow it."""
    alone = shutil.which("unshare") and subprocess.run(["unshare", "-Urm", "true"], check=False).returncode == 0
    if not alone:
        assert not os.environ.get("CI"), "CI must allow user and mount namespaces"
        pytest.skip("needs user and mount namespaces (unshare -Urm)")


@pytest.mark.usefixtures("mount")
def test_a_full_file_system_is_named_and_the_same_command_goes_on_once_there_is_room(bench):
    command = shlex.join(bench.command(*bench.toy_arguments("--batch", "one", "--batch", "same")))
    kept = bench.folder / "kept"
    kept.mkdir()
    finished = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", SCRIPT.replace("{command}", command)],
        env=bench.variables() | {"OUT": str(bench.folder / "out"), "KEPT": str(kept)},
        cwd=bench.folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    said = (kept / "first").read_text("utf-8")
    assert finished.returncode == 0, finished.stderr + said
    assert (kept / "first.rc").read_text().strip() != "0"
    assert "No space left on device" in said
    assert "Traceback" not in said
    assert (kept / "halves").read_text() == ""
    again = (kept / "second").read_text("utf-8")
    assert (kept / "second.rc").read_text().strip() == "0", again
    shutil.copytree(kept / "submissions", bench.folder / "out" / "submissions", dirs_exist_ok=True)
    assert [result["outcome"] for result in bench.submission()["results"]] == ["ok", "ok"]
