"""What every framework promises: `Adapter`, one subclass a framework, in `runners/frameworks/<id>/adapter.py`.

The harness owns loop and clock; an adapter only does what it is told, one small method at a time. The comments
`# step: data`, `model`, `loss`, `optimizer`, `train`, `synchronise` each mark the one statement below them, in the
adapter or in the workload's own file, `<workload id with _ for ->.py`; the Rosetta pages are cut from them.
"""

import abc
import platform

LIMITS = ("ours", "upstream", "never")  # we haven't; the framework hasn't; it makes no sense


class Unsupported(Exception):  # noqa: N818 - an outcome, not an error
    """The framework, or our adapter, can't do what the request asks for: a sentence, and whose limit it is."""

    def __init__(self, reason, limit):
        if limit not in LIMITS:
            raise ValueError(f"a limit is one of {', '.join(LIMITS)}, not {limit!r}")
        super().__init__(reason)
        self.limit = limit


class Unusable(Exception):  # noqa: N818 - as above
    """What the run needs is missing or broken on this machine: a sentence with what, where, expected and remedy."""


class Adapter(abc.ABC):
    """One training job in one framework. The constructor imports the framework and chooses the device."""

    supports = {}  # workload id -> {"precisions": (...), "data": (...)}, as in framework.toml
    launchers = ()  # what may start several processes, as in framework.toml; none: one device only
    options = ()  # names that the request's `options` may have

    def __init__(self, request):
        """Keep the request; `request["process"]` is this process's place in the job (see process.py)."""
        self.request = request
        self.workload = request["workload"]
        self.process = request["process"]

    @abc.abstractmethod
    def prepare(self):
        """Build network, optimizer and data; nothing of this is timed."""

    @abc.abstractmethod
    def parameters(self):
        """Count the trainable parameters."""

    @abc.abstractmethod
    def probe(self):
        """Return the loss on the fixed batch (`synthetic.probe`) with fresh weights, which it leaves as they are.

        Without dropout; batch normalisation uses the batch's own statistics. None for a workload without a loss.
        """

    @abc.abstractmethod
    def step(self):
        """Do one whole training step without synchronising: fetch, copy, forward, loss, backward, update.

        The batches are endless: real data are shuffled anew whenever an epoch of full batches is through.
        """

    def logits(self, weights, inputs):  # noqa: ARG002 - the arguments are for those that can
        """Return the outputs of a new network of the same code in evaluation mode and full precision, before any softmax.

        `weights` maps names to arrays in the reference's order and layout (see reference.py), `inputs` are arrays as
        `synthetic` draws them. Returns a list of NumPy arrays, one for each output; None from an adapter that can't.
        """
        return None  # noqa: RET501 - a value, namely "no proof"

    @abc.abstractmethod
    def synchronise(self):
        """Wait until the device has done everything that was asked of it, the last update included."""

    @abc.abstractmethod
    def losses(self):
        """Read back the loss of every step since `prepare` as floats; until then they stay on the device.

        For inference, which has no loss: the mean of each step's output.
        """

    @abc.abstractmethod
    def stack(self):
        """Return what `python_stack` returns, with the facts that only the framework knows."""

    def evaluate(self):
        """Return the workload's quality metric over the whole test set."""
        raise Unsupported(f"No test set is known to this adapter for {self.workload['id']}.", "ours")

    def loader(self):
        """Tell how real data come: the name of what loads them, its worker processes, "cold" or "warm" cache; or None."""
        return {"loader": None, "workers": None, "cache": None}

    def barrier(self):  # noqa: B027 - a job of one process waits for nobody
        """Wait until every process of the job is here."""

    def checksum(self):
        """Return the sum of all trainable parameters: after the same updates it is the same in every process."""
        raise Unsupported("This adapter has no code for more than one device yet.", "ours")

    def device(self):
        """Describe the device in use; None where the launcher knows better than the framework."""
        return {"name": None, "kind": "cpu", "memory_bytes": None, "tf32": None}

    def peak_memory(self):
        """Return the device's peak memory in bytes since `prepare`, None where it is the host's."""
        return None  # noqa: RET501 - a value, namely "not known"

    def out_of_memory(self, error):
        """Tell whether this exception is the framework's way to say that memory ran out."""
        return isinstance(error, MemoryError)

    def release(self):  # noqa: B027 - most frameworks have nothing to give back
        """Give back what outlives the process, if anything does."""


def python_stack(framework_version, api, **known):
    """Return a stack with Python's part filled in; what isn't in `known` stays None."""
    empty = {"cuda": None, "cudnn": None, "nccl": None, "blas": None, "packages": {}}
    language = {"language": "python", "language_version": platform.python_version()}
    return dict(empty, framework_version=framework_version, api=api, **language, **known)
