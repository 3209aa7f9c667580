"""What can go wrong while building the site: one exception, caught in `cli`."""

from __future__ import annotations


class SiteError(Exception):
    """The site can't be built or served; the message says why and what to do."""
