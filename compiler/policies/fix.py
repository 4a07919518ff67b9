"""Applying fixes: the verified repairs of errors, written into the policy files.

A repair was resolved for the policy that has the error, and the same statement can count for others. So each fix is tried
on all files that are checked: it stays only if that error is gone then and no other has come. The first of several that
does so is taken.
"""

from collections.abc import Mapping
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.fixes import Fix, edited
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.policies.check import Checked, check_files
from setpoint.compiler.record import distinct


@distinct
class Applied(NamedTuple):
    """A fix that was written, and the error that is gone by it."""

    error: Diagnostic
    fix: Fix


def fix_files(roots: Mapping[str, str], today: str = "") -> tuple[Checked, tuple[Applied, ...]]:
    """Apply what fixes there are; what is found then, and what was applied.

    `roots` are the files to check, each with the folder that its includes must stay inside. Only these are written.
    Raises OSError where a file cannot be.
    """
    checked, applied = check_files(roots, today), []
    while found := apply_one(checked, roots, today):
        checked, one = found
        applied.append(one)
    return checked, tuple(applied)


def apply_one(checked: Checked, roots: Mapping[str, str], today: str) -> tuple[Checked, Applied] | None:
    """Apply the first fix of these findings that helps; what is found then, and what was applied. None if none helps."""
    for error in checked.findings.errors:
        for fix in error.fixes:
            if all(edit.span.file in roots for edit in fix.edits):
                after = _tried(checked, error, fix, roots, today)
                if after is not None:
                    return after, Applied(error, fix)
    return None


def _tried(
    checked: Checked, error: Diagnostic, fix: Fix, roots: Mapping[str, str], today: str
) -> Checked | None:
    """What is found once a fix is written; None if it does not help, and then the files are as before."""
    names = {edit.span.file for edit in fix.edits}
    before = {name: read_text(name) for name in names}
    helps = False
    try:
        for name, text in before.items():
            mark = text[: len(text) - len(checked.sources[name])]  # a byte order mark, if it has one
            edits = (edit for edit in fix.edits if edit.span.file == name)
            write_text(name, mark + edited(checked.sources[name], edits))
        after = check_files(roots, today)
        allowed = {_key(each) for each in checked.findings.errors} - {_key(error)}
        helps = {_key(each) for each in after.findings.errors} <= allowed
    finally:
        if not helps:
            for name, text in before.items():
                write_text(name, text)
    return after if helps else None


def _key(error: Diagnostic) -> tuple[str, str, str]:
    """What an error is, wherever it stands now."""
    return error.code, error.at.file, error.message
