"""What is wrong with single entries: misspelt, unknown, without effect here, redundant, or against the security."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from setpoint.compiler.audit.attributes import (
    are_labels,
    label_for_name,
    lacks_ending,
    likely,
    misplaced,
    miswritten,
    takes_elsewhere,
    unheard_name,
    unheard_text,
)
from setpoint.compiler.audit.model import Interpretation, Stated, source_note
from setpoint.compiler.audit.parameters import modules, never_read, no_parameter, versions_read
from setpoint.compiler.audit.protections import insecure
from setpoint.compiler.audit.ranges import is_ranged, outside
from setpoint.compiler.audit.recognise import Lexicon
from setpoint.compiler.audit.taken import (
    gone,
    is_of_another_plugin,
    lacking,
    lowered,
    noted,
    nowhere,
    refused,
    without_prefix,
)
from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.diagnostics.slips import LEAST_LETTERS, nearest_by_letters
from setpoint.compiler.entries.carried import carried
from setpoint.compiler.entries.model import ATTRIBUTE, Entry, plain
from setpoint.compiler.entries.templates import has_variable
from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.knowledge.lookup import squashed
from setpoint.compiler.knowledge.model import Citation, absent, covered
from setpoint.compiler.knowledge.remarks import IGNORED, IMPLIED, INSECURE, NEEDS, REPEATABLE, word_of

MOST_LISTED = 12
"""How many names or texts a message lists."""

LEAST_KNOWN = 5
"""Of how many attributes of a file one is known, if its names are those of the server's firmware."""

NOTHING = ("", '""', "''")
"""What an option of a profile has that is left empty, to undo what is inherited."""

MOST_ALONE = 8
"""How many unknown names of a file have a finding each. A list of all attributes of a BIOS has hundreds that are not
for tuning."""


ABSENT = "absent"
"""The label of a finding about a setting that a server does not have, as a source says."""


NOT_CHECKED = ("W0902", "W0903")
"""The findings about a name or a text of which nothing is known."""


NOT_COVERED = "W0910"
"""The finding about a value of which no source says whether a server has it."""


def findings(
    everywhere: Lexicon, readings: Sequence[Interpretation], settled: Container[Entry] = ()
) -> Iterator[Diagnostic]:
    """The findings about single entries, and about entries that are there twice or need another one.

    Of those that are `settled` it is said already that they do nothing.
    """
    there: dict[tuple[str, str], list[Entry]] = {}
    for reading in readings:
        there.setdefault(reading.entry.key, []).append(reading.entry)
    unknown: dict[tuple[str, str], list[Entry]] = {}
    foreign = _of_other_tools(readings)
    labelled = {file for file, of in _by_file(readings).items() if are_labels(of)} | foreign
    mine = {
        reading.entry.scope
        for reading in readings
        if reading.is_known and reading.entry.interface == ATTRIBUTE
    }
    for reading in readings:
        entry = reading.entry
        if entry in settled:
            continue
        lexicon = everywhere.at(entry)
        is_known = reading.is_known and not lexicon.texts_table.is_nowhere(entry.interface, entry.name)
        if (no_module := never_read(entry) or _misnamed_module(entry)) is not None:
            yield no_module
            continue
        if not reading.is_known and (no_more := gone(lexicon, entry)) is not None:
            yield no_more
        elif not _is_ignored(reading) and (not_here := outside(lexicon.kernel, entry)) is not None:
            yield not_here
            continue
        elif not reading.is_known and (is_for_another(lexicon, entry) or is_ranged(entry)):
            continue
        elif not is_known and lexicon.is_of_other_systems(entry):
            continue  # whether this server has it no source says
        elif not is_known and (near := _slip(lexicon, entry)):
            yield _misspelt(lexicon, entry, near)
        elif not reading.is_known and (no_option := lacking(lexicon, entry)) is not None:
            yield no_option
        elif not reading.is_known and (unheard := _unheard(lexicon, reading, labelled, mine)):
            yield unheard
        elif not is_known and entry.interface != "argument" and (none := nowhere(lexicon, entry)) is not None:
            yield none
        elif not reading.is_known and (bare := without_prefix(lexicon, entry)) is not None:
            yield bare
        elif not reading.is_known and (none := no_parameter(entry, lexicon.kernel.last)) is not None:
            yield none
        elif is_unlisted(lexicon, reading):
            continue
        elif not reading.is_known:
            unknown.setdefault((entry.span.file, entry.interface), []).append(entry)
        elif entry.interface == "tuned" and entry.text in NOTHING:
            continue
        elif (wrong := refused(lexicon, reading)) is not None and not _is_slip(lexicon, reading):
            yield wrong
        elif notes := [] if _is_ignored(reading) else list(noted(lexicon, reading)):
            yield from notes
        elif entry.span.file not in foreign and (other := _misnamed(lexicon, reading)) is not None:
            yield other
        elif not reading.has_text:
            yield _unknown_text(lexicon, reading)
        if (less := lowered(lexicon, reading)) is not None:
            yield less
        yield from _remarks(reading, there)
    for entries in unknown.values():
        yield from _unknown(everywhere.at(entries[0]), entries)
    yield from _repeated(everywhere, [reading for reading in readings if never_read(reading.entry) is None])


