"""What is wrong with texts by the table of what words take: refused, taken for another one, void beside others, or out
of order."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import combinations, islice

from setpoint.compiler.audit.attributes import is_foreign
from setpoint.compiler.audit.model import Interpretation
from setpoint.compiler.audit.parameters import reaches, versions_read
from setpoint.compiler.audit.recognise import Lexicon
from setpoint.compiler.audit.texts import Counterpart, Order
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.entries.carried import carried
from setpoint.compiler.entries.model import ATTRIBUTE, Entry, plain
from setpoint.compiler.entries.templates import has_variable
from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.knowledge.lookup import squashed
from setpoint.compiler.knowledge.remarks import word_of
from setpoint.compiler.knowledge.sysctls import Limit
from setpoint.compiler.record import NamedTuple

OPTION = re.compile(r"\[([^\]]+)\] (.+)")
"""A section of a profile, and an option in it."""

AT_LEAST = "=>"
"""What a profile of tuned writes before a number that a sysctl is raised to, and never lowered."""

LIST = re.compile(r"(?:[a-z_]+,)*\d{1,19}(?:-\d{1,4})?(?:,\d{1,4}(?:-\d{1,4})?)*")
"""A number, or a list of CPUs, perhaps behind flags."""
APART = "apart"
"""What lists of CPUs are that have none in common."""

VENDORS = "leave it out, or see whether the vendor of this kernel has added it"
"""What to do about a name that no kernel has which anybody has read."""

There = Mapping[tuple[str, str], Sequence[Entry]]
"""All entries of the files, by interface and name."""


def refused(lexicon: Lexicon, reading: Interpretation) -> Diagnostic | None:
    """The finding about a text that the reader of an entry does not take (E0907), or that nothing can set (W0904)."""
    entry = reading.entry
    grammar = lexicon.grammar(entry)
    if grammar is not None and not grammar.takes:
        return _ignored(entry, grammar.wrong, grammar.at, grammar.help)
    is_for_some = entry.is_conditional and entry.interface != "tuned"
    if grammar is None or is_for_some or has_variable(entry.text) or lexicon.has_exactly(reading):
        return None
    if grammar.accepts(entry.text) and (entry.text or "") not in grammar.meant:
        return None
    said = f"`{entry.text}`" if entry.text is not None else "no text"
    meant = grammar.meant.get(entry.text or "", "")
    help_ = [f"did you mean `{entry.name}={meant}`?"] if meant else []
    help_ += [grammar.help] if grammar.help else []
    known = grammar.known()
    notes = [f"taken: {known}"] if known and not meant else []
    notes.append(f"source: {grammar.at}")
    message = f"`{entry.name}` does not take {said}: {grammar.wrong}"
    return Diagnostic("E0907", message, entry.span, "not taken", (), tuple(notes), tuple(help_))


def noted(lexicon: Lexicon, reading: Interpretation) -> Iterator[Diagnostic]:
    """The findings about a text that is taken, and most likely for another one than is meant (W0911)."""
    entry = reading.entry
    grammar = lexicon.grammar(entry)
    if grammar is None or entry.is_conditional or has_variable(entry.text):
        return
    notes, help_ = (f"source: {grammar.at}",), (grammar.help or "write what is meant, or leave it out",)
    if note := grammar.note(entry.text):
        message = f"`{entry.written}` may not do what is meant: {note}"
        yield Diagnostic("W0911", message, entry.span, "taken otherwise", (), notes, help_)
    if much := grammar.too_much(entry.text):
        message = f"`{entry.short}` may not do what is meant: it is up to {much}"
        yield Diagnostic(
            "W0911", message, entry.span, "another unit?", (), notes, (f"state it in {grammar.unit}",)
        )


def lowered(lexicon: Lexicon, reading: Interpretation) -> Diagnostic | None:
    """The finding about a limit that is less than the kernel has without it (W0919)."""
    entry, kernel = reading.entry, lexicon.kernel
    limits = lexicon.texts_table.limits.get(entry.name, ()) if entry.interface == "sysctl" else ()
    is_open = not kernel.last  # it may be any current one
    of_parts: dict[int, Limit] = {}
    for row in (row for row in limits if is_open or kernel.first >= row.since):
        of_parts.setdefault(row.part, row)
    below = [row for row in of_parts.values() if _is_below(row, (entry.text or "").split())]
    if not below or entry.is_conditional or AT_LEAST in entry.written:
        return None
    message = f"`{entry.short}` lowers a limit: {'; '.join(limit.because for limit in below)}"
    sources = tuple(dict.fromkeys(f"source: {limit.at}" for limit in below))
    return Diagnostic(
        "W0919", message, entry.span, "below the default", (), sources, ("leave it out, or state more",)
    )


def _is_below(limit: Limit, numbers: Sequence[str]) -> bool:
    """Whether the number that a limit is about is less; 0 is none."""
    number = "".join(numbers[max(limit.part, 1) - 1 :][:1])
    return number.isdecimal() and 0 < int(number) < limit.least


def gone(lexicon: Lexicon, entry: Entry) -> Diagnostic | None:
    """The finding about a word that its reader has not, or has no longer (W0904)."""
    table = lexicon.texts_table
    fields = table.gone.get((entry.interface, entry.name))
    if fields is not None:
        return _ignored(
            entry, fields["because"], f"{table.source}, {fields['at']}", fields.get("help", "leave it out")
        )
    return None


def lacking(lexicon: Lexicon, entry: Entry) -> Diagnostic | None:
    """The finding about an option that no plugin of a profile has (W0904)."""
    section = OPTION.fullmatch(entry.name) if entry.interface == "tuned" else None
    if section is None or section[1] in carried().plugins.open or not carried().plugins.options:
        return None
    because = (
        carried().plugins.option if section[1] in carried().plugins.options else carried().plugins.plugin
    )
    if any(fnmatchcase(section[2], known) for known in carried().plugins.options.get(section[1], ())):
        return None
    others = [f"[{name}]" for name, options in carried().plugins.options.items() if section[2] in options]
    help_ = f"write it in the section {' or '.join(others)}" if others else "leave it out"
    return _ignored(entry, because, carried().plugins.at, help_)


def nowhere(lexicon: Lexicon, entry: Entry) -> Diagnostic | None:
    """The finding about a name that no version of its reader has (W0918); None if that is not known."""
    table = lexicon.texts_table
    is_bare = entry.interface == "sysctl" and "." not in entry.name  # each is in a folder
    is_impossible = is_bare or table.is_nowhere(entry.interface, entry.name)
    if has_variable(entry.name) or not (is_impossible or table.is_complete(entry.interface, entry.name)):
        return None
    versions = "no version of Linux that is known"
    if entry.interface == "argument":
        if not reaches(lexicon.kernel.last):
            return None
        versions = f"no version from {versions_read()}"
    namesake = _namesake(lexicon, entry.name)
    return Diagnostic(
        "W0918",
        f"`{entry.name}` is {INTERFACES[entry.interface].title} of {versions}",
        entry.span,
        "in no version",
        notes=(f"source: {table.complete_at.get(entry.interface, '')}",),
        help=(f"did you mean `{namesake}`?",) if namesake else (VENDORS,),
    )


def _namesake(lexicon: Lexicon, name: str) -> str:
    """The only sysctl with the last part of a name, which then stands in a wrong folder; "" if there is none. One word
    may be the name of several things."""
    last = name.rpartition(".")[2]
    folders = lexicon.texts_table.folders
    for parts, mine in ((folder.parts(name), folder) for folder in folders):
        others = [folder for folder in folders if last in folder.names and parts]
        others.sort(key=lambda folder: folder.path.rpartition(".")[0] != mine.path.rpartition(".")[0])
        if parts and others:
            interface = others[0].every if parts[0] == mine.every else parts[0]
            return f"{others[0].path}.{interface}.{last}"
    names = lexicon.names.get("sysctl", ()) if "_" in last else ()
    namesakes = [sysctl for sysctl in names if sysctl.endswith(f".{last}")]
    return namesakes[0] if len(namesakes) == 1 else ""


def without_prefix(lexicon: Lexicon, entry: Entry) -> Diagnostic | None:
    """The finding about a sysctl that is a word of a boot line without what the kernel has before it there (W0904)."""
    known = carried()
    is_word = entry.interface == "argument" and not entry.is_option
    is_sysctl = is_word and entry.name.partition(".")[0] in known.roots
    if not is_sysctl or not known.prefix or not lexicon.knows("sysctl", entry.name):
        return None
    help_ = f"write `{known.prefix}{entry.written}`, or set it in a file of sysctls"
    return _ignored(entry, known.because, known.prefix_at, help_)


def is_of_another_plugin(lexicon: Lexicon, entry: Entry) -> bool:
    """Whether an option of a profile is one of another plugin than that of its section."""
    section = OPTION.fullmatch(entry.name) if entry.interface == "tuned" else None
    plugins = carried().plugins.options.items()
    return section is not None and any(
        section[2] in options for name, options in plugins if name != section[1]
    )


def _ignored(entry: Entry, because: str, source: str, help_: str) -> Diagnostic:
    message = f"`{entry.written}` has no effect here: {because}"
    return Diagnostic("W0904", message, entry.span, "ignored", (), (f"source: {source}",), (help_,))


def answered(lexicon: Lexicon, entries: Sequence[Entry]) -> set[str]:
    """The hazards that an entry answers which is no setting."""
    there = {entry.key for entry in entries}
    return {
        hazard
        for hazard, interface, names in lexicon.texts_table.answers
        if any((interface, plain(interface, name)) in there for name in names)
    }


# ---------------------------------------------------------------------------------------- counterparts


QUESTION = re.compile(r"[#_][0-9A-F]{4}$")
"""What ends the names of attributes where a service adds the number of the question in the menu."""


class Void(NamedTuple):
    """An entry that does nothing, its counterpart, and the entry that is the cause, None if one is missing."""

    entry: Entry
    counterpart: Counterpart
    cause: Entry | None


def void_entries(lexicon: Lexicon, entries: Sequence[Entry], files: Sequence[str] = ()) -> Iterator[Void]:
    """The entries that do nothing beside others, or without them or a module that none of the `files` names."""
    there: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        there.setdefault(_key(entry.interface, entry.name), []).append(entry)
    done: set[Entry] = set()
    unset = carried().unset
    for counterpart in lexicon.texts_table.counterparts:
        beside = list(_among(there, counterpart.of, counterpart.others, unset))
        others = beside if counterpart.is_need else [entry for entry in beside if not entry.is_conditional]
        is_loaded = any(re.search(module, file) for module in counterpart.loaded for file in files)
        if is_loaded or not (others or counterpart.is_need):
            continue
        for entry in _among(there, counterpart.interface, counterpart.words, unset):
            is_said = entry.interface == ATTRIBUTE and is_foreign(lexicon.at(entry), entry)
            if is_said or entry.is_conditional or (counterpart.is_need and entry in done):
                continue
            fitting = (other for other in others if counterpart.fits(other.name, entry.name))
            mine = [other for other in fitting if _is_of_server(other, entry)]
            cause = next((other for other in mine if _is_cause(counterpart, other, entry)), None)
            if not mine if counterpart.is_need else cause is not None:
                done.add(entry)
                yield Void(entry, counterpart, cause)


def _is_of_server(other: Entry, entry: Entry) -> bool:
    """Whether two entries may be of one server: of attributes, a file can have several policies."""
    is_same_file = other.span.file == entry.span.file
    return entry.interface != ATTRIBUTE or not is_same_file or other.part == entry.part


def _is_cause(counterpart: Counterpart, other: Entry, entry: Entry) -> bool:
    """Whether an entry makes another one void: both are in force, and it is the later one if that matters."""
    is_same_file = other.span.file == entry.span.file and other.interface == entry.interface
    is_later = (other.span.line, other.span.column) > (entry.span.line, entry.span.column)
    return other.is_beside(entry) and (not counterpart.is_later or (is_same_file and is_later))


def _key(interface: str, name: str) -> tuple[str, str]:
    """The interface, and the form in which a name is looked up: tools write those of attributes in different ways."""
    return interface, squashed(QUESTION.sub("", name)) if interface == ATTRIBUTE else plain(interface, name)


def _among(there: There, interface: str, words: Sequence[str], unset: Container[str]) -> Iterator[Entry]:
    """The entries that are one of some words; one without a text has any but what leaves an attribute as it is."""
    for word in map(word_of, words):
        for entry in _named(there, interface, word.name):
            text = squashed(entry.text or "") if interface == ATTRIBUTE else ""
            is_one = text not in unset if word.text is None else fnmatchcase(entry.text or "", word.text)
            if is_one or (text and text == squashed(word.text or "")):
                yield entry


def _named(there: There, interface: str, name: str) -> Sequence[Entry]:
    """The entries of a name, in which `*` stands for any part."""
    if "*" not in name:
        return there.get(_key(interface, name), ())
    return [
        entry
        for (of, key), entries in there.items()
        for entry in entries
        if of == interface and fnmatchcase(key, name)
    ]


def void(pair: Void) -> Diagnostic:
    """The finding about an entry that does nothing (W0908)."""
    entry, counterpart, cause = pair
    notes = (f"source: {counterpart.at}",)
    if cause is None:
        message = f"`{entry.written}` lacks its counterpart: {counterpart.because}"
        return Diagnostic(
            "W0908", message, entry.span, "alone", (), notes, (f"{counterpart.help}, or leave it out",)
        )
    message = f"`{entry.written}` has no effect beside `{cause.short}`: {counterpart.because}"
    labels = (Label(cause.span, "because of this"),)
    return Diagnostic(
        "W0908", message, entry.span, "without effect", labels, notes, ("leave one of them out",)
    )


# --------------------------------------------------------------------------------------------- orders


def disordered(lexicon: Lexicon, entries: Sequence[Entry]) -> Iterator[Diagnostic]:
    """The findings about numbers of which one is not within the other (W0916), and such lists of CPUs (W0914)."""
    there: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if not entry.is_conditional and LIST.fullmatch(entry.text or ""):
            there.setdefault(entry.key, []).append(entry)
    for order in lexicon.texts_table.orders:
        for pair in combinations([(order.interface, name) for name in order.words], 2):
            both = ((low, high) for low in there.get(pair[0], ())[:1] for high in there.get(pair[1], ()))
            wrong = (
                (low, high) for low, high in both if low.is_beside(high) and not _is_within(order, low, high)
            )
            yield from (_disordered(order, low, high) for low, high in islice(wrong, 1))


def _is_within(order: Order, low: Entry, high: Entry) -> bool:
    texts = (low.text or "", high.text or "")
    if order.cpus:
        mine, others = map(_cpus, texts)
        return mine.isdisjoint(others) if order.cpus == APART else not others or mine <= others
    if not all(map(str.isdecimal, texts)):
        return True
    least, most = map(int, texts)
    return not least or not most or least < most or (least == most and not order.is_less)


def _cpus(text: str) -> set[int]:
    """The CPUs of a list."""
    ranges = re.findall(r"(?<![\w-])(\d+)(?:-(\d+))?", text)
    return {cpu for first, last in ranges for cpu in range(int(first), int(last or first) + 1)}


def _disordered(order: Order, low: Entry, high: Entry) -> Diagnostic:
    labels = (Label(high.span, "the other list" if order.cpus else "the limit"),)
    notes = (f"source: {order.at}",)
    if order.cpus:
        message = f"`{low.short}` and `{high.short}` do not agree: {order.because}"
        return Diagnostic("W0914", message, low.span, "this list", labels, notes, ("state lists that agree",))
    how = "below" if order.is_less else "within"
    message = f"`{low.written}` is not {how} `{high.short}`: {order.because}"
    help_ = (f"state less than {high.text}, or more as `{high.name}`",)
    return Diagnostic("W0916", message, low.span, "beyond the limit", labels, notes, help_)
