"""Logs as they really are: cut, mixed, coloured, mangled, contradictory; and nothing personal in what is imported."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector import files
from collector.logs.lines import lines


def throughput(run):
    return run.samples_per_step * run.measured_steps / run.window_seconds


def test_everything_that_is_missing_is_named_at_once(imported, logs):
    result, file = imported(logs["rates"][0], needed=())
    wanted = "framework workload mode precision device devices batch title url commit licence path retrieved-on accumulation rates"
    assert result.exit_code == 1
    assert all(f"--{name}" in result.output for name in wanted.split())
    assert not file.exists()


def test_an_option_that_the_log_contradicts_is_refused(imported, logs):
    result, _file = imported(logs["dllogger"][0], **logs["dllogger"][1] | {"batch": 128, "framework": "mxnet"})
    assert result.exit_code == 1
    assert "--batch" in result.output
    assert "--framework" in result.output


def test_a_batch_that_rates_and_times_contradict_is_refused(imported, logs):
    result, _file = imported(logs["speedometer"][0], **logs["speedometer"][1] | {"batch": 48})
    assert result.exit_code == 1
    assert "256 samples a step" in result.output


def test_rates_of_one_device_are_told_by_the_times(submission, logs):
    content, told = logs["speedometer"]
    result = submission(content, **told | {"devices": 2, "batch": 256}).results[0]
    assert (result.batch.global_, result.batch.accumulation) == (512, 1)
    assert "The log prints one device's rate." in result.notes


@pytest.mark.parametrize(("told", "word"), [
    ({"workload": "resnet-50"}, "resnet50"), ({"framework": "PyTorhc", "batch": None}, "pytorch"),
    ({"commit": "abc"}, "40 hex digits"), ({"utc-offset": "CET"}, "+08:00"), ({"device": "Foo 1"}, "--device-kind"),
])  # fmt: skip
def test_a_wrong_option_is_named_with_what_is_expected(told, word, imported, logs):
    result, _file = imported(logs["dllogger"][0], **logs["dllogger"][1] | told)
    assert result.exit_code == 1
    assert word in result.output


def test_a_log_of_no_known_format_is_refused(imported):
    for content in ("", "hello\n", "epoch 1 done\n"):
        result, _file = imported(content)
        assert result.exit_code == 1
        assert "known format" in result.output


def test_a_clock_that_goes_back_is_refused(imported, logs):
    content = logs["dllogger"][0].replace("06:25:00.000000", "06:20:00.000000")
    result, _file = imported(content, **logs["dllogger"][1])
    assert result.exit_code == 1
    assert "clock" in result.output


def test_a_loss_that_is_not_finite_makes_the_result_invalid(imported, logs, problems):
    content = re.sub(r"(Iteration: 60  train.loss : )6.9", r"\1nan", logs["dllogger"][0])
    result, file = imported(content, **logs["dllogger"][1])
    assert result.exit_code == 0
    made = files.reading(file, "out.json").submission.results[0]
    assert (made.outcome, made.reported[0].value) == ("invalid", None)
    assert [code for code, error in problems(file) if error] == []


def _tagged(content):
    """Cut each line in three, with others' lines between the pieces, as mpirun does."""
    tag, other = "[1,0]<stdout>:", "[1,3]<stderr>:[W pool.cc:99] Warning: leaking\n"
    return "".join(
        f"{tag}{line[:9]}{other}{tag}{line[9:40]}{tag}{line[40:]}\n" if len(line) > 60 else f"{tag}{line}\n"
        for line in content.splitlines()
    )


