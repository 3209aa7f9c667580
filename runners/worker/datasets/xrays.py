"""NIH's ChestX-ray14: pictures with up to 14 findings each, split by patient."""

import csv
import os
import re

from runners.worker.contract import Unusable
from runners.worker.datasets import files

FOLDERS = ("chestx", "nih")  # ChestXray-NIHCC, as NIH names it, and what others made of it
TABLE = "Data_Entry_2017"  # and, since a correction, Data_Entry_2017_v2020
COLUMNS = ("Image Index", "Finding Labels", "Patient ID")
FINDINGS = (
    "Atelectasis", "Cardiomegaly", "Effusion", "Infiltration", "Mass", "Nodule", "Pneumonia",
    "Pneumothorax", "Consolidation", "Edema", "Emphysema", "Fibrosis", "Pleural_Thickening", "Hernia",
)  # fmt: skip
NOTHING = "No Finding"
REMEDY = "Unpack NIH's ChestX-ray14 there, or name another data directory."


def chestxray(directory, split, workload):
    """Return the paths of all pictures of "train", "val" or "test", and for each a row of 14 findings, 0 or 1.

    Of the patients, in the order of their ids, 70 % are for training, 10 % for validation and 20 % for the test.
    """
    folder = files.data_set(directory, "ChestX-ray14", FOLDERS)
    table = _table(folder)
    rows = _rows(table)
    patients = _patients(rows, split)
    rows = sorted(row for row in rows if row[0] in patients)
    expected = workload["real"].get(f"{split}_samples", len(rows))  # of "val" the workload says nothing
    files.expect(len(rows), expected, f"pictures for {split}", table, REMEDY)
    paths = _paths(folder)
    missing = [name for _, name, _ in rows if name not in paths]
    if missing:
        raise Unusable(
            f"{folder} lacks {len(missing)} of {len(rows)} pictures for {split}, {missing[0]} first. {REMEDY}"
        )
    return [paths[name] for _, name, _ in rows], [findings for _, _, findings in rows]


def _table(folder):
    names = files.listing(folder, REMEDY)
    found = next((name for name in names if name.startswith(TABLE) and name.endswith(".csv")), None)
    if found is None:
        raise Unusable(f"{folder} has no {TABLE}.csv, the table of findings. {REMEDY}")
    return os.path.join(folder, found)


def _rows(table):
    """Read (patient, picture, findings) of every line."""
    try:
        lines = csv.reader(files.read_text(table, REMEDY).splitlines(), strict=True)
        header = next(lines, [])
        missing = [column for column in COLUMNS if column not in header]
        if missing:
            raise Unusable(f"{table} has no column {' or '.join(missing)}. {REMEDY}")
        places = [header.index(column) for column in COLUMNS]
        return [_row(f"{table}, line {lines.line_num}", line, places) for line in lines if line]
    except csv.Error as error:
        raise Unusable(f"{table} is no CSV file: {error}. {REMEDY}") from error


def _row(where, line, places):
    picture, findings, patient = (line[place] if place < len(line) else "" for place in places)
    named = set(findings.split("|"))
    if not (picture and re.match("[0-9]{1,9}$", patient) and (named <= set(FINDINGS) or named == {NOTHING})):
        raise Unusable(
            f"{where}: patient {patient!r}, picture {picture!r}, findings {findings!r};"
            f" a number, a file name and names of findings with | between are expected. {REMEDY}"
        )
    return int(patient), picture, [int(finding in named) for finding in FINDINGS]


def _patients(rows, split):
    """Return the patients of a split; those that the division leaves over are for the test."""
    ids = sorted({patient for patient, _, _ in rows})
    first, second = len(ids) * 7 // 10, len(ids) * 7 // 10 + len(ids) // 10
    return set({"train": ids[:first], "val": ids[first:second], "test": ids[second:]}[split])


def _paths(folder):
    """Map names of pictures to paths: they lie in images, or in images_001/images and so on."""
    found = {}
    for part in files.listing(folder, REMEDY):
        inner = os.path.join(folder, part, "images") if part.startswith("images_") else os.path.join(folder, part)
        if part.startswith("images") and os.path.isdir(inner):
            found.update((name, os.path.join(inner, name)) for name in files.listing(inner, REMEDY))
    return found
