"""The `words` blocks: what they can say, and what is wrong with one."""

import re

import pytest
from proof.small import findings

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for
from support.together import refusals

SOURCE = 'source lab { title "Bench notes"; publisher "Example Ltd"; }'
WORDS = 'words {name} of lab at "Run 1" {{ when os linux; {body} }}'


def read(*statements: str) -> None:
    """Read these statements of a site; raise SetpointError for errors in them."""
    knowledge_for(program_of_text("\n".join([SOURCE, *statements])))


RIGHT = [
    'known argument "quick";',
    'known argument "quick=0", "quick=*", "lab.*", "lab-driver.mode";',
    'known sysctl "kernel.quick=1"; means numa-balancing on;',
    'known tuned "[main] include=quick"; means swappiness 10; means busy-poll 50us;',
    'known argument "quick=*"; means isolated-cpus any;',
    'known argument "quick"; remark repeatable;',
    'known argument "quick"; remark qualified "size";',
    'known argument "quick"; remark needs "slow", "size"; because "it reads the size of them";',
]


def test_words_are_read() -> None:
    """All of them together: nothing is found in any."""
    read(*(WORDS.format(name=f"one-{number}", body=body) for number, body in enumerate(RIGHT)))


WRONG = [
    ("", "words `one` lacks `known`"),
    ('known arguments "quick";', "unknown interface `arguments`"),
    ('known argument "two words";', "`two words` is not a kernel argument"),
    ('known argument "quick=$(reboot)";', "`quick=$(reboot)` is not a kernel argument"),
    ('known argument "*quick";', "`*quick` is not a kernel argument"),
    ('known sysctl "swappiness";', "`swappiness` is not a sysctl"),
    ('known argument "a", "a";', "word of `one`: `a` is declared twice"),
    ('known argument "a"; means turbos on;', "unknown setting `turbos`"),
    ('known argument "a"; means turbo maybe;', "`turbo` has no value `maybe`"),
    ('known argument "a"; means isolated-cpus any;', "no part of `a` is the value of `isolated-cpus`"),
    ('known argument "a"; remark bad; because "it is";', "unknown remark `bad`"),
    ('known argument "a"; remark insecure;', "words `one` lack `because`"),
    ('known argument "a"; because "it is";', "words `one` have a reason without a remark"),
    ('known argument "a"; remark ignored "b"; because "it is";', "words `one`: `remark ignored` is about no other word"),
    ('known argument "a"; remark needs; because "it does";', "words `one`: `remark needs` names no word"),
    ('known argument "a"; remark needs "b c"; because "it does";', "`b c` is not a kernel argument"),
]  # fmt: skip


@pytest.fixture(scope="module")
def refused() -> dict[str, tuple[Diagnostic, ...]]:
    """What is found in words with each of these bodies."""
    blocks = {body: WORDS.format(name=f"one-{number}", body=body) for number, (body, _) in enumerate(WRONG)}
    found = refusals(blocks.values(), SOURCE)
    return {body: found[text] for body, text in blocks.items()}


@pytest.mark.parametrize(("body", "message"), WRONG)
def test_wrong_words_are_refused(refused: dict[str, tuple[Diagnostic, ...]], body: str, message: str) -> None:
    assert message in [re.sub("`one-[0-9]+`", "`one`", found.message) for found in refused[body]]


def test_words_depend_on_facts_alone() -> None:
    with pytest.raises(SetpointError) as caught:
        read(WORDS.format(name="one", body='known argument "a";').replace("os linux", "turbo on"))
    assert [d.message for d in caught.value.diagnostics] == [
        "words `one` depend on `turbo`, which is a setting"
    ]


def test_a_meaning_that_nothing_offers_is_found() -> None:
    meaning = 'words one of paper at "Menu" { when model m1; known argument "a"; means tempo slow; }'
    tempo = 'setting tempo { title "Tempo"; layer os; values slow, quick; }'
    offer = 'options of paper when model %s { tempo slow, quick default slow at "Menu"; }'
    assert [d.message for d in findings(tempo, meaning, offer % "m2") if d.code == "K21"] == [
        "words `one` mean `tempo slow`, which nothing offers where they apply"
    ]
    assert [d.message for d in findings(tempo, meaning, offer % "m1") if "`one`" in d.message] == []


def test_names_that_are_spelt_are_not_listed_without_a_text(knowledge: Knowledge) -> None:
    """Otherwise any text of theirs would pass."""
    spelled = {(s.interface, name) for each in knowledge.spellings.values() for s in each for name in s.names}
    plain = {
        (block.interface, word.name)
        for block in knowledge.words
        if not block.remark
        for word in block.words
        if word.text is None
    }
    assert {name for interface, name in plain & spelled if interface != "tuned"} == set()
