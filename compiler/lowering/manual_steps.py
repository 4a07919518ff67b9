"""`manual-steps.md`: what is left to a human, as a list to tick off.

The steps come in an order in which they can be done: a profile before its members, which the firmware may lock until
the profile has its value. Each says what to set, where and why, and which targets of the bundle do not set it. Targets
that give the same reason stand on one line, since a role that carries another target's scripts leaves out what that one
does.
"""

from collections.abc import Iterable

from setpoint.compiler.knowledge.model import LAYERS
from setpoint.compiler.lowering.target import PlanCoverage
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.escape import escape, prose
from setpoint.compiler.render.markdown import spelled
from setpoint.compiler.render.words import place_by_hand, source_of


def manual_steps(
    plan: Plan,
    by_hand: list[Decision],
    elsewhere: list[Decision],
    covered: dict[str, PlanCoverage],
    lacking: dict[str, str],
) -> str:
    """The whole list, in Markdown.

    `elsewhere` is what the plan sets beyond the layers of the targets that the user has named: whether something sees
    to it is not known here, so it is listed and no more. `lacking` says why a target that could set one of the steps
    has no file of this plan.
    """
    text = f"# Manual steps: {escape(plan.policy)}\n\n"
    if not by_hand:
        text += _none_left(elsewhere)
    text += "".join(_step(decision, covered) for decision in in_order(plan, by_hand))
    text += _performed(plan, covered)
    text += _withheld(plan)
    if elsewhere:
        text += "\n## Not served by the chosen targets\n\n"
        text += "".join(f"- {escape(d.title)}: {escape(d.value)}\n" for d in elsewhere)
    if lacking:
        text += "\n## Why no other target sets them\n\n"
        text += "".join(f"- {name}: {prose(why)}\n" for name, why in lacking.items())
    return text


def in_order(plan: Plan, steps: list[Decision]) -> list[Decision]:
    """The steps, layer by layer, each behind those that govern it; otherwise as they were."""
    governors = {
        d.setting: [g.setting for g in plan.settings if d.setting in g.governs] for d in plan.settings
    }

    def depth(setting: str, below: frozenset[str] = frozenset()) -> int:
        above = [name for name in governors.get(setting, ()) if name not in below]
        return max((1 + depth(name, below | {setting}) for name in above), default=0)

    return sorted(steps, key=lambda d: (LAYERS.index(d.layer), depth(d.setting)))


def _withheld(plan: Plan) -> str:
    """The values that are not written since nobody knows whether a profile locks them: neither steps nor done."""
    withheld = [d for d in plan.settings if d.unwritten == "unknown" and d.origin in ("rule", "preset")]
    if not withheld:
        return ""
    rows = "".join(f"- {escape(d.title)}: {escape(d.value)}\n" for d in withheld)
    return (
        f"\n## Recommended, and not set by anything\n\nWhether the profile locks it is not known.\n\n{rows}"
    )


def _performed(plan: Plan, covered: dict[str, PlanCoverage]) -> str:
    """The one-time actions that some targets perform: whoever uses the files of others has to do them by hand."""
    rows = ""
    for decision in plan.performed:
        able = [name for name, coverage in covered.items() if decision.setting in coverage.expressed]
        if able:
            where = place_by_hand(decision)
            rows += f"- {escape(decision.title)}: {escape(decision.value)}{spelled(decision)}"
            rows += f", at {escape(where)}" if where else ""
            rows += f". Performed by {', '.join(able)}.\n"
    if not rows:
        return ""
    return f"\n## Performed once\n\nWith the files of other targets, do these by hand, once on each server.\n\n{rows}"


def _none_left(elsewhere: list[Decision]) -> str:
    if elsewhere:
        return "None for the chosen targets. The rest of the plan is below: nothing in this bundle sets it.\n"
    return "None: the artifacts carry every setting that the plan writes.\n"


def _step(decision: Decision, covered: dict[str, PlanCoverage]) -> str:
    once = "once, " if decision.is_performed else ""
    text = (
        f"- [ ] **{escape(decision.title)}**: {once}set it to **{escape(decision.value)}**{spelled(decision)}"
    )
    where = place_by_hand(decision)
    text += f" at *{escape(where)}*" if decision.menu else where and f"; {where}"
    text += "; the default.\n" if decision.value == decision.default else ".\n"
    text += f"  Why: {escape(source_of(decision.because[0]))}.\n"
    if decision.is_performed:
        text += f"  This performs something and is no state: do it once on each server, and note where. Afterwards the setting is {escape(decision.default)} again.\n"
    reasons: dict[str, list[str]] = {}
    for name, coverage in covered.items():
        if decision.setting in coverage.left_out:
            reasons.setdefault(coverage.left_out[decision.setting], []).append(name)
    return text + "".join(_not_set(names, why) for why, names in reasons.items())


def _not_set(targets: Iterable[str], why: str) -> str:
    return f"  Not set by {', '.join(targets)}: {prose(why)}.\n"
