"""The text of an adopted policy, and what is said of it in plain words.

Names and values of settings and facts are those of the knowledge base, and hosts are called as policies can call them.
Everything else that a capture has stands in comments, on one line each and with its unprintable characters made
visible, so that no text of a server becomes a statement.
"""

from collections.abc import Iterable, Iterator

from setpoint.compiler.adoption.arranged import Adopted, AdoptedGroup
from setpoint.compiler.adoption.found import GoldenServer
from setpoint.compiler.adoption.intents import RankedIntent, Statements
from setpoint.compiler.adoption.rest import Rest, in_order, not_shown
from setpoint.compiler.audit.export import set_line
from setpoint.compiler.diagnostics.fixes import OPEN_REASON
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.visible import visible
from setpoint.compiler.render.words import count
from setpoint.compiler.verification.model import CONFIGURED, OK, OVERRIDDEN, PENDING

MOST_INTENTS = 3
"""How many intents a comment compares."""

MOST_LISTED = 12
"""How many settings or hosts a line of a comment names."""

LONGEST = 160
"""How many characters a text of a server has in a comment."""

HOW_FOUND = {
    OK: "",
    CONFIGURED: "; configured, and not in effect",
    PENDING: "; it waits for a restart",
    OVERRIDDEN: "; something that came later has another value in effect",
}
"""What is added to a reading by how the value was found."""


def adopted_text(adopted: Adopted) -> str:
    """The policy in its canonical form."""
    number = sum(group.number for group in adopted.groups)
    lines = [f"# As captured on {count(number, 'server')}.", *_compared(adopted)]
    if len(adopted.groups) == 1:
        (group,) = adopted.groups
        lines += ["", *_statements((*group.intent.intent, *group.facts)), *_rest(group.rest, group.server)]
    else:
        common = set(adopted.groups[0].facts).intersection(*(set(group.facts) for group in adopted.groups))
        lines += ["", *_statements(tuple(sorted(common)))]
        for group in adopted.groups:
            own = tuple(fact for fact in group.facts if fact not in common)
            lines += ["", f"# {count(group.number, 'server')}", f"for group {group.name} {{"]
            lines += [*_statements((*group.intent.intent, *own)), *_rest(group.rest, group.server), "}"]
    for group in adopted.groups:
        lines += _hosts(group)
    return format_source(SourceText("policy.tune", "\n".join(lines) + "\n"))


def _compared(adopted: Adopted) -> Iterator[str]:
    """How much the best intents give of the values of one server of each kind, as comments."""
    for difference in _to_compare(adopted):
        yield f"# {difference.text}: its plan has {difference.given} of {count(difference.read, 'value')} that were read."


def _to_compare(adopted: Adopted) -> tuple[RankedIntent, ...]:
    """The best intent and the next ones that are another purpose, and not the same one with more said."""
    best, *others = adopted.intents
    others = [intent for intent in others if not set(best.intent) <= set(intent.intent)]
    return (best, *others[: MOST_INTENTS - 1])


def _statements(statements: Statements) -> list[str]:
    return [f"{name} {value};" for name, value in statements]


def _rest(rest: Rest, server: GoldenServer) -> Iterator[str]:
    """The `set`s and waivers, with where each value was read, and what is not in the policy."""
    if rest.sets or rest.waived:
        yield ""
    for setting in in_order(rest.sets, rest.plan):
        value = server.values[setting]
        yield set_line(setting, rest.sets[setting], f"read: {_short(value.reading)}{HOW_FOUND[value.state]}")
    for hazard, what in rest.waived:
        yield f"accept {hazard} because {OPEN_REASON};  # {_short(what)}"
    if rest.refused:
        yield "# Not in this policy, which could not have it:"
    for refusal in rest.refused:
        reading = server.values[refusal.setting].reading
        yield f"# {refusal.setting} {refusal.value} (read: {_short(reading)}): {_short(refusal.why)}"
    unlike = list(_unlike(rest, server))
    if unlike:
        yield "# Not in this policy, since no value stands for what was read:"
    for setting, what in unlike:
        yield f"# {setting}: {_short(what)}"
    unseen = not_shown(rest.plan, server)
    if unseen:
        yield "# The intent writes more, of which the capture shows nothing:"
        for start in range(0, len(unseen), MOST_LISTED):
            yield f"# {', '.join(unseen[start : start + MOST_LISTED])}"


