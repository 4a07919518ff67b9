"""What became of the pins of sources, as text and as JSON. The text has only those that a maintainer should look at."""

from collections.abc import Iterator
from typing import Any

from setpoint.compiler.diagnostics import Diagnostics
from setpoint.compiler.knowledge.results import PinnedCommit, PinnedFile, PinnedRepository
from setpoint.compiler.plan.as_json import diagnostics_json
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_object, json_text, visible_lines
from setpoint.compiler.render.words import count

SCHEMA = "setpoint.kb-pins/1"


def repository_text(repository: PinnedRepository, width: int) -> str:
    """The stale pins of a repository, each with what became of it; "" if there are none."""
    rows = [
        (pin.source, pin.pin.commit, what) for pin in repository.pins if pin.is_stale for what in _stale(pin)
    ]
    return visible_lines(f"{repository.address}\n{table(rows, width)}") if rows else ""


def tally_text(every: list[PinnedRepository]) -> str:
    """How many pins there are, and how many to look at, in one line."""
    pins = [pin for repository in every for pin in repository.pins]
    unread = sum(pin.state == "unread" for pin in pins)
    stale = sum(pin.is_stale for pin in pins)
    total = f"{count(len(pins), 'pin')} in {count(len(every), 'repository', 'repositories')}"
    return f"{total}: {len(pins) - stale - unread} up to date, {stale} to look at, {unread} not read\n"


def pins_json(every: list[PinnedRepository]) -> str:
    """All pins, by repository."""
    failures = Diagnostics.of(repository.failure for repository in every if repository.failure)
    return json_text(
        {
            "schema": SCHEMA,
            "repositories": [
                {"repository": repository.address, "pins": [_data(pin) for pin in repository.pins]}
                for repository in every
            ],
            "diagnostics": diagnostics_json(failures),
        }
    )


def _data(pin: PinnedCommit) -> dict[str, Any]:
    return {
        **json_object(pin, "source file=span.file line=span.line commit=pin.commit date=pin.date"),
        **json_object(pin, "state committed=date stale=is_stale"),
        "files": [file._asdict() for file in pin.files],
    }


def _stale(pin: PinnedCommit) -> Iterator[str]:
    """What is wrong with a pin, one thing after another."""
    if pin.state == "unpublished":
        yield "is not on the published branch"
    elif pin.state == "ambiguous":
        yield "is the beginning of several commits"
    elif not pin.pin.date:
        yield f"is of {pin.date}, which the pin does not say"
    elif pin.pin.date != pin.date:
        yield f"is of {pin.date}, not of {pin.pin.date}"
    yield from (_file(file) for file in pin.files if file.state != "same")


def _file(file: PinnedFile) -> str:
    if file.state == "absent":
        return f"{file.path}: not in this commit"
    since = f" on {file.date} ({file.commit})" if file.commit else ""
    if file.state == "gone" and file.moved:
        return f"{file.path}: moved to {file.moved}{since}"
    return f"{file.path}: {'removed' if file.state == 'gone' else 'changed'}{since}"
