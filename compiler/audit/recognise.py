"""What the entries of a file mean: the spellings of the knowledge base, read from text to value.

A name belongs to the settings that are spelt so here. Its text is then that of one of their values, or has a number or
a list where a spelling has `*`. Words of `words` blocks mean a value, or are known without one. In a list of BIOS
settings a name may also be the label of a menu, and a text the label of a value.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import chain
from types import MappingProxyType

from setpoint.compiler.audit.model import Interpretation
from setpoint.compiler.audit.ranges import Kernel, ranges
from setpoint.compiler.audit.texts import Grammar, Texts, texts
from setpoint.compiler.binding.context import Context
from setpoint.compiler.diagnostics.slips import nearest
from setpoint.compiler.entries.makers import (
    Maker,
    ShownMaker,
    all_attributes,
    is_among,
    makers_of,
    others_with,
)
from setpoint.compiler.entries.model import ATTRIBUTE, Entry, plain
from setpoint.compiler.knowledge.boxes import ANY, holds
from setpoint.compiler.knowledge.interfaces import SpelledText
from setpoint.compiler.knowledge.lookup import meant, setting_phrases, squashed, value_phrases
from setpoint.compiler.knowledge.model import Citation, Knowledge, KnownWords, Offer, Spelling
from setpoint.compiler.knowledge.quantity import Numbers, WrongQuantityError
from setpoint.compiler.knowledge.remarks import IGNORED, INSECURE, QUALIFIED, KnownWord
from setpoint.compiler.knowledge.sysctls import sysctls
from setpoint.compiler.knowledge.variable import Variable
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.resolution.ground import offers_here
from setpoint.compiler.resolution.spellings import spellings_here

ANY_END = "*"
"""What ends a name that stands for all names with its beginning."""

MOST_COMPARED, SLIP = 8, 0.9
"""How many names are compared with all that are known, and which part of the letters of two is the same if one is the
other, misspelt."""

ALTERNATIVES = "|"
"""Between alternatives, of which an interface takes the first that it has."""


class Lexicon(NamedTuple):
    """The words of the interfaces of a server.

    `spelled` has the spellings in force for each name, and `words` the blocks that apply; `patterns` has for each
    interface the beginnings of names, each with its block. `texts_table` says what words take, `kernel` which versions
    the server can have. `names` are those that an interface is known to have. `offers` are the settings that the server
    has, `bits` its facts, and `labels` what menus call those of the firmware. `read_makers` reads those of the server,
    once, by what is `shown` of them in the files, of which `parts` has the same for each part. `elsewhere` has the
    attributes of the settings of any server, with their texts.
    """

    knowledge: Knowledge
    spelled: dict[tuple[str, str], list[Spelling]]
    words: dict[tuple[str, str], list[KnownWords]]
    patterns: dict[str, list[tuple[str, KnownWords]]]
    names: dict[str, tuple[str, ...]]
    offers: dict[str, Offer]
    bits: dict[str, int]
    labels: dict[str, frozenset[str]]
    texts_table: Texts
    read_makers: Callable[[ShownMaker], tuple[Maker, ...]]
    elsewhere: dict[str, frozenset[str]]
    kernel: Kernel
    shown: ShownMaker = ShownMaker()
    parts: Mapping[tuple[str, int], ShownMaker] = MappingProxyType({})

    def at(self, entry: Entry) -> "Lexicon":
        """The words for the part of a file that an entry is in: a file may be for the servers of several makers."""
        here = self._replace(shown=self.parts.get(entry.scope, self.shown))
        is_maker_stated = bool(self.read_makers(ShownMaker()))
        return self if is_maker_stated or not here.makers else here

    def by_maker(self, entries: Iterable[Entry]) -> Iterable[tuple[Maker, list[Entry]]]:
        """The makers of the servers that files are for, each with the attributes for its servers, but others' own."""
        grouped: dict[str, tuple[Maker, list[Entry]]] = {}
        for entry in (entry for entry in entries if entry.interface == ATTRIBUTE):
            for maker in (mine for mine in self.at(entry).makers if not others_with(entry.name, mine)):
                grouped.setdefault(maker.title, (maker, []))[1].append(entry)
        return grouped.values()

    @property
    def makers(self) -> tuple[Maker, ...]:
        """The makers of the server. Their table is read when an attribute asks for it."""
        return self.read_makers(self.shown)

    @property
    def named_makers(self) -> tuple[Maker, ...]:
        """The makers that facts or the names of attributes show, and not only what else is in the files."""
        return self.read_makers(self.shown._replace(mark=""))

    @property
    def complete_maker(self) -> Maker | None:
        """The maker of which all attributes of the server are known; None if there is none."""
        return next((maker for maker in self.makers if maker.complete), None)

    def names_of(self, setting: str, interface: str) -> tuple[str, ...]:
        """What an interface of the server calls a setting."""
        return tuple(
            name
            for (of, name), spellings in self.spelled.items()
            if of == interface and any(o.setting == setting for o in spellings)
        )

    def grammar(self, entry: Entry) -> Grammar | None:
        """What the name of an entry takes as text; None if that is not known."""
        grammar = self.texts_table.grammar(*entry.key)
        if grammar is None or not grammar.when:
            return grammar
        fact, _, value = grammar.when.partition(" ")
        return grammar if self.bits.get(fact, 0) & self.knowledge.variables[fact].bit(value) else None

    def has_exactly(self, reading: Interpretation) -> bool:
        """Whether the knowledge base has an entry with just its text."""
        entry = reading.entry
        return bool(reading.values) or any(
            _is_exactly(block, entry) for block in self.about(entry.interface, entry.name)
        )

    def texts(self, reading: Interpretation) -> list[str]:
        """The texts that the name of an entry is known to have: those of its interface, else those of the menu."""
        entry = reading.entry
        spelled = [
            text
            for spelling in self.spelled.get(entry.key, ())
            for text in _texts_of(spelling, self.knowledge.variables[spelling.setting])
        ]
        words = [word for block in self.about(entry.interface, entry.name) for word in block.words]
        own_texts = [text.text for text in spelled if text.text and not text.is_absent]
        own_texts += [word.text for word in words if word.text and _is_name(word, entry)]
        labels = [label for s in reading.settings if s in self.offers for label in self.offers[s].labels]
        return list(dict.fromkeys(own_texts or filter(None, labels)))

    def knows(self, interface: str, name: str) -> bool:
        """Whether an interface has a name."""
        key = (interface, plain(interface, name))
        grammar = self.texts_table.grammar(*key)
        return (
            key in self.spelled
            or (grammar is not None and not grammar.when)
            or bool(self.about(interface, name))
        )

    def heard(self, names: Iterable[str]) -> frozenset[str]:
        """Those of some names that are an attribute's, or a menu's word for one, on any server; of few names but for a
        slip."""
        names = frozenset(names)
        settings = self.knowledge.settings
        phrases = setting_phrases(self.knowledge).items()
        of_menus = {
            squashed(p) for name, labels in phrases if settings[name].layer == "firmware" for p in labels
        }
        known = of_menus.union(map(squashed, self.elsewhere), map(squashed, all_attributes()))
        heard = {n for n in names if known.intersection(map(squashed, (n, *re.split(r"[(\[]", n))))}
        few = names if len(names) <= MOST_COMPARED and not heard else ()
        return frozenset(heard or (name for name in few if nearest(squashed(name), known, SLIP)))

    def is_of_other_systems(self, entry: Entry) -> bool:
        """Whether other systems than this one have a name of Linux."""
        of = entry.interface
        several = (
            s for spellings in self.knowledge.spellings.values() for s in spellings if s.interface == of
        )
        words = (word for block in self.knowledge.words if block.interface == of for word in block.words)
        names = chain((name for s in several for name in s.names), (word.name for word in words))
        return of != ATTRIBUTE and any(plain(of, name) == entry.key[1] for name in names)

    def about(self, interface: str, name: str) -> list[KnownWords]:
        """The blocks that have a name among their words, by itself or by its beginning."""
        name = plain(interface, name)
        begun = [block for start, block in self.patterns.get(interface, ()) if name.startswith(start)]
        return [*self.words.get((interface, name), ()), *begun]

    def read(self, entry: Entry) -> Interpretation:
        """What an entry means; its text in the form that spellings have it."""
        if entry.path and not self.knows(entry.interface, entry.name):
            entry = entry._replace(name=self._written_otherwise(entry.name, self.elsewhere) or entry.name)
        grammar = self.grammar(entry)
        if grammar is None or not grammar.accepts(entry.text):
            read = self._listed(self._read(entry))
            return read._replace(is_known=read.is_known or (grammar is not None and not grammar.when))
        read = self._read(entry._replace(text=grammar.canonical(entry.text)))
        if grammar.when and not read.is_known:
            read = self._listed(read)  # whether this server has the name is for the sources that cover it
            return read._replace(entry=entry)
        is_compared = not (entry.is_conditional and entry.interface == "tuned")  # and not for some devices
        has_text = read.has_text or (grammar.is_complete and is_compared)
        return read._replace(entry=entry, is_known=True, has_text=has_text)

    def in_other_capitals(self, entry: Entry) -> str:
        """The attribute that an unknown name is but for capitals, where these matter; "" if there is none."""
        others = self.elsewhere if self.makers and not self.complete_maker else ()
        return self._written_otherwise(entry.name, others) if entry.is_request else ""

    def _written_otherwise(self, name: str, others: Iterable[str]) -> str:
        """The attribute that is a name but for capitals, which commands do not tell apart; "" if there is none.
        `others` are those of any server."""
        listed = (name for maker in self.makers for name in maker.takes)
        known = {*self.names.get(ATTRIBUTE, ()), *others, *listed}
        return (
            ""
            if name in known
            else min((other for other in known if other.lower() == name.lower()), default="")
        )

    def _listed(self, read: Interpretation) -> Interpretation:
        """What an entry means: an attribute that servers of the maker have is known, and so are the texts that they
        take. Of a name that is a setting of some servers that is not said, unless only the maker of this one is
        known, or the name is here for a remark alone."""
        entry = read.entry
        if entry.interface != ATTRIBUTE or read.has_text or entry.is_conditional:
            return read
        is_elsewhere = entry.name in self.elsewhere and bool(read.settings or not read.is_known)
        makers = [maker for maker in self.makers if maker.is_model_open or not is_elsewhere]
        listed = [maker.takes[entry.name] for maker in makers if entry.name in maker.takes]
        if not listed:
            return read
        has_text = any(not texts or is_among(entry.text, texts) for texts in listed)
        return read._replace(is_known=True, has_text=has_text)

    def _read(self, entry: Entry) -> Interpretation:
        about = self.about(entry.interface, entry.name)
        said = [block for block in about if any(_is_word(word, entry) for word in block.words)]
        remarks = tuple(block for block in said if block.remark)
        settings = tuple(dict.fromkeys(spelling.setting for spelling in self.spelled.get(entry.key, ())))
        is_no_value = any(not b.means and not b.remark and _is_exactly(b, entry) for b in said)
        spelled = [] if is_no_value else self._spelled(entry)
        values = [*spelled, *(v for block in said for v in self._meanings(block, entry))]
        if entry.is_label and not settings and not about:
            settings, values = self._labelled(entry)
        has_text = bool(values) or any(_has_text(block, entry) for block in said)
        if any(block.remark == QUALIFIED and _follows(entry, block) for block in remarks):
            values = []
        if entry.is_conditional:
            values, remarks, has_text = [], (), False
        return Interpretation(
            entry, tuple(dict.fromkeys(values)), bool(settings or about), has_text, remarks, settings
        )

    def _spelled(self, entry: Entry) -> Iterator[tuple[str, str, Citation]]:
        for spelling in self.spelled.get(entry.key, ()):
            variable = self.knowledge.variables[spelling.setting]
            value = value_of(spelling, variable, entry.text)
            if not value and entry.is_label:
                value = next(
                    (t.value for t in spelling.texts if t.text and _is_alike(t.text, entry.text)), ""
                )
            if value:
                yield spelling.setting, value, spelling.citation

    def _meanings(self, block: KnownWords, entry: Entry) -> Iterator[tuple[str, str, Citation]]:
        texts = [word.text or "" for word in block.words if _is_word(word, entry)]
        for setting, value in block.means:
            variable = self.knowledge.variables[setting]
            parts = (quantity(variable, pattern_part(text, entry.text or "")) for text in texts)
            read = next((part for part in parts if part), "") if value == ANY else value
            if read:
                yield setting, read, block.citation

    # ------------------------------------------------------------------------------- words of menus

    def _labelled(self, entry: Entry) -> tuple[tuple[str, ...], list[tuple[str, str, Citation]]]:
        """The setting that a menu calls so, and the value; without a value if its label is unknown."""
        asked = {squashed(entry.name), squashed(entry.name.partition("(")[0])} - {""}
        names = [setting for setting, texts in self.labels.items() if asked & texts]
        if len(names) != 1:
            return (), []
        (setting,), offer = names, self.offers[names[0]]
        spelled = [s for spellings in self.spelled.values() for s in spellings if s.setting == setting]
        variable = self.knowledge.variables[setting]
        values = [value_of(s, variable, entry.text) for s in spelled if s.interface == entry.interface]
        value = next((v for v in values if v), "") or self._value_labelled(setting, offer, entry.text or "")
        return (setting,), [(setting, value, offer.citation)] if value else []

    def _value_labelled(self, setting: str, offer: Offer, text: str) -> str:
        variable = self.knowledge.variables[setting]
        phrases = {v: t for v, t in value_phrases(self.knowledge, setting).items() if v in offer.values}
        values = meant(text, phrases)
        if len(values) == 1:
            return values[0]
        return "" if values else quantity(variable, text)


