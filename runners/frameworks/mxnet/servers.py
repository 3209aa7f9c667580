"""MXNet's parameter server for jobs of several processes: a scheduler beside the first one, a server beside each."""

import os
import subprocess
import sys

import mxnet as mx

from runners.worker import process

# A child that dies with its worker, however that ends (PR_SET_PDEATHSIG is 1); under these roles the import serves.
SERVE = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() == int(sys.argv[1]):
    import mxnet
"""


def start(scale, place):
    """Start this process's share of scheduler and servers, and tell MXNet where they are; return the children."""
    addresses = process.addresses(scale)
    host, port = addresses[0].rsplit(":", 1)
    os.environ.update(
        DMLC_ROLE="worker",
        DMLC_PS_ROOT_URI=host,
        DMLC_PS_ROOT_PORT=port,
        DMLC_NODE_HOST=addresses[place["rank"]].rsplit(":", 1)[0],
        DMLC_NUM_WORKER=str(place["count"]),
        DMLC_NUM_SERVER=str(place["count"]),  # as many as workers: the default of MXNet's own launcher
    )
    roles = ["server"] if place["rank"] else ["scheduler", "server"]
    command = [sys.executable, "-c", SERVE, str(os.getpid())]
    return [subprocess.Popen(command, env=dict(os.environ, DMLC_ROLE=role)) for role in roles]


def join():
    """Meet the other processes; return the store that sums their gradients."""
    store = mx.kv.create("dist_sync")
    # Else a worker that failed would wait for the others when it ends, and they for it.
    mx.base.check_call(mx.base._LIB.MXKVStoreSetBarrierBeforeExit(store.handle, 0))  # noqa: SLF001 - C interface alone
    return store


def barrier(store):
    """Wait until every process is here."""
    store._barrier()  # noqa: SLF001 - MXNet's documentation itself names it


def stop(store, children):
    """End the children, once no process needs them any more."""
    barrier(store)
    for child in children:
        child.kill()
        child.wait()
