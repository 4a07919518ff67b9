"""What an editor is told of the rules of a site while one types is what the whole proof finds about them.

One object follows a site through all its versions, as an editor's does, so that answers which it keeps for too long are
noticed.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from proof import small
from proof.random_knowledge import statements
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import Foundation, LayeredFile, build, may_come_later
from setpoint.compiler.knowledge.library import KnowledgeDigests
from setpoint.compiler.knowledge.load import trees, with_site
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import parse
from setpoint.compiler.proof.memory import Memory
from setpoint.compiler.proof.prove import prove
from setpoint.compiler.proof.site_rules import SiteRules
from support.proven import library_memory

SEEDS = 25
"""How many knowledge bases at random are changed; `--complete` changes ten times as many."""

SITE = "site.tune"

SPOILSPORT = (
    'constraint spoilsport of old at "Note" { when model m1; require a on; because "the hardware refuses"; }'
)


def layered(library: str, site: str) -> tuple[LayeredFile, LayeredFile]:
    """A library and a site's file."""
    return (
        LayeredFile(parse(SourceText("small.tune", library)), "stdlib"),
        LayeredFile(parse(SourceText(SITE, site)), "site"),
    )


def of_rules(found: Iterable[Diagnostic]) -> set[tuple[object, ...]]:
    """What is found about the site's rules: ties, and rules that are dead. The example is any that shows it."""
    return {
        (each.code, each.message, each.at, each.label, each.others, each.help)
        for each in found
        if (each.code == "K01" and "assum" not in each.message)
        or (each.code == "K04" and each.message.startswith("`"))
        if SITE in (each.at.file, *(one.span.file for one in each.others))
    }


def agrees(following: SiteRules, knowledge: Knowledge, memory: Memory) -> set[str]:
    """The codes of what is found, which is what the whole proof finds; and what is said at first is part of it."""
    *parts, last = following.findings(knowledge)
    whole = of_rules(prove(knowledge, memory).findings)
    assert of_rules(last) == whole
    assert all(of_rules(part) <= whole for part in parts)
    return {each.code for each in last}


def versions(library: list[str], site: list[str], random: Random) -> Iterator[tuple[list[str], list[str]]]:
    """A site's file as it is written: without a rule, with it again, with other values and conditions, moved, and
    emptied."""
    yield library, site
    for _ in range(4):
        number = random.randrange(len(site))
        without = [*site[:number], *site[number + 1 :]]
        yield library, without
        yield library, ["", *site]
        yield library, [*without, site[number].replace("when ", "when fans one, ", 1)]
        other = random.choice(site)
        use, uses = (re.search("use [^;]*;", text) for text in (site[number], other))
        if use and uses:
            yield library, [*without, site[number].replace(use[0], uses[0])]
    yield library, []
    yield [*library, SPOILSPORT], site


def test_at_random(complete: bool) -> None:
    found: list[str] = []
    compared = 0
    for seed in range(SEEDS * (10 if complete else 1)):
        text, random = statements(seed), Random(seed)
        is_own = [
            bool(re.match("(rule|table|measurement) ", each)) and random.random() < 0.7 for each in text
        ]
        library = [each for each, own in zip(text, is_own, strict=True) if not own]
        site = [each for each, own in zip(text, is_own, strict=True) if own]
        following, memory = SiteRules(Memory()), Memory()
        for declared, written in versions(library, site, random) if site else ():
            try:
                knowledge = build(layered("\n".join(declared), "\n".join(written)))
            except SetpointError:
                continue
            found += agrees(following, knowledge, memory)
            compared += 1
    assert compared > 5 * SEEDS
    assert found.count("K01") > SEEDS // 5
    assert found.count("K04") > SEEDS // 5


def test_profiles_that_tie_do_so_on_their_members_too() -> None:
    """The site has no rules for a member: the profiles that its rules recommend have values for it."""
    library = [
        small.BASE,
        'setting profile { title "Profile"; layer firmware; values quiet, cold; }',
        'options of paper { profile quiet, cold default quiet at "Menu"; }',
        'preset "Profiles" of paper { profile quiet cold; fans low high; }',
    ]
    site = [
        small.rule("cold-m1", "profile cold", "model m1"),
        small.rule("quiet-front", "profile quiet", "rack front"),
    ]
    knowledge = build(layered("\n".join(library), "\n".join(site)))
    following = SiteRules(Memory())
    assert agrees(following, knowledge, Memory()) == {"K01"}
    *_, last = following.findings(knowledge)
    assert {finding.message for finding in last} == {
        f"`cold-m1` and `quiet-front` conflict on `{setting}`: neither takes precedence"
        for setting in ("fans", "profile")
    }


