"""What Visual Studio Code knows of the language without the server: what one word is, and how lines are indented."""

import json
import re
from pathlib import Path

import pytest

from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.tokens import tokens
from support.command import ROOT
from support.vscode import EXTENSION

CONFIGURATION = json.loads((EXTENSION / "language-configuration.json").read_text(encoding="utf-8"))
EXAMPLES = sorted((ROOT / "examples").rglob("*.tune"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_word_is_what_the_compiler_takes_for_one(path: Path) -> None:
    word = re.compile(CONFIGURATION["wordPattern"])
    for token in tokens(SourceText(path.name, path.read_text(encoding="utf-8"))):
        if token.kind in ("WORD", "DATE"):
            assert word.findall(f"{{{token.text};") == [token.text]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_lines_are_indented_as_in_the_canonical_form(path: Path) -> None:
    """The examples are in that form, and none of them has a statement that is continued on a second line."""
    rules = CONFIGURATION["indentationRules"]
    level = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        level -= bool(re.search(rules["decreaseIndentPattern"], line))
        assert not line or len(line) - len(line.lstrip()) == 4 * level, line
        level += bool(re.search(rules["increaseIndentPattern"], line))


@pytest.mark.parametrize(
    ("line", "is_indented"),
    [
        ("policy web {", True),
        ("policy web { # the front", True),
        ('table "Table 1 {x}" of lab {', True),
        ("policy web { goal latency; }", False),
        ('set turbo off because "a {";', False),
        ("# policy web {", False),
        ('title "a \\" {";', False),
    ],
)
def test_the_line_behind_a_block_that_is_open_is_indented(line: str, is_indented: bool) -> None:
    rule = CONFIGURATION["indentationRules"]["increaseIndentPattern"]
    assert bool(re.search(rule, line)) == is_indented
