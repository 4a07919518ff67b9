"""An open file, analysed: its tokens, its program, and the plans at a place. Each is made once, when it is first
needed."""

import os
from collections.abc import Iterable, Iterator, Set
from functools import cached_property
from itertools import islice, pairwise

from setpoint.compiler.binding.levels import Candidate, Subject, candidates
from setpoint.compiler.budget import MOST_AT_ONCE, limited
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, Label, SetpointError
from setpoint.compiler.diagnostics.source import SourceText, Span, lines_of, offset_of
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Opened, Program
from setpoint.compiler.language.syntax import Policy, Scope, Statement
from setpoint.compiler.language.tokens import END, Token, tokens
from setpoint.compiler.pipeline import Planned, plan_subject, read
from setpoint.compiler.policies.check import check_program
from setpoint.compiler.policies.known import Known

ENDS = ("{", "}", ";")
"""The signs between statements."""

MOST_PLANS = 3
"""How many plans answer a question about a place that belongs to several."""


class Document:
    """A file as an editor has it, beside all `opened` files, and what is `known` of its last version."""

    def __init__(self, path: str, opened: Opened, known: Known | None = None) -> None:
        self.path = path
        self.opened = opened
        self.text = opened[os.path.realpath(path)]
        self.lines = lines_of(self.text)
        self._known = known or Known()
        self._planned: dict[Subject, Planned] = {}

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The words and signs of the text, without comments."""
        return tuple(token for token in tokens(SourceText(self.path, self.text)) if token.kind != END)

    @cached_property
    def findings(self) -> Diagnostics:
        """All findings of the file, and of what it includes."""
        if isinstance(self._read, SetpointError):
            return self._read.diagnostics
        with limited(MOST_AT_ONCE):
            return Diagnostics.of(check_program(self._read, self._known))

    def at_their_places(self, findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Findings as they are shown in this file; those of included files at the statement that includes them."""
        for finding in findings:
            if finding.at.file in (self.path, ""):
                yield finding
            elif includes := self._includes:
                here = includes.get(os.path.realpath(finding.at.file), next(iter(includes.values())))
                label = Label(finding.at, finding.label or "here")
                message = f"{os.path.basename(finding.at.file)}: {finding.message}"
                yield finding._replace(message=message, at=here, others=(label, *finding.others), fixes=())

    @cached_property
    def _includes(self) -> dict[str, Span]:
        """The files that this one includes by itself, by their real paths, each with its statement's text."""
        folder = os.path.dirname(self.path)
        return {
            os.path.realpath(os.path.join(folder, name.text[1:-1])): name.span(self.path)
            for word, name in pairwise(self.tokens)
            if word.text == "include"
        }

    @property
    def program(self) -> Program | None:
        """The file with everything that it includes; None if something of it cannot be read."""
        return None if isinstance(self._read, SetpointError) else self._read

    @cached_property
    def _read(self) -> Program | SetpointError:
        try:
            return read(self.path, "", self.opened)
        except SetpointError as error:
            return error

    def reads(self, path: str) -> bool:
        """Whether a file is a part of the program."""
        return self.program is not None and path in map(os.path.realpath, self.program.sources)

    def depends_on(self, paths: Set[str]) -> bool:
        """Whether a change of some files can change what was found, as far as that is known."""
        if os.path.realpath(self.path) in paths:
            return True
        read_ = self.__dict__.get("_read")
        if isinstance(read_, Program):
            return not paths.isdisjoint(map(os.path.realpath, read_.sources))
        return "include" in self.text

    @cached_property
    def knowledge(self) -> Knowledge:
        """The knowledge that the policy is planned with; the standard library alone while the file is in error."""
        try:
            return self._known.knowledge(self.program) if self.program else standard()
        except SetpointError:
            return standard()

    def plans(self, line: int, column: int) -> Iterator[Planned]:
        """The plans that a place belongs to: of its host, group or policy; the first of them, if there are many."""
        for subject in islice(self.subjects(line, column), MOST_PLANS):
            if subject not in self._planned:
                self._planned[subject] = plan_subject(subject, self.knowledge)
            if self._planned[subject].plan is not None:
                yield self._planned[subject]

    def subjects(self, line: int, column: int) -> Iterator[Subject]:
        """What is planned for a place; nothing while the file cannot be read."""
        if self.program is None:
            return
        try:
            yield from list(self._subjects(self.program, line, column))
        except SetpointError:
            return

    def block(self, line: int, column: int) -> tuple[Statement, ...]:
        """The statements of the block that a place is in, or of the file; none while the file cannot be read."""
        if self.program is None:
            return ()
        around = list(_around(self.program.body, self.path, line, column))
        return around[-1].body if around else self.program.body

    def without_statement(self, line: int, column: int) -> "Document":
        """The document without the statement at a place, which cannot be read while it is being written."""
        first = self.statement_before(line, column)[:1]
        start = first[0].start if first else offset_of(self.text, line, column)
        rest = (token for token in self.tokens if token.end > start)
        end = next(
            (token.start + (token.text == ";") for token in rest if token.text in ENDS), len(self.text)
        )
        blank = "".join(c if c in "\r\n" else " " for c in self.text[start:end])
        text = self.text[:start] + blank + self.text[end:]
        return Document(self.path, {**self.opened, os.path.realpath(self.path): text}, self._known)

    def token_at(self, line: int, column: int) -> Token | None:
        """The token at a place, or directly before it."""
        touching = [t for t in self.tokens if t.line == line and t.column <= column <= t.column + len(t.text)]
        return touching[-1] if touching else None

    def is_in_text(self, line: int, column: int) -> bool:
        """Whether a place is in a text or in a comment, where nothing has a meaning."""
        before = [t for t in self.tokens if t.line == line and t.column < column]
        if not before:
            return "#" in self.lines[line - 1][: column - 1]
        last = before[-1]
        end = last.column + len(last.text)
        is_open = last.kind == "OPEN_STRING" and end <= column
        return (
            is_open
            or (last.text.startswith('"') and column < end)
            or "#" in self.lines[line - 1][end - 1 : column - 1]
        )

    def statement_before(self, line: int, column: int) -> tuple[Token, ...]:
        """The tokens of the statement that a place is in, up to the word that is being written there."""
        statement: list[Token] = []
        for token in self.tokens:
            end = token.line, token.column + len(token.text)
            is_written = end == (line, column) and token.text not in ENDS
            if end > (line, column) or is_written:
                break
            statement = [] if token.text in ENDS else [*statement, token]
        return tuple(statement)

    def open_block(self, line: int, column: int) -> str:
        """The first word of the innermost block that a place is in; "" at the top of the file."""
        opened: list[str] = []
        first = ""
        for token in self.tokens:
            if (token.line, token.column) >= (line, column):
                break
            if token.text == "{":
                opened.append(first)
            elif token.text == "}":
                opened = opened[:-1]
            first = "" if token.text in ENDS else first or token.text
        return opened[-1] if opened else ""

    def _subjects(self, program: Program, line: int, column: int) -> Iterator[Subject]:
        around = list(_around(program.body, self.path, line, column))
        policy = next((block.name.text for block in around if isinstance(block, Policy)), "")
        scopes = {block.kind.text: block.name.text for block in around if isinstance(block, Scope)}
        for candidate in candidates(program.body, program.stem, policy):
            yield from _narrowed(candidate, self.knowledge, scopes.get("group", ""), scopes.get("host", ""))


def names(tokens: Iterable[Token]) -> tuple[str, ...]:
    """The texts of tokens."""
    return tuple(token.text for token in tokens)


def holds(span: Span, path: str, line: int, column: int) -> bool:
    """Whether a place of a file is in a span."""
    return span.file == path and span[1:3] <= (line, column) <= span[3:5]


def _around(body: Iterable[Statement], path: str, line: int, column: int) -> Iterator[Policy | Scope]:
    """The policy, group or host blocks that a place is in, the widest first."""
    for statement in body:
        if isinstance(statement, Policy | Scope) and holds(statement.span, path, line, column):
            yield statement
            yield from _around(statement.body, path, line, column)


def _narrowed(candidate: Candidate, knowledge: Knowledge, group: str, host: str) -> Iterator[Subject]:
    """A policy narrowed to what a place is in; to its groups, if it states too little by itself."""
    if host in candidate.scopes["host"]:
        yield from (candidate.narrowed(name, host) for name in candidate.groups_of(host))
    elif group in candidate.scopes["group"]:
        yield candidate.narrowed(group)
    elif not (group or host):
        yield from candidate.with_each_group(knowledge.required)
