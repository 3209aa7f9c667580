"""NIH's ChestX-ray14: its table of findings, its folders of pictures, and the split by patient."""

from __future__ import annotations

from pathlib import Path

import pytest

from runners.worker import datasets
from runners.worker.contract import Unusable

HEADER = "Image Index,Finding Labels,Follow-up #,Patient ID,Patient Age,OriginalImage[Width,Height]\n"
WORKLOAD = {"real": {"train_samples": 8, "test_samples": 3}}


@pytest.fixture
def folder(tmp_path):
    """Eleven patients with one picture each, the first with two; those of the last patient lie in a folder of their own."""
    folder = tmp_path / "ChestXray-NIHCC"
    lines = [f"{patient:03}_0.png,No Finding,0,{patient},58,2682,2749\n" for patient in range(11, 0, -1)]
    lines.append("001_1.png,Hernia|Atelectasis,1,1,58,2682,2749\n")
    for part, names in {"images": [line[:9] for line in lines[1:]], "images_002/images": ["011_0.png"]}.items():
        (folder / part).mkdir(parents=True)
        for name in names:
            (folder / part / name).write_bytes(b"")
    (folder / "Data_Entry_2017.csv").write_text(HEADER + "".join(lines), "utf-8")
    return folder


def read(folder, split):
    paths, findings = datasets.chestxray(str(folder), split, WORKLOAD)
    return [path.rpartition("/")[2] for path in paths], findings


@pytest.mark.parametrize("named", ["the folder", "its parent"])
def test_patients_are_split_in_the_order_of_their_ids_and_keep_all_their_pictures(folder, named):
    directory = folder if named == "the folder" else folder.parent
    names, findings = read(directory, "train")
    assert names == ["001_0.png", "001_1.png", *(f"{patient:03}_0.png" for patient in range(2, 8))]
    assert findings[0] == [0] * 14
    assert findings[1] == [1] + [0] * 12 + [1]
    assert read(directory, "val")[0] == ["008_0.png"]
    assert read(directory, "test")[0] == ["009_0.png", "010_0.png", "011_0.png"]


def test_all_paths_exist(folder):
    assert all(Path(path).is_file() for path in datasets.chestxray(str(folder), "test", WORKLOAD)[0])


def test_the_corrected_table_does_too(folder):
    (folder / "Data_Entry_2017.csv").rename(folder / "Data_Entry_2017_v2020.csv")
    assert len(read(folder, "train")[0]) == 8


def test_another_number_of_pictures_is_refused(folder):
    with (folder / "Data_Entry_2017.csv").open("a", encoding="utf-8") as table:
        table.write("002_1.png,No Finding,1,2,58,2682,2749\n")
    with pytest.raises(Unusable, match=r"Data_Entry_2017\.csv has 9 pictures for train; 8 are expected"):
        read(folder, "train")


def test_pictures_that_are_missing_are_counted_and_the_first_is_named(folder):
    for name in ("002_0.png", "005_0.png"):
        (folder / "images" / name).unlink()
    with pytest.raises(Unusable, match=r"lacks 2 of 8 pictures for train, 002_0\.png first"):
        read(folder, "train")


def test_a_missing_table_is_named(folder):
    (folder / "Data_Entry_2017.csv").unlink()
    with pytest.raises(Unusable, match=r"has no Data_Entry_2017\.csv"):
        read(folder, "train")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no column Image Index or Finding Labels or Patient ID"),
        (b"Image Index,Patient ID\n", "has no column Finding Labels"),
        (b"\xff\xfe", r"is not UTF-8: invalid start byte at byte 0"),
        (HEADER.encode() + b"1.png,No Finding,0,one,5\n", "line 2: patient 'one'"),
        (HEADER.encode() + "1.png,No Finding,0,²,5\n".encode(), "line 2: patient '²'"),
        (HEADER.encode() + b"1.png,Hernia|Cough,0,1,5\n", r"line 2: .*findings 'Hernia\|Cough'; a number"),
        (HEADER.encode() + b"1.png\n", "line 2: patient ''"),
        (HEADER.encode() + b",Hernia,0,1,5\n", "line 2: patient '1', picture ''"),
        (HEADER.encode() + b'"1.png" x,Hernia,0,1,5\n', "is no CSV file"),
    ],
)
def test_a_broken_table_is_named_with_the_place(folder, content, message):
    (folder / "Data_Entry_2017.csv").write_bytes(content)
    with pytest.raises(Unusable, match=r"Data_Entry_2017\.csv.*" + message):
        read(folder, "train")