def lexicon(knowledge: Knowledge, context: Context) -> Lexicon:
    """The words of the server that a context describes. Raises SetpointError (E0304)."""
    bits = context.bits(knowledge)
    spelled: dict[tuple[str, str], list[Spelling]] = {}
    words: dict[tuple[str, str], list[KnownWords]] = {}
    patterns: dict[str, list[tuple[str, KnownWords]]] = {}
    names = ranges().names()
    names.setdefault("sysctl", set()).update(row.name for row in sysctls()[1] if "*" not in row.name)
    for setting in knowledge.spellings:
        for spelling in spellings_here(knowledge, setting, bits, context.intent(knowledge)):
            names.setdefault(spelling.interface, set()).update(spelling.names)
            for name in spelling.names:
                spelled.setdefault((spelling.interface, plain(spelling.interface, name)), []).append(spelling)
    for block in knowledge.words:
        if holds(block.when, bits):
            for name in dict.fromkeys(plain(block.interface, word.name) for word in block.words):
                if name.endswith(ANY_END):
                    patterns.setdefault(block.interface, []).append((name.removesuffix(ANY_END), block))
                else:
                    words.setdefault((block.interface, name), []).append(block)
            named = (word.name for word in block.words if not word.name.endswith(ANY_END))
            names.setdefault(block.interface, set()).update(named)
    offers = offers_here(knowledge, bits, context)
    known = {interface: tuple(sorted(group)) for interface, group in names.items()}
    system = context.facts.get(ranges().fact)
    return Lexicon(
        knowledge,
        spelled,
        words,
        patterns,
        known,
        offers,
        bits,
        _labels_of(knowledge, offers),
        texts(),
        cache(partial(makers_of, knowledge, bits, frozenset(context.facts), bool(context.members))),
        _texts_of_attributes(knowledge),
        ranges().kernel(knowledge, system),
    )


