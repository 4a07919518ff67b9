"""The fate of each value: whether artifacts write it, or why not.

A value is written to artifacts unless it is a vendor default that nobody requested, or a named profile locks it at that
value. A request for a value that a profile locks is a request for the profile. A profile that leaves its members free
and is not the vendor's default has no defaults of its own, so all of its members whose default is known are written. A
member is not written if it is unknown whether a profile locks it. A profile that stands sets its members each time that
the plan is applied, so what it sets is not written, unless somebody wants another value. A one-time action is never
written: it is performed if the policy sets it to another value than its default, which performs nothing.
"""

from collections.abc import Mapping

from setpoint.compiler.binding.context import Context
from setpoint.compiler.knowledge.model import FREE
from setpoint.compiler.plan.model import ONCE, Note
from setpoint.compiler.plan.server import FIXED
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.cascade import Choice
from setpoint.compiler.resolution.ground import Problem
from setpoint.compiler.resolution.profiles import Profile, fixed_by
from setpoint.compiler.resolution.solution import Solution


class Fate(NamedTuple):
    """Why a value is not written ("" if it is), and the notes about that."""

    unwritten: str
    notes: tuple[Note, ...] = ()


def is_fixed(context: Context, name: str) -> bool:
    """Whether the server takes no other value for a setting than it has."""
    limited = context.limit(name)
    return limited is not None and limited.kind == FIXED


def fate_of_action(context: Context, solution: Solution, name: str, value: str, origin: str) -> Fate:
    """Whether a one-time action is performed: only a `set` asks for it, and its default performs nothing."""
    if is_fixed(context, name):
        return Fate("fixed", (Note("registry", context.says(name)),))
    is_performed = origin == "set" and value != solution.problem.defaults.get(name, "")
    return Fate(ONCE if is_performed else "default")


def fate_of(
    context: Context,
    solution: Solution,
    values: dict[str, str],
    profiles: Mapping[str, Profile],
    name: str,
    origin: str,
    asked: bool,
) -> Fate:
    """Whether the value of the setting `name` is written, or why not; `asked` says whether anybody requested it.

    `profiles` are those that the governing settings have, by the values of the plan.
    """
    problem = solution.problem
    if is_fixed(context, name):
        return Fate("fixed", (Note("registry", context.says(name)),))
    default = problem.defaults.get(name, "")
    managed = context.manages(name) and default
    if (fate := _locked(profiles, name)) is not None:
        return fate
    is_wanted = asked or origin != "default" or context.manages(name)
    is_known = asked or bool(default)
    for governor, profile in profiles.items():
        if governor in problem.standing:
            continue
        if name == governor and not (asked or managed or values[name] != (default or values[name])):
            return Fate("default")
        if name == governor and (origin == "preset" or FREE in profile.cells.values()):
            return Fate("", _why_derived(problem, solution.choices[name], profile.value, values))
        if (fate := _of_member(problem, governor, profile, name, is_wanted, is_known)) is not None:
            return fate
    standing = {governor: profiles[governor] for governor in profiles if governor in problem.standing}
    if (fate := _under_standing(standing, name, values[name], origin == "default" and not asked)) is not None:
        return fate
    if origin == "default" and not asked:
        if not managed:
            return Fate("default")
        if not context.manage_all:
            return Fate("", (Note("set-back", "set back: an earlier bundle of this policy wrote it"),))
    return Fate("")


def _locked(profiles: Mapping[str, Profile], name: str) -> Fate | None:
    """The fate of a setting that a profile fixes; None if none does."""
    for governor, profile in profiles.items():
        if name != governor and profile.cells.get(name, FREE) != FREE:
            note = f"{governor} {profile.value} fixes it, and the firmware locks it there"
            return Fate("locked", (Note("locked", note),))
    return None


def _of_member(
    problem: Problem, governor: str, profile: Profile, name: str, is_wanted: bool, is_known: bool
) -> Fate | None:
    """The fate of a setting that a profile has as a member and does not lock; None if the profile does not decide it.

    `is_wanted` says whether it is to be written whatever the profile, `is_known` whether it was requested or has a
    default.
    """
    if name not in profile.members:
        return None
    named, is_default = f"{governor} {profile.value}", profile.value == problem.defaults.get(governor)
    if profile.may_lock(name) and (is_wanted or not is_default):
        return Fate("unknown", (Note("unknown", f"no source says whether {named} locks it"),))
    if name in profile.cells and not is_default and is_known:
        why = "has no defaults of its own"
        if name in problem.starting:
            why = "sets it once, and it may have been changed since"
        return Fate("", (Note("written-out", f"written out: {named} {why}"),))
    return None


def _under_standing(standing: Mapping[str, Profile], name: str, value: str, idle: bool) -> Fate | None:
    """The fate of a member of a profile that stands; None for other settings. `idle`: nobody requested it."""
    for governor, profile in standing.items():
        named, start = f"{governor} {profile.value}", profile.sets.get(name)
        if start is not None and idle and value == start:
            return Fate("profile", (Note("profile", f"{named} sets it each time that the plan is applied"),))
        if start is not None and value != start:
            return Fate("", (Note("changed", f"{name} {value} replaces the {start} of {named}"),))
        if idle and profile.may_lock(name):
            return Fate("unknown", (Note("unknown", f"no source says what {named} sets it to here"),))
    return None


def _why_derived(problem: Problem, choice: Choice, profile: str, values: dict[str, str]) -> tuple[Note, ...]:
    """Why the plan does not have the profile that a source names: the members that differ."""
    named: dict[str, dict[str, None]] = {}
    for lost in choice.losers:
        if lost.reason == "blocked" and fixed_by(problem.presets, choice.setting, lost.proposal.value):
            citation = lost.proposal.rule.citation
            named.setdefault(lost.proposal.value, {})[f"{citation.source}, {citation.at}"] = None
    notes = []
    for wanted, places in named.items():
        apart = [
            f"{member} {fixed} (here: {values[member]})"
            for member, fixed in sorted(fixed_by(problem.presets, choice.setting, wanted).items())
            if member in values and values[member] != fixed
        ]
        text = (
            f"{choice.setting} {wanted}, named by {' and '.join(places)}, fixes {', '.join(apart)}; "
            f"so the profile is {profile}"
        )
        is_free = not fixed_by(problem.presets, choice.setting, profile)
        text += f", with the other members as {wanted} has them" if is_free else ""
        notes.append(Note("derived", text))
    return tuple(notes)
