"""One page for each kind of server: what is set under each goal, by layer, with the evidence and the sources.

The rows of a table are settings, and its columns goals. A cell has the value of the plan that states the goal and the
platform and nothing else, and what the value rests on. A model has a page of its own if its plans differ from those of
the family that it belongs to. The pages are made from plans, so they are not stored: whoever builds the manual makes
the plans and calls `platform_pages`.
"""

from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.knowledge.model import FactValue, Knowledge
from setpoint.compiler.knowledge.reported import PRODUCT
from setpoint.compiler.plan.model import Decision, FactEntry, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.words import LAYER_TITLES, NO_ADVICE, how_known, source_of
from setpoint.docs.hooks.reference.pieces import Links, code, grid, plain

LINKS = Links("../reference/")

NOT_MANAGED = "not managed"
"""In a cell: no artifact sets the value, and no default is stated."""

NOT_COMPARED = "*not compared*"
"""In the index: no source shows the name that the servers report."""

UNCOMPARED = "No source shows the name that these servers report, so artifacts do not compare it."

INTRODUCTION = """
The plan for each goal, if a policy states the platform and the goal and nothing else. Each value has below it what it rests on: *measured*,
*vendor* advice, the *practice* of an operator, *test-first* (the source itself says to benchmark), or *out of scope* (written for other
hardware or another use). A plan with more facts, such as a workload, has more advice.
"""

INDEX = """
Find the server by its name. Each page has the settings that it gets under each goal, with the evidence. Servers that are not listed here
are not described by themselves. Most are planned [by their family](../reference/servers.md), and `setpoint kb import` describes one from [its
registry](../guides/registries.md). Artifacts compare the name that a server reports
with those of the platform, except where the list says *not compared*: no source shows the name there.
"""


class Plans(NamedTuple):
    """The plans for each value of two facts: `of` has a page for each value, and `under` a column.

    `plans` has for each value of the first the plan under each value of the second.
    """

    of: str
    under: str
    plans: Mapping[str, Mapping[str, Plan]]


class PlatformPage(NamedTuple):
    """A page: the platform that it is named after, and the models within it whose plans are the same."""

    platform: FactValue
    models: tuple[FactValue, ...]

    @property
    def path(self) -> str:
        """Its path in the manual."""
        return f"platforms/{self.platform.name}.md"


def platform_pages(knowledge: Knowledge, plans: Plans) -> dict[str, str]:
    """The page of each platform, and their index, by path.

    Args:
        knowledge: The knowledge base that the plans were made with.
        plans: A plan for each platform and goal.
    """
    pages = layout(knowledge, plans)
    texts = {page.path: _page(page, plans) for page in pages}
    return {"platforms/index.md": _index(pages, plans), **texts}


def layout(knowledge: Knowledge, plans: Plans) -> tuple[PlatformPage, ...]:
    """The pages, families first: a model is on the page of the widest platform around it that has the same plans."""
    values = knowledge.values[plans.of]
    seen = {name: _outcome(by_goal) for name, by_goal in plans.plans.items()}
    models: dict[str, list[FactValue]] = {}
    for name, value in values.items():
        page = next(ancestor for ancestor in reversed(_lineage(values, name)) if seen[ancestor] == seen[name])
        models.setdefault(page, [])
        models[page] += [value] if page != name else []
    in_order = sorted(models, key=lambda name: (_lineage(values, name)[-1], values[name].within != "", name))
    return tuple(PlatformPage(values[name], tuple(models[name])) for name in in_order)


def names(value: FactValue) -> Iterator[str]:
    """What people and servers call a platform: its title, and the names that its servers report."""
    yield value.title
    for report in value.reported:
        yield from (name for name in report.names if name != value.title)


def _lineage(values: Mapping[str, FactValue], name: str) -> tuple[str, ...]:
    """A platform and those that it lies within, nearest first."""
    within = values[name].within
    return (name, *(_lineage(values, within) if within else ()))


def _outcome(plans: Mapping[str, Plan]) -> tuple[object, ...]:
    """What of plans a page shows of their settings: equal for platforms that share a page."""
    return tuple(
        (goal, decision.setting, decision.value, decision.unwritten, _evidence(decision))
        for goal, plan in plans.items()
        for decision in plan.settings
    )


# ------------------------------------------------------------------------------------------- a page


def _page(page: PlatformPage, every: Plans) -> str:
    platform, plans = page.platform, every.plans[page.platform.name]
    first = next(iter(plans.values()))
    named = (page.models or (platform,))[0].name
    parts = [
        f"# {plain(platform.title)}\n\n{INTRODUCTION.strip()}\n",
        _servers(page, first),
        f"```console\n$ setpoint plan -e '{every.under} {next(iter(plans))}; {every.of} {named}'\n```\n",
        _facts(fact for fact in first.facts if fact.name not in every[:2]),
    ]
    for layer, title in LAYER_TITLES.items():
        settings = [d for d in first.settings if d.layer == layer]
        parts.append(f"## {title}\n\n{_matrix(settings, plans)}")
    parts += [_hazards(plans), _sources(plans)]
    return "\n".join(part for part in parts if part)


