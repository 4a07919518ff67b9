"""Differences that the policy waives: `accept difference of turbo because "…" until 2027-03-01;`.

A waiver covers every state that counts as a difference, and nothing that could not be read: nobody knows of that
whether it is the difference that was meant. Whether it is still valid depends on the day alone, which is given. A
waiver without effect could hide a difference later. No plan can tell, and no single server of those that have it, so it
is found when all servers have been compared.
"""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.plan.waivers import DIFFERENCE
from setpoint.compiler.verification.model import (
    DIFFERENCES,
    UNDECIDED,
    WAIVED,
    DifferenceWaiver,
    HostVerdicts,
)

UNUSED = "W0917"


class DifferenceWaivers:
    """Applies the waivers of plans to verdicts on a day (ISO), and keeps which of them were needed."""

    def __init__(self, today: str) -> None:
        self._today = today
        self._needed: dict[tuple[Span, str], bool] = {}

    def applied(self, plan: Plan, server: HostVerdicts) -> HostVerdicts:
        """The verdicts on a server with the waivers of its plan."""
        waivers = {
            waiver.setting: waiver for waiver in plan.waivers if waiver.kind == DIFFERENCE and waiver.stands
        }
        if not waivers:
            return server
        states = {verdict.setting: verdict.state for verdict in server.verdicts}
        for setting, waiver in waivers.items():
            is_needed = states.get(setting) in DIFFERENCES | UNDECIDED
            statement = (plan.places.of("accept", waiver.name), waiver.name)
            self._needed[statement] = self._needed.get(statement, False) or is_needed
        verdicts = list(server.verdicts)
        for index, verdict in enumerate(verdicts):
            known = waivers.get(verdict.setting)
            if known is not None and verdict.state in DIFFERENCES:
                is_expired = known.is_expired(self._today)
                terms = DifferenceWaiver(known.because, known.until, is_expired, verdict.state)
                state = verdict.state if is_expired else WAIVED
                verdicts[index] = verdict._replace(state=state, waiver=terms)
        return server._replace(verdicts=tuple(verdicts))

    def unneeded(self) -> Iterator[Diagnostic]:
        """The waivers that have no effect on any server that was compared (W0917), in the order of the text."""
        for span, name in sorted(self._needed):
            if not self._needed[span, name]:
                yield Diagnostic(
                    UNUSED,
                    f"waiver for `{name}` has no effect: no server compared here differs in it",
                    span,
                    "no effect",
                    help=(
                        "drop the line unless other servers need it, so that it cannot hide a difference later",
                    ),
                    subject=name,
                )
