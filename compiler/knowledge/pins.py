"""Pins: the commit of a repository at which a source was read, and the files that were read there.

Whatever a repository publishes goes on changing, and a source that names no state of it can soon no longer be compared
with what it says. A commit in the words of `about` cannot be looked up by a program; a pin can (`setpoint kb pins`).

A pull request can add pins, and a maintainer's machine then asks a server about them. So a pin is checked here, before
any program sees it: its repository is an address of https and nothing else, its commit is hexadecimal, and its files
lie in the repository. What passes is neither an option of git nor a word of a shell.

What a pin says is not repeated: a source without `date` is of the day of its latest pin, if all of them have one, and a
source without `url` is at the repository of its pins, if that is one.
"""

import re
from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.citation import Pin
from setpoint.compiler.knowledge.fields import Fields
from setpoint.compiler.language.syntax import Field, Name

REPOSITORY = re.compile(r"https://[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?(/[A-Za-z0-9_~][A-Za-z0-9_.~+-]*)+")
"""An address without user, password, query and fragment. No part of its path begins with a hyphen or a dot."""

COMMIT = re.compile("[0-9a-f]{7,64}")
"""A commit, or how it begins; git itself writes seven digits at least."""

FILE = re.compile(r"(?!\.{1,2}(/|$))[^/\\]+(/(?!\.{1,2}(/|$))[^/\\]+)*")
"""The path of a file or folder in a repository. It leads to no other folder, and begins at the top."""


def pins(fields: Fields, findings: list[Diagnostic]) -> tuple[Pin, ...]:
    """The pins of a source that can be looked up; the others are added to `findings` (K22)."""
    entries = []
    for field in fields.all("pin"):
        faults = list(_faults(field))
        findings += faults
        if not faults:
            repository, commit, date, *files = (name.text for name in field.names)
            entries.append(Pin(repository, commit, date, tuple(files)))
    return tuple(entries)


def date_of(pinned: tuple[Pin, ...]) -> str:
    """The latest date of the pins, in ISO form; "" if there are none, or one of them has no date and may be later."""
    dates = [pin.date for pin in pinned]
    return max(dates, default="") if all(dates) else ""


def address_of(pinned: tuple[Pin, ...]) -> str:
    """The repository of the pins; "" if they have none or several."""
    repositories = {pin.repository for pin in pinned}
    return repositories.pop() if len(repositories) == 1 else ""


def _faults(field: Field) -> Iterator[Diagnostic]:
    repository, commit, _, *files = field.names
    if not REPOSITORY.fullmatch(repository.text):
        yield _fault(
            f"`{repository.text}` is not the address of a repository",
            repository,
            "not an address of https",
            "write it as `https://HOST/OWNER/REPOSITORY`, as git clones it without a password",
        )
    if not COMMIT.fullmatch(commit.text):
        yield _fault(
            f"`{commit.text}` is not a commit",
            commit,
            "not a commit",
            "write the first seven digits of the commit or more, 0 to 9 and a to f; branches and tags move",
        )
    for file in files:
        if not FILE.fullmatch(file.text):
            yield _fault(
                f"`{file.text}` is not the path of a file in a repository",
                file,
                "not a path",
                "write the path from the top folder of the repository: `docs/tuning.md`",
            )


def _fault(message: str, at: Name, label: str, how: str) -> Diagnostic:
    return Diagnostic("K22", message, at.span, label, help=(how,))
