"""Applying fixes: repairs of findings, written into the policy files.

A repair was resolved for the policy that has the error, and the same statement can apply to others. So each fix is
tried on all checked files. A safe one, as of a misspelt word, stays if it removes its error and what shows afterwards
is only what the error hid. Any other changes a decision: it is applied only if that is asked for, and stays only if it
causes no error at all. The first such fix of a finding is used.

The reason of a changed `set` is not one for its new value. It is emptied at the end, since an empty reason is an error
that hides others.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.fixes import OPEN_REASON, Edit, Fix, Replacement, edited, replacement
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.language.tokens import tokens
from setpoint.compiler.policies.check import Checked, check_files
from setpoint.compiler.record import NamedTuple

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server

SYNTAX = "E01"
"""How the codes of syntax errors begin."""


class Applied(NamedTuple):
    """A written fix, the finding that it removed, and the decisions or reasons that have left the text."""

    finding: Diagnostic
    fix: Fix
    gone: tuple[str, ...] = ()


class Fixing:
    """Fixes the files in `roots`, each with the folder that its includes must stay inside, and no others."""

    def __init__(
        self, roots: Mapping[str, str], today: str = "", server: "Server | None" = None, unsafe: bool = False
    ) -> None:
        self._roots, self._today, self._server, self._unsafe = roots, today, server, unsafe
        self._open: list[tuple[str, int]] = []  # the files and places of reasons that will be emptied

    def run(self) -> tuple[Checked, tuple[Applied, ...]]:
        """Apply the available fixes; return the remaining findings, and what was applied.

        Raises OSError if a file cannot be written.
        """
        checked, applied = self._checked(), []
        while step := self.apply_one(checked):
            checked, latest = step
            applied.append(latest)
        if self._open:
            self._empty_reasons(checked)
            checked = self._checked()
        return checked, tuple(applied)

    def apply_one(self, checked: Checked) -> tuple[Checked, Applied] | None:
        """Apply the first fix of these findings that helps; return it and the findings after it, None if none helps."""
        for finding in sorted(checked.findings, key=lambda finding: finding.severity != "error"):
            for fix in finding.fixes:
                if (fix.is_safe or self._unsafe) and all(e.span.file in self._roots for e in fix.edits):
                    after = self._tried(checked, finding, fix)
                    if after is not None:
                        gone = tuple(_gone(checked, fix))
                        self._note(checked, fix)
                        return after, Applied(finding, fix, gone)
        return None

    def _checked(self) -> Checked:
        return check_files(self._roots, self._today, self._server)

    def _tried(self, checked: Checked, finding: Diagnostic, fix: Fix) -> Checked | None:
        """The findings after a fix is written; None if it does not help, and then the files are restored."""
        edits = fix.with_reasons.edits
        before = {name: read_text(name) for name in {edit.span.file for edit in edits}}
        helps = False
        try:
            for name, text in before.items():
                mark = text[: len(text) - len(checked.sources[name])]  # keep a byte order mark
                own = (edit for edit in edits if edit.span.file == name)
                write_text(name, mark + edited(checked.sources[name], own))
            after = self._checked()
            helps = _helps(checked, after, finding, fix)
        finally:
            if not helps:
                for name, text in before.items():
                    write_text(name, text)
        return after if helps else None

    def _note(self, checked: Checked, fix: Fix) -> None:
        """Keep the places of the reasons that a fix leaves open, and move the earlier ones by its edits."""
        text_of = checked.sources
        new = [
            (edit.span.file, replacement(text_of[edit.span.file], edit).start)
            for edit in fix.edits
            if edit.text == OPEN_REASON
        ]
        for edit in sorted(fix.with_reasons.edits, key=lambda edit: edit.span, reverse=True):
            name, change = edit.span.file, replacement(text_of[edit.span.file], edit)
            places = [*self._open, *new]
            moved = [(f, _moved(at, change) if f == name else at) for f, at in places]
            self._open, new = [place for place in moved if place[1] >= 0], []

    def _empty_reasons(self, checked: Checked) -> None:
        """Empty the reasons at the noted places."""
        for name in sorted({name for name, _ in self._open}):
            text, whole = checked.sources[name], read_text(name)
            places = {at for file, at in self._open if file == name}
            reasons = (token for token in tokens(SourceText(name, text)) if token.start in places)
            emptied = edited(text, [Edit(token.span(name), OPEN_REASON) for token in reasons])
            write_text(name, whole[: len(whole) - len(text)] + emptied)


def _moved(at: int, change: Replacement) -> int:
    """A place after a replacement; -1 if it was in what is replaced."""
    if at < change.start:
        return at
    return -1 if at < change.end else at + len(change.text) - (change.end - change.start)


def _gone(checked: Checked, fix: Fix) -> Iterator[str]:
    """The statements that a fix drops, and the reasons that it empties, as they were written."""
    for edit in () if fix.is_safe else fix.edits:
        if edit.text in ("", OPEN_REASON):
            text = checked.sources[edit.span.file]
            start, end, _ = replacement(text, edit._replace(text=OPEN_REASON))
            yield text[start:end]


def _helps(checked: Checked, after: Checked, finding: Diagnostic, fix: Fix) -> bool:
    """Whether a finding is gone, and no error there that the fix caused."""
    if fix.is_safe and finding.code.startswith(SYNTAX):  # which hides everything else in the file
        return _syntax_errors(after) < _syntax_errors(checked)
    before, now = (Counter(map(_key, state.findings)) for state in (checked, after))
    if now[_key(finding)] >= before[_key(finding)]:
        return False
    new = {_key(error) for error in after.findings.errors} - set(before)
    return all(fix.is_safe and code > finding.code for code, _, _ in new)


def _syntax_errors(checked: Checked) -> int:
    return sum(finding.code.startswith(SYNTAX) for finding in checked.findings)


def _key(error: Diagnostic) -> tuple[str, str, str]:
    """Identifies a finding, wherever it is now."""
    return error.code, error.at.file, error.message
