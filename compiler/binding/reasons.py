"""Reasons: an override, a waiver or an expectation states why, in words."""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.language.syntax import Name


def empty_reason(what: str, because: Name) -> Iterator[Diagnostic]:
    """The error about a reason without words (E0209); `what` is the beginning of the statement."""
    if not because.text.strip():
        yield Diagnostic(
            "E0209",
            f"`{what}` has an empty reason",
            because.span,
            "empty",
            help=("give the reason for a reader in a year's time",),
        )
