"""Resources of Kubernetes and OpenShift that tune nodes: profiles of tuned in a Tuned, boot arguments in lists of other kinds and in what an
operator makes of them (`resources`), and attributes of the firmware.

A profile is the text below `data: |`, and is read as tuned reads it; boot arguments are the items below `kernelArguments` or
`additionalKernelArgs`. Each has the place that it has in the manifest. What else there is is for the operator that reads the resource.
"""

import re
from collections.abc import Iterator

from setpoint.compiler.audit.lines import line_span, words_of
from setpoint.compiler.audit.model import Entry
from setpoint.compiler.audit.nested import attributes_below
from setpoint.compiler.audit.resources import words_of_resource
from setpoint.compiler.audit.tuned import SECTION, entries_of
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.knowledge.shipped import shipped

IS_MANIFEST = re.compile(r"^apiVersion:\s*\S", re.MULTILINE)
BLOCK = re.compile(r"\s*(?:-\s+)?data:\s*[|>][+-]?\d*\s*(?:#.*)?")
ARGUMENTS = re.compile(r"(\s*(?:-\s+)?)(?:kernelArguments|additionalKernelArgs):\s*(?:#.*)?")
ITEM = re.compile(r"(\s*)-\s+(\S.*)")
NAMED = re.compile(r"^[ \t]*(?:-[ \t]+)?name:[ \t]*[\"']?([A-Za-z0-9_.-]+)", re.MULTILINE)
"""The names in a manifest: its profiles include each other, and those that tuned ships, perhaps under the same name."""

MOST_PROFILES = 50
"""How many profiles of a manifest are read."""

BELOW_SPEC = re.compile(r"spec:\s*(?:#.*)?")


def is_manifest(text: str) -> bool:
    """Whether a text is a resource of a cluster."""
    return bool(IS_MANIFEST.search(text))


def profiles_of(source: SourceText) -> list[SourceText]:
    """The profiles of tuned in a manifest, each at its lines, and without its indentation."""
    lines = lines_of(source.text)
    found: list[SourceText] = []
    start = 0
    while start < len(lines) and len(found) < MOST_PROFILES:
        end = start + 1
        if BLOCK.fullmatch(lines[start]):
            end = _end(lines, start)
            block = lines[start + 1 : end]
            margin = min((_indent(line) for line in block if line.strip()), default=0)
            text = [line[margin:] for line in block]
            if any(SECTION.fullmatch(each) for each in text):
                found.append(SourceText(source.name, "\n" * (start + 1) + "\n".join(text) + "\n"))
        start = end
    return found


def _end(lines: list[str], start: int) -> int:
    """The line behind the block that begins after a line, by their indentation."""
    above = _indent(lines[start])
    for at in range(start + 1, len(lines)):
        if lines[at].strip() and _indent(lines[at]) <= above:
            return at
    return len(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def entries_of_manifest(source: SourceText) -> Iterator[Entry | Span]:
    """The entries of a manifest, and the lines of its specification that nobody has read."""
    lines = lines_of(source.text)
    read: set[int] = set()
    for entry in [*words_of_resource(source.name, lines), *attributes_below(source, BELOW_SPEC)]:
        read |= set(range(entry.span.line, entry.span.end_line + 1))
        yield entry
    names = set(NAMED.findall(source.text)) - shipped().profiles.keys()
    for part, profile in enumerate(profiles_of(source)):
        read |= {number for number, line in enumerate(lines_of(profile.text), 1) if line.strip()}
        for found in entries_of(profile):
            if isinstance(found, Span):
                yield found
            elif not (found.interface == "tuned" and found.text in names):
                yield found._replace(span=_shifted(found.span, lines), part=part)
    for start, line in enumerate(lines):
        if head := ARGUMENTS.fullmatch(line):
            read.add(start + 1)
            for at in range(start + 1, len(lines)):
                item = ITEM.fullmatch(lines[at])
                if item is None or len(item[1]) < len(head[1]):
                    break
                read.add(at + 1)
                first, last = _unquoted(lines[at], item.start(2))
                yield from words_of(source.name, at + 1, lines[at], first, last)
    yield from _unread(source, lines, read)


def _unquoted(line: str, start: int) -> tuple[int, int]:
    """Where the text of an item begins and ends, without its quotes."""
    end = len(line.rstrip())
    if line[start] in "\"'" and line[end - 1] == line[start] and end - 1 > start:
        return start + 1, end - 1
    return start, end


def _shifted(span: Span, lines: list[str]) -> Span:
    """The place in the manifest of a place in a text without its indentation."""
    line = lines[span.line - 1]
    if span.column == 1 and span.end_line == span.line:
        return line_span(span.file, span.line, line)
    return span


def _unread(source: SourceText, lines: list[str], read: set[int]) -> Iterator[Span]:
    """The lines with a value below `spec` that are in no profile and no list of arguments."""
    is_below = False
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line.startswith((" ", "-")):
            is_below = bool(BELOW_SPEC.fullmatch(line))
        elif is_below and number not in read and re.search(r":\s+[^|>\s]|^\s*- [^:]*$", line):
            yield line_span(source.name, number, line)
