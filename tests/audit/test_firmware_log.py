"""Whole public files about firmware that nobody had seen, line by line with what is right to say of each: the log of a
measurement.

`firmware-log.txt` has each file, reduced to the lines with settings, after its kind, its server, how many lines are not
read, and its source. What the audit said of a line stands behind it, judged: a code alone is right, one with `!` wrong,
and one in brackets missing. The files were taken after the last change for their kind; files by which something was
mended are not among them. W0902 and W0903, by which an audit says that it has not checked something, are right where
that is true; the figures are also computed without them, for what it finds wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from audit import audited

LOG = Path(__file__).with_name("firmware-log.txt")

LEAST = 0.95
"""Which part of what is said must be right, and which part of what is right to say must be said."""

NOT_CHECKED = ("W0902", "W0903")


class Logged(NamedTuple):
    """A file of the log: what it is, and its lines, each with the judged codes."""

    kind: str
    server: str
    unread: int
    source: str
    lines: list[tuple[str, list[str]]]

    @property
    def text(self) -> str:
        return "\n".join(line for line, _ in self.lines)

    @property
    def marks(self) -> list[str]:
        return [mark for _, marks in self.lines for mark in marks]


def logged() -> list[Logged]:
    """The files of the log."""
    found: list[Logged] = []
    for line in LOG.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            kind, server, unread, source = line.removeprefix("== ").split(" == ")
            found.append(Logged(kind, server, int(unread.removesuffix(" unread")), source, []))
        else:
            text, bar, marks = line.rpartition(" | ")
            found[-1].lines.append((text, marks.split()) if bar else (line, []))
    return found


FILES = logged()


def is_missing(mark: str) -> bool:
    return mark.startswith("(")


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.kind}: {file.source.split(' ')[0]}")
def test_the_audit_says_what_was_judged(file: Logged) -> None:
    found = audited(file.text, server=f'platform "{file.server}"')
    said: dict[int, list[str]] = {}
    for finding in found.findings:
        said.setdefault(finding.at.line, []).append(finding.code)
    for number, (line, marks) in enumerate(file.lines, 1):
        judged = sorted(mark.removesuffix("!") for mark in marks if not is_missing(mark))
        assert sorted(said.get(number, [])) == judged, line
    assert len(found.files[0].unread) == file.unread


def figures(marks: Iterable[str]) -> tuple[float, float]:
    """Precision and recall."""
    marks = list(marks)
    wrong, missing = sum(mark.endswith("!") for mark in marks), sum(map(is_missing, marks))
    right = len(marks) - wrong - missing
    return right / (right + wrong), right / (right + missing)


def test_the_log_is_of_many_files() -> None:
    assert len(FILES) >= 30
    assert len({file.source for file in FILES}) == len(FILES)


@pytest.mark.parametrize("apart", [(), NOT_CHECKED], ids=["all", "what is wrong"])
def test_precision_and_recall(apart: tuple[str, ...]) -> None:
    precision, recall = figures(m for file in FILES for m in file.marks if m.strip("(!)") not in apart)
    assert min(precision, recall) >= LEAST, f"precision {precision:.1%}, recall {recall:.1%}"
