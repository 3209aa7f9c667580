"""Which cells are proved with a reference, and that its file is made once and found again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runners import manifests, plan, references, workloads
from runners.plan import PROFILES, Settings


def cell(precision="fp32", framework="pytorch", workload="cifar10-cnn"):
    settings = Settings("cpu", "cpu", 2, PROFILES["smoke"], precisions=(precision,))
    (found,) = plan.cells([manifests.load()[framework]], [workloads.load()[workload]], settings)
    return found


@pytest.mark.parametrize("precision", ["fp32", "amp-bf16", "amp-fp16"])
def test_a_cell_that_keeps_its_weights_in_full_precision_names_its_reference(precision):
    assert cell(precision).request()["reference"].startswith("cifar10-cnn-")


def test_other_precisions_and_workloads_without_logits_have_no_reference():
    assert cell("tf32").request()["reference"] is None
    assert cell(framework="toy", workload="toy-regression").request()["reference"] is None


def test_another_specification_has_another_reference():
    job = workloads.load()["cifar10-cnn"]
    other = replace(job, document={**job.document, "version": 2})
    assert references.marker(job, "fp32") != references.marker(other, "fp32")


def test_the_file_is_made_once_below_the_cache_folder_and_the_request_of_the_cell_stays_free_of_its_path(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("ROSETTA_CACHE", str(tmp_path / "one"))
    made = cell()
    request = references.handed_over(made.request(), made.workload)
    path = tmp_path / "one" / "references" / f"{made.request()['reference']}.npz"
    assert request == {**made.request(), "reference": str(path)}
    before = path.stat()
    assert references.handed_over(made.request(), made.workload) == request
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    monkeypatch.setenv("ROSETTA_CACHE", str(tmp_path / "other"))
    assert plan.cell_id(made, "e", {}, "s") == plan.cell_id(made, "e", {}, "s")
    assert str(tmp_path) not in str(made.request())
