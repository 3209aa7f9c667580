"""Formats of training logs: one module each, whose name is what `rosetta import log --format` is given.

Each module has `RANK`, which decides where several recognise a log (a special format before a general one),
`recognises(lines)` and `parse(lines)`, which returns a `collector.logs.lines.Log`.
"""
