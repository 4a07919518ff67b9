"""The published order in which settings are decided.

Firmware first, then boot arguments, then the operating system; within a layer a setting comes after
those that its rules read; a setting that a preset governs comes after its members, since it is
derived from them; and otherwise by name. The order is part of the meaning: where a constraint couples
two settings, the later one yields.

A setting that comes after itself, by whatever way, has no place in the order: K07 names the rules of
that circle, and of nothing that merely waits for it.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.knowledge.model import LAYERS, Preset, Rule, Setting
from setpoint.compiler.record import distinct

FACTS_INSTEAD = "state the goal, the workload or the hardware that it was found with"


@distinct
class Link(NamedTuple):
    """One setting comes after another: `rule` reads that, or, if "", a preset governs it."""

    setting: str
    after: str
    rule: str
    layer: str
    span: Span

    @property
    def label(self) -> str:
        """Why the one comes after the other."""
        if self.rule:
            return f"decides `{self.setting}` by `{self.after}`"
        return f"`{self.setting}` governs `{self.after}`, and is decided after it"


def published_order(
    settings: dict[str, Setting],
    rules: tuple[Rule, ...],
    presets: tuple[Preset, ...],
    findings: list[Diagnostic],
) -> tuple[str, ...]:
    """The names of the settings in order. Circles and reading ahead are reported as K07."""
    layers = {name: LAYERS.index(setting.layer) for name, setting in settings.items()}
    links = [*_governed(presets, layers), *_read(rules, presets, settings, findings)]
    reached = _reached(settings, links)
    within = [link for link in links if link.setting in reached[link.after]]
    findings.extend(_circles(within, reached))
    after: dict[str, set[str]] = {name: set() for name in settings}
    for link in links:
        if link not in within:
            after[link.setting].add(link.after)
    order: list[str] = []
    waiting = sorted(settings, key=lambda name: (layers[name], name))
    while waiting:
        ready = next(name for name in waiting if not after[name] & set(waiting))
        waiting.remove(ready)
        order.append(ready)
    return tuple(order)


def _governed(presets: tuple[Preset, ...], layers: dict[str, int]) -> Iterator[Link]:
    """A governor comes after its members, those of a later layer apart."""
    for preset in presets:
        for member in preset.members:
            if member in layers and layers[member] <= layers[preset.governor]:
                yield Link(preset.governor, member, "", "", preset.span)


def _read(
    rules: tuple[Rule, ...],
    presets: tuple[Preset, ...],
    settings: dict[str, Setting],
    findings: list[Diagnostic],
) -> Iterator[Link]:
    """A setting comes after those that its rules read; what a rule must not read is reported."""
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
                yield Link(rule.setting, name, rule.name, rule.layer, rule.span)
                continue
            help_ = (f"drop `{name}` from its conditions; {FACTS_INSTEAD}",)
            findings.append(Diagnostic("K07", message, rule.span, label, help=help_))


def _reached(names: Iterable[str], links: list[Link]) -> dict[str, set[str]]:
    """For each setting itself, and all that it comes after at any remove."""
    after: dict[str, set[str]] = {name: set() for name in names}
    for link in links:
        after[link.setting].add(link.after)
    reached: dict[str, set[str]] = {}
    for name in after:
        found, ahead = {name}, [name]
        while ahead:
            more = after[ahead.pop()] - found
            found |= more
            ahead += more
        reached[name] = found
    return reached


def _circles(within: list[Link], reached: dict[str, set[str]]) -> Iterator[Diagnostic]:
    """A finding for the settings of each circle, at the rules that make it: a site's first, which it can mend."""
    circles: dict[frozenset[str], list[Link]] = {}
    for link in within:
        circle = frozenset(name for name in reached[link.setting] if link.setting in reached[name])
        circles.setdefault(circle, []).append(link)
    for circle, links in circles.items():
        first, *others = sorted(links, key=lambda link: (not link.rule, link.layer != "site", link.span))
        settings = ", ".join(f"`{name}`" for name in sorted(circle))
        rules = ", ".join(f"`{name}`" for name in dict.fromkeys(link.rule for link in links) if name)
        message = (
            f"{settings} are decided by each other, in a circle" if others else f"{settings} governs itself"
        )
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
