"""The published order in which settings are decided.

Firmware first, then boot arguments, then the operating system; within a layer a setting comes after
those that its rules read; a setting that a preset governs comes after its members, since it is
derived from them; and otherwise by name. The order is part of the meaning: where a constraint couples
two settings, the later one yields.
"""

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import LAYERS, Preset, Rule, Setting


def published_order(
    settings: dict[str, Setting],
    rules: tuple[Rule, ...],
    presets: tuple[Preset, ...],
    findings: list[Diagnostic],
) -> tuple[str, ...]:
    """The names of the settings in order. Circles and reading ahead are reported as K07."""
    governors = {preset.governor for preset in presets}
    reads: dict[str, set[str]] = {name: set() for name in settings}
    for preset in presets:
        reads[preset.governor] |= set(preset.members)
    for rule in rules:
        seen = {name for name, _ in rule.when if name in settings}
        for name in sorted(seen):
            if LAYERS.index(settings[name].layer) > LAYERS.index(settings[rule.setting].layer):
                findings.append(
                    Diagnostic(
                        "K07",
                        f"`{rule.name}` decides `{rule.setting}` by `{name}`, which is decided later",
                        rule.span,
                        f"{settings[name].layer} comes after {settings[rule.setting].layer}",
                    )
                )
                seen.discard(name)
        if rule.setting in governors and seen:
            findings.append(
                Diagnostic(
                    "K07",
                    f"`{rule.name}` may read facts only: `{rule.setting}` governs others",
                    rule.span,
                    "",
                )
            )
        else:
            reads[rule.setting] |= seen
    order: list[str] = []
    for layer in LAYERS:
        waiting = sorted(name for name in settings if settings[name].layer == layer)
        while waiting:
            ready = next((n for n in waiting if not reads[n] & set(waiting) - {n}), None)
            if ready is None:
                circle = ", ".join(f"`{n}`" for n in waiting)
                findings.append(
                    Diagnostic(
                        "K07",
                        f"rules read each other's settings in a circle: {circle}",
                        settings[waiting[0]].span,
                    )
                )
                return tuple(order)
            waiting.remove(ready)
            order.append(ready)
    return tuple(order)
