"""Every reader reads in time that grows with the length of the text, also where the text is made to be slow.

A text is lengthened until reading it takes long enough to be measured. Eight times as much then takes about eight times
as long; a reader that goes over the text for each part of it takes sixty-four times as long. Time is the process's own,
and what reading next to nothing takes is taken off.
"""

import gc
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from fuzz.worst import READERS, text_of
from setpoint.compiler.diagnostics import SetpointError
from support.effort import is_complete

TIMES = 8

MOST_GROWTH = 20
"""Between what `TIMES` the text takes in linear time, and in quadratic time."""

LEAST_SECONDS = 0.05 if is_complete() else 0.003
"""How long a reading has to take to be measured."""

LEAST, MOST = 10, 64_000 if is_complete() else 2_000
"""How many times the piece of a text is in it, before it is lengthened."""

ATTEMPTS = 3
"""How often a growth is measured that seems too large: something else may have disturbed it."""

SHARE = 1 if is_complete() else 31
"""Which part of the cases is tried: one in so many."""

Read = Callable[[str], object]


def seconds(read: Read, text: str) -> float:
    """The processor time of a reading, which may end in a finding. Garbage is collected at no time of its own."""
    gc.disable()
    before = time.process_time()
    with suppress(SetpointError, ValueError):
        read(text)
    taken = time.process_time() - before
    gc.enable()
    return taken


def growth(read: Read, template: str, piece: str) -> float:
    """How much longer `TIMES` the text takes."""
    least = min(seconds(read, text_of(template, piece, 1)) for _ in range(2))
    size = LEAST
    enough = max(LEAST_SECONDS, least)
    while (short := seconds(read, text_of(template, piece, size)) - least) < enough and size < MOST:
        size *= 2
    long = seconds(read, text_of(template, piece, TIMES * size)) - least
    return long / max(short, enough)


def is_linear(read: Read, template: str, piece: str) -> bool:
    return any(growth(read, template, piece) < MOST_GROWTH for _ in range(ATTEMPTS))


@pytest.mark.parametrize("name", READERS)
def test_a_reader_is_linear(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reader = READERS[name]
    slow = [case for case in reader.cases(SHARE) if not is_linear(reader.read, *case)]
    assert slow == []


def test_a_pattern_that_goes_back_is_found() -> None:
    for pattern in (r"\s+;", r"(a|b|ab)*+c", r"a.*b.*c"):
        assert is_linear(re.compile(pattern).match, "…", "a")
    assert not is_linear(re.compile(r"\s+;").search, "…", " ")
    assert not is_linear(re.compile(r"a.*b").search, "…", "a")
    assert not is_linear(lambda text: [each for each in text if each in list(text)], "…", "a")
