"""Find the policies that only have another name on the new side.

A policy that no longer has its name is the same as one that had none before if the facts are the same; of several, it
is the one with the fewest differences. The name of a group is significant: it selects the group's servers.
"""

from collections.abc import Mapping

from setpoint.compiler.comparison.entries import PlannedPolicy
from setpoint.compiler.comparison.planner import Entry
from setpoint.compiler.comparison.settings import setting_changes

Facts = tuple[frozenset[tuple[str, str]], bool]
"""The facts of a policy with their values, and whether it has a plan."""


def renamed_policies(old: Mapping[str, Entry], new: Mapping[str, Entry]) -> dict[str, str]:
    """The new names of renamed policies, by their old ones.

    A policy with the same name in the same file is the same one, even if one side has to distinguish it by its file.
    """
    gone = sorted(name for name in old if name not in new)
    come = {_home(new[name]): name for name in new if name not in old}
    pairs = {name: come.pop(_home(old[name])) for name in gone if old[name].file and _home(old[name]) in come}
    gone = [name for name in gone if name not in pairs]
    if not gone:
        return pairs
    unmatched: dict[Facts, list[str]] = {}
    for name in sorted(come.values()):
        unmatched.setdefault(_facts(new[name].planned()), []).append(name)
    for name in gone:
        before = old[name].planned()
        others = unmatched.get(_facts(before), [])
        if before.facts and (twin := _nearest(before, others, new)):
            pairs[name] = twin
            others.remove(twin)
    return pairs


def _home(entry: Entry) -> tuple[str, str]:
    return entry.file, entry.policy


def _facts(entry: PlannedPolicy) -> Facts:
    return frozenset((fact.name, fact.value) for fact in entry.facts), bool(entry.settings)


def _nearest(before: PlannedPolicy, others: list[str], new: Mapping[str, Entry]) -> str:
    """The first of the other policies with the fewest differences; "" if none is for the same servers."""
    nearest, fewest = "", 0
    for name in others:
        after = new[name].planned()
        if not _same_servers(before, after):
            continue
        number = len(setting_changes(before.settings, after.settings))
        if not nearest or number < fewest:
            nearest, fewest = name, number
        if not fewest:
            break
    return nearest


def _same_servers(old: PlannedPolicy, new: PlannedPolicy) -> bool:
    """Whether both are for the same group, or for none. A bundle has only the name: `fleet-login`."""
    if old.origin is not None and new.origin is not None:
        return old.servers == new.servers
    ends = [f"-{title.partition(' ')[2]}" for title in (*old.servers, *new.servers)]
    return all(entry.policy.endswith(end) for entry in (old, new) for end in ends)
