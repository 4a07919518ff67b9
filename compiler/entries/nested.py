"""BIOS settings in lists: NAME = VALUE, NAME: VALUE, a table, or what YAML and the like have below a key for
attributes.

A list has settings alone. A file that does more, such as a playbook, has them below a key: `attributes`, `settings`, or
one that names the firmware. What is beside that says when they are set, or on which servers. Some have a pair of keys
for each: a name, and a value.
"""

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from itertools import pairwise

from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.entries.blocks import indent_of
from setpoint.compiler.entries.carried import carried
from setpoint.compiler.entries.commands import BODY, BODY_PAIR, FIRMWARE, Found, entry
from setpoint.compiler.entries.guides import bare, rows_of_values
from setpoint.compiler.entries.lines import line_span
from setpoint.compiler.entries.makers import all_attributes
from setpoint.compiler.entries.model import Entry

RULE = re.compile(r"[\s|:-]*")
QUOTED = re.compile(r"""[^"=:|]*"([\w .()/-]{1,200}?)\s*[=:](?!//)\s*([^"]*)"[^"=:|]*""")
"""A line of a note with a setting in quotes: its name and its value."""
PAIR = re.compile(
    r"""[ \t]*+(?P<code>(?:[$\w][\w.:!$ \t]{0,100}(?<!get)(?<!pop)(?<!print)(?<!log))?[({\[])?[ \t]*(["'])(?P<name>[\w. -]{1,200})\2(?:\.\w+\(\))?\]?[ \t]*(?::|(?P<mark>,|=>|->|to(?=[ \t]))|=(?!=))[ \t]*(?:[`&@]?[A-Za-z][\w.:!]{0,60}[( ][ \t]*)?(?:"(?P<text>[^"]*)"|'(?P<quoted>[^']*)'|(?P<word>\d+|true|false)(?!\w|\.\d))[^"'|#=]{0,80}(?:(?:#|//|--|\(\*)[^"'|]*)?"""
)
"""A line of a program with a name and a value: an item, what is handed to a function, or an entry of a map."""

EXPRESSION = re.compile(
    r"""(?!(?:true|false|null)\b)[A-Za-z_$](?:[^"'#,;]*[,;]|[\w.]*(?:[(\[].*|[ \t]*(?:\|\||\?\?|\?|\bor\b|\bif\b).*))"""
)
"""What a program has for a value that it finds out: a name behind which the list goes on, a call, or alternatives."""
OF_LABELS = re.compile(r"\b(?:match|switch|case)\b|label|transl|tooltip", re.IGNORECASE)
"""What is above the names of attributes where a program says what people call them, or asks for one."""

WIDE = str.maketrans("：＝", ":=")
"""Marks as guides in Chinese and Japanese have them between names and values."""
KEY_OF_ATTRIBUTES = r"(?:[\w.-]{0,60}(?:bios|firmware|service|overridden)[\w-]{0,60}?)?_?(?:attributes|attrs?|settings|config|configuration|options)(?:_defaults?|_extra)?|[\w.]{0,60}bios_(?:polic(?:y|ies)|templates?|overrides?|param(?:eter)?s)|api_body|bios"
"""A key whose value has attributes: one of these words, perhaps behind the name of the firmware, or a policy for it."""

IS_KEY = re.compile(KEY_OF_ATTRIBUTES, re.IGNORECASE)
KEY = re.compile(r"""(?<![\w.-])([\w.-]{1,200})["']?[ \t]*(?::|=>[ \t]*\n|=>?[ \t]*[\[{])""")
"""A key of a document."""
BARE = re.compile(r"(?:config|configuration|options)", re.IGNORECASE)
"""Words that say nothing of attributes unless the firmware is named as well."""

