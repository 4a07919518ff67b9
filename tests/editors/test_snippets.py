"""Snippets: inserted as they are, in the place that they are for, they are statements that the compiler accepts."""

import itertools
import json
import re
from pathlib import Path

import pytest

from setpoint.compiler.cli import OK
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.model import LAYERS, OUT_OF_SCOPE, STRENGTHS, Knowledge
from setpoint.compiler.language.formatting.format import format_source
from support.command import setpoint
from support.vscode import EXTENSION

TODAY = {"CURRENT_YEAR": "2031", "CURRENT_MONTH": "05", "CURRENT_DATE": "17"}

SERVER = "cpu xeon-gold-6150; platform c6420; os rhel 8.10; sockets 2;\n"
HPC = f"goal performance; workload hpc; {SERVER}"
SOURCE = 'source lab-results { title "T"; publisher "P"; }\n'
BEFORE = {
    "Policy": "",
    "Group": SERVER,
    "Host": f"{HPC}for group front {{ workload cpu-bound; }}\n",
    "Set": HPC,
    "Accept": HPC,
    "Expect": HPC,
    "Source": "",
    "Rule": SOURCE,
    "Table": SOURCE,
    "Setting": "",
}
"""What stands before each snippet in its file."""

SNIPPETS = {
    name: each["body"] if isinstance(each["body"], str) else "\n".join(each["body"])
    for name, each in json.loads((EXTENSION / "snippets/tune.json").read_text(encoding="utf-8")).items()
}

CHOICE = re.compile(r"\$\{\d+\|([^|]*)\|\}")
DEFAULT = re.compile(r"\$\{\d+:([^}]*)\}")


def inserted(snippet: str) -> list[str]:
    """The texts that a snippet becomes if nothing is typed: one for each combination of its choices."""
    parts = CHOICE.split(DEFAULT.sub(r"\1", snippet))
    choices = [each.split(",") for each in parts[1::2]]
    texts = []
    for chosen in itertools.product(*choices):
        text = "".join(map("".join, itertools.zip_longest(parts[::2], chosen, fillvalue="")))
        for name, value in TODAY.items():
            text = text.replace(f"${name}", value)
        texts.append(text.replace("$0", "").replace("\t", "    "))
    return texts


def test_the_compiler_accepts_each(tmp_path: Path) -> None:
    assert list(SNIPPETS) == list(BEFORE)
    for name, snippet in SNIPPETS.items():
        for number, text in enumerate(inserted(snippet)):
            assert "$" not in text, "a form of snippets that this test does not know"
            (tmp_path / f"{name}-{number}.tune").write_text(f"{BEFORE[name]}{text}\n", encoding="utf-8")
    done = setpoint("check", ".", "--today", "2031-05-17", cwd=tmp_path)
    assert done.status == OK, done.err


def test_each_is_in_the_canonical_form() -> None:
    """A block is formatted as `setpoint fmt` has it, so that a file stays as it is when it is saved."""
    for snippet in SNIPPETS.values():
        for text in inserted(snippet):
            assert format_source(SourceText("x.tune", text + "\n")) == text + "\n"


@pytest.mark.parametrize("word", ["goal", "strength", "layer"])
def test_choices_are_the_whole_vocabulary(knowledge: Knowledge, word: str) -> None:
    known = {
        "goal": set(knowledge.values["goal"]),
        "strength": set(STRENGTHS) - {OUT_OF_SCOPE},
        "layer": set(LAYERS),
    }
    found = [
        set(each.split(","))
        for each in re.findall(rf"{word} +\$\{{\d+\|([^|]*)\|", "".join(SNIPPETS.values()))
    ]
    assert found and all(each == known[word] for each in found)
