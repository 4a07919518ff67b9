"""Resources of Kubernetes and OpenShift that tune nodes: profiles of tuned in a Tuned, boot arguments in lists of other
kinds and in what an operator makes of them (`resources`), and attributes of the firmware.

A profile is the text below `data: |`, and is read as tuned reads it; boot arguments are the items below
`kernelArguments` or `additionalKernelArgs`. Each has the place that it has in the manifest. What else there is is for
the operator that reads the resource.
"""

import re
from collections.abc import Iterable, Iterator

from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of
from setpoint.compiler.entries.blocks import TextBlock, text_blocks, written_texts
from setpoint.compiler.entries.documents import has_settings, settings_in
from setpoint.compiler.entries.lines import line_span
from setpoint.compiler.entries.model import Entry, Piece
from setpoint.compiler.entries.nested import attributes_below
from setpoint.compiler.entries.resources import words_of_resource
from setpoint.compiler.entries.scripts import settings_of_script
from setpoint.compiler.entries.tuned import entries_of, is_profile
from setpoint.compiler.knowledge.shipped import shipped
from setpoint.compiler.record import NamedTuple

IS_MANIFEST = re.compile(r"^apiVersion:\s*\S", re.MULTILINE)
NAMED = re.compile(r"^[ \t]*(?:-[ \t]+)?name:[ \t]*[\"']?([A-Za-z0-9_.-]+)", re.MULTILINE)
"""The names in a manifest: its profiles include each other, and those that tuned ships, perhaps under the same name."""

MOST_PROFILES = 50
"""How many profiles of a manifest are read."""

BESIDE_PROFILES = -1
"""The part of what a file has beside its profiles."""

BELOW_SPEC = re.compile(r"spec:\s*(?:#.*)?")


def is_manifest(text: str) -> bool:
    """Whether a text is a resource of a cluster."""
    return bool(IS_MANIFEST.search(text)) or has_settings(text)


class ManifestProfile(NamedTuple):
    """A profile in a manifest without its indentation, and for each of its lines the number of that of the manifest."""

    source: SourceText
    numbers: tuple[int, ...]


def profiles_in(file: str, blocks: Iterable[TextBlock]) -> list[ManifestProfile]:
    """The profiles of tuned among the texts of a document."""
    profiles: list[ManifestProfile] = []
    for block in blocks:
        margin = min((len(line) - len(line.lstrip(" ")) for line in block.lines if line.strip()), default=0)
        text = [line[margin:] for line in block.lines]
        if len(profiles) < MOST_PROFILES and is_profile(text):
            profiles.append(ManifestProfile(SourceText(file, "\n".join(text) + "\n"), block.numbers))
    return profiles


def entries_of_manifest(source: SourceText) -> Iterator[Piece]:
    """The entries of a manifest, and the lines of its specification that nobody has read."""
    lines = lines_of(source.text)
    read: set[int] = set()
    for entry in [*words_of_resource(source.name, lines), *attributes_below(source, BELOW_SPEC)]:
        read |= set(range(entry.span.line, entry.span.end_line + 1))
        yield entry
    names = set(NAMED.findall(source.text)) - shipped().profiles.keys()
    profiles = profiles_in(source.name, text_blocks(lines))
    for piece in entries_of_profiles(profiles, lines):
        if not (isinstance(piece, Entry) and piece.interface == "tuned" and piece.text in names):
            yield piece
    read |= {number for profile in profiles for number in profile.numbers}
    part = BESIDE_PROFILES if profiles else 0
    beside = [entry for entry in settings_in(source) if entry.span.line not in read]
    yield from (entry._replace(part=part or entry.part) for entry in beside)
    read |= {entry.span.line for entry in beside}
    yield from _unread(source, lines, read)


def entries_of_script(source: SourceText) -> Iterator[Piece]:
    """The entries of a script: of the manifests and profiles that it writes, and of all that is beside these."""
    lines = lines_of(source.text)
    blocks = [*written_texts(lines)]
    manifests = [block for block in blocks if any(map(IS_MANIFEST.match, block.lines))][:MOST_PROFILES]
    for block in manifests:
        yield from entries_of_manifest(_alone(source, lines, block))
    read = {number for block in manifests for number in block.numbers}
    profiles = profiles_in(source.name, (block for block in blocks if read.isdisjoint(block.numbers)))
    yield from entries_of_profiles(profiles, lines)
    read |= {number for profile in profiles for number in profile.numbers}
    for entry in settings_of_script(source):
        if entry.span.line not in read:
            yield entry._replace(part=entry.part + len(profiles) * (entry.part >= 0))


def _alone(source: SourceText, lines: list[str], block: TextBlock) -> SourceText:
    """A text with the lines of a block in their places, and nothing else."""
    kept = set(block.numbers)
    return SourceText(source.name, "\n".join(line if n in kept else "" for n, line in enumerate(lines, 1)))


def entries_of_profiles(profiles: Iterable[ManifestProfile], lines: list[str]) -> Iterator[Piece]:
    """The entries of the profiles in a document, each profile a part, at their places in the document."""
    for part, profile in enumerate(profiles):
        yield profile.source
        for piece in entries_of(profile.source):
            if isinstance(piece, Span):
                yield _shifted(piece, profile, lines)
            else:
                yield piece._replace(span=_shifted(piece.span, profile, lines), part=part)


def _shifted(span: Span, profile: ManifestProfile, lines: list[str]) -> Span:
    """The place in the manifest of a place in one of its profiles: the same words, or the line that has them."""
    number = profile.numbers[span.line - 1]
    line = lines[number - 1]
    said = lines_of(profile.source.text)[span.line - 1][span.column - 1 : span.end_column - 1]
    start = line.find(said, span.column - 1) if span.column > 1 and span.end_line == span.line else -1
    if start < 0:
        return line_span(span.file, number, line)
    return Span(span.file, number, start + 1, number, start + 1 + len(said))


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
