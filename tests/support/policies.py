"""Hypothesis strategies for policies that mean something on the real knowledge base.

`policies` draws facts that can be together and `set`s of what the server they describe offers, so that most have a
plan and some a conflict. `wild_policies` draws from the whole vocabulary without any care.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st

from setpoint.compiler.binding.context import bind
from setpoint.compiler.binding.levels import subjects
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import STRENGTHS, Knowledge, Variable
from setpoint.compiler.knowledge.quantity import is_cell
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import Planned, Selection, planned
from setpoint.compiler.resolution.ground import ground

SERVERS = ("cpu", "platform")
"""The facts that identify the server; nearly every policy states one of them."""


class Draft(NamedTuple):
    """A policy as its statements, without their `;`."""

    statements: tuple[str, ...]

    @property
    def text(self) -> str:
        """The policy, a statement a line."""
        return "".join(f"{statement};\n" for statement in self.statements)

    @property
    def sets(self) -> tuple[str, ...]:
        """Its `set` statements."""
        return tuple(s for s in self.statements if s.startswith("set "))

    def without(self, *statements: str) -> "Draft":
        """The policy without these statements."""
        return Draft(tuple(s for s in self.statements if s not in statements))

    def adding(self, *statements: str) -> "Draft":
        """The policy with these statements after the others."""
        return Draft((*self.statements, *statements))

    def plan(self, today: str = "") -> Planned:
        """Its plan."""
        (done,) = planned(program_of_text(self.text), vocabulary(), Selection(today=today))
        return done


@cache
def vocabulary() -> Knowledge:
    """The knowledge base that policies are drawn from."""
    return standard()


def set_to(setting: str, value: str) -> str:
    """A `set` statement, as `policies` draws them."""
    return f'set {setting} {value} because "drawn"'


def offers_of(draft: Draft) -> dict[str, tuple[str, ...]]:
    """The settings that the server of these facts has, with the values it offers of each; none if they contradict."""
    knowledge = vocabulary()
    program = program_of_text(draft.text)
    (subject,) = subjects(program.body, program.stem, knowledge.required)
    try:
        context = bind(subject, knowledge)
    except SetpointError:
        return {}
    return {
        name: settable(knowledge.variables[name], offer.values)
        for name, offer in ground(knowledge, context).offers.items()
    }


def settable(variable: Variable, offered: Iterable[str]) -> tuple[str, ...]:
    """One value that a policy can set for each value of the domain that is offered: of a cell its lowest number, or two
    CPUs."""
    texts = tuple(offered)
    values = variable.names(variable.offered(texts))
    return tuple((variable.lowest(texts, value) or "0,2") if is_cell(value) else value for value in values)


@st.composite
def facts(draw: st.DrawFn, server: str = "") -> Draft:
    """A goal, a server (the one given, or any), and some further facts, all of which can be together."""
    variables = vocabulary().variables
    draft = Draft((f"goal {draw(st.sampled_from(variables['goal'].values))}",))
    kinds = sorted(vocabulary().kinds.keys() - {"goal"})
    chosen = set(draw(st.lists(st.sampled_from(kinds), max_size=4)))
    if server:
        draft, chosen = draft.adding(server), chosen - set(SERVERS)
    else:
        chosen.add(draw(st.sampled_from(SERVERS)))
    for kind in sorted(chosen):
        wider = draft.adding(f"{kind} {draw(st.sampled_from(variables[kind].values))}")
        if offers_of(wider):
            draft = wider
    return draft


@st.composite
def policies(draw: st.DrawFn, least_sets: int = 0, most_sets: int = 6) -> Draft:
    """Compatible facts, and `set`s of what is offered under them."""
    draft = draw(facts())
    offers = offers_of(draft)
    names = draw(
        st.lists(st.sampled_from(sorted(offers)), unique=True, min_size=least_sets, max_size=most_sets)
    )
    return draft.adding(*(set_to(name, draw(st.sampled_from(offers[name]))) for name in names))


@st.composite
def hazardous(draw: st.DrawFn) -> Draft:
    """Facts and `set`s under which some hazard arises, unless another of its conditions stays open; and further
    `set`s."""
    knowledge = vocabulary()
    hazard = knowledge.hazards[draw(st.sampled_from(sorted(knowledge.hazards)))]
    condition = dict(draw(st.sampled_from(hazard.applicabilities)).when)
    chosen = {
        name: draw(st.sampled_from([value for value in variable.named if variable.bit(value) & mask]))
        for name, mask in condition.items()
        if (variable := knowledge.variables.get(name)) and any(variable.bit(v) & mask for v in variable.named)
    }
    goal = chosen.get("goal") or draw(st.sampled_from(knowledge.variables["goal"].values))
    stated = {name: value for name, value in chosen.items() if name in knowledge.kinds} | {"goal": goal}
    if not stated.keys() & set(SERVERS):
        server = draw(st.sampled_from(SERVERS))
        stated[server] = draw(st.sampled_from(knowledge.variables[server].values))
    draft = Draft(tuple(f"{name} {value}" for name, value in stated.items()))
    offers = offers_of(draft)
    sets = {name: value for name, value in chosen.items() if value in offers.get(name, ())}
    for name in draw(st.lists(st.sampled_from(sorted(offers)), unique=True, max_size=4)) if offers else ():
        sets.setdefault(name, draw(st.sampled_from(offers[name])))
    return draft.adding(*(set_to(name, value) for name, value in sets.items()))


@st.composite
def waived(draw: st.DrawFn) -> str:
    """What a waiver can name: a hazard, or warnings."""
    knowledge = vocabulary()
    hazard, source, setting = (
        draw(st.sampled_from(sorted(names)))
        for names in (knowledge.hazards, knowledge.sources, knowledge.settings)
    )
    return draw(
        st.sampled_from(
            [
                hazard,
                f"advice of {source}",
                f"advice about {setting}",
                f"advice of {source} about {setting}",
                f"override of {setting}",
                f"omission of {setting}",
                f"difference of {setting}",
                "omission of firmware",
            ]
        )
    )


@st.composite
def statements(draw: st.DrawFn) -> str:
    """Any statement in words that there are, whether they go together or not."""
    knowledge = vocabulary()
    kind = draw(st.sampled_from(["fact", "fact", "set", "set", "accept", "manage", "require"]))
    if kind == "fact":
        name = draw(st.sampled_from(sorted(knowledge.kinds)))
        return f"{name} {draw(st.sampled_from(knowledge.variables[name].values))}"
    if kind == "set":
        name = draw(st.sampled_from(sorted(knowledge.settings)))
        return set_to(name, draw(st.sampled_from(knowledge.variables[name].named)))
    if kind == "accept":
        return f'accept {draw(waived())} because "drawn"'
    if kind == "require":
        return f'require strength {draw(st.sampled_from(STRENGTHS))} because "drawn"'
    return "manage all"


@st.composite
def wild_policies(draw: st.DrawFn) -> str:
    """Statements at the top of a file, in policies that may extend each other, and in scopes."""
    names = st.sampled_from(["a", "b", "c"])
    some = st.lists(statements(), max_size=5).map(lambda said: "".join(f"  {s};\n" for s in said))
    text = draw(some)
    for kind in draw(st.lists(st.sampled_from(["policy", "extending", "group", "host"]), max_size=3)):
        name = draw(names)
        head = {
            "policy": f"policy {name}",
            "extending": f"policy {name} extends {draw(names)}",
            "group": f"for group {name}",
            "host": f"for host {name}",
        }[kind]
        text += f"{head} {{\n{draw(some)}}}\n"
    return text


def coupled_settings() -> frozenset[str]:
    """The settings that constraints and presets tie to each other."""
    knowledge = vocabulary()
    names = {name for preset in knowledge.presets for name in (preset.governor, *preset.members)}
    for constraint in knowledge.constraints:
        names |= {name for name, _ in constraint.when}
        names |= {constraint.require[0]} if constraint.require else set()
    return frozenset(names & knowledge.settings.keys())


@st.composite
def quarrels(draw: st.DrawFn) -> Draft:
    """A server with presets, one of them set, and `set`s of settings that are tied to it: most are conflicts."""
    knowledge = vocabulary()
    preset = draw(st.sampled_from(knowledge.presets))
    here = (
        f"{name} {draw(st.sampled_from(knowledge.variables[name].widest(mask)))}"
        for name, mask in preset.when
    )
    draft = draw(facts("; ".join(here)))
    offers = offers_of(draft)
    names = draw(
        st.lists(
            st.sampled_from(sorted(coupled_settings() & offers.keys() - {preset.governor})),
            unique=True,
            min_size=1,
            max_size=7,
        )
    )
    profile = set_to(preset.governor, draw(st.sampled_from(sorted(preset.columns))))
    return draft.adding(profile, *(set_to(name, draw(st.sampled_from(offers[name]))) for name in names))
