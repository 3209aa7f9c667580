"""Every submission that the project holds passes the newest check, and lies where and as the tools write it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from collector import files, schema, store
from collector.cli import check_command
from collector.serialise import submission_json

COMMITTED = files.submission_files(store.DATA / "submissions")


def test_all_committed_submissions_pass_the_check():
    result = CliRunner().invoke(check_command, [])
    assert result.exit_code == 0, result.output
    assert f"in {len(COMMITTED)} files" in result.output


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_a_committed_submission_is_written_as_the_tools_write_it(path):
    submission = schema.Submission.model_validate_json(path.read_bytes())
    assert path.read_text("utf-8") == submission_json(submission)


def test_there_is_evidence_from_a_real_run():
    origins = [schema.Submission.model_validate_json(path.read_bytes()).origin for path in COMMITTED]
    assert "measured" in origins
