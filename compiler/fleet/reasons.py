"""The reasons of hosts whose blocks say the same: each host keeps its own, and all of them have one plan.

A site makes the same exception for many hosts, each with the number of a ticket as its reason. What is set decides a
plan, and why somebody set it does not. So a plan for these hosts has one sentence in the place of the reason, whichever
hosts there are, so that one more host changes no file that servers read; the reasons are beside it, by statement and
host (`Plan.own_reasons`). What shows a plan together with its hosts shows them in place of the sentence: the first of
them to people, all of them to programs.

The reason of a one-time action is part of what it is: another reason is another request. Such statements are not here.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from setpoint.compiler.binding.levels import Candidate, Plain, Subject
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.meaning import meaning, reasons_in
from setpoint.compiler.language.syntax import Accept, Evidence, Reason, Set
from setpoint.compiler.plan.judge import Judged
from setpoint.compiler.plan.model import OwnReasons, Plan
from setpoint.compiler.render.hosts import EACH_ITS_OWN

Content = tuple[object, ...]
"""What statements say."""

Reasoned = Set | Accept | Evidence
"""A statement whose reason a plan has."""


def content_of(statements: Iterable[Plain], of_hosts: Knowledge | None = None) -> Content:
    """What statements say with their reasons, wherever they stand: if it is equal, so are their plans.

    Of statements of hosts (`of_hosts` is what they are planned with), the reasons count of one-time actions alone.
    """
    meanings = (
        (
            meaning(statement),
            *(reasons_in(statement) if of_hosts is None or _is_request(statement, of_hosts) else ()),
        )
        for statement in statements
    )
    return tuple(sorted(meanings, key=repr))


def _is_request(statement: Plain, knowledge: Knowledge) -> bool:
    """Whether a statement asks for a one-time action."""
    setting = knowledge.settings.get(statement.setting.text) if isinstance(statement, Set) else None
    return setting is not None and setting.once


def own_reasons(
    candidate: Candidate, blocks: Mapping[str, str], hosts: Iterable[str]
) -> tuple[OwnReasons, ...]:
    """The statements of the hosts' `blocks` that have different reasons, each with its reasons."""
    reasons: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for host in hosts:
        for statement in candidate.statements("host", blocks[host]) if host in blocks else ():
            if isinstance(statement, Reasoned):
                reasons.setdefault(_written(statement), []).append((host, statement.because.text))
    return tuple(
        OwnReasons(statement, about, tuple(of_hosts))
        for (statement, about), of_hosts in sorted(reasons.items())
        if len({reason for _, reason in of_hosts}) > 1
    )


def _written(statement: Reasoned) -> tuple[str, str]:
    """A statement as it is written, without its reason; and the setting that it is about, or what it waives."""
    if isinstance(statement, Set):
        return f"set {statement.setting.text} {statement.value.text}", statement.setting.text
    if isinstance(statement, Accept):
        until = f" until {statement.until.text}" if statement.until else ""
        return f"accept {statement.waiver}{until}", statement.waiver
    return f"require strength {statement.strength.text}", statement.strength.text


def subject_of(candidate: Candidate, group: str, block: str, apart: Collection[str]) -> Subject:
    """The policy narrowed to a group and a block, whose statements `apart` have the reason for those of all hosts."""
    subject = candidate.narrowed(group, block)
    if not apart:
        return subject
    *wide, own = subject.levels
    statements = tuple(
        statement._replace(because=Reason(EACH_ITS_OWN, span=statement.because.span))
        if isinstance(statement, Reasoned) and _written(statement)[0] in apart
        else statement
        for statement in own.statements
    )
    return subject._replace(levels=(*wide, own._replace(statements=statements)))


def for_each_block(
    candidate: Candidate, block: str, judged: Judged, hosts: Iterable[str], blocks: Mapping[str, str]
) -> Iterator[tuple[Judged, tuple[str, ...]]]:
    """The plan of a class, planned with one host's `block`, with the reasons and places of each block's waivers."""
    plan = judged.plan
    of_block: dict[str, list[str]] = {}
    for host in hosts:
        of_block.setdefault(blocks.get(host, ""), []).append(host)
    first = {accept.waiver_span for accept in _accepts(candidate, block)} if block else ()
    for name, members in of_block.items():
        own = {} if name in ("", block) else {accept.waiver: accept for accept in _accepts(candidate, name)}
        moved = {name: accept for name, accept in own.items() if plan.places.of("accept", name) in first}
        waivers = tuple(
            w._replace(because=moved[w.name].because.text) if w.name in moved else w for w in plan.waivers
        )
        places = {("accept", name): accept.waiver_span for name, accept in moved.items()}
        own_plan = plan._replace(waivers=waivers, places=plan.places.with_(places))
        yield judged._replace(plan=own_plan), tuple(members)


def _accepts(candidate: Candidate, block: str) -> Iterator[Accept]:
    yield from (
        statement for statement in candidate.statements("host", block) if isinstance(statement, Accept)
    )


def with_reasons(plan: Plan, more: Iterable[OwnReasons]) -> Plan:
    """A plan with the reasons of further hosts."""
    by_statement = {reasons.statement: reasons for reasons in plan.own_reasons}
    for reasons in more:
        had = by_statement[reasons.statement].of_hosts if reasons.statement in by_statement else ()
        by_statement[reasons.statement] = reasons._replace(of_hosts=tuple(sorted({*had, *reasons.of_hosts})))
    return plan._replace(own_reasons=tuple(by_statement[name] for name in sorted(by_statement)))


def reasons_about(plan: Plan, about: str, hosts: Collection[str] = ()) -> dict[str, str]:
    """The own reason of each host of a plan for a setting or a waiver; of these `hosts` only, if any are given."""
    return {
        host: reason
        for reasons in plan.own_reasons
        if reasons.about == about
        for host, reason in reasons.of_hosts
        if not hosts or host in hosts
    }