def _unlike(rest: Rest, server: GoldenServer) -> Iterator[tuple[str, str]]:
    for decision in rest.plan.settings:
        if not decision.once and (what := server.unlike(decision.setting, decision.value)):
            yield decision.setting, what


def _hosts(group: AdoptedGroup) -> Iterator[str]:
    within = f" in {group.name}" if group.name else ""
    if group.members:
        yield from ("", f"# Servers of {group.name}: what they report does not say so.")
        yield from (f"for host {name}{within} {{ }}" for name in group.members)
    for host in group.hosts:
        for name in host.names:
            yield from ("", f"for host {name}{within} {{", *_own(host.rest, host.server, group.rest), "}")


def _own(rest: Rest, server: GoldenServer, wider: Rest) -> Iterator[str]:
    """What a host has beside its group; what the group says already is not said again."""
    yield from _rest(
        rest._replace(
            waived=tuple(waiver for waiver in rest.waived if waiver[0] not in dict(wider.waived)),
            refused=tuple(refusal for refusal in rest.refused if refusal not in wider.refused),
            plan=rest.plan._replace(settings=()),
        ),
        server,
    )


def _short(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"


# ------------------------------------------------------------------------------------------- in words


class Tally(NamedTuple):
    """How many values of all servers were read, how many the intent gives, how many are `set`, and how many no policy
    can have."""

    read: int
    given: int
    is_set: int
    refused: int


def tally(adopted: Adopted) -> Tally:
    """The numbers for all servers."""
    read = given = is_set = refused = 0
    for group in adopted.groups:
        blocks = [(hosts.server, hosts.rest, len(hosts.names)) for hosts in group.hosts]
        rest = group.number - sum(number for _, _, number in blocks)
        for server, own, number in [(group.server, group.rest, rest), *blocks]:
            every = {**group.rest.sets, **own.sets}
            unlike = len(list(_unlike(own, server)))
            lost = len([refusal for refusal in own.refused if refusal.setting in server.values])
            read += number * (len(server.values) + unlike)
            is_set += number * len(every)
            refused += number * (lost + unlike)
            given += number * (len(server.values) - len(every) - lost)
    return Tally(read, given, is_set, refused)


def summary(adopted: Adopted) -> str:
    """What was adopted, in plain words."""
    number = sum(group.number for group in adopted.groups)
    counted = tally(adopted)
    texts = dict.fromkeys(group.intent.text for group in adopted.groups)
    lines = [
        f"{count(number, 'server')}: {count(counted.read, 'value')} read, {counted.given} as planned for {' or '.join(texts)}, "
        f"{counted.is_set} set, {counted.refused} that no policy can have"
    ]
    blocks = sum(len(hosts.names) for group in adopted.groups for hosts in group.hosts)
    if len(adopted.groups) > 1 or blocks:
        lines.append(
            f"{count(len(adopted.groups), 'kind')} of servers, {count(blocks, 'server')} with a block of its own"
        )
    if number > 1 and 2 * blocks > number:
        lines.append(
            "most of these servers differ from each other: adopt those that do the same work together, and others apart"
        )
    for group in adopted.groups:
        lines += _told(group.rest, group.server)
    reasons = sum(_open(group) for group in adopted.groups)
    if reasons:
        lines.append(
            f"{count(reasons, 'reason')} to write: `setpoint check` lists them (E0209), and nothing is compiled before"
        )
    return "".join(f"{line}\n" for line in lines)


def _told(rest: Rest, server: GoldenServer) -> Iterable[str]:
    """What is not in the policy, and why; and what is in it beyond the capture."""
    yield from (
        f"not set: {refusal.setting} {refusal.value}: {_short(refusal.why)}" for refusal in rest.refused
    )
    yield from (
        f"not set: {setting}: no value stands for {_short(what)}" for setting, what in _unlike(rest, server)
    )
    if unseen := not_shown(rest.plan, server):
        yield f"the intent also writes {count(len(unseen), 'setting')} of which the capture shows nothing"


def _open(group: AdoptedGroup) -> int:
    own = len(group.rest.sets) + len(group.rest.waived)
    return own + sum(len(hosts.names) * len(hosts.rest.sets) for hosts in group.hosts)
