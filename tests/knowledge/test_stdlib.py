"""The standard library cites existing places, and gives no number that its source does not have."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from knowledge.papers import PAPERS, Paper
from knowledge.read_papers import headings, noted, numbers
from registries import NAMES, read
from setpoint.compiler.knowledge.model import Citation, Knowledge

CASES = r", (first|second|third) case|, note"
"""What a locator may add to a heading: which paragraph of it."""


class Claim(NamedTuple):
    """Something that the knowledge base says on the word of a source."""

    name: str
    citation: Citation
    words: tuple[str, ...]


def claims(knowledge: Knowledge) -> Iterator[Claim]:
    """Everything that has a citation, with its own prose and numbers."""
    for rule in knowledge.rules:
        yield Claim(rule.name, rule.citation, (rule.because, rule.note))
    for hazard in knowledge.hazards.values():
        yield Claim(hazard.name, hazard.citation, (hazard.because, hazard.help))
    for constraint in knowledge.constraints:
        yield Claim(constraint.name, constraint.citation, (constraint.because,))
    for measurement in knowledge.measurements:
        labels = tuple(label for _, label in measurement.labels)
        figures = (
            () if measurement.computed else (measurement.low, measurement.high)
        )  # the paper has no ratios
        words = (*figures, measurement.note, measurement.unit, *labels)
        yield Claim(measurement.name, measurement.citation, words)
    for effect in knowledge.effects.values():
        yield Claim(effect.name, effect.citation, (effect.title,))
    for preset in knowledge.presets:
        yield Claim(f"preset of {preset.governor}", preset.citation, ())
    for offers in knowledge.offers.values():
        for offer in offers:
            yield Claim(f"offer of {offer.setting}", offer.citation, (*offer.labels, offer.menu))
    for values in knowledge.values.values():
        for value in values.values():
            if value.citation:
                yield Claim(f"{value.fact} {value.name}", value.citation, (value.title, value.about))


# ------------------------------------------------------------------------------------------------------- locators


@pytest.mark.parametrize("source", PAPERS)
def test_every_locator_is_in_its_paper(source: str, knowledge: Knowledge) -> None:
    of_paper = [claim for claim in claims(knowledge) if claim.citation.source == source]
    assert of_paper
    for claim in of_paper:
        for part in claim.citation.at.split("; "):
            assert is_locator(part, PAPERS[source]), f"{claim.name}: {source} has no `{part}`"


@pytest.mark.parametrize("source", PAPERS)
def test_the_contents_of_a_source_are_those_of_the_paper(source: str, knowledge: Knowledge) -> None:
    paper, contents = PAPERS[source], knowledge.sources[source].contents
    pictured = [place for place in contents if re.fullmatch(r"(Table|Figure) \d+", place)]
    assert sorted(pictured) == sorted(
        [*(f"Table {n + 1}" for n in range(paper.tables)), *(f"Figure {n + 1}" for n in range(paper.figures))]
    )
    nested = {title for title, _ in paper.under}
    headings = {f"Section {h}" if h[0].isdigit() else h for h in paper.headings if h not in nested}
    assert headings | {f"{title} ({parent})" for title, parent in paper.under} <= set(contents)


@pytest.mark.parametrize("source", [name for name, paper in PAPERS.items() if paper.headings])
def test_every_heading_in_the_contents_is_in_the_paper(source: str, knowledge: Knowledge) -> None:
    found = noted(source).headings
    assert sorted(headings(knowledge.sources[source].contents) - set(found)) == [], "see read_papers"


def is_locator(part: str, paper: Paper) -> bool:
    """Whether a paper has this table, these figures, this section, or this heading."""
    if table := re.fullmatch(r"Table (\d+)(?:, footnote (\d+))?", part):
        return int(table[1]) <= paper.tables and int(table[2] or 0) <= paper.footnotes
    if figures := re.fullmatch(r"Figures? ([\d, and]+?)(?: and the text after it)?", part):
        return all(int(number) <= paper.figures for number in re.findall(r"\d+", figures[1]))
    if section := re.fullmatch(r"Section ([\d.]+)(?:, .+)?", part):
        return section[1] in paper.headings
    heading = re.sub(rf"({CASES})$", "", part)
    if nested := re.fullmatch(r"(.+) \((.+)\)", heading):
        return (nested[1], nested[2]) in paper.under
    return heading in paper.headings and heading not in [title for title, _ in paper.under]


@pytest.mark.parametrize(
    "slip",
    ["Table 7", "Table 2, footnote 1", "Figure 15", "Figures 13 and 15", "Section 4.4.1", "Turbo Boost",
     "Node Interleaving", "Node Interleaving (Conclusion)", "Conclusion, fourth case", ""],
)  # fmt: skip
def test_a_mistake_in_a_locator_would_be_found(slip: str) -> None:
    assert not is_locator(slip, PAPERS["dell-11g-hpc"])


@pytest.mark.parametrize("source", PAPERS)
def test_the_lists_of_tables_figures_and_headings_are_the_papers_own(source: str) -> None:
    paper, found = PAPERS[source], noted(source)
    assert (paper.tables, paper.figures) == (found.tables, found.figures)
    assert set(paper.headings) <= set(found.headings)


def test_every_locator_in_a_registry_is_an_attribute_of_that_server(knowledge: Knowledge) -> None:
    captures = _captures()
    of_registries = {c.citation.at for c in claims(knowledge) if c.citation.source == "dell-bios-registries"}
    assert of_registries
    for place in sorted({place for at in of_registries for place in at.split("; ")}):
        servers, attribute = place.split(", ")
        is_absent = attribute.startswith("without ")
        name, *rest = attribute.removeprefix("without ").split(" ", 1)
        assert re.fullmatch(r"([RT]\d+ (registry|attributes|values)|R\d+ and R\d+ registries)", servers)
        assert rest in ([], ["help text"], ["dependencies"])
        for server in re.findall(r"[RT]\d+", servers):
            assert (name in captures[server]) != is_absent, (
                f"the {server} has {'a' if is_absent else 'no'} `{name}`"
            )


def _captures() -> dict[str, set[str]]:
    """The attributes of the captured servers, by model; of one without a registry those that it has values of."""
    dells = {name.split("-")[2]: read(name) for name in NAMES if name.startswith("dell-")}
    return {model: set(each["attributes"]) or set(each["current"]) for model, each in dells.items()}


# -------------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("source", PAPERS)
def test_no_number_that_the_paper_does_not_have(source: str, knowledge: Knowledge) -> None:
    printed = noted(source).numbers
    for claim in claims(knowledge):
        if claim.citation.source == source:
            unknown = numbers(" ".join(claim.words)) - printed
            assert not unknown, f"{claim.name} has {sorted(unknown)}, which {source} has not"
    unknown = numbers(knowledge.sources[source].about) - printed
    assert not unknown, f"{source} is said to have {sorted(unknown)}"
