"""Cases in chunks: small texts in one file, each with its expected errors stated on their lines.

    # What this chunk is about.
    set turbo fast because "PERF-212";   # ! E0202 "no value of turbo `fast`"
    ---
    goal latency
    #    ^^^^^^^ E0105 "runs on"
    cpu westmere;

`---` parts the chunks. A comment `# ! CODE "pattern"` stands behind the line that the finding points to, once or
with several findings; `# ^^^ CODE "pattern"` stands on the line below it, the marks under the very characters; and
`# ! - CODE "pattern"` is for a finding that points nowhere. The pattern is searched for in the message. A finding
that nobody expects fails a case, and so does one that does not come.

A chunk is padded with empty lines, so that lines count as in its file.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import Selection, knowledge_for, planned

Stage = Callable[[SourceText], Iterable[Diagnostic]]
"""What a case is put through: it gives all findings, and raises nothing."""

PARTING = "---"
SAME_LINE = re.compile(r"# ! (?P<nowhere>- )?(?P<findings>[EWK]\d+ .*)$")
LINE_ABOVE = re.compile(r"^\s*#\s*(?P<marks>\^+) (?P<findings>[EWK]\d+ .*)$")
FINDING = re.compile(r'(?P<code>[EWK]\d+) "(?P<pattern>(?:\\.|[^"\\])*)"')


class Expected(NamedTuple):
    """A finding that a case expects. `line` is 0 for nowhere; `columns` is None where they do not matter."""

    line: int
    columns: tuple[int, int] | None
    code: str
    pattern: str

    def met_by(self, finding: Diagnostic) -> bool:
        """Whether this finding is the expected one."""
        columns = (finding.at.column, finding.at.end_column)
        return (
            finding.code == self.code
            and finding.at.line == self.line
            and self.columns in (None, columns)
            and re.search(self.pattern, finding.message) is not None
        )


class Chunk(NamedTuple):
    """One case. `name` is its file and line, for the names of tests."""

    name: str
    source: SourceText
    expected: tuple[Expected, ...]


def chunks(folder: Path) -> list[Chunk]:
    """The chunks of all `.tune` files in a folder."""
    return [chunk for path in sorted(folder.glob("*.tune")) for chunk in _chunks_of(path)]


def _chunks_of(path: Path) -> Iterable[Chunk]:
    start, lines = 0, path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate([*lines, PARTING]):
        if line == PARTING:
            text = "\n" * start + "\n".join(lines[start:number]) + "\n"
            yield Chunk(f"{path.stem}-{start + 1}", SourceText(path.name, text), tuple(_expected(text)))
            start = number + 1


def _expected(text: str) -> Iterable[Expected]:
    marked = 0
    for number, line in enumerate(text.split("\n"), 1):
        if above := LINE_ABOVE.match(line):
            columns = above.start("marks") + 1, above.end("marks") + 1
            yield from _findings(above["findings"], marked, columns)
            continue
        marked = number
        if same := SAME_LINE.search(line):
            yield from _findings(same["findings"], 0 if same["nowhere"] else number, None)


def _findings(text: str, line: int, columns: tuple[int, int] | None) -> Iterable[Expected]:
    matches = list(FINDING.finditer(text))
    assert matches, f"line {line}: cannot read the expectation {text}"
    yield from (Expected(line, columns, match["code"], match["pattern"]) for match in matches)


def check(chunk: Chunk, stage: Stage) -> None:
    """Put a chunk through a stage; fails with what was not expected, and with what did not come."""
    unmet = list(chunk.expected)
    unexpected = []
    for finding in stage(chunk.source):
        expected = next((e for e in unmet if e.met_by(finding)), None)
        if expected is None:
            unexpected.append(f'{finding.at.line}:{finding.at.column} {finding.code} "{finding.message}"')
        else:
            unmet.remove(expected)
    missing = [f'{e.line}:{e.columns or "any"} {e.code} "{e.pattern}"' for e in unmet]
    assert not unexpected, f"{chunk.name}: not expected: {unexpected}; missing: {missing}"
    assert not missing, f"{chunk.name}: missing: {missing}"


def parse_only(source: SourceText) -> Iterable[Diagnostic]:
    """The stage that reads a text: the findings are its syntax errors."""
    try:
        parse(source)
    except SetpointError as error:
        return error.diagnostics
    return ()


def plan(source: SourceText) -> Iterable[Diagnostic]:
    """The stage that plans all policies of a text: the findings are its errors and its warnings."""
    try:
        program = program_of_text(source.text)
        done = planned(program, knowledge_for(program), Selection(today="2026-01-01"))
    except SetpointError as error:
        return error.diagnostics
    return [finding for subject in done for finding in subject.findings]


def plan_errors(source: SourceText) -> Iterable[Diagnostic]:
    """As `plan`, but errors only."""
    return [finding for finding in plan(source) if finding.severity == "error"]
