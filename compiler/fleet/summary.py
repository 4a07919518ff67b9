"""The summary of a fleet for people: how many of what, where they differ, what needs a restart, and what could not be
planned."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.fleet.classes import Excluded
from setpoint.compiler.fleet.outcomes import FleetOutcome, PlannedFleet
from setpoint.compiler.fleet.tables import CLASSES, HOSTS, JSON, LEFT_OUT, restarts
from setpoint.compiler.inventory.names import LeftOut
from setpoint.compiler.plan.model import Decision
from setpoint.compiler.render.escape import code, escape, head, prose, row
from setpoint.compiler.render.hosts import EACH_ITS_OWN, named_hosts, some, told
from setpoint.compiler.render.words import count

if TYPE_CHECKING:
    from setpoint.compiler.inventory.places import HostPlaces

NAME = "summary.md"

ByHand = Mapping[str, tuple[Decision, ...]]
"""The settings of each plan that no target of the fleet sets, by the plan's name."""


def summary(fleet: PlannedFleet, rows: tuple[LeftOut, ...], by_hand: ByHand, form: str) -> str:
    """The whole summary, in Markdown."""
    parts = [
        f"# Fleet {escape(fleet.policy)}\n\n{_counts(fleet, rows, form)}\n",
        _plans(fleet),
        _differences(fleet),
        _own_reasons(fleet),
        _steps(fleet, by_hand),
        _left_out(fleet, rows),
        _warnings(fleet),
    ]
    return "\n".join(filter(None, parts))


def counts(fleet: PlannedFleet, rows: tuple[LeftOut, ...]) -> tuple[str, ...]:
    """The fleet in a few short sentences."""
    waiting = sum(fleet.number_of(outcome) for outcome in fleet.outcomes if restarts(outcome))
    left_out = fleet.left_out + len(rows)
    plans, planned = len(fleet.outcomes), sum(len(outcome.classes) for outcome in fleet.outcomes)
    sentences = [
        f"{count(fleet.hosts, 'host')} in {count(planned, 'class', 'classes')}, with {count(plans, 'plan')}"
    ]
    if fleet.hosts:
        sentences.append(
            f"{count(waiting, 'host')} need{'s' * (waiting == 1)} a restart, {fleet.hosts - waiting:,} none"
        )
    if left_out:
        sentences.append(f"{count(left_out, 'host')} left out, since no plan could be made: {LEFT_OUT}")
    return tuple(sentences)


def _counts(fleet: PlannedFleet, rows: tuple[LeftOut, ...], form: str) -> str:
    text = "".join(f"- {prose(sentence)}\n" for sentence in counts(fleet, rows))
    origin = f"- made with: {prose(fleet.made_with.text)}\n" if fleet.made_with else ""
    return f"{text}{origin}- read from: {form}\n- every host is in {code(HOSTS)}, every class with its facts in {code(CLASSES)}\n"


def _plans(fleet: PlannedFleet) -> str:
    rows = [
        row(
            code(outcome.name),
            escape(outcome.group),
            f"{fleet.number_of(outcome):,}",
            str(len(outcome.classes)),
            escape(
                ", ".join(
                    f"{fact.name} {fact.text}"
                    for fact in outcome.plan.facts
                    if fact.role == "fact" and fact.origin == "stated"
                )
            ),
            str(len(outcome.plan.written)),
            "needed" if restarts(outcome) else "",
        )
        for outcome in fleet.outcomes
    ]
    if not rows:
        return ""
    return (
        "## Plans\n\n"
        + head("plan", "group", "hosts", "classes", "servers", "settings", "restart")
        + "".join(rows)
    )


def _differences(fleet: PlannedFleet) -> str:
    """The settings in which plans differ, with the number of hosts of each value."""
    values: dict[str, dict[str, int]] = {}
    titles: dict[str, str] = {}
    for outcome in fleet.outcomes:
        hosts = fleet.number_of(outcome)
        for decision in outcome.plan.written:
            titles[decision.setting] = decision.title
            numbers = values.setdefault(decision.setting, {})
            numbers[decision.value] = numbers.get(decision.value, 0) + hosts
    rows = []
    for setting, numbers in sorted(values.items()):
        others = fleet.hosts - sum(numbers.values())
        if len(numbers) > 1 or others:
            shown = [
                f"{escape(value)} ({number:,})"
                for value, number in sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))
            ]
            rows.append(
                row(
                    code(setting),
                    escape(titles[setting]),
                    ", ".join([*shown, *([f"not written ({others:,})"] if others else [])]),
                )
            )
    if not rows:
        return ""
    return (
        "## Where they differ\n\nThe written values, each with its number of hosts.\n\n"
        + head("setting", "", "values")
        + "".join(rows)
    )


