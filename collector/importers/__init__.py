"""Importers: one module a source of published figures; its name is what `rosetta import published` is given.

Each module has `FOLDER`, the folder of its submissions, and `submissions(text, vocabulary)`, which turns the figures kept in
`data/sources/<module>.csv` into submissions by file stem.
"""
