"""The sentences of a difference about its hosts: how many change, which ones, when, which get or lose a plan, and why
some have none."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from setpoint.compiler.plan.difference import ComparedHosts, HazardChange, is_elsewhere
from setpoint.compiler.render.difference_groups import DifferenceGroup, values_written
from setpoint.compiler.render.difference_words import hazard
from setpoint.compiler.render.hosts import named_hosts, number_of_hosts
from setpoint.compiler.render.words import count

NO_GROUP = "no group"

MOST_GROUPS = 4
"""How many groups of the hosts of a change are named."""

MOVED = {
    ("added", True): ("is new", "are new"),
    ("removed", True): ("is no longer in the inventory", "are no longer in the inventory"),
    ("added", False): ("gets a plan", "get a plan"),
    ("removed", False): ("loses its plan", "lose their plan"),
}
"""What becomes of hosts with a plan on one side only, by that and by whether the inventory changes, too: of one, and of
several."""

OF_INTENTS = {
    "appears": "occurs with B only",
    "accepted": "is waived by B only",
    "expired": "has an expired waiver in B only",
    "resolved": "occurs with A only",
    "reopened": "is waived by A only",
    "unused": "is waived by B, where it does not occur",
    "reworded": "has other terms in B",
}
"""A hazard of which two intents differ, by the kind of the change from A to B: neither of them was there before the
other."""

MOST_REASONS = 10
"""How many of the reasons why hosts have no plan are shown."""

LONGEST_HELP = 200
"""Characters. A longer help is a list of all that is known, which `setpoint check` shows."""


def number_of(groups: Iterable[DifferenceGroup]) -> int:
    """The number of hosts of groups, which can have hosts in common: a host can have plans of several policies."""
    hosts = [group.names for group in groups]
    return len(hosts[0]) if len(hosts) == 1 else len({host for names in hosts for host in names})


def numbers_of(groups: Sequence[DifferenceGroup]) -> tuple[int, int, int]:
    """On how many hosts a value changes, how many need a restart, and on how many a hazard or a waiver changes."""
    changed = [group for group in groups if group.difference.status == "changed"]
    return (
        number_of(group for group in changed if group.settings),
        number_of(group for group in groups if group.difference.reboots),
        number_of(group for group in changed if group.hazards or group.waivers),
    )


def hosts_headline(groups: Sequence[DifferenceGroup], hosts: ComparedHosts) -> str:
    """How many hosts change, of those with a plan on either side."""
    if groups:
        return "; ".join(_counted(groups, hosts))
    nothing = "No difference" if hosts.is_of_intents else "No change"
    if not hosts.same:
        return f"{nothing}: no host has a plan."
    if hosts.same == 1:
        return f"{nothing}: the one host has the same plan."
    return f"{nothing}: all {number_of_hosts(hosts.same)} have the same plan."


def _counted(groups: Sequence[DifferenceGroup], hosts: ComparedHosts) -> Iterator[str]:
    """The parts of a headline. Hosts with a plan on one side only change, too, and count among those that need a
    restart."""
    number, waiting, reviewed = numbers_of(groups)
    verb = "differ" if hosts.is_of_intents else "change"
    of = f" of {hosts.same + number_of(groups):,}"
    moved = [group for group in groups if group.difference.status != "changed"]
    if number:
        yield f"{number_of_hosts(number)}{of} {verb}{'s' * (number == 1)}"
    elif moved and hosts.same:
        yield f"No value {verb}s on the other {number_of_hosts(hosts.same)}"
    else:
        yield f"No value {verb}s"
    for kind, (singular, plural) in MOVED.items():
        others = number_of(
            g for g in moved if g.hosts and (g.difference.status, g.hosts.of_inventory) == kind
        )
        if others:
            yield f"{number_of_hosts(others)} {singular if others == 1 else plural}"
    if (number or any(g.difference.status == "added" for g in moved)) and not hosts.is_of_intents:
        yield f"{waiting:,} need{'s' * (waiting == 1)} a restart" if waiting else "none needs a restart"
    if reviewed:
        yield f"hazards or waivers {verb} on {number_of_hosts(reviewed)}{'' if number else of}"


def without_plan(hosts: ComparedHosts) -> Iterator[str]:
    """How many hosts each side has, if it is not the same number, and how many of them have no plan."""
    before, now = hosts.without
    old, new = hosts.planned[0] + before, hosts.planned[1] + now
    if old != new:
        yield f"{number_of_hosts(new)} in all, {old:,} before"
    if now or before:
        changed = f" ({before:,} before)" if before != now else ""
        more = f"; {hosts.says_why}" if len(hosts.reasons) > MOST_REASONS else ""
        yield f"{number_of_hosts(now)} without a plan{changed}{more}{':' * bool(now)}"


def why_without(hosts: ComparedHosts) -> Iterator[tuple[str, str]]:
    """Why hosts have no plan: which hosts, and the error with its place, what it is due to, and what helps."""
    for reason in hosts.reasons[:MOST_REASONS]:
        at = reason.error.at
        where = f" ({at.file}:{at.line})" if at.line and not is_elsewhere(at.file) else ""
        how = "files of policies"
        if reason.hosts:
            number = len(reason.hosts)
            had = (
                "had one before" if reason.had_one == number else f"{reason.had_one:,} of them had one before"
            )
            kinds = f" ({kinds})" if (kinds := "; ".join(_kinds(hosts.kinds.of(reason.hosts)))) else ""
            how = named_hosts(reason.hosts) + kinds + (f", {had}" if reason.had_one else "")
        due, helps = "", ""
        if reason.had_one or not hosts.without[0]:  # else it was so before
            due = "".join(f"; {note}" for note in reason.error.notes[:1])
            short = [text for text in reason.error.help if len(text) <= LONGEST_HELP]
            helps = f". What helps: {'; '.join(short)}" if short else ""
        yield how, f"{reason.error.code}: {reason.error.message}{where}{due}{helps}"


def _kinds(kinds: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """What distinguishes hosts from others of the fleet: `platform r650, r750`."""
    yield from (f"{fact} {', '.join(values)}" for fact, values in kinds.items())


def about(group: DifferenceGroup, hosts: ComparedHosts) -> Iterator[str]:
    """Which hosts a change is about: their policy, if there are several, their groups, their kinds."""
    grouped_hosts = group.hosts
    if grouped_hosts is None:
        return
    if hosts.has_several:
        yield f"policy {' to '.join(group.policies)}"
    names = [name or NO_GROUP for name in grouped_hosts.moved or grouped_hosts.groups]
    if grouped_hosts.moved:
        yield (
            f"group {names[0]} in A, {names[1]} in B"
            if hosts.is_of_intents
            else f"group {' to '.join(names)}"
        )
    elif names != [NO_GROUP]:
        more = f" and {len(names) - MOST_GROUPS:,} more" if len(names) > MOST_GROUPS else ""
        yield f"group{'s' * (len(names) > 1)} {', '.join(names[:MOST_GROUPS])}{more}"
    yield from _kinds(grouped_hosts.kinds)


def when(group: DifferenceGroup, hosts: ComparedHosts) -> str:
    """When a change takes effect; "" for intents, which do not."""
    if not group.settings:
        return "no value changes"
    if hosts.is_of_intents:
        return ""
    return "needs a restart" if group.difference.reboots else "takes effect immediately"


def gained_or_lost(group: DifferenceGroup, hosts: ComparedHosts) -> str:
    """The change of hosts that get or lose a plan, after their names; "" for others, and if reasons say it as well."""
    difference, grouped_hosts = group.difference, group.hosts
    if grouped_hosts is None or difference.status == "changed":
        return ""
    is_one = len(grouped_hosts.names) == 1
    of = f" of policy {difference.policy}" if hosts.has_several else ""
    if difference.status == "added":
        new = f"{'is' if is_one else 'are'} new and " if grouped_hosts.of_inventory else ""
        restart = f"need{'s' * is_one} a restart" if difference.reboots else "without a restart"
        says = (
            *(f"group {name}" for name in grouped_hosts.groups if name),
            *_kinds(grouped_hosts.kinds),
            count(values_written(difference), "value"),
            *(() if hosts.is_of_intents else (restart,)),
        )
        return f"{new}get{'s' * is_one} a plan{of}: {'; '.join(says)}"
    if grouped_hosts.of_inventory:
        return f"{'is' if is_one else 'are'} no longer in the inventory; servers keep what the plan{of} set"
    explained = {host for why in hosts.reasons[:MOST_REASONS] for host in why.hosts}
    if hosts.has_several or not explained.issuperset(grouped_hosts.names):
        return f"{'has' if is_one else 'have'} no plan{of} any more"
    return ""


def becomes_of(risk: HazardChange, hosts: ComparedHosts | None) -> str:
    """What becomes of a hazard, after its name."""
    return OF_INTENTS[risk.kind] if hosts and hosts.is_of_intents else hazard(risk)