def _own_reasons(fleet: PlannedFleet) -> str:
    """What hosts have alike for different reasons, with the first of these."""
    text = "".join(
        f"- {code(reasons.statement)} ({code(outcome.name)}): {prose(told(EACH_ITS_OWN, dict(reasons.of_hosts)))}\n"
        for outcome in fleet.outcomes
        for reasons in outcome.plan.own_reasons
    )
    return text and f"## Reasons of single hosts\n\n{code(JSON)} has all.\n\n{text}"


def _steps(fleet: PlannedFleet, by_hand: ByHand) -> str:
    """The settings that are left to people: plans with the same steps together."""
    alike: dict[tuple[tuple[str, str, str, str], ...], list[FleetOutcome]] = {}
    for outcome in fleet.outcomes:
        steps = tuple((d.setting, d.title, d.value, d.menu) for d in by_hand.get(outcome.name, ()))
        if steps:
            alike.setdefault(steps, []).append(outcome)
    if not alike:
        return ""
    text = "## Set by hand\n\nNothing here sets these.\n"
    for steps, outcomes in alike.items():
        names = ", ".join(code(outcome.name) for outcome in outcomes)
        text += f"\n{names} ({count(sum(fleet.number_of(outcome) for outcome in outcomes), 'host')}):\n\n"
        text += "".join(
            f"- [ ] **{escape(title)}**: set it to **{escape(value)}**{f' at *{escape(menu)}*' if menu else ''}\n"
            for _, title, value, menu in steps
        )
    return text


def _left_out(fleet: PlannedFleet, rows: tuple[LeftOut, ...]) -> str:
    findings = left_out_findings(fleet.excluded, rows)
    if not findings:
        return ""
    text = f"## Left out\n\n{code(LEFT_OUT)} has every host.\n\n"
    for finding in findings:
        text += f"- {finding.code}: {prose(finding.message)}. {'; '.join(map(prose, finding.notes))}\n"
        text += "".join(f"  - {prose(advice)}\n" for advice in finding.help)
    return text


def _warnings(fleet: PlannedFleet) -> str:
    by_code: dict[str, dict[str, int]] = {}
    for finding, hosts in fleet.warnings.items():
        messages = by_code.setdefault(finding.code, {})
        messages[finding.message] = messages.get(finding.message, 0) + hosts
    if not by_code:
        return ""
    text = "## Warnings\n\n"
    for warning, messages in sorted(by_code.items()):
        text += f"- {warning} (`setpoint explain {warning}`)\n"
        ordered = sorted(messages.items(), key=lambda pair: (-pair[1], pair[0]))
        text += "".join(f"  - {prose(message)}: {count(hosts, 'host')}\n" for message, hosts in ordered)
    return text


# ------------------------------------------------------------------------------ what is left out


def left_out_findings(
    excluded: Iterable[Excluded], rows: tuple[LeftOut, ...], places: "HostPlaces | None" = None
) -> tuple[Diagnostic, ...]:
    """The errors for which hosts are left out, each once with its hosts; with `places`, at the first of them."""
    hosts: dict[Diagnostic, list[str]] = {}
    for entry in excluded:
        for finding in entry.why:
            hosts.setdefault(finding, []).extend(entry.hosts)
    findings = [
        finding._replace(
            at=places.of_host(min(names)) if places and finding.at == NOWHERE else finding.at,
            notes=(*finding.notes, named_hosts(names)),
        )
        for finding, names in hosts.items()
    ]
    return (*findings, *_broken(rows, places))


def _broken(rows: Iterable[LeftOut], where: "HostPlaces | None") -> Iterator[Diagnostic]:
    """The errors about rows that are no hosts (E0704)."""
    by_reason: dict[str, list[LeftOut]] = {}
    for left_out in rows:
        by_reason.setdefault(left_out.why, []).append(left_out)
    for why, group in by_reason.items():
        places = [f"line {left_out.line}" if left_out.line else f"`{left_out.name}`" for left_out in group]
        note = f"{count(len(group), 'row')}: {some(places)}"
        named = [f"`{left_out.name}`" for left_out in group if left_out.line and left_out.name]
        notes = (note, f"called {some(named)}") if named else (note,)
        yield Diagnostic(
            "E0704",
            f"a row of the inventory is not a host: {why}",
            where.of_line(group[0].line, group[0].name) if where else NOWHERE,
            notes=notes,
            help=("correct the inventory",),
        )