BEFORE_ATTRIBUTES = re.compile(
    rf"""[ \t]*(?:- +|resource[ \t]+)?["']?({KEY_OF_ATTRIBUTES})["']?(?:[ \t]*(?::|=>)[ \t]*[{{\[]?|[ \t]*=[ \t]*[{{\[]|[ \t]+(?:"[\w-]+"[ \t]*)?\{{)[ \t]*(?:#.*)?""",
    re.IGNORECASE,
)
INLINE = re.compile(
    rf"""[ \t]*(?:- +)?["']?({KEY_OF_ATTRIBUTES}|(?<=["'])[\w. -]{{1,60}}(?=["'][ \t]*:[ \t]*\{{[ \t]*["'][A-Z]\w+["'][ \t]*:[ \t]*["']))["']?[ \t]*:[ \t]*\{{([^{{}}]+)\}}[ \t]*,?[ \t]*(?:#.*)?""",
    re.IGNORECASE,
)
PARENT = re.compile(r"""[ \t]*+(?:- +)?["']?[^"':=|]{1,200}["']?[ \t]*:[ \t]*[\[{]?[ \t]*(?:#.*)?""")
ITEM = re.compile(
    r"""[ \t]*(?:- +)?(?:[&@\w.: ]{0,60}[({])[ \t]*["']?(?:name|id)["']?[ \t]*(?:=>|[:=])[ \t]*["']?([\w. -]{1,200}?)["']?[ \t]*[;,][ \t]*["']?value["']?[ \t]*(?:=>|[:=])[ \t]*["']?([^"'{};,()]{0,400}?)["']?[ \t]*[})][ \t]*[,;]?[ \t]*(?:#.*)?""",
    re.IGNORECASE,
)
"""An item of a list with a name and a value as its two keys, as PowerShell, Terraform and YAML have it on one line."""
OPENING = re.compile(
    r"""[ \t]*(?:\w+[ \t]+)?["']?[\w./-]{1,200}["']?(?:[ \t]+"[\w-]+")?[ \t]*(?:=?[ \t]*[{\[]|:[ \t]*\{)[ \t]*(?:["'][\w. -]{1,200}["'][ \t]*:[ \t]*[{\[]?[ \t]*)?"""
)
"""The head of a block of Terraform, of a resource of Puppet with its title, or of a map within another one."""
OPENING_OF_CODE = re.compile(r"""[^"'|#]{1,200}\w[^"'|#:]{0,100}[{\[][ \t]*""")
"""The head of a map in a program, perhaps with the types of names and values."""
EMPTY = re.compile(
    r"""[ \t]*+(?:- +)?[^:=|]{1,200}:[ \t]*(?:\{[ \t]*\}|\[[ \t]*\])[ \t]*(?:#.*)?|[ \t]*[\]})]+[,;]?[ \t]*|[ \t]*---[ \t]*|[ \t]*\w+[ \t]*\{[^{}]*\}[ \t]*"""
)
"""What is no setting in a nested list: an empty value, a block on one line, or the end of one."""

NAME_OF_PAIR = re.compile(
    r"""[ \t]*(?:- +|\{[ \t]*)?["']?((?:bios_)?attr(?:ibute)?_)?(?:name|id)["']?[ \t]*(?:=>|[:=])[ \t]*["']?([^"'#{}]{1,400}?)["']?,?[ \t]*(?:#.*)?""",
    re.IGNORECASE,
)
VALUE_OF_PAIR = re.compile(
    r"""[ \t]*(?:- +)?["']?(?:(?:bios_)?attr(?:ibute)?_)?value["']?[ \t]*(?:=>|[:=])[ \t]*["']?([^"'#{}]{0,400}?)["']?[ \t]*,?\}?\]?,?[ \t]*(?:#.*)?""",
    re.IGNORECASE,
)
OF_VARIABLE = re.compile(r"""[ \t]*["']value["']:[ \t]*(?!(?:true|false|null)\b)[A-Za-z_][\w.]*,?[ \t]*""")
"""Where a program has a variable for the value of such a pair: its texts are in quotes."""

COMPONENT = re.compile(r"\[Key=([A-Za-z0-9]+)\.[^\]]*\][ \t]*")
"""Above the attributes of a component, as an iDRAC prints them; one that cannot be written has `#` before it."""

