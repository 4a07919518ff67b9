"""Check files of settings: read them, and find what is wrong with each entry and with all of them together."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from setpoint.compiler.audit.attributes import misplaced
from setpoint.compiler.audit.captured import CapturedFile
from setpoint.compiler.audit.controllers import named_objects, wrong_objects
from setpoint.compiler.audit.goals import Fit, Goals, differing
from setpoint.compiler.audit.inherited import is_include, with_inherited
from setpoint.compiler.audit.locked import locked, locked_by_attributes, locked_on_all
from setpoint.compiler.audit.lost import left_pending, refused_tasks, replaced
from setpoint.compiler.audit.model import Interpretation, Stated
from setpoint.compiler.audit.protections import switched_off
from setpoint.compiler.audit.ranges import is_there
from setpoint.compiler.audit.recognise import Lexicon, lexicon
from setpoint.compiler.audit.rules import wrong_rules
from setpoint.compiler.audit.server import judged
from setpoint.compiler.audit.taken import answered, disordered, void, void_entries
from setpoint.compiler.audit.together import agreed, together
from setpoint.compiler.audit.unread import wrong_lines, wrong_modules
from setpoint.compiler.audit.words import (
    ABSENT,
    NOT_CHECKED,
    NOT_COVERED,
    default_again,
    findings,
    is_unlisted,
    unavailable,
)
from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.binding.stated import NOTHING_FOUND, HostFacts
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, SourceText, Span, lines_of
from setpoint.compiler.entries.lines import above
from setpoint.compiler.entries.makers import ShownMaker, fact_of_attributes, marks_in, shown_by
from setpoint.compiler.entries.model import ATTRIBUTE, AuditedFile, Entry
from setpoint.compiler.entries.read import ARGUMENTS, BIOS, audited
from setpoint.compiler.fitting.models import of_its_model
from setpoint.compiler.fitting.server import Server
from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Fact, Name
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.identity import identity


class Audit(NamedTuple):
    """The result for some files: what they were read as, the values that they set, the findings, and how they serve
    each goal.

    `context` describes the server. `stated` has one value for each setting, which are possible together. `unread` are
    the entries that set nothing else. `actions` are those of the values that belong to one-time actions, and `unlisted`
    the entries of whose names nothing is known or said.
    """

    files: tuple[AuditedFile, ...]
    context: Context
    stated: tuple[Stated, ...]
    unread: tuple[Entry, ...]
    findings: Diagnostics
    goals: Goals
    is_goal_stated: bool
    actions: tuple[Stated, ...] = ()
    unlisted: tuple[Entry, ...] = ()

    @property
    def fits(self) -> tuple[Fit, ...]:
        """How the values serve each goal."""
        return self.goals.fits


def audit(
    knowledge: Knowledge,
    subject: Subject,
    sources: Sequence[SourceText],
    form: str = "",
    today: str = "",
    server: Server | None = None,
    host: HostFacts = NOTHING_FOUND,
    beneath: Sequence[CapturedFile] = (),
) -> Audit:
    """Check files for the server, and the goal if any, that a subject states. `server` is that one server, if its
    registry or values are known; `host` has what an inventory or a capture says of it. The files are laid over what is
    `beneath`, which is checked itself if there are none.

    Raises SetpointError if the subject is in error (E02xx), a file is not one of settings (E0901), or the library is
    (E0304).
    """
    contexts = _contexts(knowledge, subject, host)
    if server is not None:
        contexts = {intent: of_its_model(knowledge, c, server)[0] for intent, c in contexts.items()}
    first = next(iter(contexts))
    words = lexicon(knowledge, contexts[first])
    named = tuple(audited(source, form, words.knows, words.heard, _has_more) for source in sources)
    shown = tuple(audited(file.source, file.form, words.knows, words.heard, _has_more) for file in beneath)
    words = _by_makers(words, (*named, *shown))
    readings, of_profiles, settled = _read(words, contexts[first], (*named, *shown))
    about = _About(frozenset(file.name for file in named or shown), named, shown)
    mine = [reading for reading in readings if about.has_entry(reading.entry)]
    entries = [reading.entry for reading in mine]
    of_server, known = judged(server, entries) if server is not None else ([], frozenset[Entry]())
    stated, diagnostics = _available(words, readings)
    kept, contradictions, under = _laid_over(stated, readings, about)
    possible, conflicts, caused = together(
        knowledge,
        contexts,
        [*(value for value in kept if not _fails(words, value)), *under],
        today,
        answered(words, [reading.entry for reading in readings]),
        about.yielding,
        frozenset(r.entry.span.file for r in readings if is_include(r.entry) and not r.has_text),
    )
    always = set.intersection(*(set(names) for names in caused.values()))
    layers = {INTERFACES[reading.entry.interface].layer for reading in readings}
    hazards = {intent: sorted(set(names) - always) for intent, names in caused.items()}
    goals = Goals(knowledge, contexts, possible, layers, hazards)
    is_open = server is None or server.is_seen_only
    locks = [
        *(locked(knowledge, contexts[first], kept, under, _places(conflicts)) if is_open else ()),
        *_locked_whichever(knowledge, subject, host, contexts[first], named, words),
    ]
    locks += locked_by_attributes(words, entries, _places([*locks, *conflicts])) if is_open else ()
    places = _places(locks)
    is_goal_stated = len(contexts) == 1
    diagnostics = [
        *about.single([*diagnostics, *of_profiles]),
        *of_server,
        *(finding for file in named for finding in _of_commands(file, words)),
        *(
            finding
            for finding in findings(words, [r for r in mine if r.entry not in known], settled)
            if not (finding.code in NOT_CHECKED and finding.at in places)  # it is known, if only as locked
        ),
        *contradictions,
        *about.several(conflicts),
        *locks,
        *about.several(caused[first][name] for name in always),
        *about.several(
            finding for fit in (goals.fits if is_goal_stated else ()) for finding in differing(fit)
        ),
    ]
    available = {value.entry for value in stated}
    left_out = {r.entry for r in mine if r.entry.interface == "sysctl" and r.entry not in available}
    used = {(value.setting, value.value) for value in possible}
    used_entries = {value.entry for value in stated if (value.setting, value.value) in used}
    return Audit(
        (*named, *shown),
        contexts[first],
        tuple(possible),
        tuple(reading.entry for reading in mine if reading.entry not in used_entries),
        Diagnostics.of(diagnostics),
        goals,
        is_goal_stated,
        tuple(value for value in possible if knowledge.settings[value.setting].once),
        tuple(r.entry for r in mine if is_unlisted(words, r) or (r.values and r.entry in left_out)),
    )


def _has_more(source: SourceText) -> bool:
    """Whether there is anything to say of a text without entries: its rules, objects, services and lines."""
    return any(
        any(of(source)) for of in (wrong_rules, wrong_objects, named_objects, switched_off, wrong_lines)
    )


def _by_makers(words: Lexicon, files: Iterable[AuditedFile]) -> Lexicon:
    """The words with what files show of the makers of their servers: in each part, and together for one maker."""
    parts: dict[tuple[str, int], ShownMaker] = {}
    for file in files:
        names: dict[tuple[str, int], list[str]] = {}
        for entry in file.entries:
            if entry.interface == ATTRIBUTE:
                names.setdefault(entry.scope, []).append(entry.name)
        if not names:
            continue
        lines, of_text = lines_of(file.source.text), marks_in(file.source.text)
        parts |= {
            scope: shown_by((of_text, marks_in("\n".join(above(lines, scope[1])))), part)
            for scope, part in names.items()
        }
    makers = {maker.title for shown in parts.values() for maker in words.read_makers(shown)}
    named = frozenset().union(*(shown.names for shown in parts.values())) if len(makers) < 2 else frozenset()
    marks = {(shown.mark, shown.kinds) for shown in parts.values()} if len(makers) < 2 else set()
    return words._replace(shown=ShownMaker(named, *(marks.pop() if len(marks) == 1 else ())), parts=parts)


def _fails(words: Lexicon, stated: Stated) -> bool:
    """Whether a command fails, since it names the attribute in another group: then nothing follows from its value."""
    return bool(stated.entry.path) and misplaced(words, stated.reading) is not None


def _locked_whichever(
    knowledge: Knowledge,
    subject: Subject,
    host: HostFacts,
    context: Context,
    files: Sequence[AuditedFile],
    words: Lexicon,
) -> Iterator[Diagnostic]:
    """The findings about attributes that others lock on all servers of a maker, if the model is open."""
    known = {name: fact.value for name, fact in context.facts.items() if fact.origin != "assumed"}
    intent = {name: context.facts[name].value for name in knowledge.required}
    for maker, entries in words.by_maker(entry for file in files for entry in file.entries):
        seen: list[tuple[Context, list[Stated], frozenset[str]]] = []
        unsaid: set[str] = set()  # what the files set to a text that nobody reads, such as a variable
        for model in maker.models if maker.is_model_open else ():
            fact, _, value = model.partition(" ")
            try:
                facts = {**known, **intent, fact: value}
                of_model = _bound(knowledge, _without(subject, fact), host, facts.items())
            except SetpointError:
                continue  # another fact says that the server is none of these
            its_words = lexicon(knowledge, of_model)
            readings = [its_words.read(entry) for entry in entries]
            kept = [value for part in _lists(readings) for value in _agreed_again(its_words, part)]
            unsaid |= {setting for reading in readings if not reading.values for setting in reading.settings}
            seen.append((of_model, kept, frozenset(r.entry.name for r in readings if r.is_known)))
        servers = list(_of_one_kind(seen))
        heard = frozenset(maker.takes).union(*(names for _, _, names in seen))
        is_other = any(entry.name not in heard for entry in entries)  # such a server may have other defaults
        if maker.undescribed:
            is_other |= any(re.search(maker.undescribed, file.source.text) for file in files)
        for part in _lists([Interpretation(entry) for entry in entries]):
            spans = {reading.entry.span for reading in part}
            mine = [(c, [value for value in kept if value.entry.span in spans]) for c, kept in servers]
            others = {v.setting for _, kept in servers for v in kept if v.entry.span not in spans}
            yield from locked_on_all(knowledge, mine, knowledge.settings if is_other else others | unsaid)


def _lists(readings: Sequence[Interpretation]) -> Iterable[list[Interpretation]]:
    """The readings of each list for a server: all of them, unless several parts of a file have the same name."""
    by_scope: dict[tuple[str, int], list[Interpretation]] = {}
    for reading in readings:
        by_scope.setdefault(reading.entry.scope, []).append(reading)
    names = {(*scope, reading.entry.name) for scope, part in by_scope.items() for reading in part}
    has_several = len(names) > len({(file, name) for file, _, name in names})
    return by_scope.values() if has_several else [list(readings)]


def _agreed_again(words: Lexicon, readings: Sequence[Interpretation]) -> Iterator[Stated]:
    """The values that a list's server gets, also where an entry says one again."""
    stated, _ = _available(words, readings)
    kept = {(value.setting, value.value) for value in agreed(stated, readings)[0]}
    return (value for value in stated if (value.setting, value.value) in kept)