def _unheard(
    lexicon: Lexicon, reading: Interpretation, labelled: Container[str], mine: Container[tuple[str, int]]
) -> Diagnostic | None:
    """The finding about an attribute that no server has, or takes this text on none; those of `labelled` files are
    labels of menus. Where the model is open, it is only said beside attributes that are of the maker: a part of a file
    that has none of `mine` may be for another one."""
    entry, maker = reading.entry, lexicon.complete_maker
    is_open = maker is not None and maker.is_model_open
    is_label = entry.span.file in labelled and not (entry.is_name and lacks_ending(lexicon, entry))
    if is_label or (is_open and entry.scope not in mine):
        return None
    return unheard_name(lexicon, entry) or unheard_text(lexicon, reading) or miswritten(lexicon, reading)


def _misnamed_module(entry: Entry) -> Diagnostic | None:
    """The finding about a list of modules of which one has a letter too many or too few in its name (E0902)."""
    table = modules()
    names = entry.text.replace("-", "_").split(",") if entry.text and entry.key[1] in table.lists else ()
    every = table.parameters.keys() | table.within.keys() | table.built_in.keys() | table.others
    for name in names if entry.interface == "argument" and not has_variable(entry.text) else ():
        is_unknown = name not in every and len(name) > LEAST_LETTERS
        if is_unknown and (near := nearest_by_letters(name, every, 1)):
            message = f"`{name}` is misspelt: it is not the name of a module in {versions_read()}"
            help_ = (f"did you mean `{near}`?",)
            return Diagnostic("E0902", message, entry.span, "unknown", (), (f"source: {table.at}",), help_)
    return None


def _by_file(readings: Sequence[Interpretation]) -> dict[str, list[Entry]]:
    """The entries of each file."""
    entries: dict[str, list[Entry]] = {}
    for reading in readings:
        entries.setdefault(reading.entry.span.file, []).append(reading.entry)
    return entries


def _misnamed(lexicon: Lexicon, reading: Interpretation) -> Diagnostic | None:
    """The finding about an attribute that is called by its label, in another group, or has a text in other capitals."""
    return (
        _in_other_letters(lexicon, reading)
        or label_for_name(lexicon, reading)
        or misplaced(lexicon, reading)
        or miswritten(lexicon, reading)
    )


