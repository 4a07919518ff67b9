"""Colours: Pygments and Vim see the same words as the compiler.

Both are asked what stands at the first character of each token of the compiler. A keyword that the grammar gains is known to
Pygments at once; `pytest --update` writes it into Vim's file.
"""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Punctuation, String, _TokenType

from consumers.requirement import require
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.highlighting import TuneLexer
from setpoint.compiler.language.tables import reserved_words
from setpoint.compiler.language.tokens import END, Token, tokens
from support.command import ROOT, on_path

VIM = ROOT / "docs/editors/vim"
FILES = sorted([*(ROOT / "examples").rglob("*.tune"), *(ROOT / "stdlib").rglob("*.tune")])

SAMPLE = """\
# what is not a statement
policy web { goal latency; set busy-poll 60us because "a \\"quoted\\" # text"; }
accept advice of dell-11g-hpc because "benchmarked" until 2030-01-31;
preset "Table 1" of lab { turbo on -5 12.5; }
"""


def kind(token: Token) -> str:
    """What a token of the compiler is to a reader."""
    if token.text in reserved_words():
        return "keyword"
    if token.kind == "WORD":
        return "number" if token.text[0].isdigit() else "name"
    return {"STRING": "text", "DATE": "date", "SIGNED": "number"}.get(token.kind, "punctuation")


def by_compiler(text: str) -> list[tuple[int, int, str]]:
    """Line and column of each token, both from 1 and the latter in bytes, as Vim counts, and its kind."""
    lines = text.split("\n")
    return [
        (t.line, len(lines[t.line - 1][: t.column - 1].encode()) + 1, kind(t))
        for t in tokens(SourceText("x.tune", text))
        if t.kind != END
    ]


# --------------------------------------------------------------------------------------- Pygments

IN_PYGMENTS: dict[_TokenType, str] = {
    Keyword: "keyword",
    Number: "number",
    Literal.Date: "date",
    Name: "name",
    Punctuation: "punctuation",
    String.Double: "text",
}


def by_pygments(text: str) -> dict[int, _TokenType]:
    """The type of the token that begins at each position."""
    return {start: type_ for start, type_, _ in TuneLexer().get_tokens_unprocessed(text)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pygments_sees_the_words_of_the_compiler(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = by_pygments(text)
    for token in tokens(SourceText(path.name, text)):
        if token.kind != END:
            assert IN_PYGMENTS[found[token.start]] == kind(token), token
    assert Error not in found.values()


def test_comments_and_escapes_have_their_colours() -> None:
    found = list(TuneLexer().get_tokens_unprocessed(SAMPLE))
    assert [text for _, type_, text in found if type_ is Comment.Single] == ["# what is not a statement"]
    assert [text for _, type_, text in found if type_ is String.Escape] == ['\\"', '\\"']


def test_a_text_that_does_not_end_is_marked_and_ends_with_its_line() -> None:
    found = list(TuneLexer().get_tokens_unprocessed('set turbo off because "jitter\ngoal latency;'))
    assert [text for _, type_, text in found if type_ is Error] == ["jitter"]
    assert found[-1][1] is Punctuation


@given(st.text())
def test_no_text_is_lost(text: str) -> None:
    assert "".join(part for _, _, part in TuneLexer().get_tokens_unprocessed(text)) == text


def test_pygments_finds_the_lexer_by_name_and_by_file() -> None:
    """As the tools that use Pygments do, in a process of their own."""
    assert isinstance(get_lexer_by_name("tune"), TuneLexer)
    assert isinstance(get_lexer_for_filename("site.tune"), TuneLexer)
    command = [sys.executable, "-m", "pygments", "-f", "html", "-l", "tune"]
    done = subprocess.run(command, input="goal latency;\n", capture_output=True, text=True, check=True)
    assert '<span class="n">goal</span>' in done.stdout


# -------------------------------------------------------------------------------------------- Vim

IN_VIM = {
    "tuneKeyword": "keyword",
    "tuneNumber": "number",
    "tuneDate": "date",
    "tuneName": "name",
    "tunePunctuation": "punctuation",
    "tuneString": "text",
}

ASK = """\
let s:found = []
for s:place in readfile('{places}')
  let [s:line, s:column] = split(s:place)
  call add(s:found, synIDattr(synID(s:line, s:column, 1), 'name'))
endfor
call writefile(s:found, '{found}')
"""


def vim(folder: Path, file: Path, script: str) -> None:
    """Open a file in Vim without a terminal, as one who has copied the folder `vim`, and run a script."""
    start = f"set nocompatible encoding=utf-8\nset runtimepath^={VIM}\nfiletype plugin on\nsyntax on\nedit {file}\n"
    (folder / "script.vim").write_text(f"{start}{script}qa!\n", encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": on_path(folder),
        "PYTHONPATH": str(ROOT / ".dev"),
        "HOME": str(folder),
    }
    subprocess.run(
        [str(require("vim")), "-u", "NONE", "-i", "NONE", "-es", "-S", str(folder / "script.vim")],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=60,
        check=True,
    )


@pytest.mark.parametrize("name", ["sample", "examples/trading-edge/trading.tune", "stdlib/linux/idle.tune"])
def test_vim_sees_the_words_of_the_compiler(tmp_path: Path, name: str) -> None:
    text = SAMPLE if name == "sample" else (ROOT / name).read_text(encoding="utf-8")
    file = tmp_path / "file.tune"
    file.write_text(text, encoding="utf-8")
    expected = by_compiler(text)
    places = "".join(f"{line} {column}\n" for line, column, _ in expected)
    (tmp_path / "places").write_text(places, encoding="utf-8")
    vim(tmp_path, file, ASK.format(places=tmp_path / "places", found=tmp_path / "found"))
    found = (tmp_path / "found").read_text(encoding="utf-8").splitlines()
    assert [IN_VIM.get(each, each) for each in found] == [each for _, _, each in expected]


def test_vims_quickfix_list_has_the_places_of_the_findings(tmp_path: Path) -> None:
    file = tmp_path / "site.tune"
    file.write_text('goal latency;\ncpu westmere;\nset trubo off because "a slip";\n', encoding="utf-8")
    script = (
        "silent make\n"
        f"call writefile(map(getqflist(), 'v:val.lnum . \":\" . v:val.col . \" \" . v:val.text'), '{tmp_path / 'found'}')\n"
    )
    vim(tmp_path, file, script)
    assert (tmp_path / "found").read_text(encoding="utf-8").splitlines()[0] == "3:5 unknown setting `trubo`"


def test_vim_has_all_reserved_words(update: bool) -> None:
    path = VIM / "syntax/tune.vim"
    before, begin, rest = path.read_text(encoding="utf-8").partition("syntax keyword tuneKeyword\n")
    listed, blank, after = rest.partition("\n\n")
    expected = "\n".join(f"  \\ {line}" for line in textwrap.wrap(" ".join(reserved_words()), 100))
    if update:
        path.write_text(before + begin + expected + blank + after, encoding="utf-8")
        listed = expected
    assert listed == expected, "run pytest --update"