def _of_one_kind(
    seen: Sequence[tuple[Context, list[Stated], frozenset[str]]],
) -> Iterator[tuple[Context, list[Stated]]]:
    """The servers that a list can be for, each with its values: not those that lack some of its attributes and have
    none that others lack, if another processor is why."""
    by_kind: dict[str, set[str]] = {}
    kinds = [fact.value if (fact := c.facts.get(fact_of_attributes())) else "" for c, _, _ in seen]
    for kind, (_, _, names) in zip(kinds, seen, strict=True):
        by_kind.setdefault(kind, set()).update(names)
    for kind, (context, kept, _) in zip(kinds, seen, strict=True):
        if not any(by_kind[kind] < names for names in by_kind.values()):
            yield context, kept


def _of_commands(file: AuditedFile, words: Lexicon) -> Iterator[Diagnostic]:
    """The findings about what a file's commands, tasks, rules and variables do as a whole."""
    yield from left_pending(file.source, file.entries)
    yield from refused_tasks(file.source)
    yield from wrong_rules(file.source)
    yield from wrong_lines(file.source)
    yield from wrong_modules(words.kernel, file.source)
    yield from wrong_objects(file.source)
    yield from switched_off(file.source)
    yield from replaced(file.source) if file.form == ARGUMENTS else ()


