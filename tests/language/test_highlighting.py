"""Colours: Pygments, Vim and Visual Studio Code see the same words as the compiler.

Each is asked what stands at the first character of each token of the compiler. A keyword that the grammar gains is
known to Pygments at once; `pytest --update` writes it into the files of the editors.
"""

import os
import re
import shutil
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
from support import vscode
from support.command import ROOT, at_home, on_path
from support.golden import compare
from support.limits import PATIENCE

HERE = Path(__file__).parent
VIM = ROOT / "docs/editors/vim"
GRAMMAR = vscode.EXTENSION / "syntaxes/tune.tmLanguage.json"
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


@pytest.mark.alike
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
        **at_home(folder),
    }
    subprocess.run(
        [str(require("vim")), "-u", "NONE", "-i", "NONE", "-es", "-S", str(folder / "script.vim")],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=PATIENCE,
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


# ----------------------------------------------------------------------------- Visual Studio Code

IN_TEXTMATE = {
    "keyword.": "keyword",
    "constant.numeric.": "number",
    "constant.other.date.": "date",
    "variable.": "name",
    "string.": "text",
    "punctuation.": "punctuation",
}
"""How the first scope of a token begins, after that of the language."""

TESTER = "vscode-tmgrammar-test/dist"


def textmate(program: str, *arguments: str | Path, cwd: Path) -> None:
    """Run a program of vscode-tmgrammar-test, which uses the editor's own library."""
    given = ["--config", vscode.EXTENSION / "package.json", "--grammar", GRAMMAR, *arguments]
    done = vscode.run(vscode.modules() / TESTER / program, *given, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def scopes(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, str]:
    """The snapshot of each file: its lines, and below each the scopes of its parts."""
    folder = tmp_path_factory.mktemp("scopes")
    copies = {path: folder / str(path.relative_to(ROOT)).replace("/", "__") for path in FILES}
    for path, copied in copies.items():
        shutil.copy(path, copied)
    textmate("snapshot.js", "--updateSnapshot", "*.tune", cwd=folder)
    return {path: Path(f"{copied}.snap").read_text(encoding="utf-8") for path, copied in copies.items()}


def by_textmate(snapshot: str) -> dict[tuple[int, int], str]:
    """The scope at each character of a snapshot, by line and column from 1, after that of the language."""
    found: dict[tuple[int, int], str] = {}
    line = 0
    for each in snapshot.split("\n"):
        if each.startswith(">"):
            line += 1
        elif marked := re.fullmatch(r"#( *)(\^+) source\.tune ?(.*)", each):
            blanks, marks, names = marked.groups()
            for column in range(len(blanks) + 1, len(blanks) + len(marks) + 1):
                found[line, column] = names
    return found


@pytest.mark.alike
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_vscode_sees_the_words_of_the_compiler(scopes: dict[Path, str], path: Path) -> None:
    found = by_textmate(scopes[path])
    for token in tokens(SourceText(path.name, path.read_text(encoding="utf-8"))):
        if token.kind != END:
            scope = found[token.line, token.column]
            assert [word for start, word in IN_TEXTMATE.items() if scope.startswith(start)] == [
                kind(token)
            ], token
    assert not [scope for scope in found.values() if "invalid" in scope]


def test_vscode_sees_what_the_sample_says() -> None:
    """Its comments are the expectations."""
    textmate("unit.js", HERE / "colours.tune", cwd=HERE)


@pytest.mark.parametrize("name", ["trading-edge/trading.tune", "lab-findings/site/lab-results.tune"])
def test_scopes_in_vscode(scopes: dict[Path, str], name: str, update: bool) -> None:
    path = ROOT / "examples" / name
    compare(scopes[path], HERE / "scopes" / f"{path.stem}.snap", update)


# ------------------------------------------------------------------------------- reserved words

KEYWORDS = {
    VIM / "syntax/tune.vim": (
        "syntax keyword tuneKeyword\n",
        "\n".join(f"  \\ {line}" for line in textwrap.wrap(" ".join(reserved_words()), 100)),
        "\n\n",
    ),
    GRAMMAR: ('"match": "(?<![A-Za-z0-9_.+-])(?:', "|".join(reserved_words()), ')(?![A-Za-z0-9_.+-])"'),
}
"""The files of editors that list the reserved words: what stands before the list, the list, and what stands behind
it."""


@pytest.mark.parametrize("path", KEYWORDS, ids=lambda path: path.name)
def test_an_editor_has_all_reserved_words(path: Path, update: bool) -> None:
    begin, expected, end = KEYWORDS[path]
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    listed, _, after = rest.partition(end)
    if update:
        path.write_text(before + begin + expected + end + after, encoding="utf-8")
        listed = expected
    assert listed == expected, "run pytest --update"
