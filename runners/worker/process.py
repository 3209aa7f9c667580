"""Which process of a job this one is: launchers say it in environment variables, each in its own."""

import os

# Rank, number of processes, rank on this node. torchrun and its kin come first: they may themselves run below the others.
VARIABLES = (
    ("RANK", "WORLD_SIZE", "LOCAL_RANK"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
    ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"),
)


def place(scale, environ=os.environ):
    """Return {"rank", "count", "local_rank"} of this process, 0, 1 and 0 for a job of one device.

    Ends the process where the launcher started another number of processes than the job has devices.
    """
    if scale["devices"] == 1:
        return {"rank": 0, "count": 1, "local_rank": 0}
    names = next((names for names in VARIABLES if all(name in environ for name in names)), None)
    if names is None:
        raise SystemExit(
            f"The job has {scale['devices']} devices, and no launcher says which process this is."
            f" Start it with torchrun, mpiexec or srun: one of {', '.join(names[0] for names in VARIABLES)} must be set."
        )
    rank, count, local = (int(environ[name]) for name in names)
    if count != scale["devices"]:
        raise SystemExit(f"The launcher started {count} processes; {scale['devices']}, one a device, are expected.")
    return {"rank": rank, "count": count, "local_rank": local}


def addresses(scale):
    """Return "host:port" for each process: blocks of equal size a node, ports counted up from the job's own."""
    each = scale["devices"] // scale["nodes"]
    return [f"{host}:{scale['port'] + number}" for host in scale["hosts"] for number in range(each)]


def result_path(path, place):
    """Return where a process writes its result: the first one at `path`, "result.json", the others beside it."""
    stem, suffix = os.path.splitext(path)
    return path if not place["rank"] else f"{stem}.{place['rank']}{suffix}"