def _labels_of(knowledge: Knowledge, offered: Container[str]) -> dict[str, frozenset[str]]:
    """What people call each setting of the firmware that is offered, in small letters without spaces."""
    return {
        name: frozenset(map(squashed, phrases))
        for name, phrases in setting_phrases(knowledge).items()
        if name in offered and knowledge.settings[name].layer == "firmware"
    }


def _texts_of_attributes(knowledge: Knowledge) -> dict[str, frozenset[str]]:
    """The texts that each attribute has on any server."""
    by_name: dict[str, set[str]] = {}
    for spelling in (spelling for several in knowledge.spellings.values() for spelling in several):
        for name in spelling.names if spelling.interface == ATTRIBUTE else ():
            said = (t.text for t in _texts_of(spelling, knowledge.variables[spelling.setting]) if t.text)
            by_name.setdefault(name, set()).update(said)
    for block in (block for block in knowledge.words if block.interface == ATTRIBUTE):
        for word in block.words:
            by_name.setdefault(word.name, set()).update([word.text] if word.text else ())
    return {name: frozenset(said) for name, said in by_name.items()}


# ------------------------------------------------------------------------------------------- texts


def value_of(spelling: Spelling, variable: Variable, text: str | None) -> str:
    """The value that a text spells; "" if it spells none."""
    said = text or ""
    texts = _texts_of(spelling, variable)
    if exact := next((t.value for t in texts if t.text == said and not t.is_absent and t.value != ANY), ""):
        return exact
    patterns = [t.text for t in texts if t.value == ANY and t.text and not t.is_absent]
    for pattern in patterns:
        if value := quantity(variable, pattern_part(pattern, said)):
            return value
    first = [t.value for t in texts if t.text and not t.is_absent and _is_one_of(said, t.text)]
    return first[0] if first else ""