LAB = Path(__file__).parents[1] / "library" / "lab.tune"


def test_beside_the_library(complete: bool) -> None:
    """Rules for settings of profiles, of which the library has the most, and a table of a setting of their own.

    With `--complete` the answers are compared with the whole proof, which takes long; by default that is done at
    random, above.
    """
    following, text = SiteRules(library_memory()), LAB.read_text(encoding="utf-8")
    first, second = (
        with_site([parse(SourceText(SITE, version))])
        for version in (text, text.replace("use turbo on", "use turbo off", 1))
    )
    for version, codes in ((first, {"K01", "K04"}), (second, {"K04"})):
        if complete:
            assert agrees(following, version, library_memory()) == codes
        else:
            *_, last = following.findings(version)
            assert {each.code for each in last} == codes


def test_a_newer_question_ends_the_search_for_an_answer() -> None:
    """What was answered until then is kept: the next answer begins with it."""
    following, knowledge = SiteRules(library_memory()), with_site([parse(SourceText(SITE, LAB.read_text()))])
    first = next(following.findings(knowledge))

    def newer() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(following.findings(knowledge, newer))
    assert next(following.findings(knowledge)) == first


# -------------------------------------------------------------- built on what was declared before

NUMBERS = 'rule calm of lab at "1" {{ when goal latency; use swappiness {}; because "measured"; }}\n'
DECLARED = 'source lab {{ title "Bench"; publisher "Us"; }}\n{}'
HAZARD = 'hazard hot of lab at "2" { when goal latency, turbo on; because "the hall"; severity warning; }\n'
FIGURE = 'measurement m of lab at "3" { vary turbo off from on; metric latency in "%"; value -50; }\n'
SETTING = 'setting lamp { title "Lamp"; layer firmware; values red, blue; }\n'

VERSIONS = [
    NUMBERS.format(13),
    NUMBERS.format(13) + HAZARD,
    HAZARD + FIGURE + NUMBERS.format(13),
    NUMBERS.format(17),
    NUMBERS.format(13).replace("calm", "calmer") + NUMBERS.format(13),
    NUMBERS.format(13) + NUMBERS.format(13),
    HAZARD + HAZARD,
    FIGURE + FIGURE,
    NUMBERS.format("x").replace("of lab", "of lap"),
    SETTING + NUMBERS.format(13),
    NUMBERS.format(13).replace("use swappiness 13", "use lamp red"),
    "\n" + NUMBERS.format(13),
]
"""What a site's file states one after the other, errors included."""


def test_what_is_built_on_a_foundation_is_what_is_built_anew(complete: bool) -> None:
    """After other versions, whose foundation is there: with `--complete` in both orders."""
    for version in (*VERSIONS, *(reversed(VERSIONS) if complete else ())):
        tree = parse(SourceText(SITE, DECLARED.format(version)))
        anew = result(build, [*library(), LayeredFile(tree, "site")])
        assert result(with_site, [tree]) == anew


def test_a_change_of_a_rule_leaves_the_foundation() -> None:
    """Without numbers that were not mentioned before, the library is not read again."""
    foundation = Foundation(library(), [site_file(NUMBERS.format(13))])
    assert foundation.knowledge([site_file("")]) is None
    assert foundation.knowledge([site_file(NUMBERS.format(17))]) is None
    assert foundation.knowledge([site_file(NUMBERS.format(13).replace("latency", "performance"))])


def library() -> list[LayeredFile]:
    return [LayeredFile(tree, "stdlib") for tree in trees()]


def site_file(text: str) -> LayeredFile:
    """What a file has that may come later; its source is the library's."""
    tree = parse(SourceText(SITE, text.replace("of lab", "of dell-11g-hpc")))
    assert all(map(may_come_later, tree.body))
    return LayeredFile(tree, "site")


def result(make: Callable[[list[Any]], Knowledge], files: list[Any]) -> Knowledge | tuple[Diagnostic, ...]:
    """The knowledge base, whatever files it is read from, or the errors in it."""
    try:
        return make(files)._replace(digests=KnowledgeDigests())
    except SetpointError as error:
        return error.diagnostics