def _places(findings: Iterable[Diagnostic]) -> frozenset[Span]:
    """Where the entries of findings are."""
    return frozenset(
        span for finding in findings for span in (finding.at, *(label.span for label in finding.others))
    )


class _About(NamedTuple):
    """Which findings an audit has: about the `files` that were named, or about those of the server if none was.

    Of the attributes of a server there are none about single ones: they are what the server has, and nobody has written
    a list of them.
    """

    files: frozenset[str]
    named: tuple[AuditedFile, ...]
    shown: tuple[AuditedFile, ...]

    @property
    def yielding(self) -> frozenset[str]:
        """The files whose values give way to others: all that are not named; of the server alone, its attributes."""
        return frozenset(file.name for file in self.shown if self.named or file.form == BIOS)

    def has_entry(self, entry: Entry) -> bool:
        """Whether an entry is judged by itself."""
        return entry.span.file in self.files and entry.span.file not in self.yielding

    def single(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The findings about single entries that are judged."""
        return (finding for finding in diagnostics if finding.at.file not in self.yielding)

    def several(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The findings about several entries of which one is of these files."""
        return (
            finding
            for finding in diagnostics
            if not self.shown
            or {finding.at.file, *(label.span.file for label in finding.others)} & self.files
        )


def _laid_over(
    stated: Sequence[Stated], readings: Sequence[Interpretation], about: _About
) -> tuple[list[Stated], list[Diagnostic], list[Stated]]:
    """One value for each setting of the named files, their contradictions, and the values beneath them."""
    names = {file.name for file in about.named}
    kept, contradictions = agreed([s for s in stated if s.entry.span.file in names], readings)
    others, _ = agreed([s for s in stated if s.entry.span.file not in names], readings)
    known = {value.setting for value in kept}
    return kept, contradictions, [value for value in others if value.setting not in known]


def described(knowledge: Knowledge, subject: Subject) -> Plan:
    """The server that a subject states, as a plan without decisions. Raises SetpointError (E02xx)."""
    context = next(iter(_contexts(knowledge, subject, NOTHING_FOUND).values()))
    facts = tuple(context.facts.values())
    return Plan(
        context.policy, facts, (), (), (), (), (), (), identity(knowledge, context), places=context.places
    )


def _read(
    words: Lexicon, context: Context, files: Sequence[AuditedFile]
) -> tuple[list[Interpretation], list[Diagnostic], frozenset[Entry]]:
    """What the entries mean, with what profiles inherit, the findings about that, and the entries that do nothing."""
    readings: list[Interpretation] = []
    diagnostics: list[Diagnostic] = []
    settled: set[Entry] = set()
    for file in files:
        read = [words.at(entry).read(entry) for entry in file.entries]
        for number, profile in enumerate(file.profiles):
            read, of_profile = with_inherited(words, context, profile, read, number)
            diagnostics += of_profile
        readings += read
    diagnostics += disordered(words, [reading.entry for reading in readings])
    written = [file.source.text for file in files]
    for void_entry in void_entries(words, [reading.entry for reading in readings], written):
        diagnostics.append(void(void_entry))
        if void_entry.cause is not None:
            settled.add(void_entry.entry)
    readings = [r._replace(values=()) if r.entry in settled else r for r in readings]
    return readings, diagnostics, frozenset(settled)


def _available(words: Lexicon, readings: Sequence[Interpretation]) -> tuple[list[Stated], list[Diagnostic]]:
    """The values that the server offers, and the findings about others, but for those of profiles."""
    stated: list[Stated] = []
    diagnostics: list[Diagnostic] = []
    brought = {name for r in readings for name in r.touched}
    included = {(name, r.entry.span.file) for r in readings if r.is_collection for name, _, _ in r.values}
    several = _with_several_texts(readings)
    for value in (Stated(s, v, reading, at) for reading in readings for s, v, at in reading.values):
        missing = unavailable(words, value)
        if missing is None:
            stated.append(value)
            again = default_again(words, value)
            is_brought = value.setting in brought or (value.setting, value.entry.span.file) in included
            if (
                again is not None
                and not is_brought
                and (value.entry.interface, value.entry.name) not in several
            ):
                diagnostics.append(again)
        elif not value.reading.is_collection and not _is_settled(words, value, missing):
            diagnostics.append(missing)
    return stated, diagnostics


def _with_several_texts(readings: Sequence[Interpretation]) -> frozenset[tuple[str, str]]:
    """What has another text elsewhere in a file: there the default is not said again, but put back."""
    first: dict[tuple[str, str], Entry] = {}
    names = set()
    for entry in (reading.entry for reading in readings):
        before = first.setdefault((entry.interface, entry.name), entry)
        is_apart = (before.part, before.conditions) != (entry.part, entry.conditions)
        if is_apart and before.text != entry.text:
            names.add((entry.interface, entry.name))
    return frozenset(names)


def _is_settled(words: Lexicon, stated: Stated, missing: Diagnostic) -> bool:
    """Whether the versions of kernels say more than that no source has a value: that it is there, or that it is not. A
    sysctl is the kernel's own, so that of one with nothing to say of its version nothing is said at all."""
    there = is_there(words.kernel, stated.entry)
    is_sysctl = stated.entry.interface == "sysctl" and missing.code == NOT_COVERED
    return there is False or is_sysctl or (there is True and missing.label != ABSENT)


def _contexts(knowledge: Knowledge, subject: Subject, host: HostFacts) -> dict[str, Context]:
    """The contexts to check, by their intent in words: the stated one, else one for each value of missing facts."""
    stated = {s.name.text for level in subject.levels for s in level.statements if isinstance(s, Fact)}
    missing = sorted(knowledge.required - stated - host.facts.keys())
    contexts = {}
    for values in product(*(knowledge.variables[name].values for name in missing)):
        context = _bound(knowledge, subject, host, zip(missing, values, strict=True))
        words = [f"{n} {context.facts[n].value}" for n in sorted(knowledge.required)]
        contexts[", ".join(words)] = context
    return contexts


def _without(subject: Subject, fact: str) -> Subject:
    """A subject that does not state a fact: as of a model that is not described, of which only the maker is known."""
    levels = []
    for level in subject.levels:
        kept = (s for s in level.statements if not (isinstance(s, Fact) and s.name.text == fact))
        levels.append(level._replace(statements=tuple(kept)))
    return subject._replace(levels=tuple(levels))


def _bound(
    knowledge: Knowledge, subject: Subject, host: HostFacts, more: Iterable[tuple[str, str]]
) -> Context:
    """The context of a subject that states more facts. Raises SetpointError if it is in error (E02xx)."""
    stated = {s.name.text for level in subject.levels for s in level.statements if isinstance(s, Fact)}
    facts = (
        Fact(Name(n, span=NOWHERE), Name(v, span=NOWHERE), span=NOWHERE)
        for n, v in more
        if n not in (*stated, *host.facts)
    )
    first, *rest = subject.levels
    levels = (first._replace(statements=(*first.statements, *facts)), *rest)
    return bind(subject._replace(levels=levels), knowledge, host)
