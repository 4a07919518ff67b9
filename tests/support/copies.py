"""The standard library several times over, as if that many vendors had similar servers.

Servers, processors and what is known of them stand once for each vendor, under names of its own: the files of
`firmware`, `hardware` and `sources`. Facts, settings and operating systems are common to all; where these speak of
a server or a processor, they speak of every vendor's. The first copy keeps its names, so that one copy is the
standard library itself.

    python tests/support/copies.py 10 FOLDER      write the knowledge files of ten copies
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import setpoint.stdlib
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.tokens import Token, tokens

EACH = ("firmware", "hardware", "sources")
"""The folders of which each vendor has a copy."""

NAMED = {"SOURCE", "RULE", "CONSTRAINT", "HAZARD", "MEASUREMENT", "SERVICE", "WORDS", "FAMILY"}
"""The words before a name that a copy changes."""

COMMON = re.compile(
    r"^(?:workload [^{]*"
    r"|options of [^{]* when\s(?![^{]*\b(?:platform|cpu)\s)[^{]*"
    r"|service [^{]*(?=\{[^}]*\bwhen vendor\s)"
    r"|constraint [^{]*(?=\{\s*when\s(?![^;]*\b(?:platform|cpu)\s))"
    r")\{.*?\}\n",
    re.MULTILINE | re.DOTALL,
)
"""What names no server though it stands beside them: it is the same for every vendor, and stands once."""

SOURCE = re.compile(r"^source (\S+) \{.*?\}\n", re.MULTILINE | re.DOTALL)
"""A source. What nothing but common statements cites is none of a copy's."""

PRINTED = re.compile(
    r'\b(?:reported\s+as\s+product|pattern\s+(?:platform|cpu)|title)\s+"[^"]*"(?:,\s*"[^"]*")*'
)
"""The names by which servers report themselves, and patterns and titles of names: each vendor's servers have others."""

SHARED = {
    "hardware/cern-test-systems.tune",
    "firmware/vendor-services.tune",
    "sources/redpanda-tuners.tune",
}
"""Files of those folders that no copy is made of: processors that are in no vendor's servers, and say so of every
vendor's; what is known of vendors without servers here; and advice for all processors but some of every vendor's."""

SERVERS = ("platform", "cpu")
"""The facts whose values a copy changes."""


def files(copies: int) -> dict[str, str]:
    """The knowledge files of so many copies: name and text."""
    folder = Path(next(iter(setpoint.stdlib.__path__)))
    texts = {
        str(path.relative_to(folder)): path.read_text("utf-8") for path in sorted(folder.rglob("*.tune"))
    }
    own = {name: text for name, text in texts.items() if name.split("/")[0] in EACH and name not in SHARED}
    servers = {name for text in own.values() for name in _declared(text, SERVERS)}
    names = servers | {name for text in own.values() for name in _declared(text, ())}
    copied_files = {name: _of_all(text, servers, copies) for name, text in texts.items() if name not in own}
    copied = _without_what_stands_once(own)
    for copy in range(1, copies + 1):
        for name, text in (own if copy == 1 else copied).items():
            copied_files[_renamed(name, copy, "/")] = _copied(text, names, copy)
    return copied_files


@cache
def copies_of_library(copies: int) -> Knowledge:
    """The knowledge base of so many copies."""
    return build(LayeredFile(parse(SourceText(name, text)), "stdlib") for name, text in files(copies).items())


def _without_what_stands_once(own: dict[str, str]) -> dict[str, str]:
    """The texts of a vendor's files without what is common to all, and without the sources that nothing else cites."""
    texts = {name: COMMON.sub("", text) for name, text in own.items()}
    cited = set(re.findall(r"\b(?:of|supersedes) ([a-z][\w.-]*)", "\n".join(texts.values())))
    return {
        name: SOURCE.sub(lambda source: source[0] if source[1] in cited else "", text)
        for name, text in texts.items()
    }


def _declared(text: str, facts: tuple[str, ...]) -> Iterator[str]:
    """The names that a text declares: the values of these facts, else sources, rules and the like."""
    stream = list(tokens(SourceText("", text)))
    for before, word, name in zip([Token("SEMICOLON", ";"), *stream], stream, stream[1:], strict=False):
        if (facts and word.text in facts and before.text in (";", "}")) or (not facts and word.kind in NAMED):
            yield name.text


def _renamed(name: str, copy: int, joint: str = "-") -> str:
    return name if copy == 1 else f"vendor-{copy}{joint}{name}"


def _copied(text: str, names: set[str], copy: int) -> str:
    """A text with the names that are a copy's own; a name may have the place in a table behind a dot."""

    def renamed(word: str) -> str:
        return _renamed(word, copy) if word in names or word.partition(".")[0] in names else word

    if copy > 1:
        text = PRINTED.sub(lambda printed: re.sub(r'"(?=\w)', f'"Vendor {copy} ', printed[0]), text)
    return _replaced(text, renamed)


def _of_all(text: str, servers: set[str], copies: int) -> str:
    """A text about one vendor's servers, changed to cover every vendor's."""
    every = range(1, copies + 1)
    return _replaced(
        text, lambda word: " or ".join(_renamed(word, copy) for copy in every) if word in servers else word
    )


def _replaced(text: str, word: Callable[[str], str]) -> str:
    """A text with each word replaced; comments, texts and line ends stay."""
    pieces, at = [], 0
    for token in tokens(SourceText("", text)):
        if token.kind == "WORD":
            pieces += [text[at : token.start], word(token.text)]
            at = token.end
    return "".join(pieces) + text[at:]


def write(copies: int, folder: Path) -> None:
    """Write the knowledge files of so many copies into a folder."""
    for name, text in files(copies).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    write(int(sys.argv[1]), Path(sys.argv[2]))
