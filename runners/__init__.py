"""Make measurements: environments, launcher, machine facts, and the worker that runs inside a framework's Python."""
