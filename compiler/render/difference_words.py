"""The sentences of a difference: why a value changes, the status of hazards, and the consequences.

Text and Markdown share them.
"""

from collections import Counter
from collections.abc import Sequence

from setpoint.compiler.plan.difference import (
    Carrier,
    Comparison,
    FactChange,
    HazardChange,
    PolicyDifference,
    WaiverChange,
)
from setpoint.compiler.plan.judge import HazardState
from setpoint.compiler.plan.made_with import MadeWith, short
from setpoint.compiler.render.difference_groups import DifferenceGroup
from setpoint.compiler.render.words import count, how_known

STATUS = {
    "added": ("is new", "are new"),
    "removed": ("is gone", "are gone"),
    "changed": ("changes", "change"),
    "broken": ("no longer compiles", "no longer compile"),
    "fixed": ("compiles again", "compile again"),
}
"""The changes of a policy, by its status: for one, and for several."""

HAZARDS = {
    "appears": ("appears", "appear"),
    "expired": ("has an expired waiver", "have expired waivers"),
    "reopened": ("is no longer waived", "are no longer waived"),
    "accepted": ("is waived", "are waived"),
    "resolved": ("no longer occurs", "no longer occur"),
    "unused": ("has a waiver without effect: it does not occur", "have waivers without effect"),
    "reworded": ("has other terms", "have other terms"),
}
"""The changes of a hazard, by kind: for one, and for several."""

GRAVE = ("appears", "expired", "reopened", "accepted")
"""The kinds that a summary counts."""

BECOMES = "->"
"""Between a value before and the one after."""

QUIET = {
    "reason": "same value, other reason",
    "left": "same value, no longer written since it is the vendor's default",
    "written-out": "same value, written out since no named profile has them all",
    "performed": "asked for as before, and not performed again where it has been performed",
    "over": "no longer asked for; what it has done stays",
    "default": "another vendor default, which nobody writes",
}
"""The kinds of change without effect on servers, and their names."""

MOST_ERRORS = 20
"""How many errors of a policy are listed."""


def headline(comparison: Comparison) -> str:
    """The comparison in one sentence."""
    differences = comparison.differences
    if not differences:
        return f"{', '.join(unchanged(comparison))}."
    number = {
        status: sum(1 for difference in differences if difference.status == status) for status in STATUS
    }
    changed = len(differences) - number["added"] - number["removed"]
    parts = []
    if changed:
        of = f"{changed} of " if changed < comparison.policies else ""
        parts.append(
            f"{of}{count(max(changed, comparison.policies), 'policy', 'policies')} change{'s' * (changed == 1)}"
        )
    for status in ("added", "removed"):
        if number[status]:
            noun = "" if parts else " policy" if number[status] == 1 else " policies"
            parts.append(f"{number[status]}{noun} {STATUS[status][number[status] > 1]}")
    sentences = [still_stopped(comparison)] if comparison.unplanned else []
    return "; ".join([", ".join(parts) + _values(differences), *_grave(comparison), *sentences]) + "."


def upgrade(old: MadeWith | None, new: MadeWith | None) -> str:
    """The compilers and the libraries of two sides, if they differ; else ""."""
    parts = []
    if old and new and old.setpoint != new.setpoint:
        parts.append(f"Setpoint {old.setpoint} -> {new.setpoint}")
    was, is_ = (f"`{short(side.library)}`" if side else "not recorded" for side in (old, new))
    if was != is_:
        parts.append(f"library {was} -> {is_}")
    return ", ".join(parts)


def unchanged(comparison: Comparison) -> tuple[str, str]:
    """The sentence for no differences, or for nothing to compare, with the reason."""
    if comparison.unplanned:
        return "no change", f"as far as there are plans; {still_stopped(comparison)}"
    if comparison.policies:
        return "no change", "every policy has the same plan"
    of = comparison.including
    including = f"; {listed(of)} include{'s' * (len(of) == 1)} it" if of else ""
    return "nothing to compare", f"no policy is there{including}"


def still_stopped(comparison: Comparison) -> str:
    """The policies that are in error as before."""
    several = len(comparison.unplanned) > 1
    return f"{listed(comparison.unplanned)} {'do' if several else 'does'} not compile, as before"