OF_MODULE = r"^([ \t]*)(?:- +)?(?:[a-z_]+\.)*{module}:[ \t]*\n((?:\1[ \t]+\S.*\n?|[ \t]*\n)*)"
KEY_OF_TASK = re.compile(r"""^[ \t]+(\w+):[ \t]*["']?(\w+)["']?[ \t]*(?:#.*)?$""", re.MULTILINE)
"""A task of Ansible with the lines below it, and a key there with one word."""

PENDING = re.compile(r"(?:.*\S)?\s*\(Pending Value=([^)]*)\)")
BEHIND_QUOTES = re.compile(r"""([:=][ \t]*(?:"[^"]*"|'[^']*'))[ \t]+#.*$""")
"""A comment behind a value in quotes, which may begin with any letter."""
TRAILING_COMMENT = re.compile(r"\s#(?:\s.*)?$")


def is_key_of_attributes(key: str) -> bool:
    """Whether what a key of a document has is attributes of the firmware."""
    return bool(IS_KEY.fullmatch(key)) and not BARE.fullmatch(key)


def is_beside_attributes(key: str) -> bool:
    """Whether a key beside attributes is none, and says for whom they are."""
    return key.replace("_", "").lower() in carried().frame


def has_key_of_attributes(text: str) -> bool:
    """Whether a text has a key whose value is attributes of the firmware."""
    return any(is_key_of_attributes(match[1]) for match in KEY.finditer(text))


def is_printed(text: str) -> bool:
    """Whether a text has the attributes of components as an iDRAC prints them."""
    return any(COMPONENT.fullmatch(line) for line in lines_of(text))


def settings_of_list(source: SourceText) -> Found:
    """A list or table of names and values."""
    lines = _without_labels(lines_of(source.text.translate(WIDE)))
    followings = _followings(lines)
    parents = _parents(lines, followings)
    items = {number: parents[number - 1] for number in _items(lines)}
    nested = _as_one(items | below_keys(lines), lines, parents)
    rows = rows_of_values(lines)
    nested |= _tables(rows) if nested else {}
    pairs = pairs_of(lines, nested)
    is_of_components = is_printed(source.text)
    is_part = bool(nested or pairs or any(map(_inline, lines))) and not is_of_components
    is_of_blocks = any(map(OPENING.fullmatch, lines)) or _are_apart(lines, parents)
    component = "" if is_of_components else FIRMWARE
    for number, line in enumerate(lines, 1):
        if head := COMPONENT.fullmatch(line):
            component = head[1].lower()
            continue
        if component != FIRMWARE and line.strip():
            yield line_span(source.name, number, line)
            continue
        is_apart = number in pairs or number - 1 in pairs or (is_part and number not in nested)
        if is_apart or not line.strip() or is_comment(line) or RULE.fullmatch(line):
            yield from _within(source, number, line, pairs, nested.get(number, 0))
            continue
        following = followings[number - 1]
        if ("|" in following and RULE.fullmatch(following)) or _is_structure(line, following):
            continue  # the head of a table, or of a part
        name, text = rows[number][1:] if number in rows else _named(line)
        span = line_span(source.name, number, line)
        text = pending[1] if (pending := PENDING.fullmatch(text)) else text
        # what is below another key may be for another server
        part = parents[number - 1] if nested or is_of_blocks else 0
        attribute = entry(name, text, span, is_name=is_part or is_of_components)._replace(part=part)
        if not ((is_part or is_of_blocks) and is_beside_attributes(name)):
            yield attribute if name else span


def _as_one(nested: Mapping[int, int], lines: list[str], parents: list[int]) -> dict[int, int]:
    """The heads of lines: of blocks of one attribute each, within the same block, that of the first."""
    alike: dict[tuple[int, str], int] = {}
    keys = {number: (parents[head - 1] or head, lines[head - 1]) for number, head in sorted(nested.items())}
    return {number: alike.setdefault(key, nested[number]) for number, key in keys.items()}


