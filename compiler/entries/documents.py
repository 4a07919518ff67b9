"""Boot lines and sysctls in documents that other programs read: YAML, JSON and TOML of operators, installers and
playbooks, resources of Puppet and Chef, modules of NixOS.

Which keys have words of a boot line is knowledge (`texts.toml`), and so are the first parts of sysctls: a pair of such
a name and a value is a sysctl wherever it is. A value can be a whole file, as a block of text or in a data URL. A
document is read line by line, so that each entry has its place. Everything else is for the program that reads the
document.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from math import prod
from urllib.parse import unquote

from setpoint.compiler.captures.profiles import assigned, is_comment
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.entries.blocks import TextBlock, block_end, indent_of, text_blocks
from setpoint.compiler.entries.carried import Carried, carried
from setpoint.compiler.entries.lines import above, line_span, sysctl, words_of
from setpoint.compiler.entries.model import Entry
from setpoint.compiler.entries.modprobe import options_of_line
from setpoint.compiler.entries.scripts import OF_BOOT_LINES, replacement, settings_of_command
from setpoint.compiler.record import NamedTuple

ITEM = re.compile(r"(\s*)-\s+(\S.*)")
LINE_OF_FILE = re.compile(
    r"""(\s*)(?:- +)?(?:(?:line|block|content): +|[\w.]+: [^{]{0,300}?\bline=(?=["']))(\S.*?)(?:(?<=["']) +\w+=[^"']*)?"""
)
PUT = re.compile(
    r"""\s*(?:-\s+)?["']?(?:line|replace|repl|value)["']?\s*(?::|=>)\s+(?=\S)(?!.*GRUB_CMDLINE)"""
)
PUT_BESIDE = 6
"""What a task puts into a file, and within how many lines it says into which."""
TRAILING_COMMENT = re.compile(r"(?<!\s)\s++#.*")
QUOTED = re.compile(r""""([^"]*)"|'([^']*)'""")
BLOCK_HEAD = re.compile(r"[|>][+-]?\d*(?:\s+#.*)?")
DATA_URL = re.compile(r"""["']?data:([\w/;=+.-]{0,100}),([^"'\s]+)["']?""")
VALUE_OF_ITEM = re.compile(r"""\s*(?:-\s+)?["']?value["']?(?::|\s*=>|(?=\s+["'\d]))\s*(\S.*?),?""")
VALUE_BESIDE = re.compile(r"""["']?value["']?\s*(?:=>|[:=])\s*("[^"]*"|'[^']*'|[^\s,}]+(?: +\d+)*)""")
NUMBERS = re.compile(r"\[\s*((?:\d+\s*,\s*)*\d+)\s*\](?:\s+#.*)?")
PRODUCT = re.compile(r"((?:\d[\d_]{0,18}\s*\*\s*){1,5}\d[\d_]{0,18}|\d+(?:_\d{3})+)(?:\s+#.*)?")
"""Numbers as a program has them: a product, or with `_` between thousands."""

PRIORITY = re.compile(r"\(?(?:lib\.)?mk(?:Force|Default|Override\s+\d+)\s+")
"""What a module of NixOS has before a value that others may replace."""

MEMBER = re.compile(r"[a-z]\w*(?:\.[A-Za-z]\w*)+")
"""A value without quotes that is another one's name, as in modules of NixOS and in Terraform: `cfg.pages`."""

STATE = "sysctl.present:"
"""Below what Salt has the name of a sysctl and its value, each an item of its own."""
ABSENT = re.compile(
    r"""\s*(?:-\s+)?["']?(?:state|ensure)["']?(?::|\s*=>)\s*["']?absent\b.*|.*\bsysctl\.absent\b.*"""
)

OPTIONS = re.compile("modprobe", re.IGNORECASE)
"""What a document names that has a file for modprobe: its path, or the option of NixOS that is put there."""

SYSCTLS_OF_NIX = re.compile(r"\s*(?:boot\.)?kernel\.sysctl\s*=\s*\{\s*")
BARE_OF_NIX = re.compile(r"""\s*"?([\w-]+)"?\s*=\s*([^;{]+);.*""")
END_OF_NIX = re.compile(r"\s*\}.*")
"""A mapping of NixOS of which each key is a sysctl, a key without a folder in it, and its end."""

ALIAS = re.compile(r"\s*\*")
ANCHOR = re.compile(r"[&*][\w.-]+\s*")
"""By what YAML calls a value, to have it again elsewhere; where it is had again it is not read twice."""

NOTHING = ("null", "~")
"""What YAML has for no value."""
SWITCHES = {"true": "1", "yes": "1", "on": "1", "false": "0", "no": "0", "off": "0"}
"""What modules of Ansible and of NixOS write for a value that is true or false."""

REMOVED = "-"
"""What begins a word that is to be taken out of a boot line."""

PLAYBOOK = re.compile(
    r"^ *- +(?:name|hosts|block|become|when|shell|command|lineinfile|replace): *\S", re.MULTILINE
)
PATTERN = re.compile(
    r"""\s*(?:-\s+)?["']?(?:regexp?|search_string|before|after|insertafter|insertbefore|when|name(?!: grubby --)|msg|that)["']?:.*"""
)
"""A key whose value is compared or shown, and sets nothing."""

PAIR = re.compile(r"""[ ]*["']?([\w./-]+)["']?:(?:[ \t]+(\S.*))?""")
TRUTH = {"true": "1", "false": "0"}
SYSCTL_KEY = "sysctl"
"""The key of a mapping whose keys are the parts of sysctls."""

REFERRED = re.compile(r"\{\{-?\s*(\w+)\s*(?:\|\s*(?:default|d|int|string|trim)\b[^{}|]{0,100}){0,3}-?\}\}")
STATED = re.compile(r"""\s*(?:- +)?(\w+): +["']?([\w.,:/@-]+)["']?(?: +#.*)?""")
"""A variable of a playbook that is filled in, and one that is stated."""
WITH_WORDS = re.compile(r"GRUB_CMDLINE\w*=|--args[=\s]")
AS_WORDS = re.compile(r"""(?:^|[\s"'])\{\{-?\s*(\w+)""")
"""What has words of a boot line behind it, and a variable that has some."""

EXPRESSION = r"\[|let\b|(?:lib\.|with\s|[\w.]+\s*\+\+)[^;\"]*\["
"""What begins the value of an option of NixOS that has lists; other documents have a list alone."""
ITEM_OR_BRACKET = re.compile(rf"{QUOTED.pattern}|[\[\]#]")
OF_CONDITION = re.compile(r"(?:\b(?:then|else)|[=!]=)\s*$")
"""What stands before a text in an expression that is no item of a list."""
GOES_ON = re.compile(r"(?:.*\])?\s*\+\+")
"""The end of a list to which another one is appended."""

MOST_LINES = 500
"""How many lines a list in brackets may have."""

MOST_FILE = 1_000_000
"""The most letters that a file within a document has."""


def has_settings(text: str) -> bool:
    """Whether a document has a boot line or sysctls, or is a playbook with commands that set them."""
    source = SourceText("", text)
    return any(True for _ in settings_in(source, commands=bool(PLAYBOOK.search(text))))


def settings_in(source: SourceText, *, commands: bool = True) -> Iterator[Entry]:
    """The words of boot lines and the sysctls of a document, also those of its commands."""
    original = lines_of(source.text)
    lines = _filled_in(original)
    for entry in _settings_in(source, lines, commands):
        at = entry.span.line - 1
        is_filled = lines[at] != original[at]
        yield entry._replace(span=line_span(source.name, at + 1, original[at])) if is_filled else entry


def _filled_in(lines: Sequence[str]) -> list[str]:
    """The lines of a playbook with the variables that it states itself, once."""
    stated: dict[str, list[str]] = {}
    for line in lines:
        if match := STATED.fullmatch(line.rstrip()):
            stated.setdefault(match[1], []).append(match[2])
    once = {name: values[0] for name, values in stated.items() if len(values) == 1}
    return [REFERRED.sub(lambda match: once.get(match[1], match[0]), line) for line in lines]


def _settings_in(source: SourceText, lines: Sequence[str], commands: bool) -> Iterator[Entry]:
    known = carried()
    if not known.words:
        return
    parents = _parents(lines)
    keys = _keys_of(lines, known)
    has_options = bool(OPTIONS.search(source.text))
    lists: dict[int, int] = {}
    read = 0
    for at, line in enumerate(lines):
        if not is_comment(line):
            if at >= read:
                yield from _assigned_item(source.name, line, at + 1)
                words, read = _words(source.name, lines, at, keys, known)
                # Several lists of one parent are for several kinds of servers.
                is_line = any(word.written.startswith(word.name) for word in words)
                first = lists.setdefault(parents[at], at) if is_line else at
                words = [word if first == at else word._replace(part=-1 - at) for word in words]
                yield from (word for word in words if not word.written.startswith(REMOVED))
            pairs = _pairs(source.name, lines, at, parents[at], known)
            yield from (pair._replace(part=-1 - parents[at]) for pair in pairs)
            yield from _boot_resource(source.name, lines, at, known)
            yield from _file_in_line(source.name, line, at + 1)
            put = PUT.match(line)
            beside = lines[max(at - PUT_BESIDE, 0) : at + PUT_BESIDE] if put else ()
            if put and any(OF_BOOT_LINES.search(o) for o in beside if indent_of(o) == indent_of(line)):
                yield from replacement(source.name, line, at + 1, put.end(), len(line))
            if has_options:
                yield from options_of_line(source.name, at + 1, line)
            if commands and not PATTERN.fullmatch(line):
                yield from settings_of_command(source.name, lines, at)
    yield from _mapped(source.name, lines, known)
    yield from _bare_names(source.name, lines)
    for block in text_blocks(lines):
        for entry in _sysctls_of(source.name, block):
            yield entry._replace(part=-block.numbers[0])


def _mapped(name: str, lines: Sequence[str], known: Carried) -> Iterator[Entry]:
    """What a mapping has for the boot line or for sysctls: names with texts, of sysctls also by their parts."""
    above: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        match = PAIR.fullmatch(line.rstrip())
        if match is None or is_comment(line):
            continue
        indent = indent_of(line)
        while above and above[-1][0] >= indent:
            above.pop()
        head, *parts = [key for _, key in above] or [""]
        above.append((indent, match[1]))
        text = _value(match[2] or "", {})
        span = line_span(name, number, line)
        if head in known.maps and not parts and text:
            said = match[1] if text == "true" else f"{match[1]}={text}"
            yield from (word._replace(span=span) for word in words_of(name, number, said, 0, len(said)))
        elif text and above[-2:-1] and above[-2][1] in known.renamed_below:
            real = known.renamed.get(match[1].replace("_", "").lower(), "")
            if real:
                yield sysctl(span, real, TRUTH.get(text, text))
        elif head == SYSCTL_KEY and parts and parts[0] in known.roots and text:
            yield sysctl(span, ".".join((*parts, match[1])), text)


def _bare_names(name: str, lines: Sequence[str]) -> Iterator[Entry]:
    """The sysctls of a module of NixOS that have lost their folder."""
    is_within = False
    for number, line in enumerate(lines, 1):
        if SYSCTLS_OF_NIX.fullmatch(line):
            is_within = True
        elif END_OF_NIX.fullmatch(line):
            is_within = False
        elif is_within and not is_comment(line) and (match := BARE_OF_NIX.fullmatch(line)):
            yield sysctl(line_span(name, number, line), match[1], _value(match[2].strip()))


def _parents(lines: Sequence[str]) -> list[int]:
    """For each line the number of the key that it is below; 0 for none. Lists of several servers repeat names."""
    parents: list[int] = []
    above: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        indent = indent_of(line)
        if line.strip():
            while above and above[-1][0] >= indent:
                above.pop()
        parents.append(above[-1][1] if above else 0)
        if line.strip() and not line.lstrip().startswith("- "):
            above.append((indent, number))
    return parents


# ------------------------------------------------------------------------------------- boot lines


def _keys_of(lines: Sequence[str], known: Carried) -> re.Pattern[str]:
    """The keys of a document with words of a boot line, also those of variables that one of these has, or a command."""
    keys = _keys(known, ())
    for _ in range(2):
        heads = ((line, keys.search(line) or WITH_WORDS.search(line)) for line in lines if "{{" in line)
        names = (name for line, head in heads if head for name in AS_WORDS.findall(line[head.end() :]))
        keys = _keys(known, tuple(sorted({*names} - {"item"})))
    return keys


@cache
def _keys(known: Carried, variables: tuple[str, ...]) -> re.Pattern[str]:
    words = (*known.words, *known.modules, *variables)
    names = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words)
    return re.compile(
        rf"""(?<![\w.-])["']?(?P<name>{names})["']?(?::(?=\s|$|\[|")|\s+=>\s+(?=["'])|\s*=\s*(?={EXPRESSION}))[ \t]*"""
    )


def _words(
    name: str, lines: Sequence[str], at: int, keys: re.Pattern[str], known: Carried
) -> tuple[list[Entry], int]:
    """The words of the keys on a line, and the line behind them: what is read is no key any more."""
    entries: list[Entry] = []
    end = at + 1
    for key in keys.finditer(lines[at]):
        line, rest = lines[at], TRAILING_COMMENT.sub("", lines[at][key.end() :]).strip()
        rest = ANCHOR.sub("", rest)
        if rest.startswith("[") or ("=" in key[0] and not rest.startswith(("'", '"'))):
            words, end = _in_brackets(name, lines, at, key.end())
            if of := known.modules.get(key["name"]):
                words = [word._replace(name=of, text=word.written) for word in words]
            entries += words
        elif BLOCK_HEAD.fullmatch(rest):
            end = block_end(lines, at)
            for number in range(at + 1, end):
                entries += words_of(name, number + 1, lines[number], 0, len(lines[number]))
        elif rest and not rest.startswith(("{", "#")) and rest not in NOTHING:
            entries += words_of(name, at + 1, line, *_text(line, key.end()))
        elif not rest and not ALIAS.match(line, key.end()):
            words, end = _items(name, lines, at, keys)
            entries += words
    return [word for word in entries if not known.is_sysctl(word.name)], end


def _items(name: str, lines: Sequence[str], head: int, keys: re.Pattern[str]) -> tuple[list[Entry], int]:
    """The words of the items of a list, and the line behind it."""
    entries: list[Entry] = []
    for at in range(head + 1, len(lines)):
        if not lines[at].strip() or is_comment(lines[at]):
            continue
        item = ITEM.fullmatch(lines[at])
        if item is None or len(item[1]) < indent_of(lines[head]):
            return entries, at
        if ": " in item[2].partition("#")[0] or keys.search(item[2]):
            return entries, at
        entries += words_of(name, at + 1, lines[at], *_text(lines[at], item.start(2)))
    return entries, len(lines)


def _in_brackets(name: str, lines: Sequence[str], head: int, start: int) -> tuple[list[Entry], int]:
    """The items of the lists in brackets of a value, which may be on several lines, and the line behind it."""
    entries: list[Entry] = []
    depth, is_in_let = 0, lines[head].startswith("let", start)
    for at in range(head, min(head + MOST_LINES, len(lines))):
        if at > head and is_comment(lines[at]):
            continue
        for token in ITEM_OR_BRACKET.finditer(lines[at], start if at == head else 0):
            if token[0] == "#":
                break
            if depth and len(token[0]) > 1 and not OF_CONDITION.search(lines[at], 0, token.start()):
                group = 1 if token[1] is not None else 2
                entries += words_of(name, at + 1, lines[at], *token.span(group))
            depth += {"[": 1, "]": -1}.get(token[0], 0)
        is_in_let = is_in_let and not re.match(r"\s*in\b", lines[at])
        goes_on = GOES_ON.match(lines[at]) or GOES_ON.match("".join(lines[at + 1 : at + 2]))
        if depth < 1 and not (is_in_let or goes_on):
            return entries, at + 1
    return entries, min(head + MOST_LINES, len(lines))


def _text(line: str, start: int) -> tuple[int, int]:
    """Where a text begins and ends, without its quotes and the comment behind it."""
    if line[start] in "\"'" and (end := line.find(line[start], start + 1)) > 0:
        return start + 1, end
    comment = TRAILING_COMMENT.search(line, start)
    return start, comment.start() if comment else len(line.rstrip())


# ---------------------------------------------------------------------------------------- sysctls


class Assignments(NamedTuple):
    """The ways that documents assign a sysctl: pairs, resources, items with a name, and attributes of Chef."""

    direct: re.Pattern[str]
    resource: re.Pattern[str]
    named: re.Pattern[str]
    attribute: re.Pattern[str]


@cache
def _assignments(known: Carried) -> Assignments:
    roots = "|".join(map(re.escape, known.roots))
    name = rf"(?:{roots})(?:[./][a-zA-Z0-9_*-]+)+"
    direct = rf"""\s*(?:-\s+)?(?:(?:boot\.)?kernel\.sysctl\.)?(?:["']?(?P<key>{name})["']?:\s+|["'](?P<quoted>{name})["']\s*=>?\s*)(?!\{{[^{{])(?P<value>\S.*?)[,;]?(?:\s+#.*)?"""
    resource = rf"""\s*(?:[-~]>\s*)?(?:sysctl[\w:]*\s*\{{?\s*)?["']?(?P<key>{name})["']?(?:\s*:|\s+do\b|\s*=>\s*\{{)(?P<rest>.*)"""
    named = rf"""\s*(?:-\s+)?(?:[\w.]+:\s*)?(?:\{{(?:[^{{}}\n]{{0,200}},)?)?\s*["']?(?:name|key|sysctl|parameter)["']?\s*[:=]\s*["']?(?P<key>{name})["']?(?P<rest>.*)"""
    attribute = rf"""[\w.\s]*\[["']sysctl["']\](?:\[["']params["']\])?(?P<keys>\[["'](?:{roots})[\w.-]*["']\](?:\[["'][\w.-]+["']\])*)\s*=\s*(?P<value>\S.*)"""
    return Assignments(*map(re.compile, (direct, resource, named, attribute)))


def _pairs(name: str, lines: Sequence[str], at: int, parent: int, known: Carried) -> Iterator[Entry]:
    forms = _assignments(known)
    line, span = lines[at].rstrip(), line_span(name, at + 1, lines[at])
    if match := forms.direct.fullmatch(line):
        is_below = BLOCK_HEAD.fullmatch(match["value"])
        text = " ".join(lines[at + 1 : block_end(lines, at)]) if is_below else _value(match["value"])
        yield sysctl(span, match["key"] or match["quoted"], text)
    elif match := forms.named.fullmatch(line) or forms.resource.fullmatch(line):
        beside = VALUE_BESIDE.search(match["rest"])
        is_state = lines[parent - 1].strip() == STATE
        value_of = _value_of_item if match.re is forms.named and not is_state else _value_below
        value = beside[1] if beside else value_of(lines, parent - 1 if is_state else at)
        if value:
            yield sysctl(span, match["key"], _value(value))
    elif match := forms.attribute.fullmatch(line):
        key = ".".join(re.findall(r"""["']([^"']+)["']""", match["keys"]))
        yield sysctl(span, key, _value(match["value"]))


@cache
def _boot_resources(known: Carried) -> re.Pattern[str]:
    names = "|".join(map(re.escape, known.resources))
    title = r"""["'][\w.,=-]+["']"""
    titles = rf"(?:[-~]>\s*)?(?:{names})\s*\{{\s*\[?(?P<titles>(?:\s*{title},?)+)\s*\]?\s*:"
    item = r"""-\s+\{?\s*name:\s*(?P<item>["']?[\w.-]+["']?)(?=[\s,}]|$)"""
    return re.compile(rf"\s*(?:{titles}|{item})(?P<rest>.*)")


def _boot_resource(name: str, lines: Sequence[str], at: int, known: Carried) -> Iterator[Entry]:
    """The words of a boot line that a resource of Puppet has for its titles and value, or an item of a role's list."""
    match = _boot_resources(known).fullmatch(lines[at].rstrip())
    if match is None:
        return
    own = [match["rest"], *takewhile(lambda line: not ITEM.fullmatch(line), lines[at + 1 : at + 4])]
    heads = above(lines, at + 1) if match["item"] else ()
    lists = tuple(name for name in known.resources if name.endswith(":"))
    is_other = match["item"] and not any(head.strip().startswith(lists) for head in heads)
    if is_other or any(ABSENT.fullmatch(line) for line in own):
        return
    beside = VALUE_BESIDE.search(match["rest"])
    below = _value_of_item if match["item"] else _value_below
    value = _value(beside[1] if beside else below(lines, at), {})
    for title in re.findall(r"[\w.,=-]+", match["titles"] or match["item"]):
        written = f"{title}={value}" if value else title
        for word in words_of(name, at + 1, written, 0, len(written)):
            yield word._replace(span=line_span(name, at + 1, lines[at]))


def _assigned_item(name: str, line: str, number: int) -> Iterator[Entry]:
    """The sysctl of an item that is `NAME=VALUE`, or of a line that a task writes into a file."""
    of_file = LINE_OF_FILE.fullmatch(line.rstrip())  # a file for later is no repetition of a command for now
    item = of_file or ITEM.fullmatch(line.rstrip())
    assignment = assigned(_value(item[2])) if item else ("", "")
    if assignment[1] and carried().is_sysctl(assignment[0]):
        yield sysctl(line_span(name, number, line), *assignment)._replace(part=-number if of_file else 0)


def _value_of_item(lines: Sequence[str], at: int) -> str:
    """The value in the item of a list that has a name on this line; "" if the sysctl is to be absent."""
    indent = indent_of(lines[at]) + (2 if lines[at].lstrip().startswith("- ") else 0)
    return _value_in(lines, at, lambda line: indent_of(line) < indent or line.lstrip().startswith("- "))


def _value_below(lines: Sequence[str], at: int) -> str:
    """The value in the resource that begins on a line; "" if the sysctl is to be absent."""
    indent = indent_of(lines[at])
    return _value_in(lines, at, lambda line: indent_of(line) <= indent)


def _value_in(lines: Sequence[str], at: int, is_behind: Callable[[str], bool]) -> str:
    """The value below a line, before one that is behind what it begins; "" if the sysctl is to be absent."""
    value = ""
    for line in lines[at + 1 : at + 12]:
        if line.strip() and is_behind(line):
            break
        if ABSENT.fullmatch(line):
            return ""
        if match := VALUE_OF_ITEM.fullmatch(line):
            value = value or match[1]
    return value


def _value(text: str, switches: Mapping[str, str] = SWITCHES) -> str:
    text = PRIORITY.sub("", text)
    text = text[1:-1] if re.fullmatch(r"\(-?\d+\)", text) else text
    if numbers := NUMBERS.fullmatch(text):
        return numbers[1].replace(",", " ")
    if product := PRODUCT.fullmatch(text):
        return str(prod(int(factor.replace("_", "")) for factor in product[1].split("*")))
    quoted = QUOTED.match(text)
    if quoted:
        return quoted[1].replace("\\t", " ") if quoted[1] is not None else quoted[2]
    bare = TRAILING_COMMENT.sub("", text).strip()
    if MEMBER.fullmatch(bare):
        return f"{{{bare}}}"
    return switches.get(bare.lower(), bare)


# ----------------------------------------------------------------------------------- whole files


def _sysctls_of(name: str, block: TextBlock) -> Iterator[Entry]:
    """The sysctls of a block, which is a file or a script."""
    for line, number in zip(block.lines, block.numbers, strict=True):
        pair = assigned(line) if not is_comment(line) else ("", "")
        if carried().is_sysctl(pair[0]):
            yield sysctl(line_span(name, number, line), *pair)


def _file_in_line(name: str, line: str, number: int) -> Iterator[Entry]:
    """The sysctls and options of modules of a file that is in a data URL, each at the line that has it."""
    for url in DATA_URL.finditer(line):
        text = unquote(url[2])
        if url[1].endswith("base64"):
            try:
                text = base64.b64decode(text[:MOST_FILE]).decode()
            except (binascii.Error, ValueError):
                continue
        content = text[:MOST_FILE].split("\n")
        entries = [*_sysctls_of(name, TextBlock(tuple(content), (number,) * len(content)))]
        entries += [option for said in content for option in options_of_line(name, number, said)]
        yield from (entry._replace(span=line_span(name, number, line)) for entry in entries)