def _values(differences: tuple[PolicyDifference, ...]) -> str:
    """How many values change in policies on both sides, and how many of them need a restart."""
    values = [
        c
        for difference in differences
        for c in difference.acting
        if difference.status not in ("added", "removed")
    ]
    waiting = sum(1 for c in values if c.reboot)
    if not values:
        rest = [
            a
            for difference in differences
            for a in difference.artifacts
            if difference.status not in ("added", "removed")
        ]
        return f": {no_value(rest)}" if rest else ""
    text = f": {count(len(values), 'value')}"
    if not waiting:
        return f"{text}, without a restart"
    return (
        f"{text}, with a restart" if waiting == len(values) else f"{text}, {waiting} of them with a restart"
    )


def _grave(comparison: Comparison) -> list[str]:
    """The most serious changes: builds that stop, and hazards."""
    differences = comparison.differences
    broken = [
        difference.policy for difference in differences if difference.stops and difference.status == "broken"
    ]
    others = [
        difference.policy for difference in differences if difference.stops and difference.status != "broken"
    ]
    never = [policy for policy in others if policy not in comparison.unplanned]
    parts = [f"{listed(broken)} no longer compile{'s' * (len(broken) == 1)}"] if broken else []
    parts += [f"{listed(never)} {'does' if len(never) == 1 else 'do'} not compile"] if never else []
    for kind in GRAVE:
        number = len({h.hazard for difference in differences for h in difference.hazards if h.kind == kind})
        if number:
            parts.append(f"{count(number, 'hazard')} {HAZARDS[kind][number > 1]}")
    return parts


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names separated by commas, up to a maximum."""
    more = [f"{len(names) - most} more"] if len(names) > most else []
    return ", ".join([*names[:most], *more])


def title(group: DifferenceGroup) -> str:
    """The changes of these policies, to follow their names."""
    difference, several = group.difference, len(group.names) > 1
    text, values = STATUS[difference.status][several], len(difference.acting)
    if difference.status == "added":
        return (
            f"{text} and {'do' if several else 'does'} not compile"
            if difference.stops
            else f"{text}: {count(values, 'value')}"
        )
    if difference.status == "removed" and values:
        return f"{text}: its servers keep what it set"
    if difference.was:
        text += f" and was called {difference.was} before"
    if values:
        return f"{text}: {count(values, 'value')}, {'with' if difference.reboots else 'without'} a restart"
    if difference.status == "changed":
        return f"{text}: {'its errors' if difference.errors else no_value(difference.artifacts)}"
    return text


def error_lines(difference: PolicyDifference) -> list[str]:
    """The errors of a policy, one per line; beyond a maximum, their number by code."""
    sentences = [error.with_place for error in difference.errors[:MOST_ERRORS]]
    rest = Counter(error.text.partition(":")[0] for error in difference.errors[MOST_ERRORS:])
    if rest:
        sentences.append(
            f"and {rest.total():,} more: " + ", ".join(f"{n:,} {code}" for code, n in sorted(rest.items()))
        )
    return sentences


def value_text(fact: FactChange, sign: str = BECOMES) -> str:
    """The values of a fact on both sides, or the common one."""
    return f"{fact.old or '-'} {sign} {fact.new or '-'}" if fact.has_another_value else fact.new


def known_text(fact: FactChange) -> str:
    """How the new side knows a fact, and the old one if only that changes."""
    if not fact.how:
        return "no longer known"
    return known(fact) if fact.has_another_value else f"{fact.was_known} -> {known(fact)}"


def known(fact: FactChange) -> str:
    """How the new side knows a fact, without the reason of an assumption, which the plan gives."""
    return how_known(fact.how, "" if fact.how == "assumed" else fact.because)


def no_value(artifacts: Sequence[Carrier]) -> str:
    """The sentence that no value changes, and whether artifacts do."""
    return "no value, but artifacts" if artifacts else "no value"


# -------------------------------------------------------------------------------------------- hazards


def state(of: HazardState) -> str:
    """The status of a hazard."""
    if of.state in ("stops", "warns") and of.until:
        words = {"stops": "stops the build", "warns": "warns"}[of.state]
        return f"{words}: its waiver expired on {of.until}"
    waived = f"waived until {of.until}" if of.until else "waived without expiry"
    return {
        "absent": "does not occur",
        "stops": "stops the build",
        "warns": "warns",
        "accepted": waived,
        "unused": f"{waived}, though it does not occur",
    }[of.state]


def hazard(change: HazardChange) -> str:
    """The change of a hazard, to follow its name."""
    text = HAZARDS[change.kind][0]
    if change.new.state == "stops":
        text += " and stops the build"
    elif change.new.state == "warns":
        text += " and warns"
    if change.kind == "expired":
        text = f"had a waiver that expired on {change.new.until}" + (
            ": it stops the build" if change.new.state == "stops" else ": it warns again"
        )
    elif change.kind == "reworded":
        is_, was = state(change.new), state(change.old)
        text = f"is unchanged, for another reason: {is_}" if is_ == was else f"{text}: {is_}, was {was}"
    elif change.kind == "accepted":
        text += f" until {change.new.until}" if change.new.until else " without expiry"
    return text


def waiver_reason(change: HazardChange) -> str:
    """Why the hazard is or was waived, with the earlier reason if it changes; "" if the change is not about that."""
    is_, was = change.new.because, change.old.because
    if change.kind not in ("accepted", "reworded", "expired"):
        return ""
    return f"{is_}; was: {was}" if was and is_ != was else is_


# -------------------------------------------------------------------------------------------- waivers


def waiver(change: WaiverChange) -> str:
    """What becomes of a waiver of warnings, after its name; with the reason if it has one now."""
    is_, was = change.new, change.old
    if is_ is None:
        return f"is gone{_covers('covered', was.what if was else '')}"
    if is_.is_expired:
        return f"expired on {is_.until}: what it waived is shown again{_covers('covered', is_.what)}"
    end = f"until {is_.until}" if is_.until else "without expiry"
    how = "is new" if was is None else "has other terms"
    return f"{how}: {end}, because {is_.because}{_covers('covers', is_.what)}"


def _covers(verb: str, what: str) -> str:
    """The warnings that a waiver covers, as the end of a sentence; none if they are not known."""
    return f"; it {verb}: {what}" if what else ""


# --------------------------------------------------------------------------------------- what follows


def _artifacts(difference: PolicyDifference) -> list[str]:
    """The artifacts that change: those with a changed value, and those that differ otherwise."""
    carry = [a.target for a in difference.artifacts if a.settings]
    other = [a.target for a in difference.artifacts if not a.settings]
    sentences = [f"Artifacts that change: {', '.join(carry)}."] if carry else []
    if other:
        reason = "though no value that they set changes"
        if known := ", ".join(fact.name for fact in difference.facts):
            reason = f"since they state how {known} is known"
        if another := ", ".join(fact.name for fact in difference.facts if fact.has_another_value):
            reason = f"for another {another}"
        sentences.append(f"{'Also' if carry else 'Artifacts that change'}, {reason}: {', '.join(other)}.")
    return sentences


def follows(difference: PolicyDifference) -> tuple[str, ...]:
    """The consequences for servers, in sentences; none if it cannot be rolled out, or has its hosts beside it."""
    if difference.status == "removed" or difference.stops or difference.hosts:
        return ()
    sentences = []
    if difference.artifacts and difference.status == "added":
        sentences.append(f"Artifacts: {', '.join(a.target for a in difference.artifacts)}.")
    else:
        sentences += _artifacts(difference)
    menus = {c.setting: c.either.menu for c in difference.settings}
    if difference.by_hand:
        steps = [f"{name}, at {menus[name]}" if menus[name] else name for name in difference.by_hand]
        sentences.append(f"By hand, since no artifact carries it: {'; '.join(steps)}.")
    waiting = [c.setting for c in difference.settings if c.reboot]
    at_once = [c.setting for c in difference.acting if not c.reboot and c.kind != "stops"]
    if waiting and not at_once:
        sentences.append("Takes effect after a restart.")
    elif waiting:
        sentences.append(f"Takes effect immediately: {', '.join(at_once)}; the rest after a restart.")
    elif at_once:
        sentences.append("Takes effect without a restart.")
    return tuple(sentences)