def _within(
    source: SourceText, number: int, line: str, pairs: Mapping[int, tuple[str, str]], part: int
) -> Iterator[Entry]:
    """The settings of a line that is none itself: a pair of keys that begins there, or a value with all of them."""
    span = line_span(source.name, number, line)
    if number in pairs:
        yield entry(*pairs[number], span)._replace(part=part)
    for name, text in _inline(line):
        yield entry(name, text, span)._replace(part=number)


def attributes_below(source: SourceText, head: re.Pattern[str]) -> Iterator[Entry]:
    """The attributes of a cluster's resource below lines as `head` has it, or below keys that name the firmware."""
    lines = lines_of(source.text)
    is_below, own = False, 0
    nested = below_keys(lines)
    pairs = pairs_of(lines, nested)
    for number, line in enumerate(lines, 1):
        if line.strip() and not is_comment(line) and not line.startswith((" ", "-")):
            is_below, own = bool(head.fullmatch(line)), number
        is_read = is_below or (number in nested and FIRMWARE in lines[nested[number] - 1].lower())
        part = nested.get(number, own)
        if is_read and number in pairs:
            end = line_span(source.name, number + 1, lines[number])
            yield entry(*pairs[number], line_span(source.name, number, line).to(end))._replace(part=part)
        elif is_read and number in nested and number - 1 not in pairs and not is_comment(line):
            name, text = _named(line)
            if name and text:
                yield entry(name, text, line_span(source.name, number, line))._replace(part=part)


def below_keys(lines: list[str]) -> dict[int, int]:
    """The numbers of the lines below a key for attributes, as YAML has them among other things, each with that of the
    key; none if no key has such lines. Of a key that has others below it, these alone count."""
    heads: dict[int, int] = {}
    keys: list[tuple[int, int]] = []
    outer: set[int] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip() or is_comment(line):
            continue
        indent = indent_of(line)
        while keys and not (indent > keys[-1][0] or (indent == keys[-1][0] and _is_item(line))):
            keys.pop()
        head = BEFORE_ATTRIBUTES.fullmatch(line)
        if head and not BARE.fullmatch(head[1]):
            outer |= {key for _, key in keys[-1:]}
            keys.append((indent, number))
        elif keys:
            heads[number] = keys[-1][1]
    return {number: key for number, key in heads.items() if key not in outer}


def _followings(lines: list[str]) -> list[str]:
    """For each line the next one that is no comment and not empty, "" if there is none."""
    followings = [""]
    for line in reversed(lines):
        followings.append(line if line.strip() and not is_comment(line) else followings[-1])
    return followings[-2::-1]


def _parents(lines: list[str], followings: list[str]) -> list[int]:
    """For each line the number of the one that it is indented below, 0 for none; keys of an item have the same."""
    parents: list[int] = []
    above: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        indent = indent_of(line)
        while line.strip() and above and above[-1][0] >= indent:
            above.pop()
        following = followings[number - 1]
        is_first = _is_item(line) and not _is_item(following) and indent_of(following) > indent
        parents.append(number if is_first else above[-1][1] if above else 0)
        if line.strip():
            above.append((indent, number))
    return parents


def _items(lines: list[str]) -> set[int]:
    """The numbers of the lines that have a name and a value as a program has them, or as two keys."""
    code = {number: pair for number, line in enumerate(lines, 1) if (pair := PAIR.fullmatch(line))}
    is_program = any(pair["code"] or pair["mark"] for pair in code.values())
    items = {number for number, line in enumerate(lines, 1) if ITEM.fullmatch(line)}
    return items.union(code if is_program else ())


def _tables(rows: Mapping[int, tuple[int, str, str]]) -> dict[int, int]:
    """The rows of tables, half of which begin with an attribute, each with the head."""
    known = all_attributes()
    mine = Counter(head for head, name, _ in rows.values() if name in known)
    every = Counter(head for head, *_ in rows.values())
    return {number: head for number, (head, *_) in rows.items() if 2 * mine[head] >= every[head]}


