"""The values of a server that its intent does not give: a `set` for each that the knowledge base permits in a policy.

Values are set layer by layer, profiles first, and planned again after each layer, since one value brings others with
it. A value that contradicts others, or that nothing can write, is reported instead: the server has it, and no policy
can. Hazards that would stop the plan are waived, with reasons left open like those of the `set`s.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType

from setpoint.compiler.adoption.found import GoldenServer
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import LAYERS, Knowledge
from setpoint.compiler.language.syntax import Name, Reason, Set
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.decided import solve
from setpoint.compiler.resolution.resolve import resolve

PROFILE = "profile"
"""The stage of governing settings, which bring the values of others with them."""

STAGES = (PROFILE, *LAYERS)
"""The order in which values are set."""

MOST_PLANS = 200
"""After how many plans the search for the `set`s ends: two for each setting of a large server."""


class Refused(NamedTuple):
    """A value of a server that its policy does not have, and why."""

    setting: str
    value: str
    why: str


class Rest(NamedTuple):
    """The statements beside an intent.

    These are `set`s by setting, hazards to waive with their descriptions, and values that no policy can have. `plan` is
    the plan with all statements.
    """

    sets: Mapping[str, str]
    waived: tuple[tuple[str, str], ...]
    refused: tuple[Refused, ...]
    plan: Plan


def rest_of(
    knowledge: Knowledge,
    context: Context,
    server: GoldenServer,
    given: Mapping[str, str] = MappingProxyType({}),
) -> Rest:
    """What the policy of a server needs beside the facts and intent of a context; `given` are `set`s of a wider level.

    Raises SetpointError if there is no plan even without a `set`.
    """
    search = _RestSearch(knowledge, context, server, given)
    for stage in STAGES * 2:
        search.add(stage)
    search.drop_needless()
    return search.rest()


class _RestSearch:
    def __init__(
        self, knowledge: Knowledge, context: Context, server: GoldenServer, given: Mapping[str, str]
    ) -> None:
        self.knowledge, self.context, self.server = knowledge, context, server
        self.sets: dict[str, str] = dict(given)
        self.given = dict(given)
        self.refused: dict[str, Refused] = {}
        self.left = MOST_PLANS
        self.stages = {
            name: PROFILE if decision.governs else decision.layer
            for name, decision in server.settings.decisions.items()
        }

    def add(self, stage: str) -> None:
        """Set the values of a stage that the plan does not have."""
        values = self._values()
        for name, value in self.server.values.items():
            if self.stages[name] != stage or name in self.refused or name not in values:
                continue
            if not self.server.shows(name, values[name]):
                self.sets[name] = value.value

    def drop_needless(self) -> None:
        """Drop each `set` without which the plan has its value anyway, such as one that a profile brings."""
        for name in [name for name in self.sets if name not in self.given]:
            value = self.sets.pop(name)
            values = self._values()
            if not all(self.server.shows(setting, values[setting]) for setting in self._wanted(values)):
                self.sets[name] = value

    def rest(self) -> Rest:
        """The result. What no artifact could write is left out, too."""
        while True:
            self._values()
            plan = resolve(self.knowledge, self._context())
            unwritten = [d.setting for d in plan.settings if d.origin == "set" and d.unwritten == "unknown"]
            unwritten = [name for name in unwritten if name in self.sets]
            if not unwritten:
                break
            for name in unwritten:
                self._refuse(name, "no source says whether the profile locks it")
        stopping = [finding for finding in judge(plan).diagnostics if finding.code == "E0401"]
        lost = (self._lost(plan, name) for name in self._wanted({d.setting: d.value for d in plan.settings}))
        refused = (*self.refused.values(), *(refusal for refusal in lost if refusal is not None))
        own = {name: value for name, value in self.sets.items() if self.given.get(name) != value}
        waived = tuple((finding.subject, finding.message) for finding in stopping)
        return Rest(own, waived, tuple(dict.fromkeys(refused)), plan)

    def _lost(self, plan: Plan, name: str) -> Refused | None:
        decision = plan.setting(name)
        if decision is None or name in self.refused or self.server.shows(name, decision.value):
            return None
        return Refused(
            name, self.server.values[name].value, f"the plan has {decision.value}, whatever is set"
        )

    def _wanted(self, values: Mapping[str, str]) -> list[str]:
        return [name for name in self.server.values if name not in self.refused and name in values]

    def _values(self) -> dict[str, str]:
        """The values that the `set`s lead to; what contradicts another one is refused until there is a solution."""
        while True:
            self.left -= 1
            try:
                return solve(self.knowledge, self._context()).values(self.knowledge, self._context())
            except SetpointError as error:
                conflict = error.diagnostics.errors[0]
                names = self._named(conflict)
                if not names or self.left < 0:
                    raise
                self._refuse(max(names, key=self._rank), conflict.message)

    def _rank(self, name: str) -> tuple[int, int]:
        """The order of decision; of values that contradict each other the last one is refused."""
        return STAGES.index(self.stages[name]), self.knowledge.settings[name].position

    def _refuse(self, name: str, why: str) -> None:
        self.refused[name] = Refused(name, self.sets.pop(name), why)

    def _named(self, conflict: Diagnostic) -> list[str]:
        """The settings of the `set`s that a conflict is about."""
        spans = {conflict.at, *(label.span for label in conflict.others)}
        return [name for number, name in enumerate(self.sets) if _span(number) in spans]

    def _context(self) -> Context:
        sets = [
            Set(Name(name, span=at), Name(value, span=at), Reason("", span=at), span=at)
            for (name, value), at in zip(self.sets.items(), map(_span, count()), strict=False)
        ]
        return self.context._replace(sets=tuple(sorted(sets, key=lambda statement: statement.setting.text)))


def _span(number: int) -> Span:
    """A place of its own for a `set`, by which errors name it."""
    return Span("", number + 1, 1, number + 1, 2)


def not_shown(plan: Plan, server: GoldenServer) -> tuple[str, ...]:
    """The settings that a plan writes and of which the capture shows nothing."""
    return tuple(d.setting for d in plan.written if d.setting not in server.values)


def in_order(names: Iterable[str], plan: Plan) -> Sequence[str]:
    """Settings in the order of decision."""
    place = {d.setting: number for number, d in enumerate(plan.settings)}
    return sorted(names, key=lambda name: place.get(name, len(place)))
