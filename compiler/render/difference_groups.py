"""Differences in groups: those that say the same are shown once, with all of their policies or hosts.

Policies say the same if they differ in their names only. Hosts that change alike are one group, whatever their plans
are called before and after, in whatever groups they are, and whatever reason each has: the reasons are listed beside
the values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from setpoint.compiler.plan.difference import (
    ChangedHosts,
    Comparison,
    HazardChange,
    PolicyDifference,
    SettingChange,
    WaiverChange,
)
from setpoint.compiler.plan.judge import HazardState
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.difference_settings import (
    KEPT,
    because,
    cause_text,
    left_value,
    setting_value,
    written_value,
)
from setpoint.compiler.render.hosts import ReasonOfHost, told

NOT_WRITTEN = "not written"

MOST_COVERED = 3
"""How many of the warnings that a waiver covers are shown."""


class ShownSetting(NamedTuple):
    """A changed setting in words: both values, the reasons for the new one, and whether hosts keep the old one."""

    setting: str
    kind: str
    layer: str
    acts: bool
    reboot: bool
    before: str
    after: str
    because: tuple[str, ...]
    stays: bool = False

    @property
    def why(self) -> str:
        """Why it is as it is after the change: the first of several reasons, and the number of the others."""
        first, *others = self.because
        more = f"; and {len(others):,} other reason{'s' * (len(others) > 1)}" if others else ""
        return first + more + KEPT * self.stays


class GroupedHosts(NamedTuple):
    """The hosts of a group, sorted by name; their groups after the change, and the one before and the one after it if
    these differ; what distinguishes them from others; whether the inventory changes, too; and the reason of each host
    for a setting, a hazard or a waiver of which each has its own.
    """

    names: tuple[str, ...]
    groups: tuple[str, ...]
    moved: tuple[str, ...]
    of_inventory: bool
    kinds: Mapping[str, tuple[str, ...]]
    own: Mapping[str, ReasonOfHost]


class DifferenceGroup(NamedTuple):
    """Differences that say the same: their policies or hosts, the first of them, and their words."""

    names: tuple[str, ...]
    difference: PolicyDifference
    settings: tuple[ShownSetting, ...]
    hazards: tuple[HazardChange, ...]
    waivers: tuple[WaiverChange, ...]
    hosts: GroupedHosts | None = None

    @property
    def policies(self) -> tuple[str, ...]:
        """The policy of hosts, or that before and that after the change."""
        difference = self.difference
        return (difference.was, difference.policy) if difference.was else (difference.policy,)


def grouped_differences(comparison: Comparison) -> tuple[DifferenceGroup, ...]:
    """The differences in groups: of policies in order, of hosts by gained or lost plans, then by the most changes."""
    differences: dict[object, list[PolicyDifference]] = {}
    if comparison.hosts is None:
        shown = [tuple(map(_shown, difference.settings)) for difference in comparison.differences]
        first: dict[object, tuple[ShownSetting, ...]] = {}
        for difference, settings in zip(comparison.differences, shown, strict=True):
            said = (
                difference._replace(settings=(), policy=difference.policy if difference.was else ""),
                settings,
            )
            first.setdefault(said, settings)
            differences.setdefault(said, []).append(difference)
        return tuple(
            DifferenceGroup(
                tuple(e.policy for e in alike), alike[0], first[said], alike[0].hazards, alike[0].waivers
            )
            for said, alike in differences.items()
        )
    for difference in comparison.differences:
        if difference.hosts is not None:
            differences.setdefault(_said_of_hosts(difference, difference.hosts), []).append(difference)
    groups = (_on_hosts(alike, comparison) for alike in differences.values())
    return tuple(sorted(groups, key=_most_first))


def _shown(change: SettingChange) -> ShownSetting:
    values = setting_value(change.old), setting_value(change.new)
    return _in_words(change, values, (cause_text(change),))


def _in_words(change: SettingChange, values: tuple[str, str], why: tuple[str, ...]) -> ShownSetting:
    layer = change.either.layer
    return ShownSetting(change.setting, change.kind, layer, change.acts, change.reboot, *values, why)


# --------------------------------------------------------------------------------------------- hosts


def _said_of_hosts(difference: PolicyDifference, hosts: ChangedHosts) -> object:
    """What hosts of one group have in common, beside the policies and whether the inventory changes."""
    common = difference.status, difference.was, difference.policy, hosts.of_inventory
    if difference.status == "removed":
        return common
    if difference.status == "added":
        return (
            *common,
            hosts.groups,
            values_written(difference),
            difference.reboots,
            difference.hazards,
            difference.waivers,
        )
    stays = dict(hosts.stays)
    settings = tuple(
        (c.setting, written_value(c.old), written_value(c.new), c.reboot, c.setting in stays)
        for c in difference.settings
    )
    waivers = tuple(map(_without_what, difference.waivers))
    return (*common, _moved(hosts), difference.facts, settings, hosts.stays, difference.hazards, waivers)


def values_written(difference: PolicyDifference) -> int:
    """How many values the plan writes that comes with a difference."""
    return sum(1 for c in difference.settings if c.new is not None and c.new.written)


def _moved(hosts: ChangedHosts) -> tuple[str, ...]:
    before, after = hosts.groups
    return hosts.groups if before != after else ()


def _most_first(group: DifferenceGroup) -> tuple[object, ...]:
    difference, hosts = group.difference, group.hosts
    assert hosts is not None
    if difference.status in ("added", "removed"):
        rank: tuple[object, ...] = (difference.status == "removed",)
    else:
        rank = 2, not difference.settings, -len(hosts.names)
    return rank, group.policies, hosts.moved, hosts.of_inventory, hosts.names


def _on_hosts(alike: Sequence[PolicyDifference], comparison: Comparison) -> DifferenceGroup:
    """The group of differences that say the same on hosts."""
    first = alike[0]
    hosts = [difference.hosts for difference in alike if difference.hosts is not None]
    assert comparison.hosts is not None
    names = tuple(sorted({name for changed_hosts in hosts for name in changed_hosts.names}))
    groups = tuple(sorted({changed_hosts.groups[1] for changed_hosts in hosts}))
    abouts = (
        (c.setting for c in first.settings),
        (h.hazard for h in first.hazards),
        (w.name for w in first.waivers),
    )
    own = _own_reasons([name for of in abouts for name in of], hosts)
    grouped_hosts = GroupedHosts(
        names, groups, _moved(hosts[0]), hosts[0].of_inventory, comparison.hosts.kinds.of(names), own
    )
    settings = () if first.status == "added" else _settings_on_hosts(alike, own)
    hazards = tuple(
        h._replace(old=_told(h.old, own.get(h.hazard, {})), new=_told(h.new, own.get(h.hazard, {})))
        for h in first.hazards
    )
    return DifferenceGroup(names, first, settings, hazards, tuple(_waivers(alike, own)), grouped_hosts)


def _own_reasons(names: Iterable[str], hosts: Iterable[ChangedHosts]) -> dict[str, dict[str, str]]:
    """The own reasons of hosts for what changes."""
    own: dict[str, dict[str, str]] = {}
    for changed_hosts in hosts:
        if changed_hosts.own:
            alike = {*changed_hosts.names}
            for name in names:
                reasons = (
                    r
                    for own_reasons in changed_hosts.own
                    if own_reasons.about == name
                    for r in own_reasons.of_hosts
                    if r[0] in alike
                )
                own.setdefault(name, {}).update(reasons)
    return {name: reasons for name, reasons in own.items() if reasons}


def _settings_on_hosts(
    alike: Sequence[PolicyDifference], own: Mapping[str, ReasonOfHost]
) -> tuple[ShownSetting, ...]:
    """The changed settings, each with all different reasons.

    Where nothing is written on a side, the value is what servers have there, if that is the same on all and known: what
    an earlier plan has set stays.
    """
    first = alike[0]
    kept = dict(first.hosts.stays) if first.hosts else {}
    settings = []
    for changes in zip(*(difference.settings for difference in alike), strict=True):
        change = changes[0]
        old, new = written_value(change.old), written_value(change.new)
        has = {left_value(c.new if old else c.old) for c in changes}
        left = (len(has) == 1 and has.pop()) or NOT_WRITTEN
        stays = change.setting in kept
        values = old or left, new or (NOT_WRITTEN if stays else left)
        why = tuple(sorted({told(because(c), own.get(c.setting, {})) for c in changes}))
        settings.append(_in_words(change, values, why)._replace(stays=stays))
    return tuple(settings)


def _waivers(alike: Sequence[PolicyDifference], own: Mapping[str, ReasonOfHost]) -> Iterator[WaiverChange]:
    """The changes of waivers, with what they cover on all hosts, and the reasons of these."""
    for changes in zip(*(difference.waivers for difference in alike), strict=True):
        sides = [terms for terms in (change.new or change.old for change in changes) if terms]
        covered = sorted({terms.what for terms in sides if terms.what})
        more = f"; and {len(covered) - MOST_COVERED:,} more" if len(covered) > MOST_COVERED else ""
        what, reasons = "; ".join(covered[:MOST_COVERED]) + more, own.get(changes[0].name, {})
        old, new = (
            terms and terms._replace(what=what or terms.what, because=told(terms.because, reasons))
            for terms in (changes[0].old, changes[0].new)
        )
        yield changes[0]._replace(old=old, new=new)


def _told(state: HazardState, reasons: ReasonOfHost) -> HazardState:
    return state._replace(because=told(state.because, reasons))


def _without_what(change: WaiverChange) -> WaiverChange:
    """A change of a waiver without what it covers, which is another thing on other hosts."""
    old, new = (terms and terms._replace(what="") for terms in (change.old, change.new))
    return change._replace(old=old, new=new)
