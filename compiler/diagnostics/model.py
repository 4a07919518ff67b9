"""A diagnostic is data.

Its code says what kind of thing it is (`E0301`), is stable, and has a page in `docs/diagnostics`. The
first letters of the code fix its severity: E and K are errors, W warnings. The message states the
fact; only the help says what to do. If a reader sees one thing only, it is the message and `at`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from setpoint.compiler.diagnostics.fixes import Fix
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.record import distinct


@distinct
class Label(NamedTuple):
    """Another place that has a part in it, and which."""

    span: Span
    text: str


@distinct
class Diagnostic(NamedTuple):
    """One finding: code, message, where, and what belongs to it.

    `subject` is the name of what it is about, for whoever goes by that: of a hazard that arises, the hazard. `fixes` are
    verified changes of the policy that remove it, the best first; the help has them in words.
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


class Diagnostics(tuple[Diagnostic, ...]):
    """Findings in the order of the text, each once."""

    __slots__ = ()

    @classmethod
    def of(cls, findings: Iterable[Diagnostic]) -> "Diagnostics":
        """Sort by place, then code, then message; drop what is said twice."""
        return cls(sorted(set(findings), key=lambda d: (d.at, d.code, d.message)))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Those that stop a build."""
        return tuple(d for d in self if d.severity == "error")


class SetpointError(Exception):
    """A stage could not go on. `diagnostics` says why; nothing has been written.

    `sources` has the texts that were read, by name, for whoever shows the diagnostics.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.sources: dict[str, str] = {}
        self.diagnostics = Diagnostics.of(diagnostics)
