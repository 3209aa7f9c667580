"""A worker finds its place in a job by what the launcher left in the environment."""

from __future__ import annotations

import pytest

from runners.worker import process

SCALE = {"nodes": 2, "devices": 4, "launcher": "mpiexec", "hosts": ["one", "two"], "port": 5000}


@pytest.mark.parametrize(
    "names",
    [
        ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
        ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
    ],
)
def test_each_launcher_tells_rank_count_and_rank_on_the_node(names):
    environ = dict(zip(names, ("3", "4", "1"), strict=True))
    assert process.place(SCALE, environ) == {"rank": 3, "count": 4, "local_rank": 1}


def test_torchrun_below_slurm_is_torchrun():
    environ = {"SLURM_PROCID": "1", "SLURM_NTASKS": "2", "SLURM_LOCALID": "0"}
    environ |= {"RANK": "3", "WORLD_SIZE": "4", "LOCAL_RANK": "1"}
    assert process.place(SCALE, environ)["rank"] == 3


def test_a_job_of_one_device_needs_no_launcher():
    assert process.place({"devices": 1}, {}) == {"rank": 0, "count": 1, "local_rank": 0}


def test_without_a_launcher_the_worker_says_what_is_missing():
    with pytest.raises(SystemExit, match=r"4 devices, and no launcher .* torchrun, mpiexec or srun"):
        process.place(SCALE, {})


def test_another_number_of_processes_is_refused():
    environ = {"RANK": "0", "WORLD_SIZE": "2", "LOCAL_RANK": "0"}
    with pytest.raises(SystemExit, match="started 2 processes; 4, one a device, are expected"):
        process.place(SCALE, environ)


def test_every_process_has_an_address_in_blocks_of_a_node():
    assert process.addresses(SCALE) == ["one:5000", "one:5001", "two:5000", "two:5001"]


@pytest.mark.parametrize(("rank", "name"), [(0, "result.json"), (1, "result.1.json")])
def test_the_first_process_writes_the_result_and_the_others_their_own(rank, name):
    assert process.result_path("result.json", {"rank": rank}) == name
