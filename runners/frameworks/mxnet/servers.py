"""MXNet's parameter server for jobs of several processes: a scheduler beside the first one, a server beside each."""

import os
import socket
import subprocess
import sys

import mxnet as mx

from runners.worker import process

PATIENCE = 60  # seconds

# A child that dies with its worker, however that ends (PR_SET_PDEATHSIG is 1); under these roles the import serves.
SERVE = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() == int(sys.argv[1]):
    import mxnet
"""


def start(scale, place):
    """Start this process's share of scheduler and servers, and tell MXNet where they are; return the children."""
    hosts, ports = zip(*(address.rsplit(":", 1) for address in process.addresses(scale)))
    os.environ.update(
        DMLC_ROLE="worker",
        DMLC_PS_ROOT_URI=socket.gethostbyname(hosts[0]),  # it binds to addresses, not to names
        DMLC_PS_ROOT_PORT=ports[0],
        DMLC_NODE_HOST=socket.gethostbyname(hosts[place["rank"]]),
        DMLC_NUM_WORKER=str(place["count"]),
        DMLC_NUM_SERVER=str(place["count"]),  # as many as workers: the default of MXNet's own launcher
    )
    roles = ["server"] if place["rank"] else ["scheduler", "server"]
    command = [sys.executable, "-c", SERVE, str(os.getpid())]
    return [subprocess.Popen(command, env=dict(os.environ, DMLC_ROLE=role)) for role in roles]


def join():
    """Meet the other processes; return the store that sums their gradients."""
    store = mx.kv.create("dist_sync")
    wait_at_exit(store, 0)  # a worker that fails must end, so that its launcher ends the others
    return store


def barrier(store):
    """Wait until every process is here."""
    store._barrier()  # noqa: SLF001 - MXNet's documentation itself names it


def stop(store, children):
    """Leave the job together with all other processes, upon which the children end."""
    wait_at_exit(store, 1)
    native("MXKVStoreFree", store.handle)
    store.handle = None  # what its destructor frees
    for child in children:
        child.wait(timeout=PATIENCE)


def wait_at_exit(store, whether):
    native("MXKVStoreSetBarrierBeforeExit", store.handle, whether)


def native(name, *arguments):
    """Call what only MXNet's C interface has."""
    mx.base.check_call(getattr(mx.base._LIB, name)(*arguments))  # noqa: SLF001 - as above