DISGUISES = {
    "mpi": lambda text: _tagged(text).encode(),
    "dated mpi": lambda text: _tagged(text).replace("[1,0]<", "Sun May 29 14:55:59 2022[1,0]<").encode(),
    "colours": lambda text: "".join(f"\x1b[1;32m{line}\x1b[0m\x1b[K\n" for line in text.splitlines()).encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "binary": lambda text: b"\xff\xfe\xfd\x00\x01".join([b"", *(line + b"\n" for line in text.encode().split(b"\n"))])[
        1:
    ],
    "nul": lambda text: text.replace(" : ", " \0: ").encode(),
    "prefixes": lambda text: "".join(f"0: node-7 | {line}\n" for line in text.splitlines()).encode(),
    "cut": lambda text: text.encode() + b"DLL 2023-07-31 06:2",
    "twice": lambda text: "".join(f"{line}\n{line}\n" for line in text.splitlines()).encode(),
}


@pytest.mark.parametrize("name", DISGUISES)
def test_a_log_in_disguise_says_the_same(name, submission, logs):
    content, told = logs["dllogger"]
    result = submission(DISGUISES[name](content), **told).results[0]
    assert throughput(result.runs[0]) == pytest.approx(200.0)
    assert {reported.value for reported in result.reported} == {200.0}


def test_a_truncated_log_has_a_shorter_window(submission, logs):
    content, told = logs["dllogger"]
    (run,) = submission(content[: content.index("Iteration: 90 ") + 5], **told).results[0].runs
    assert (run.warmup_steps, run.measured_steps) == (20, 69)


def test_a_gap_in_the_steps_is_noted_and_leaves_no_step_times(submission, logs):
    content = "\n".join(line for line in logs["dllogger"][0].splitlines() if "Iteration: 50 " not in line)
    result = submission(content, **logs["dllogger"][1]).results[0]
    assert result.runs[0].step_seconds == []
    assert throughput(result.runs[0]) == pytest.approx(200.0)
    assert any("between the steps 49 and 51" in note for note in result.notes)


def test_hosts_addresses_paths_and_mails_do_not_reach_the_submission(imported, logs):
    secrets = "host-jane-17 jane@example.org 10.1.2.3 /home/jane/imagenet"
    for content, told in logs.values():
        noisy = "".join(f"{secrets}\nhost-jane-17: {line}\n" for line in content.splitlines())
        result, file = imported(noisy, **told)
        assert result.exit_code == 0, result.output
        assert not re.search(r"jane|10\.1\.2\.3", file.read_text("utf-8"), re.IGNORECASE)


def test_a_mail_in_an_option_is_a_problem(imported, logs, problems):
    content, told = logs["dllogger"]
    _result, file = imported(content, **told | {"submitter": "jane@example.org"})
    assert "personal-data" in [code for code, _error in problems(file)]


def test_a_system_entry_with_a_mail_in_it_is_left_out(submission, logs):
    content = logs["mllog"][0].replace("Release 19.05", "by jane@example.org")
    assert submission(content, framework="mxnet", **logs["mllog"][1]).results[0].variant is None


def test_a_line_of_five_megabytes_is_survived(submission, logs):
    content, told = logs["dllogger"]
    for filler in ("9", "a", "1.", "step ", "[1,0]<stdout>:", "\x1b]", "batch_cost: ", " : "):
        long = filler * (5_000_000 // len(filler))
        assert submission(f"{long}\n{content}", **told).results[0].runs[0].measured_steps == 100


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_mangled_log_is_imported_or_refused(data, imported, logs):
    content, told = logs[data.draw(st.sampled_from(sorted(logs)))]
    raw = bytearray(content.encode())
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(raw)))
        piece = data.draw(
            st.one_of(
                st.binary(max_size=8),
                st.sampled_from([b"9" * 400, b"e400", b"-", b"nan", b"0", b"\n", b": ", b"\\ud800"]),
            )
        )
        raw[at : at + data.draw(st.integers(0, 300))] = piece
    result, file = imported(bytes(raw), **told)
    assert result.exit_code in (0, 1), repr(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    if result.exit_code == 0:
        assert files.reading(file, "out.json").submission is not None


@given(st.binary(max_size=2000))
def test_any_bytes_become_lines_in_order(content):
    found = lines(content)
    assert [line.number for line in found] == sorted(line.number for line in found)
    assert not any(re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line.text) for line in found)
