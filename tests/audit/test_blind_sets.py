"""Sets of public files that people judged who had not seen the audit, and what it said of them at first sight.

`blind-sets.tsv` has each file by its set and number, its side, its form, the system that it is for, and where it was
found: a repository and a commit, or the number of the file in an index of public sources. `not read` says that the
audit refused it. The files are not here, since not all have a licence; the findings are. A row `due` is what is wrong
in the file by the judgement: the line, the codes of the findings that the audit had there (`-` for none), the kind, the
setting, why, and the source. A row `said` is a finding of the audit: the line, the code, whether it is right, and what
it is about.

Findings that something was not checked (W0902, W0903, W0910) are not counted. The sets have been used since to mend
what they show, so that only these figures are of files that nobody had seen. F to M have no rows about defaults
said again: they are judged by the classes that the manual lists. What H to M had no row for was judged by a third
person, and counts as wrong if one of the two calls it so.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from support.command import ROOT

LOG = Path(__file__).with_name("blind-sets.tsv")

KINDS = ("due", "told", "right", "wrong")
"""What is counted of rows: what was wrong in a file, what of that was told, and how findings were judged."""

NOT_CHECKED = {"W0902", "W0903", "W0910"}

FIRST_SIGHT = [
    # set, side, recall, precision
    ("D", "firmware", 0.03, 0.33),  # the model was not stated; nine files had forms that were not read
    ("D", "system", 0.47, 0.90),  # parameters of modules, and what a comment or another file says
    ("E", "firmware", 0.07, 1.00),  # the model was not stated
    ("E", "system", 0.29, 0.94),  # parameters of modules, sysctls that are gone, defaults said again
    ("F", "firmware", 0.48, 1.00),  # a profile chosen later in the file, and locks of other makers than Dell
    ("F", "system", 0.56, 0.89),  # rules of udev, limits below the default, names in the prose of a guide
    (
        "G",
        "firmware",
        0.41,
        1.00,
    ),  # names that no registry has, where no model is stated; two programs not read
    (
        "G",
        "system",
        0.43,
        0.87,
    ),  # keys of the kernel that do nothing, limits below those of systemd, modules gone
    ("H", "firmware", 0.60, 0.94),  # tools of HPE and Lenovo, names of network cards
    ("H", "system", 0.75, 0.97),  # a form that is not read, words without a value, values by a formula
    ("I", "firmware", 0.34, 0.62),  # profiles of a program that were taken for one, and labels in programs
    (
        "I",
        "system",
        0.49,
        0.94,
    ),  # what a script or a kickstart switches off, misspelt modules, files of disks
    ("J", "firmware", 0.41, 0.96),  # names in programs, and what was judged by the registry of another model
    (
        "J",
        "system",
        0.69,
        0.96,
    ),  # profiles whose variables are not defined, options of modules, limits by memory
    ("K", "firmware", 0.57, 0.88),  # what a profile sets is said again, and names without their number
    (
        "K",
        "system",
        0.39,
        0.74,
    ),  # two boot lines that were not read have a quarter of the rows; a text was read past its end
    (
        "L",
        "firmware",
        0.79,
        0.79,
    ),  # lists that were refused, menus in guides, options of a tool taken for labels
    (
        "L",
        "system",
        0.59,
        0.96,
    ),  # sysctls without effect of a kernel that is not stated, and how buffers begin
    ("M", "firmware", 0.00, 0.78),  # six rows: switches of an iDRAC, and jobs that do not follow
    ("M", "system", 0.51, 0.87),  # a line that a script writes, and what profiles bring
]


@cache
def counted() -> Counter[tuple[str, str, str]]:
    """How many rows are due, told, right and wrong, by set and side."""
    found: Counter[tuple[str, str, str]] = Counter()
    of, side = "", ""
    for line in LOG.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            of, _, side, *_ = line.removeprefix("## ").split(" | ")
            found[of, side, "files"] += 1
            continue
        kind, _, codes, judged, *_ = line.split("\t")
        assert not set(codes.split()) & NOT_CHECKED, line
        if kind == "due":
            found[of, side, "due"] += 1
            found[of, side, "told"] += codes != "-"
        else:
            assert judged in ("right", "wrong"), line
            found[of, side, judged] += 1
    return found


@pytest.mark.parametrize(("of", "side", "recall", "precision"), FIRST_SIGHT)
def test_first_sight(of: str, side: str, recall: float, precision: float) -> None:
    found = counted()
    due, told, right, wrong = (found[of, side, each] for each in ("due", "told", "right", "wrong"))
    assert (round(told / due, 2), round(right / (right + wrong), 2)) == (recall, precision)


def test_the_guide_says_how_much_is_found() -> None:
    """Of the sets that were judged by the classes which the manual lists."""
    found = counted()
    sums = [
        {kind: found[of, "firmware", kind] + found[of, "system", kind] for kind in KINDS} for of in "FGHIJKLM"
    ]
    recalls = [of["told"] / of["due"] for of in sums]
    precisions = [of["right"] / (of["right"] + of["wrong"]) for of in sums]
    said = "It found {:.0%} to {:.0%} of that, and {:.0%} to {:.0%} of what it said was right"
    bounds = (min(recalls), max(recalls), min(precisions), max(precisions))
    guide = " ".join((ROOT / "docs/guides/audit.md").read_text(encoding="utf-8").split())
    assert said.format(*bounds).replace("% to", " to").replace("%", " %") in guide


def test_the_sets_are_whole() -> None:
    files = {
        of: sum(n for (s, _, kind), n in counted().items() if s == of and kind == "files")
        for of in "DEFGHIJKLM"
    }
    assert files == {"D": 58, "E": 67, "F": 60, "G": 60, "H": 60, "I": 60, "J": 64, "K": 62, "L": 64, "M": 43}
