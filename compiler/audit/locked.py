"""Firmware settings of the files that another one locks, by its value in the files or by its default.

A maker's profile sets its members, and locks them: a server refuses them beside it, or overwrites them, even if the
value is the same. So a list that names both has entries without effect, and so has one that names a member alone while
the profile is as the maker ships it. Where only the maker of a server is known, this is said of what a value in the
files locks on each of its servers that has both. Attributes that are no settings are locked as well, by a table of the
maker's registries (`makers`).
"""

from collections.abc import Container, Iterable, Iterator, Sequence, Set

from setpoint.compiler.audit.model import Stated, source_note
from setpoint.compiler.audit.recognise import Lexicon
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.entries.makers import texts_of_nothing
from setpoint.compiler.entries.model import ATTRIBUTE, Entry
from setpoint.compiler.entries.templates import has_variable
from setpoint.compiler.knowledge.lookup import squashed
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Lock
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import Problem, ground
from setpoint.compiler.resolution.locks import Locks
from setpoint.compiler.resolution.spellings import spellings_here

FIRMWARE = "firmware"

MOST_NAMED = 20
"""How many attributes a message names that one locks."""

MOST_SHOWN = 2
"""How many attributes that nobody can write a list has by mistake: what a server answers has all of them, and wishes
nothing."""


class Locked(NamedTuple):
    """Entries that one setting locks. `free` is the one value of it which locks nothing, "" if there are several;
    `locking` has its value, None if that is the default."""

    by: str
    free: str
    locking: Stated | None
    members: tuple[Stated, ...]


def locked(
    knowledge: Knowledge,
    context: Context,
    stated: Sequence[Stated],
    beneath: Sequence[Stated] = (),
    conflicting: Set[Span] = frozenset(),
) -> Iterator[Diagnostic]:
    """The findings about settings that are locked, together for each cause (W0908). `beneath` are the values of the
    server that they are for; of entries that are `conflicting` with what locks them, that is said already.
    """
    for lock in _Closed.of(knowledge, context, stated, beneath).locks:
        members = [
            member
            for member in lock.members
            if lock.locking is None or not {lock.locking.entry.span, member.entry.span} <= conflicting
        ]
        if members:
            yield _finding(knowledge, context, lock._replace(members=tuple(members)))


def locked_on_all(
    knowledge: Knowledge, seen: Sequence[tuple[Context, Sequence[Stated]]], others: Container[str] = ()
) -> Iterator[Diagnostic]:
    """The findings about entries that another one locks on each of several servers that has both. `seen` has the
    servers, each with the values that it has of the entries. Of the settings of `others`, other lists of the files have
    values, so that nothing follows from their defaults."""
    servers = [_Closed.of(knowledge, context, stated) for context, stated in seen]
    said: set[tuple[Span, Span]] = set()
    for (context, _), server in zip(seen, servers, strict=True):
        for lock in server.locks:
            if lock.locking is None and lock.by in others:
                continue
            mine = {
                pair for pair in _pairs(lock) if all(other.is_alike(lock, pair) for other in servers)
            } - said
            said |= mine
            spans = {span for span, _ in mine}
            members = tuple(member for member in lock.members if member.entry.span in spans)
            if members:
                yield _finding(knowledge, context, lock._replace(members=members))


def _pairs(locked: Locked) -> set[tuple[Span, Span]]:
    """The entries that are locked, each with the one that locks it, or twice if that is a default."""
    by = locked.locking.entry.span if locked.locking is not None else None
    return {(member.entry.span, by or member.entry.span) for member in locked.members}


class _Closed(NamedTuple):
    """What is locked on a server that has these values, and the settings whose defaults are known there."""

    locks: tuple[Locked, ...] = ()
    stated: Sequence[Stated] = ()
    defaults: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, knowledge: Knowledge, context: Context, stated: Sequence[Stated], beneath: Sequence[Stated] = ()
    ) -> "_Closed":
        """What is locked on the server of a context."""
        firmware = [value for value in stated if knowledge.settings[value.setting].layer == FIRMWARE]
        if not firmware:
            return cls()
        problem = ground(knowledge._replace(rules=()), context)
        locks = Locks(knowledge, problem, context.bits(knowledge))
        values = {value.setting: value for value in (*beneath, *firmware)}
        by_cause: dict[tuple[str, str], list[Stated]] = {}
        for value in firmware:
            closed = (lock for lock in locks.of(value.setting) if _locks(problem, lock, values, locks))
            if (lock := next(closed, None)) is not None:
                key = (lock.setting, lock.values[0] if lock.unless and lock.values else "")
                by_cause.setdefault(key, []).append(value)
        caused = (Locked(by, free, values.get(by), tuple(group)) for (by, free), group in by_cause.items())
        return cls(tuple(caused), stated, frozenset(problem.defaults))

    def is_alike(self, lock: Locked, pair: tuple[Span, Span]) -> bool:
        """Whether a server does not contradict that another one locks a pair of entries: it does as well, it lacks one
        of them, or what locks is a default that is unknown here."""
        is_open = lock.locking is None and lock.by not in self.defaults
        lacks = not {value.entry.span for value in self.stated}.issuperset(pair)
        return is_open or lacks or any(pair in _pairs(mine) for mine in self.locks)