def _in_other_letters(lexicon: Lexicon, reading: Interpretation) -> Diagnostic | None:
    """The finding about the name of a request that is an attribute's but for capitals or signs (E0902)."""
    entry = reading.entry
    is_own = entry.key in lexicon.spelled or entry.name in lexicon.elsewhere
    if is_own or not entry.is_request or " " in entry.name:
        return None
    names = (name for setting in reading.settings for name in lexicon.names_of(setting, ATTRIBUTE))
    near = next((name for name in names if squashed(name) == squashed(entry.name)), "")
    return _misspelt(lexicon, entry, near) if near else None


def _of_other_tools(readings: Sequence[Interpretation]) -> set[str]:
    """The files whose attributes are those of another tool: of several almost none is known."""
    known: dict[str, list[bool]] = {}
    for reading in readings:
        if reading.entry.interface == ATTRIBUTE:
            known.setdefault(reading.entry.span.file, []).append(reading.is_known)
    return {file for file, of in known.items() if len(of) >= MOST_ALONE and sum(of) * LEAST_KNOWN < len(of)}


def _is_ignored(reading: Interpretation) -> bool:
    return any(block.remark == IGNORED for block in reading.remarks)


def is_for_another(lexicon: Lexicon, entry: Entry) -> bool:
    """Whether another program than the kernel reads a word of a boot line."""
    return entry.interface == "argument" and bool(carried().reader(entry.name))


def is_unlisted(lexicon: Lexicon, reading: Interpretation) -> bool:
    """Whether nothing is known of a name, and nobody has a list of all that are like it."""
    entry = reading.entry
    is_unknown = not reading.is_known and not is_for_another(lexicon, entry) and not is_ranged(entry)
    return is_unknown and lexicon.texts_table.is_undocumented(entry.interface, entry.name)


def _slip(lexicon: Lexicon, entry: Entry) -> str:
    """The name that an unknown one is, but for a slip; "" if there is none. None is proposed that does harm."""
    if has_variable(entry.name) or is_of_another_plugin(lexicon, entry):
        return ""
    names = lexicon.names.get(entry.interface, ())
    near = nearest_by_letters(entry.name, names) or lexicon.in_other_capitals(entry)
    if not near and entry.interface == ATTRIBUTE:  # other generations have other capitals and marks
        listed = (name for maker in lexicon.makers if not maker.complete for name in maker.takes)
        capitals = [*filter(str.isupper, entry.name)]
        known = {squashed(name): name for name in listed if [*filter(str.isupper, name)] == capitals}
        near = "" if squashed(entry.name) in known else nearest_by_letters(entry.name, known.values())
    if not near and entry.interface == "sysctl":
        near = _in_its_folder(lexicon, entry.name)
    if not near and entry.interface == "sysfs":  # of one device, where the names are those of all
        folder, _, file = entry.name.rpartition("/")
        files = (path.rpartition("/") for path in names)
        mine = [other for of_all, _, other in files if of_all == re.sub("[0-9]+", "*", folder)]
        near = f"{folder}/{slip}" if (slip := nearest_by_letters(file, mine)) else ""
    is_label = entry.interface == ATTRIBUTE and " " in entry.name
    is_of_menu = is_label and squashed(near) == squashed(entry.name)
    return "" if is_of_menu or near in lexicon.texts_table.hazardous.get(entry.interface, ()) else near


def _in_its_folder(lexicon: Lexicon, name: str) -> str:
    """The sysctl that a name is whose first folder is lost, or whose first or last part has a slip; "" if there is
    none."""
    folder, dot, rest = name.partition(".")
    if not dot:
        ends = {sysctl.rpartition(".")[2]: sysctl for sysctl in reversed(lexicon.names.get("sysctl", ()))}
        return ends.get(name) or ends.get(nearest_by_letters(name, ends), "")
    root = nearest_by_letters(folder, carried().roots)
    if root and lexicon.knows("sysctl", f"{root}.{rest}"):
        return f"{root}.{rest}"
    inside = ((folder, folder.parts(name)) for folder in lexicon.texts_table.folders)
    slips = (
        (folder.path, parts[0], nearest_by_letters(parts[1], folder.names))
        for folder, parts in inside
        if parts
    )
    return next((f"{path}.{interface}.{near}" for path, interface, near in slips if near), "")


