"""The errors of the launcher's own operations: each message is a full sentence that says what to do."""

from __future__ import annotations


class RunnersError(Exception):
    """Something that the person at the keyboard can put right."""


class UsageError(RunnersError):
    """The command asked for something that doesn't exist or doesn't fit together."""


class ManifestError(RunnersError):
    """A framework's folder is not what it should be."""


class SetupError(RunnersError):
    """A framework's environment could not be made or does not work."""