def _locks(problem: Problem, lock: Lock, values: dict[str, Stated], locks: Locks) -> bool:
    """Whether a lock is closed with the values of the files; of a setting that they do not mention, with its default,
    unless another one that they do mention governs that."""
    stated = values.get(lock.setting)
    if stated is None and any(other.setting in values for other in locks.of(lock.setting)):
        return False
    value = stated.value if stated is not None else problem.defaults.get(lock.setting, "")
    if lock.unless:
        return value not in lock.values
    return value in lock.values


def locked_by_attributes(lexicon: Lexicon, entries: Sequence[Entry], said: Set[Span]) -> Iterator[Diagnostic]:
    """The findings about attributes that another one of the files, or its default, makes read-only on all servers of
    the maker, or that nobody can write (W0908). Of entries at the places that are `said` there is one already; a text
    that turns something off loses nothing, and a list of all that a server answers has no wishes."""
    attributes = [entry for entry in entries if not entry.is_conditional and not has_variable(entry.text)]
    nothing = texts_of_nothing()
    for maker, mine in lexicon.by_maker(attributes):
        shown = [entry for entry in mine if entry.name in maker.shows]
        if len(shown) > MOST_SHOWN:
            continue
        unsaid = [entry for entry in mine if entry.span not in said and entry.text]
        wishes = [entry for entry in unsaid if entry.text not in nothing]
        note = f"source: {maker.title}: {maker.locks_at}"
        yield from (
            _void([entry], "nobody can write", None, note, "leave it out")
            for entry in shown
            if entry.span not in said
        )
        for cause in {(entry.scope, entry.name): entry for entry in mine}.values():
            names = maker.locks.get((cause.name, squashed(cause.text or "")), ())
            lost = unsaid if cause.name in maker.profiles else wishes
            members = [entry for entry in lost if entry.name in names and entry.scope == cause.scope]
            if members := [entry for entry in members if entry.is_beside(cause)]:
                help_ = f"set another `{cause.name}`, or leave {_them(len(members))} out"
                yield _void(members, f"`{cause.short}` locks", cause, note, help_)
        is_open = maker.is_model_open or not maker.models
        for name, text in maker.defaults.items():
            if not is_open and (ATTRIBUTE, name) in lexicon.spelled:
                continue  # what the model has by default, its presets say
            lost = unsaid if name in maker.profiles else wishes
            members = [entry for entry in lost if entry.name in maker.locks[name, squashed(text)]]
            if members and not any(entry.name == name for entry in entries):
                help_ = f"set another `{name}` as well, or leave {_them(len(members))} out"
                yield _void(members, f"the default of `{name}` locks", None, note, help_)


def _finding(knowledge: Knowledge, context: Context, locked: Locked) -> Diagnostic:
    """The finding about the entries that one setting locks."""
    by, free, locking, members = locked
    name = _spelt(knowledge, context, by, free)
    needed = f"`{name}`" if free else f"another `{by}`"
    help_ = f"add {needed}, or leave {_them(len(members))} out"
    if locking is not None:
        help_ = f"set {needed} in place of `{locking.entry.short}`, or leave {_them(len(members))} out"
    cause = f"`{locking.entry.short}` locks" if locking else f"the default of `{by}` locks"
    first = min(members, key=lambda member: member.entry.span)
    entries = [member.entry for member in members]
    return _void(entries, cause, locking.entry if locking else None, source_note(first.citation), help_)


def _them(number: int) -> str:
    return "them" if number > 1 else "it"


def _void(members: Iterable[Entry], cause: str, locking: Entry | None, note: str, help_: str) -> Diagnostic:
    """The finding about entries that have no effect, since a cause locks them."""
    first, *others = sorted(members, key=lambda member: member.span)
    names = list(dict.fromkeys(f"`{member.name}`" for member in others if member.name != first.name))
    if len(names) > MOST_NAMED:
        names[MOST_NAMED:] = [f"{len(names) - MOST_NAMED} more"]
    written = " and ".join(filter(None, (", ".join((f"`{first.short}`", *names[:-1])), *names[-1:])))
    what = f"{written} {'are' if names else 'is'} without effect: {cause} {_them(len(names) + 1)}"
    labels: tuple[Label, ...] = (Label(locking.span, "locked by this"),) if locking else ()
    labels += tuple(Label(member.span, "locked") for member in others)
    return Diagnostic("W0908", what, first.span, "locked", labels, (note,), (help_,))


def _spelt(knowledge: Knowledge, context: Context, setting: str, value: str) -> str:
    """A setting with a value as the server's firmware has it."""
    spelled = spellings_here(knowledge, setting, context.bits(knowledge), context.intent(knowledge))
    for spelling in spelled:
        text = spelling.text_of(value)
        if spelling.interface == "attribute" and text is not None and text.text:
            return f"{spelling.names[0]} = {text.text}"
    return f"{setting} {value}"