def _without_labels(lines: list[str]) -> list[str]:
    """Lines with blank ones for maps of labels: most of their texts are of several words or names of attributes
    themselves, or what is above says so."""
    parents = _parents(lines, _followings(lines))
    maps: dict[int, list[str]] = {}
    for line, parent in zip(lines, parents, strict=True):
        if parent and (pair := PAIR.fullmatch(line)):
            maps.setdefault(parent, []).append(pair["text"] or pair["quoted"] or "")
    known = all_attributes()
    labels = {
        parent
        for parent, said in maps.items()
        if OF_LABELS.search(lines[parent - 1])
        or 2 * sum(" " in text or text in known for text in said) > max(len(said), 2)
    }
    return ["" if parent in labels else line for line, parent in zip(lines, parents, strict=True)]


def _are_apart(lines: list[str], parents: list[int]) -> bool:
    """Whether lines are lists for several servers, and not parts of a menu: some have the same names."""
    named = {(parent, _named(line)[0]) for line, parent in zip(lines, parents, strict=True)}
    lists = Counter(name for parent, name in named if parent and name)
    return sum(number > 1 for number in lists.values()) > 1


def _is_item(line: str) -> bool:
    """Whether a line is an item of a list, or begins one: both may be at the column of its key."""
    return line.lstrip().startswith("- ") or line.strip() in ("[", "{")


def pairs_of(lines: list[str], nested: Container[int]) -> dict[int, tuple[str, str]]:
    """The name and the value of each pair of keys, by its first line; plain ones only below a key for attributes."""
    pairs: dict[int, tuple[str, str]] = {}
    for number, (line, following) in enumerate(pairwise(lines), 1):
        name, value = NAME_OF_PAIR.fullmatch(line), VALUE_OF_PAIR.fullmatch(following)
        if name and value and (name[1] or number in nested):
            text = value[1].strip()
            pairs[number] = (name[2].strip(), f"{{{text}}}" if OF_VARIABLE.fullmatch(following) else text)
    return pairs


def _inline(line: str) -> list[tuple[str, str]]:
    """The settings of a key that has all of them on its line."""
    match = INLINE.fullmatch(line)
    parts = [match[2]] if match and not BARE.fullmatch(match[1]) else BODY.findall(line)
    return [(pair[1].strip(), pair[2].strip()) for part in parts for pair in BODY_PAIR.finditer(part)]


def _is_structure(line: str, following: str) -> bool:
    """Whether a line has no setting, but the name of the part that follows, or the end of one."""
    if any(form.fullmatch(line) for form in (EMPTY, OPENING, OPENING_OF_CODE)) or line.lstrip().startswith(
        "```"
    ):
        return True
    is_deeper = bool(following.strip()) and indent_of(following) > indent_of(line)
    return is_deeper and bool(PARENT.fullmatch(line))


def _named(line: str) -> tuple[str, str]:
    """The name and the value of a line: of the first two cells of a table, or around the first `=` or `:`."""
    line = BEHIND_QUOTES.sub(r"\1", TRAILING_COMMENT.sub("", line))
    if pair := PAIR.fullmatch(line):
        return pair["name"].strip(), (pair["text"] or pair["quoted"] or pair["word"] or "").strip()
    if quoted := ITEM.fullmatch(line) or QUOTED.fullmatch(line):
        return quoted[1].strip(), quoted[2].strip()
    if line.lstrip().startswith("|"):
        name, text = [*line.strip().strip("|").split("|"), "", ""][:2]
    else:
        ends = [at for mark in "=:" if (at := line.find(mark)) >= 0 and not line.startswith("://", at)]
        name, text = (line[: min(ends)].lstrip("-* \t"), line[min(ends) + 1 :]) if ends else ("", "")
    value = bare(text.strip().removesuffix(",").removesuffix(";"))
    return bare(name), f"{{{value}}}" if EXPRESSION.fullmatch(text.strip()) else value
