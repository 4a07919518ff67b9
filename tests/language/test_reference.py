"""The reference of the language is tested: its examples, its list of reserved words, its table of fields.

A block marked `tune` parses; `tune plan` has a plan for each of its policies; `tune site` is knowledge that can be read
together with the standard library; `tune error CODE` yields this code and no other error.
"""

import re

import pytest

from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.load import with_site
from setpoint.compiler.language.blocks import BLOCKS, FACT_VALUE
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.syntax import Include
from setpoint.compiler.language.tables import reserved_words
from support.chunks import parse_only, plan_errors
from support.command import ROOT
from support.fences import Fence, fences, rewrite

PAGE = ROOT / "docs/language.md"
TEXT = PAGE.read_text(encoding="utf-8")
FIELDS = {
    keyword: (kind.required, kind.optional)
    for keyword, kind in {**BLOCKS, "value": FACT_VALUE}.items()
    if kind.required or kind.optional
}
EXAMPLES = [fence for fence in fences(TEXT) if fence.info[:1] == ("tune",)]


def named(fence: Fence) -> str:
    return f"{fence.section}-{fence.line}"


def of_kind(*info: str) -> list[Fence]:
    return [fence for fence in EXAMPLES if fence.info[1:2] == info]


@pytest.mark.parametrize("fence", [f for f in EXAMPLES if f.info[1:2] != ("error",)], ids=named)
def test_examples_parse_and_are_in_canonical_form(fence: Fence) -> None:
    source = SourceText("policy.tune", fence.text)
    assert parse_only(source) == ()
    if ";" in fence.text and "\n" in fence.text.strip():
        assert format_source(source) == fence.text


@pytest.mark.parametrize("fence", of_kind("plan"), ids=named)
def test_policies_have_plans(fence: Fence) -> None:
    assert list(plan_errors(SourceText("policy.tune", fence.text))) == []


@pytest.mark.alike  # the library has each of these statements as well
@pytest.mark.parametrize("fence", of_kind("site"), ids=named)
def test_knowledge_joins_the_standard_library(fence: Fence) -> None:
    with_site([parse(SourceText("site.tune", fence.text))])


@pytest.mark.parametrize("fence", of_kind("error"), ids=named)
def test_errors_are_the_errors_they_say(fence: Fence) -> None:
    assert [found.code for found in plan_errors(SourceText("policy.tune", fence.text))] == [fence.info[2]]


def test_each_example_is_classified_correctly() -> None:
    assert EXAMPLES
    assert {fence.info[1:2] for fence in EXAMPLES} == {(), ("plan",), ("site",), ("error",)}


def test_every_form_of_statement_has_an_example() -> None:
    kinds = set()
    for fence in EXAMPLES:
        if fence.info[1:2] != ("error",):
            for statement in parse(SourceText("a.tune", fence.text)).body:
                kinds.add(getattr(statement, "kind", type(statement).__name__.lower()))
    assert Include.__name__.lower() in kinds
    assert {kind for kind in FIELDS if kind != "measurements"} <= {str(getattr(k, "text", k)) for k in kinds}


def test_the_reserved_words_are_those_of_the_grammar(update: bool) -> None:
    (listed,) = [fence for fence in fences(TEXT) if fence.info == ("text",)]
    lines: list[str] = [""]
    for word in reserved_words():
        if len(lines[-1]) + len(word) >= 110:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    expected = "".join(f"{line}\n" for line in lines)
    if update:
        rewrite(PAGE, listed, expected)
    else:
        assert listed.text == expected, "run pytest --update"


def test_the_table_of_fields_matches_the_compiler() -> None:
    rows = {}
    for line in TEXT.split("\n"):
        cells = [re.findall(r"`([a-z]+)`", cell) for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and (cells[0] or "a value of a fact" in line):
            rows["".join(cells[0]) or "value"] = tuple(" ".join(fields) for fields in cells[1:])
    assert rows == {kind: tuple(" ".join(sorted(f.split())) for f in both) for kind, both in FIELDS.items()}