def _servers(page: PlatformPage, plan: Plan) -> str:
    """The names by which a policy states the platform, and whether artifacts compare what the server reports."""
    reported = [name for name in names(page.platform) if name != page.platform.title]
    also = f" Servers that report {_listed(map(plain, reported))} are of this platform." if reported else ""
    also += "" if _is_compared(page.platform, plan) else f" {UNCOMPARED}"
    models = _listed(f"{plain(model.title)} ({code(model.name)})" for model in page.models)
    these = f" These models have the same plans: {models}." if models else ""
    return f"A policy states {code(f'{page.platform.fact} {page.platform.name}')}.{these}{also}\n"


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts)


def _facts(facts: Iterable[FactEntry]) -> str:
    rows = (
        (LINKS.fact(fact.name), code(fact.text), plain(how_known(fact.origin, fact.because)))
        for fact in facts
    )
    text = grid(("fact", "value", "how known"), rows)
    return f"The plans know these other facts:\n\n{text}" if text else ""


def _matrix(settings: Iterable[Decision], plans: Mapping[str, Plan]) -> str:
    """The settings that some goal has a value written for, by goal; the others in short."""
    rows, left = [], []
    for first in settings:
        decisions = [plan.setting(first.setting) for plan in plans.values()]
        if any(decision is not None and decision.written for decision in decisions):
            rows.append((f"{LINKS.setting(first.setting)}<br>{plain(first.title)}", *map(_cell, decisions)))
        else:
            left.append(
                f"{LINKS.setting(first.setting)} {code(first.value)}"
                if first.default
                else LINKS.setting(first.setting)
            )
    text = grid(("setting", *plans), rows) or "No goal has advice on the settings of this layer.\n"
    return text + (f"\nLeft alone under every goal: {_listed(left)}.\n" if left else "")


def _cell(decision: Decision | None) -> str:
    if decision is None:
        return ""
    if not decision.written and not decision.default and decision.origin == "default":
        return f"*{NOT_MANAGED}*"
    return f"{code(decision.value)} <br>*{_evidence(decision)}*"


def _evidence(decision: Decision) -> str:
    """What a value rests on, in a word or two: `measured`, `vendor default`, `implied by a profile`."""
    if decision.unwritten == "locked":
        return "fixed by a profile"
    if decision.unwritten == "profile":
        return "set by a profile"
    return decision.cause.weight or NO_ADVICE[decision.cause.kind]


def _hazards(plans: Mapping[str, Plan]) -> str:
    goals_of: dict[str, list[str]] = {}
    texts = {}
    for goal, plan in plans.items():
        for risk in plan.hazards:
            goals_of.setdefault(risk.hazard, []).append(goal)
            effect = "stops the build" if risk.stops else "warning"
            texts[risk.hazard] = (effect, plain(risk.what), LINKS.cite(risk.citation))
    rows = ((LINKS.hazard(name), _listed(goals), *texts[name]) for name, goals in sorted(goals_of.items()))
    text = grid(("hazard", "goals", "effect", "what happens", "source"), rows)
    return f"## Hazards\n\nThey occur in the plans above.\n\n{text}" if text else ""


def _sources(plans: Mapping[str, Plan]) -> str:
    """Who recommends each value that is written, and under which goals."""
    goals: dict[tuple[str, str, str, str], list[str]] = {}
    for goal, plan in plans.items():
        for decision in plan.written:
            cause = decision.cause
            source = LINKS.cite(cause.citation) + (
                f", by way of {plain(cause.profile)}" if cause.profile else ""
            )
            key = decision.setting, decision.value, source or plain(source_of(cause)), _evidence(decision)
            goals.setdefault(key, []).append(goal)
    rows = (
        (
            LINKS.setting(setting),
            code(value),
            "all" if len(under) == len(plans) else _listed(under),
            source,
            weight,
        )
        for (setting, value, source, weight), under in sorted(goals.items())
    )
    text = grid(("setting", "value", "goals", "source", "evidence"), rows)
    return f"## Sources\n\nWho recommends the values that artifacts set.\n\n{text}" if text else ""


# ---------------------------------------------------------------------------------------- the index


def _index(pages: tuple[PlatformPage, ...], every: Plans) -> str:
    rows = []
    for page in pages:
        for value in (page.platform, *page.models):
            plan = next(iter(every.plans[value.name].values()))
            reported = _listed(plain(name) for name in names(value) if name != value.title)
            shown = reported if _is_compared(value, plan) else NOT_COMPARED
            rows.append((f"[{plain(value.title)}]({page.platform.name}.md)", code(value.name), shown))
    return f"# Servers\n\n{INDEX.strip()}\n\n" + grid(("model or family", every.of, "also reported as"), rows)


def _is_compared(value: FactValue, plan: Plan) -> bool:
    """Whether artifacts of a plan for a platform compare the name that a server reports."""
    return any(
        check.is_compared for check in plan.identity if check.kind == PRODUCT and check.value == value.name
    )
