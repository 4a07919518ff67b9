"""What scripts, answers of installers and tasks switch off that protects a server.

A table of the library (`stdlib/protections.toml`) has the commands and assignments that switch a protection off, and
those that switch it on. A text is read as a whole: what it switches on anywhere it means to have, in whatever order.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.entries.lines import line_span
from setpoint.compiler.entries.model import MOST_REPEATED
from setpoint.compiler.knowledge.library import library_table, stdlib_folder

TABLE = "protections.toml"
"""The file of the library with what protects a server."""

ASKED = re.compile(r"^\s*(?:if|elif|while|until)\b.*?(?:;\s*(?:then|do)\b|$)|^\s*(?:-\s+)?(?:when|that):.*")
"""What only asks."""

MARKS = re.compile(r"""[\[\]"',]""")
BEHIND = re.compile(r"\s#.*")
MOST_READ, MOST_LINES = 500, 3_000
"""How many letters of a line are read, and how many lines of a text: longer ones are no commands and no scripts, and
some sixty forms are looked for in each."""

MOST_TOLD = 20
"""How many places a finding shows that switch off the same."""


def switched_off(source: SourceText) -> Iterator[Diagnostic]:
    """The findings about protections that a text switches off, and not on (W0907), and about services that an
    installer is to disable and to enable (E0906)."""
    table = library_table(stdlib_folder(), TABLE)
    if not table or not re.search(table["words"], source.text, re.MULTILINE):
        return
    lines = lines_of(source.text)[:MOST_LINES]
    text = "\n".join(map(_plain, lines))
    place = SourceText(source.name, text).spans()
    for row in table["protections"]:
        is_on = any(_places(row["on"], text, ())) or any(
            _places(table["services"]["on"], text, row["services"])
        )
        services = _places(table["services"]["off"], text, row["services"])
        what_by_line: dict[int, str] = {}
        for what, start in () if is_on else (*_places(row["off"], text, ()), *services):
            what_by_line.setdefault(place(start, start).line, what)
        for what in dict.fromkeys(what_by_line.values()):
            numbers = [number for number, off in what_by_line.items() if off == what][:MOST_TOLD]
            first, *others = (line_span(source.name, number, lines[number - 1]) for number in numbers)
            finding = insecure(lines[first.line - 1].strip(), row["because"], row["at"], first)
            yield finding._replace(others=tuple(Label(span, "and here") for span in others))
    yield from _twice(lines, table["twice"], text, place)


def insecure(written: str, because: str, source: str, span: Span) -> Diagnostic:
    """The finding about what switches off a protection (W0907)."""
    short = written if len(written) <= MOST_REPEATED else f"{written[:MOST_REPEATED]}…"
    message = f"`{short}` weakens security: {because}"
    help_ = ("leave it out, unless somebody has decided this for these servers",)
    return Diagnostic("W0907", message, span, "less secure", (), (f"source: {source}",), help_)


def _plain(line: str) -> str:
    """A line without comments, quotes, commas and brackets, and without what only asks."""
    if is_comment(line) or len(line) > MOST_READ:
        return ""
    return MARKS.sub(" ", ASKED.sub("", BEHIND.sub("", line))).rstrip()


def _places(forms: Sequence[str], text: str, services: Sequence[str]) -> Iterator[tuple[str, int]]:
    """What forms switch, one of the services or "" with the form, and where."""
    for form in forms:
        for match in _form(form).finditer(text):
            named = match.groupdict().get("names")
            for word in [form] if named is None else named.split():
                name = word.removesuffix(".service")
                if named is None or name in services:
                    yield name, match.end() - len(match[0].lstrip())


@cache
def _form(form: str) -> re.Pattern[str]:
    for name, part in library_table(stdlib_folder(), TABLE).get("places", {}).items():
        form = form.replace(name, part)
    return re.compile(form, re.MULTILINE)


def _twice(
    lines: Sequence[str], row: Mapping[str, Any], text: str, place: Callable[[int, int], Span]
) -> Iterator[Diagnostic]:
    """The findings about services that an installer is to disable, and to enable as well (E0906)."""
    lists = {key: list(_form(row[key]).finditer(text)) for key in ("off", "on")}
    on = {name: match for match in lists["on"] for name in match["names"].split()}
    for match in lists["off"]:
        for name in (name for name in dict.fromkeys(match["names"].split()) if name in on):
            places = (place(*listed.span("names")) for listed in (match, on[name]))
            at, other = (line_span(span.file, span.line, lines[span.line - 1]) for span in places)
            message = f"`{name}` is to be disabled and enabled: {row['because']}"
            labels, notes = (Label(other, "and on here"),), (f"source: {row['at']}",)
            yield Diagnostic("E0906", message, at, "switched off here", labels, notes, ("keep one of them",))