def _unknown(lexicon: Lexicon, entries: Sequence[Entry]) -> Iterator[Diagnostic]:
    """The unknown names of a file: one by one, or many of them together (W0902)."""
    first = entries[0]
    title = INTERFACES[first.interface].title
    help_ = (_help_for(lexicon, first),)
    is_firmware_unknown = first.interface == "attribute" and not lexicon.labels and not lexicon.named_makers
    if len(entries) > MOST_ALONE or (is_firmware_unknown and len(entries) > 1):
        listed = ", ".join(f"`{entry.name}`" for entry in entries[:MOST_LISTED])
        more = f" and {len(entries) - MOST_LISTED} more" if len(entries) > MOST_LISTED else ""
        message = f"{len(entries)} names were not checked: each is unknown as {title}"
        yield Diagnostic("W0902", message, first.span, "the first", (), (f"{listed}{more}",), help_)
        return
    for entry in entries:
        if (in_none := nowhere(lexicon, entry)) is not None:
            yield in_none
            continue
        near = "" if has_variable(entry.name) or entry.interface != "attribute" else likely(lexicon, entry)
        mine = (f"did you mean `{near}`?",) if near and near != entry.name else help_
        message = f"`{entry.name}` was not checked: {_why_unknown(lexicon, entry)}"
        yield Diagnostic("W0902", message, entry.span, "unknown", (), (), mine)


def _why_unknown(lexicon: Lexicon, entry: Entry) -> str:
    if has_variable(entry.name):
        return "it is a variable"
    if entry.interface == ATTRIBUTE and entry.name in lexicon.elsewhere:
        return "other servers have it, and no source says what it is here"
    return f"it is unknown as {INTERFACES[entry.interface].title}"


def _is_slip(lexicon: Lexicon, reading: Interpretation) -> bool:
    """Whether the text of an entry is a known one, but for a slip."""
    texts = [text for text in lexicon.texts(reading) if "*" not in text]
    return not reading.has_text and bool(nearest_by_letters(reading.entry.text or "", texts))


def _misspelt(lexicon: Lexicon, entry: Entry, near: str) -> Diagnostic:
    """The finding about an unknown name that is another one, but for a slip (E0902)."""
    citation = _citation(lexicon, entry.interface, near)
    return Diagnostic(
        "E0902",
        f"`{entry.name}` is misspelt: it is not the name of {INTERFACES[entry.interface].title}",
        entry.span,
        "unknown",
        notes=(source_note(citation),) if citation else (),
        help=(f"did you mean `{near}`?",),
    )


def _unknown_text(lexicon: Lexicon, reading: Interpretation) -> Diagnostic:
    """The finding about a text that is misspelt (E0902), or that the knowledge base does not have (W0903)."""
    entry, why = reading.entry, ""
    if entry.is_conditional:
        why = "it is for some servers or devices only"
    elif has_variable(entry.text):
        why = "it has a variable"
    if why:
        return Diagnostic("W0903", f"`{entry.written}` was not checked: {why}", entry.span, "not checked")
    texts, citation = lexicon.texts(reading), _citation(lexicon, entry.interface, entry.name)
    notes = (source_note(citation),) if citation else ()
    if near := nearest_by_letters(entry.text or "", [text for text in texts if "*" not in text]):
        message = f"`{entry.text}` is misspelt: `{entry.name}` has no such text"
        return Diagnostic("E0902", message, entry.span, "unknown", (), notes, (f"did you mean `{near}`?",))
    if (no_text := unheard_text(lexicon, reading)) is not None:
        return no_text
    said = f"`{entry.text}`" if entry.text is not None else "no text"
    listed = ", ".join(f"`{text}`" for text in texts[:MOST_LISTED])
    if "*" in listed and len(reading.settings) == 1:
        listed += f", where `*` is the value of `{reading.settings[0]}`"
    unknown = (
        "which other servers take, and was not checked"
        if takes_elsewhere(lexicon, entry)
        else "which is unknown and was not checked"
    )
    message = f"`{entry.name}` has {said}, {unknown}"
    return Diagnostic(
        "W0903", message, entry.span, "unknown", (), notes, (f"known: {listed}",) if listed else ()
    )


