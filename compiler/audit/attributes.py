"""What is wrong with attributes that no server has, or not so: a name, a text, or the path by which a command names
one.

That a name or a text is not in the sources of this very server says little; that it is in none of any server's says
that it is wrong, if the maker's table is complete for this server (`makers`).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from setpoint.compiler.audit.model import Interpretation, source_note
from setpoint.compiler.audit.recognise import Lexicon
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.entries.makers import BETWEEN, Maker, is_among
from setpoint.compiler.entries.model import ATTRIBUTE, Entry
from setpoint.compiler.entries.templates import has_variable
from setpoint.compiler.knowledge.lookup import squashed

MOST_LISTED = 12
"""How many texts a message lists."""

LEAST_CHOICES = 2
"""How many texts an attribute takes of which all are known: a server that shows one alone offers no choice."""

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
"""The words of which a name is made."""

SIGNS = re.compile(r"[^A-Za-z0-9]+")
MIXED = re.compile(r"[A-Z]+[a-z]+\w*?[A-Z]\w*")
"""A name such as `TurboMode`, which no menu has."""

MOST_LISTS = 32
"""Of how many lists of names it is remembered what most of them have."""

LEAST_ALIKE = 0.6
"""Which part of the words of two names both must have, for one to be suggested in place of the other."""


def are_labels(entries: Iterable[Entry]) -> bool:
    """Whether the attributes of a file are written as menus have them: one of them has a blank."""
    return any(entry.interface == ATTRIBUTE and not entry.is_name and " " in entry.name for entry in entries)


def _is_of_tool(entry: Entry) -> bool:
    """Whether only a tool calls an attribute so, which may have words of its own for texts as well."""
    return bool(entry.path) and not entry.path.endswith(f".{entry.name}")


def unheard_name(lexicon: Lexicon, entry: Entry) -> Diagnostic | None:
    """The finding about a name that no server of the maker has (W0913); None if that is not known."""
    if entry.interface != ATTRIBUTE or not IDENTIFIER.fullmatch(entry.name):
        return None
    maker = lacks_ending(lexicon, entry)
    may_complete = maker is not None and maker.is_completed and _is_rare(maker.ending, lexicon.shown.names)
    if (is_short := is_foreign(lexicon, entry) and not may_complete) and maker is not None:
        near, why = _with_ending(lexicon, maker, entry), maker.ends
    else:
        maker = lexicon.complete_maker or next((m for m in lexicon.makers if entry.name in m.lacks), None)
    if maker is None or entry.name in maker.takes or _is_of_tool(entry) or has_variable(entry.name):
        return None
    if not is_short:
        others = "of this maker" if maker.is_model_open and entry.name not in maker.lacks else "like this"
        why = f"other servers have it, and none {others}"
        if entry.name not in lexicon.elsewhere:
            why = f"no known server {others} has it"
        near = likely(lexicon, entry)
    if not near and entry.name.islower() and not any(map(str.islower, maker.takes)):
        return None  # a key beside the attributes, which are written otherwise
    help_ = f"did you mean `{near}`?" if near else "leave it out, or see what the menu of the server calls it"
    message, label = f"`{entry.name}` is no attribute here: {why}", "known of no server"
    return Diagnostic("W0913", message, entry.span, label, notes=(maker.source,), help=(help_,))


def lacks_ending(lexicon: Lexicon, entry: Entry) -> Maker | None:
    """The maker all of whose names have an ending that an entry's lacks; None if there is none."""
    return next((maker for maker in lexicon.makers if not has_ending(maker.ending, entry.name)), None)


def is_foreign(lexicon: Lexicon, entry: Entry) -> bool:
    """Whether a name, which is no label, cannot be one of the maker's, all of whose names have an ending."""
    is_name = entry.is_name or bool(MIXED.fullmatch(entry.name))
    return is_name and lacks_ending(lexicon, entry) is not None


