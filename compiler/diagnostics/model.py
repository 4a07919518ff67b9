"""A diagnostic is data.

Its code (`E0301`) identifies the kind of finding, is stable, and has a page in `docs/diagnostics`. The first letter of
the code determines the severity: E and K are errors, W warnings. The message states the problem; only the help says
what to do. A reader who sees one thing only sees the message and `at`.
"""

from collections.abc import Iterable, Mapping

from setpoint.compiler.diagnostics.fixes import Fix
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.record import NamedTuple


class Label(NamedTuple):
    """Another place that contributes to the finding, and how."""

    span: Span
    text: str


class Diagnostic(NamedTuple):
    """One finding: code, message, place and details.

    `subject` is the name of what it is about, such as the hazard, for programs that need it. `fixes` are verified
    changes of the policy that remove it, the best first; the help describes them in words.
    """

    code: str
    message: str
    at: Span
    label: str = ""
    others: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    subject: str = ""
    fixes: tuple[Fix, ...] = ()

    @property
    def severity(self) -> str:
        """`error` or `warning`."""
        return "warning" if self.code.startswith("W") else "error"

    def moved(self, to: Mapping[Span, Span]) -> "Diagnostic":
        """The finding with each of these places replaced by another."""
        return self._replace(
            at=to.get(self.at, self.at),
            others=tuple(label._replace(span=to.get(label.span, label.span)) for label in self.others),
            fixes=tuple(
                fix._replace(
                    edits=tuple(edit._replace(span=to.get(edit.span, edit.span)) for edit in fix.edits)
                )
                for fix in self.fixes
            ),
        )


class Diagnostics(tuple[Diagnostic, ...]):
    """Findings in the order of the text, without duplicates."""

    __slots__ = ()

    @classmethod
    def of(cls, findings: Iterable[Diagnostic]) -> "Diagnostics":
        """Sort by place, then code, then message; drop duplicates. What is alike in all three stays in its order."""
        return cls(sorted(dict.fromkeys(findings), key=lambda d: (d.at, d.code, d.message)))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings that stop a build."""
        return tuple(d for d in self if d.severity == "error")


class SetpointError(Exception):
    """A stage could not continue.

    `diagnostics` says why; nothing has been written. `sources` has the texts that were read, by name, to show the
    diagnostics with.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.sources: dict[str, str] = {}
        self.diagnostics = Diagnostics.of(diagnostics)

    @classmethod
    def of(
        cls,
        code: str,
        message: str,
        at: Span = NOWHERE,
        label: str = "",
        others: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: tuple[str, ...] = (),  # noqa: A002 - as the finding has it
        subject: str = "",
    ) -> "SetpointError":
        """The error of one finding."""
        return cls(Diagnostic(code, message, at, label, others, notes, help, subject))