def _help_for(lexicon: Lexicon, entry: Entry) -> str:
    if entry.interface == ATTRIBUTE and not lexicon.labels:
        return "nothing is known of the firmware of this server: state its platform by `-e`"
    if entry.interface == ATTRIBUTE:
        return "the knowledge base has the attributes that are for tuning"
    return "see whether the server knows it: what reads such a file may ignore unknown names silently"


def _citation(lexicon: Lexicon, interface: str, name: str) -> Citation | None:
    """Where a name is documented."""
    for spelling in lexicon.spelled.get((interface, plain(interface, name)), ()):
        return spelling.citation
    about = lexicon.about(interface, name)
    return about[0].citation if about else None


# ------------------------------------------------------------------------------------------ remarks


def _remarks(
    reading: Interpretation, there: Mapping[tuple[str, str], Sequence[Entry]]
) -> Iterator[Diagnostic]:
    """The findings from what is said about an entry; `there` has all entries by their names."""
    for block in reading.remarks:
        entry = reading.entry
        notes = (source_note(block.citation),)
        others = [
            other
            for word in map(word_of, block.others)
            for other in there.get((block.interface, plain(block.interface, word.name)), ())
            if word.text in (None, other.text) and other.is_beside(entry)
        ]
        if block.remark == IGNORED:
            message = f"`{entry.written}` has no effect here: {block.because}"
            yield Diagnostic("W0904", message, entry.span, "ignored", (), notes, ("leave it out",))
        elif block.remark == INSECURE:
            source = f"{block.citation.source}, {block.citation.at}"
            yield insecure(entry.written, block.because, source, entry.span)
        elif block.remark == NEEDS and not others:
            message = f"`{entry.written}` lacks its counterpart: {block.because}"
            help_ = (f"add {' or '.join(f'`{name}`' for name in block.others)}, or leave it out",)
            yield Diagnostic("W0908", message, entry.span, "without effect", (), notes, help_)
        elif block.remark == IMPLIED and (same := next((e for e in others if _says_as_much(e, entry)), None)):
            message = f"`{entry.written}` is redundant: {block.because}"
            labels = (Label(same.span, "this is enough"),)
            yield Diagnostic("W0905", message, entry.span, "redundant", labels, notes, ("leave it out",))


def _says_as_much(other: Entry, entry: Entry) -> bool:
    """Whether another entry has the same text, or one of the two has none."""
    return None in (other.text, entry.text) or other.text == entry.text


# ----------------------------------------------------------------------------------------- repeated


def _is_parameter(lexicon: Lexicon, entry: Entry) -> bool:
    """Whether a word of a boot line, or an option of modprobe, is a parameter of a module, which has one text."""
    return entry.interface == "argument" and "." in entry.name and not is_for_another(lexicon, entry)


