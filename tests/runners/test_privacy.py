"""Nothing that points at a person or a particular machine reaches a submission."""

from __future__ import annotations

import getpass
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners import privacy
from runners.privacy import Private

JANE = Private(homes=("/data/home/jroe",), users=("Jane Roe", "jroe"), hosts=("node17.lab.example.org", "node17"))


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("can't open /data/home/jroe/data/x.bin", "can't open ~/data/x.bin"),
        ("File '/home/someone/venv/lib/a.py'", "File '~/venv/lib/a.py'"),
        (r"File C:\Users\Someone\a.py", r"File ~\a.py"),
        ("jroe@node17:~$", "<user>@<host>:~$"),
        ("JROE on Node17.lab.example.org", "<user> on <host>"),
        ("write to jane.roe+gpu@example.org.", "write to <email>."),
        ("connect to 10.12.0.7:29500 failed", "connect to <address>:29500 failed"),
        ("tcp://192.168.1.20/", "tcp://<address>/"),
        ("[fe80::1ff:fe23:4567:890a]:80", "[<address>]:80"),
        ("listening on 2001:db8::8a2e:370:7334", "listening on <address>"),
        ("eth0 52:54:00:ab:cd:ef up", "eth0 <mac> up"),
        ("GPU-8a6f0d3c-1b2c-4d5e-8f90-123456789abc failed", "<uuid> failed"),
        ("CUDA_VISIBLE_DEVICES=GPU-8932f937,1", "CUDA_VISIBLE_DEVICES=<uuid>,1"),
        ("MIG-GPU-8a6f0d3c-1b2c-4d5e-8f90-123456789abc/1/0", "<uuid>"),
        ("machine 8a6f0d3c1b2c4d5e8f90123456789abc", "machine <uuid>"),
        ("eth0 5254.00ab.cdef up", "eth0 <mac> up"),
        ("Serial Number: 1324021047891", "Serial Number: <serial>"),
        ("S/N: ABC12345, SN=1654922", "S/N: <serial>, SN=<serial>"),
    ],
)
def test_what_is_private_is_replaced(text, clean):
    assert privacy.scrub_text(text, JANE) == clean


@pytest.mark.parametrize(
    "text",
    [
        "nvidia-cublas-cu12==12.4.5.8",
        "cuDNN 9.1.0.70",
        "driver version 550.54.15.1",
        "v1.2.3.4",
        "serialize2 of a serial program",
        "GPU-bound, a GPU-decoder and 1.2345.6789",
        "2026-11-30T12:00:00Z",
        "12:34:56 elapsed",
        "AMD EPYC 9B14 96-Core Processor @ 2.60GHz",
        "std::bad_alloc in c10::Error at::native::add",
        "127.0.0.1:29500 and ::1",
        "the majroer of node170",
        "torch/nn/modules/conv.py:554",
        "3441592 parameters, 0.0.0.0",
    ],
)
def test_what_is_not_private_stays(text):
    assert privacy.scrub_text(text, JANE) == text


def test_names_that_thousands_of_machines_share_are_no_names(monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "root")
    monkeypatch.setattr(socket, "gethostname", lambda: "localhost")
    monkeypatch.setenv("HOSTNAME", "gpu")
    private = privacy.gather()
    assert (private.users, private.hosts) == ((), ())
    assert privacy.scrub_text("root cause: the gpu hung", private) == "root cause: the gpu hung"


def test_what_is_private_here_is_found(monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "jroe")
    monkeypatch.setattr(socket, "gethostname", lambda: "node17.lab.example.org")
    monkeypatch.setattr(Path, "home", lambda: Path("/data/home/jroe"))
    monkeypatch.setenv("HOSTNAME", "pod7.cluster.example")
    private = privacy.gather()
    assert private.homes == ("/data/home/jroe",)
    assert private.users[-1] == "jroe"
    assert private.hosts == ("node17.lab.example.org", "pod7.cluster.example", "node17", "pod7")


def test_a_user_who_is_called_like_a_setting_does_not_break_the_submission():
    max_and_pytorch = Private((), ("pytorch", "max"), ())
    document = {"framework": "pytorch", "batch": {"level": "max"}, "reason": "max and pytorch fell out"}
    assert privacy.scrub(document, max_and_pytorch) == {
        "framework": "pytorch",
        "batch": {"level": "max"},
        "reason": "<user> and <user> fell out",
    }


def test_every_string_of_a_document_is_looked_at_but_not_the_name_that_the_submitter_chose():
    document = {
        "submitter": {"name": "Jane Roe", "url": "https://example.org/jroe"},
        "stacks": {"s1": {"packages": {"nvidia-cudnn": "9.1.0.70"}, "environment": {"LD_PRELOAD": "/home/x/lib.so"}}},
        "results": [{"reason": "see 10.0.0.1", "notes": ["mail jane@example.org"], "options": {"path": "/home/x/y"}}],
    }
    assert privacy.scrub(document, JANE) == {
        "submitter": {"name": "Jane Roe", "url": "https://example.org/jroe"},
        "stacks": {"s1": {"packages": {"nvidia-cudnn": "9.1.0.70"}, "environment": {"LD_PRELOAD": "~/lib.so"}}},
        "results": [{"reason": "see <address>", "notes": ["mail <email>"], "options": {"path": "~/y"}}],
    }


@given(st.text())
def test_scrubbing_twice_changes_nothing_more(text):
    once = privacy.scrub_text(text, JANE)
    assert privacy.scrub_text(once, JANE) == once


def test_planted_secrets_do_not_reach_the_file(bench):
    home = bench.folder / "home" / "jroe"
    home.mkdir(parents=True)
    bench.environ |= {
        "HOME": str(home),
        "LOGNAME": "jroe",
        "HOSTNAME": "node17",
        "LD_PRELOAD": "",
        "OMP_DISPLAY_ENV": f"{home}/x",
        "OMP_PLACES": "jroe@node17.example.org 10.1.2.3",
    }
    output = str(home / "out")
    done = bench.toy("--output", output, "--option", f"told={home} by jroe, jane@example.org")
    assert done.returncode == 1, done.stderr
    (path,) = (home / "out" / "submissions").rglob("*.json")
    text = path.read_text("utf-8")
    for secret in ("jroe", "node17", "10.1.2.3", "@example.org", str(home)):
        assert secret not in text
    assert '"OMP_DISPLAY_ENV": "~/x"' in text
    assert "--output '~/out'" in text or "--output ~/out" in text


def test_the_names_of_the_other_nodes_of_a_job_are_private_too():
    private = privacy.gather(["gpu-rack7", "10.0.0.8"])
    command = privacy.scrub({"command": "rosetta run --hosts gpu-rack7,10.0.0.8"}, private)["command"]
    assert command == "rosetta run --hosts <host>,<address>"
