"""The published order in which settings are decided.

Firmware comes first, then boot arguments, then the operating system. Within a layer a setting comes after those that
its rules read, and a governing setting after its members, since it is derived from them; otherwise settings are sorted
by name. The order is part of the meaning: if a constraint couples two settings, the later one yields.

A setting that depends on itself, directly or not, has no place in the order. K07 names the rules of such a cycle, and
no rules that only depend on it.
"""

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.knowledge.chains import circles
from setpoint.compiler.knowledge.model import LAYERS, Preset, Rule, Setting

FACTS_INSTEAD = "state the goal, the workload or the hardware that it was found with"


class Link(Placed):
    """A setting that comes after another: `rule` reads that one, or, if "", a preset governs it."""

    setting: str
    after: str
    rule: str
    layer: str

    @property
    def label(self) -> str:
        """Why one comes after the other."""
        if self.rule:
            return f"decides `{self.setting}` by `{self.after}`"
        return f"`{self.setting}` governs `{self.after}`, and is decided after it"


def published_order(
    settings: dict[str, Setting],
    rules: tuple[Rule, ...],
    presets: tuple[Preset, ...],
    findings: list[Diagnostic],
) -> tuple[str, ...]:
    """The names of the settings in order. Cycles and conditions on later settings are reported as K07."""
    layers = {name: LAYERS.index(setting.layer) for name, setting in settings.items()}
    links = [*_governor_links(presets, layers), *_rule_links(rules, presets, settings, findings)]
    after: dict[str, set[str]] = {name: set() for name in settings}
    for link in links:
        after[link.setting].add(link.after)
    circle_of = circles(after)
    within = [link for link in links if link.after in circle_of.get(link.setting, ())]
    findings.extend(_cycle_findings(within, circle_of))
    for link in within:
        after[link.setting].discard(link.after)
    return _first_possible(after, key=lambda name: (layers[name], name))


def _first_possible(after: dict[str, set[str]], key: Callable[[str], tuple[int, str]]) -> tuple[str, ...]:
    """All names, each after those that it must come after; of several that may be next, the first one by the key."""
    before: dict[str, list[str]] = {name: [] for name in after}
    for name, others in after.items():
        for other in others:
            before[other].append(name)
    open_ = {name: len(others) for name, others in after.items()}
    ready = [key(name) for name, count in open_.items() if not count]
    heapify(ready)
    order: list[str] = []
    while ready:
        name = heappop(ready)[1]
        order.append(name)
        for later in before[name]:
            open_[later] -= 1
            if not open_[later]:
                heappush(ready, key(later))
    return tuple(order)


def _governor_links(presets: tuple[Preset, ...], layers: dict[str, int]) -> Iterator[Link]:
    """A governing setting comes after its members, except those of a later layer."""
    for preset in presets:
        for member in preset.members:
            if member in layers and layers[member] <= layers[preset.governor]:
                yield Link(preset.governor, member, "", "", span=preset.span)


def _rule_links(
    rules: tuple[Rule, ...],
    presets: tuple[Preset, ...],
    settings: dict[str, Setting],
    findings: list[Diagnostic],
) -> Iterator[Link]:
    """A setting comes after those that its rules read; forbidden conditions are reported."""
    governors = {preset.governor for preset in presets}
    for rule in rules:
        for name in (name for name, _ in rule.when if name in settings):
            here, there = settings[rule.setting].layer, settings[name].layer
            if name == rule.setting:
                message = f"`{rule.name}` reads `{name}`, which it decides itself"
                label = f"`{name}` is not known before it"
            elif rule.setting in governors:
                message = f"`{rule.name}` may read facts only: `{rule.setting}` governs others"
                label = f"reads `{name}`"
            elif LAYERS.index(there) > LAYERS.index(here):
                message = f"`{rule.name}` decides `{rule.setting}` by `{name}`, which is decided later"
                label = f"{there} comes after {here}"
            else:
                yield Link(rule.setting, name, rule.name, rule.layer, span=rule.span)
                continue
            help_ = (f"drop `{name}` from its conditions; {FACTS_INSTEAD}",)
            findings.append(Diagnostic("K07", message, rule.span, label, help=help_))


def _cycle_findings(within: list[Link], circle_of: dict[str, frozenset[str]]) -> Iterator[Diagnostic]:
    """One finding for each cycle, at the rules that cause it; a site's rule first, which its author can correct."""
    cycles: dict[frozenset[str], list[Link]] = {}
    for link in within:
        cycles.setdefault(circle_of[link.setting], []).append(link)
    for circle, links in cycles.items():
        first, *others = sorted(links, key=lambda link: (not link.rule, link.layer != "site", link.span))
        settings = ", ".join(f"`{name}`" for name in sorted(circle))
        rules = ", ".join(f"`{name}`" for name in dict.fromkeys(link.rule for link in links) if name)
        message = f"{settings} depend on each other in a cycle" if others else f"{settings} governs itself"
        yield Diagnostic(
            "K07",
            f"{message}: {rules}" if rules else message,
            first.span,
            first.label,
            tuple(Label(link.span, link.label) for link in others),
            (),
            (
                f"drop a condition of one of these rules; {FACTS_INSTEAD}"
                if rules
                else "drop a row of these tables",
            ),
        )
