"""Applying fixes: the verified repairs of errors, written into the policy files.

A repair was resolved for the policy that has the error, and the same statement can apply to others. So each fix is
tried on all checked files: it stays only if it removes that error and causes no other. The first such fix is used.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.fixes import Fix, edited
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.policies.check import Checked, check_files
from setpoint.compiler.record import NamedTuple, distinct

if TYPE_CHECKING:
    from setpoint.compiler.fitting.server import Server


@distinct
class Applied(NamedTuple):
    """A fix that was written, and the error that it removed."""

    error: Diagnostic
    fix: Fix


def fix_files(
    roots: Mapping[str, str], today: str = "", server: "Server | None" = None
) -> tuple[Checked, tuple[Applied, ...]]:
    """Apply the available fixes; return the remaining findings, and what was applied.

    `roots` are the files to check, each with the folder that its includes must stay inside. Only these are written. `server`
    is the one to check them for, if one is given.
    Raises OSError if a file cannot be written.
    """
    checked, applied = check_files(roots, today, server), []
    while found := apply_one(checked, roots, today, server):
        checked, one = found
        applied.append(one)
    return checked, tuple(applied)


def apply_one(
    checked: Checked, roots: Mapping[str, str], today: str, server: "Server | None" = None
) -> tuple[Checked, Applied] | None:
    """Apply the first fix of these findings that helps; return the findings after it, and what was applied. None if
    none helps.
    """
    for error in checked.findings.errors:
        for fix in error.fixes:
            if all(edit.span.file in roots for edit in fix.edits):
                after = _tried(checked, error, fix, roots, today, server)
                if after is not None:
                    return after, Applied(error, fix)
    return None


def _tried(
    checked: Checked,
    error: Diagnostic,
    fix: Fix,
    roots: Mapping[str, str],
    today: str,
    server: "Server | None",
) -> Checked | None:
    """The findings after a fix is written; None if it does not help, and then the files are restored."""
    names = {edit.span.file for edit in fix.edits}
    before = {name: read_text(name) for name in names}
    helps = False
    try:
        for name, text in before.items():
            mark = text[: len(text) - len(checked.sources[name])]  # keep a byte order mark
            edits = (edit for edit in fix.edits if edit.span.file == name)
            write_text(name, mark + edited(checked.sources[name], edits))
        after = check_files(roots, today, server)
        allowed = {_key(each) for each in checked.findings.errors} - {_key(error)}
        helps = {_key(each) for each in after.findings.errors} <= allowed
    finally:
        if not helps:
            for name, text in before.items():
                write_text(name, text)
    return after if helps else None


def _key(error: Diagnostic) -> tuple[str, str, str]:
    """Identifies an error, wherever it is now."""
    return error.code, error.at.file, error.message