def _texts_of(spelling: Spelling, variable: Variable) -> Iterable[SpelledText]:
    if spelling.texts:
        return spelling.texts
    named = [SpelledText(value, value, is_absent=False) for value in variable.words]
    return [*named, *([SpelledText(ANY, "*", is_absent=False)] if variable.scale is not None else [])]


def _is_one_of(said: str, text: str) -> bool:
    """Whether a text is the first of alternatives, or a later one."""
    return bool(said) and said in text.split(ALTERNATIVES)


def pattern_part(pattern: str, text: str) -> str:
    """What stands in a text where a pattern has `*`; "" if it does not fit."""
    before, star, after = pattern.partition("*")
    fits = star and text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after)
    return text[len(before) : len(text) - len(after)] if fits else ""


def quantity(variable: Variable, text: str) -> str:
    """The number or list of CPUs that a text is, without or with its unit; "" if it is none, or out of bounds."""
    if not text or variable.scale is None:
        return text if text in variable.words else ""
    unit = variable.scale.unit if isinstance(variable.scale, Numbers) else ""
    for form in dict.fromkeys((f"{text}{unit}", text)):
        try:
            return variable.scale.canonical(form)
        except WrongQuantityError:
            continue
    return ""


def _is_name(word: KnownWord, entry: Entry) -> bool:
    known, name = plain(entry.interface, word.name), entry.key[1]
    return name.startswith(known.removesuffix(ANY_END)) if known.endswith(ANY_END) else name == known


def _is_word(word: KnownWord, entry: Entry) -> bool:
    """Whether an entry is this word: the name, and the text if it has one."""
    if not _is_name(word, entry):
        return False
    if word.text is None or word.text == (entry.text or ""):
        return True
    return "*" in word.text and bool(pattern_part(word.text, entry.text or ""))


def _has_text(block: KnownWords, entry: Entry) -> bool:
    """Whether a block says that the name of an entry can have this text, and not only something about it."""
    if block.means:
        return False
    is_about_any = block.remark in ("", IGNORED, INSECURE)
    return any(_is_word(word, entry) and (word.text is not None or is_about_any) for word in block.words)


def _is_exactly(block: KnownWords, entry: Entry) -> bool:
    """Whether a block has an entry's word with just its text, which then is nothing that a spelling has `*` for."""
    return any(
        _is_word(word, entry) and word.text is not None and "*" not in word.text for word in block.words
    )


def _follows(entry: Entry, block: KnownWords) -> bool:
    return any(other.name in block.others for other in entry.after)


def _is_alike(text: str, said: str | None) -> bool:
    """Whether two texts of a menu differ in case, spaces and punctuation only."""
    return bool(said) and squashed(text) == squashed(said or "")