def has_ending(ending: str, name: str) -> bool:
    """Whether a name ends as all names of a maker do, "" for any."""
    return not ending or bool(re.search(f"{ending}$", name))


@lru_cache(maxsize=MOST_LISTS)
def _is_rare(ending: str, names: frozenset[str]) -> bool:
    """Whether fewer than half of the names of a list have an ending."""
    return 2 * sum(has_ending(ending, name) for name in names) < len(names)


def _with_ending(lexicon: Lexicon, maker: Maker, entry: Entry) -> str:
    """The first name of another server that begins with a name, and ends as all of the maker do; "" if none does."""
    named = (name for name in lexicon.elsewhere if has_ending(maker.ending, name))
    return min((name for name in named if squashed(name).startswith(squashed(entry.name))), default="")


def unheard_text(lexicon: Lexicon, reading: Interpretation) -> Diagnostic | None:
    """The finding about a text that no server of the maker takes (W0913); None if that is not known."""
    entry = reading.entry
    if entry.interface != ATTRIBUTE or entry.is_conditional or has_variable(entry.text):
        return None
    settled = next((maker for maker in lexicon.makers if entry.name in maker.settled), None)
    maker = settled or lexicon.complete_maker
    if maker is None or (_is_of_tool(entry) and (settled is None or maker.groups)):
        return None
    listed = maker.takes.get(entry.name, frozenset())
    texts = listed.union(lexicon.texts(reading))
    is_bounded = any(BETWEEN in text for text in texts)
    is_open = not is_bounded and (len(listed) < LEAST_CHOICES or any("*" in text for text in texts))
    is_of_any_model = is_bounded or settled is not None or entry.name in maker.narrowed
    if maker.is_model_open and not is_of_any_model:  # numbers are of one model, and which this is nobody says
        is_open |= takes_elsewhere(lexicon, entry) or (_has_digit(entry.text) and any(map(_has_digit, texts)))
    if is_open or is_among(entry.text, texts.union(maker.takes)):  # a table of names has names as texts
        return None
    taken = ", ".join(f"`{text}`" for text in sorted(texts)[:MOST_LISTED])
    others = "of this maker" if maker.is_model_open and not maker.lacks else "like this"
    return Diagnostic(
        "W0913",
        f"`{entry.name}` does not take `{entry.text}` on any known server {others}",
        entry.span,
        "taken by no server",
        notes=(f"taken: {taken}", maker.source),
        help=("write what is meant as the server has it, or leave it out",),
    )


def miswritten(lexicon: Lexicon, reading: Interpretation) -> Diagnostic | None:
    """The finding about a text in other capitals than those that the maker's service takes (E0907).

    Commands and notes may have any; requests are compared as they stand, and so are a maker's `exact_names`.
    """
    entry, text = reading.entry, reading.entry.text or ""
    maker = next((maker for maker in lexicon.makers if maker.exact and entry.name in maker.takes), None)
    if maker is None or entry.is_conditional:
        return None
    if not (re.fullmatch(maker.exact_names, entry.name) if maker.exact_names else entry.is_request):
        return None
    texts = maker.takes[entry.name].union(lexicon.texts(reading))
    alike = sorted(taken for taken in texts if squashed(taken) == squashed(text))
    if not alike or any(SIGNS.sub("", taken) == SIGNS.sub("", text) for taken in alike):
        return None
    message = f"`{entry.name}` does not take `{text}`: capitals count there"
    return _not_so(entry, message, "not taken", f"source: {maker.exact}", f"did you mean `{alike[0]}`?")


def _has_digit(text: str | None) -> bool:
    return any(letter.isdigit() for letter in text or "")


