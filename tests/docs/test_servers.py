"""The page of server models: what it lists is known, and what it says of a model is what a policy gets."""

from __future__ import annotations

from functools import cache

import pytest

from setpoint.compiler.knowledge.load import standard
from setpoint.docs.hooks.reference.servers import HEADS, ListedServers, listed_servers, servers_page
from support.plans import plan_of_text

NAMES = [
    name
    for generations in listed_servers().models.values()
    for names in generations.values()
    for name in names
]


@cache
def rows() -> dict[str, dict[str, str]]:
    """The rows of the page by model, each cell under its head; columns that a table lacks are empty."""
    found, heads = {}, [""]
    for line in servers_page(standard(), listed_servers()).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| model |"):
            heads = cells
        elif line.startswith("| ") and not line.startswith("| ---"):
            found[cells[0]] = dict.fromkeys(HEADS, "") | dict(zip(heads, cells, strict=True))
    return found


def test_each_model_is_listed_once() -> None:
    assert len(NAMES) == len(set(NAMES)) == listed_servers().total == 150
    assert list(rows()) == NAMES


def test_the_registries_are_sources_of_names() -> None:
    """A source that is renamed would no longer be in bold."""
    named = {each.citation.source for spellings in standard().spellings.values() for each in spellings}
    assert set(listed_servers().registries) <= named


@pytest.mark.parametrize(
    ("model", "stated", "known_as", "counts", "source", "compared"),
    [
        # described itself, from a registry
        ("PowerEdge R740", "r740", "*itself*", ("35", "35", "19"), "**[dell-bios-registries]", "model"),
        # one of a generation
        ("PowerEdge R440", '"PowerEdge R440"', "Dell PowerEdge, 14th generation (`poweredge-14g`)", ("35", "35", "19"),
         "**[dell-bios-registries]", "several"),
        # by its family, which has a generation
        ("PowerEdge M640", '"PowerEdge M640"',
         "a Dell PowerEdge of the 14th generation, with Xeon Scalable processors (`poweredge-14g`)", ("35", "35", "19"),
         "**[dell-bios-registries]", "model"),
        # by its family, which has none
        ("PowerEdge R7425", '"PowerEdge R7425"',
         "a Dell PowerEdge of the 14th generation, with EPYC processors", ("", "", ""), "", "model"),
        # from values of servers, with few defaults
        ("PowerEdge R7525", "r7525", "*itself*", ("25", "25", "5"), "[poweredge-amd-captures]", "model"),
        ("ThinkSystem SR650 V3", "sr650-v3", "*itself*", ("29", "29", ""), "[lenovo-v3-xeon-captures]", "model"),
        # no source shows what it reports
        ("PowerEdge R470", "r470", "*itself*", ("40", "40", "25"), "**[poweredge-xeon-captures]", "nothing"),
        # without names of attributes
        ("UCSC-C240-M7SX", "c240-m7", "*itself*", ("18", "", ""), "", "model"),
    ],
)  # fmt: skip
def test_a_row_says_what_is_known(
    model: str, stated: str, known_as: str, counts: tuple[str, ...], source: str, compared: str
) -> None:
    row = rows()[model]
    assert (row["in a policy"], row["known as"]) == (f"`platform {stated}`", known_as)
    assert (row["BIOS settings"], row["with names"], row["defaults"]) == counts
    assert row["names from"].startswith(source)
    assert bool(row["names from"]) == bool(source)
    assert row["compared"] == compared


@pytest.mark.parametrize("model", ["PowerEdge R650xs", "UCSC-C240-M6SX", "ThinkSystem SR850 V3"])
def test_a_plan_has_the_settings_and_the_identity_of_its_row(model: str) -> None:
    row = rows()[model]
    plan = plan_of_text(f"goal latency; {row['in a policy'].strip('`')};")
    settings = [each for each in plan.settings if each.layer == "firmware"]
    named = [each for each in settings if any(one.interface == "attribute" for one in each.spelled)]
    assert (str(len(settings)), str(len(named) or "")) == (row["BIOS settings"], row["with names"])
    (identity,) = (each for each in plan.identity if each.kind == "product")
    assert {0: "nothing", 1: "model"}.get(len(identity.names), "several") == row["compared"]


def test_a_model_that_nothing_knows_cannot_be_listed() -> None:
    listed: ListedServers = listed_servers()._replace(models={"Example": {"R": ("Example R1",)}})
    with pytest.raises(Exception, match="unknown platform"):
        servers_page(standard(), listed)