def _repeated(lexicon: Lexicon, readings: Sequence[Interpretation]) -> Iterator[Diagnostic]:
    """Entries that are there twice: alike (W0905), or with different texts (E0906)."""
    first: dict[tuple[tuple[str, int], tuple[str, str], tuple[str, ...]], Interpretation] = {}
    for reading in readings:
        entry = reading.entry
        before = first.setdefault((entry.scope, entry.key, entry.conditions), reading)
        may_repeat = any(block.remark == REPEATABLE for block in reading.remarks)
        is_conditional = entry.is_conditional or before.entry.is_conditional
        is_parameter = _is_parameter(lexicon, entry)
        is_judged = reading.is_known or is_parameter
        if before is reading or may_repeat or is_conditional or not is_judged:
            continue
        # Of two texts of a file of the kernel or a parameter the last one counts, and of an attribute in a list, where
        # it is no step of a command; another argument that is no setting here may be repeated.
        is_listed = entry.interface == ATTRIBUTE and not entry.path
        is_last = is_parameter or is_listed or entry.interface in ("sysctl", "sysfs")
        is_written = is_last and not has_variable(f"{entry.text} {before.entry.text}")
        is_alike = before.entry.text == entry.text or _are_alike(before, reading)
        if not (reading.settings or is_alike or is_written):
            continue
        labels = (Label(before.entry.span, "first here"),)
        if is_alike:
            message = f"`{entry.written}` is redundant: it is there twice"
            yield Diagnostic("W0905", message, entry.span, "again", labels, (), ("leave one of them out",))
        else:
            message = f"`{entry.written}` contradicts `{before.entry.short}`: one name has two texts"
            yield Diagnostic("E0906", message, entry.span, "another text", labels, (), ("keep one of them",))


def _are_alike(first: Interpretation, second: Interpretation) -> bool:
    """Whether two entries set the same, perhaps in other texts, as with another unit."""
    values, others = ({value[:2] for value in reading.values} for reading in (first, second))
    return bool(values) and values == others


# ---------------------------------------------------------------------------------- values, one by one


def unavailable(lexicon: Lexicon, stated: Stated) -> Diagnostic | None:
    """The finding about a value that this server does not offer (W0904, W0910); None if it does."""
    knowledge, setting, value, entry = lexicon.knowledge, stated.setting, stated.value, stated.entry
    offer = lexicon.offers.get(setting)
    if offer is None:
        return _not_offered(lexicon, stated)
    if knowledge.variables[setting].listed(offer.values, value):
        return None
    return Diagnostic(
        "W0904",
        f"`{entry.written}` has no known effect here: `{setting}` cannot be {value}",
        entry.span,
        "not offered",
        notes=(f"offered: {', '.join(offer.values)}", source_note(offer.citation)),
        help=("leave it out, or state by `-e` what the server is",),
    )


def _not_offered(lexicon: Lexicon, stated: Stated) -> Diagnostic:
    """The finding about a setting without an offer here: absent by a source (W0904), or not covered (W0910)."""
    setting, entry = stated.setting, stated.entry
    where, lacks = covered(lexicon.knowledge, setting), absent(lexicon.knowledge, setting, lexicon.bits)
    if lacks is not None:
        return Diagnostic(
            "W0904",
            f"`{entry.written}` has no effect here: this server has no `{setting}`",
            entry.span,
            ABSENT,
            notes=(source_note(lacks), f"available where: {where}"),
            help=("leave it out, or state by `-e` what the server is",),
        )
    return Diagnostic(
        NOT_COVERED,
        f"`{entry.written}` is not checked: no source says whether this server has `{setting}`",
        entry.span,
        "not covered here",
        notes=(f"covered where: {where}", source_note(stated.citation)),
        help=("state by `-e` what the server is, or see whether the server knows it",),
    )


def default_again(lexicon: Lexicon, stated: Stated) -> Diagnostic | None:
    """The finding about a value that is the default already (W0905)."""
    offer, entry = lexicon.offers[stated.setting], stated.entry
    is_open = entry.is_label or has_variable(entry.written)  # a list of BIOS settings has all of them
    if is_open or stated.reading.is_collection or not offer.default or offer.default != stated.value:
        return None
    return Diagnostic(
        "W0905",
        f"`{entry.written}` is redundant: it is the default",
        entry.span,
        "the default",
        notes=(source_note(offer.citation),),
        help=("leave it out, unless something else may change it",),
    )