def label_for_name(lexicon: Lexicon, reading: Interpretation) -> Diagnostic | None:
    """The finding about a label of the menu where only the name of an attribute is taken (E0907)."""
    entry = reading.entry
    is_name = entry.is_name and entry.interface == ATTRIBUTE and not _is_of_tool(entry)
    if not is_name or len(reading.settings) != 1:
        return None
    names = lexicon.names_of(reading.settings[0], ATTRIBUTE)
    if (
        not names
        or entry.name in lexicon.elsewhere
        or any(squashed(n) == squashed(entry.name) for n in names)
    ):
        return None
    citation = next(iter(lexicon.spelled[(ATTRIBUTE, names[0])])).citation
    message = f"`{entry.name}` is not the name of the attribute: it is what menus call `{names[0]}`"
    return _not_so(entry, message, "not taken", source_note(citation), f"write `{names[0]}`")


def misplaced(lexicon: Lexicon, reading: Interpretation) -> Diagnostic | None:
    """The finding about a command that names an attribute in another group than that which has it (E0907)."""
    entry = reading.entry
    if not entry.path or _is_of_tool(entry):
        return None
    ending = f".{entry.name}".lower()
    spelled = [
        spelling
        for setting in reading.settings
        for spelling in lexicon.knowledge.spellings[setting]
        if spelling.interface != ATTRIBUTE and spelling.names[0].lower().endswith(ending)
    ]
    if not spelled:
        return _in_another_group(lexicon, entry)
    if entry.path.lower() in (name.lower() for spelling in spelled for name in spelling.names):
        return None
    here = lexicon.names_of(spelled[0].setting, spelled[0].interface)
    message = f"`{entry.path}` does not exist: the attribute is in another group"
    advice = f"write `{(*here, *spelled[0].names)[0]}`"
    return _not_so(entry, message, "no such attribute", source_note(spelled[0].citation), advice)


def _in_another_group(lexicon: Lexicon, entry: Entry) -> Diagnostic | None:
    """The finding about an attribute that is no setting, and that no server of the maker has in this group (E0907)."""
    parts = entry.path.split(".")
    for maker in lexicon.makers:
        group = next((group for group, names in maker.groups.items() if entry.name in names), "")
        is_other = len(parts) > 2 and parts[-2].lower() != group.lower()
        known = {name.lower() for name in maker.groups}
        if not is_other or not (group or (maker.complete and known and parts[-2].lower() not in known)):
            continue
        why = "the attribute is in another group" if group else "there is no such group"
        help_ = (
            f"write `{'.'.join((*parts[:-2], group, entry.name))}`"
            if group
            else "write the group of the attribute"
        )
        message = f"`{entry.path}` does not exist: {why}"
        return _not_so(entry, message, "no such attribute", maker.source, help_)
    return None


def _not_so(entry: Entry, message: str, label: str, note: str, advice: str) -> Diagnostic:
    return Diagnostic("E0907", message, entry.span, label, notes=(note,), help=(advice,))


def likely(lexicon: Lexicon, entry: Entry) -> str:
    """The attribute that is most likely meant by an unknown name; "" if none is alike."""
    listed = (name for maker in lexicon.makers for name in maker.takes)
    return nearest(entry.name, (*lexicon.names.get(ATTRIBUTE, ()), *listed))


def takes_elsewhere(lexicon: Lexicon, entry: Entry) -> bool:
    """Whether an attribute takes a text on other servers."""
    listed = [maker.takes.get(entry.name, frozenset()) for maker in lexicon.makers]
    texts = lexicon.elsewhere.get(entry.name, frozenset()).union(*listed)
    return entry.interface == ATTRIBUTE and squashed(entry.text or "") in map(squashed, texts)


def nearest(name: str, names: Sequence[str]) -> str:
    """The name that is made of most of the same words; "" if none is alike."""
    words = _words(name)
    best, near = 0.0, ""
    for other in names:
        others = _words(other)
        alike = len(words & others) / (len(words | others) or 1)
        if alike > best:
            best, near = alike, other
    return near if best >= LEAST_ALIKE else ""


def _words(name: str) -> set[str]:
    return {part.lower() for part in PART.findall(name)}
