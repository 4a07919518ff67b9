"""Claims of the pages in prose and tables, compared with the library and the code.

Commands and their output are run elsewhere (`test_commands`). Here are the claims that no command shows: which servers there are,
what artifacts compare, what a check costs, and which stages the compiler has.
"""

import ast
import json
import re
from pathlib import Path

import pytest

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.pipeline import planned, read_text
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.render.reference.platforms import NOT_COMPARED, Plans, platform_pages
from setpoint.targets._shared.identity import identification
from support.command import ROOT, setpoint

MAKERS = {
    "cisco": "Cisco",
    "dell": "Dell",
    "hpe": "HPE",
    "lenovo": "Lenovo",
    "supermicro": "Supermicro",
}  # each value of the fact `vendor`, as pages name it


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def row(name: str, first: str) -> list[str]:
    """The cells of the row of a page's table whose first cell is this."""
    (found,) = re.findall(rf"^\| {re.escape(first)} \|(.*)\|$", page(name), re.MULTILINE)
    return [cell.strip() for cell in found.split("|")]


# ------------------------------------------------------------------------------------------ servers


def test_every_maker_has_a_name_here(knowledge: Knowledge) -> None:
    assert sorted(MAKERS) == sorted(knowledge.values["vendor"])


def test_the_comparison_with_other_tools_names_each_maker() -> None:
    assert row("docs/comparison.md", "Setpoint")[-1] == ", ".join(MAKERS.values())


def test_the_start_page_names_each_maker_and_generation(knowledge: Knowledge) -> None:
    limits = page("docs/index.md").partition("\n## Limits\n")[2].partition("\n## ")[0]
    assert [maker for maker in MAKERS.values() if maker not in limits] == []
    generations = [
        int(found[1])
        for name in knowledge.values["platform"]
        if (found := re.match(r"poweredge-(\d+)g", name))
    ]
    assert f"PowerEdge of the {min(generations)}th to {max(generations)}th generation" in limits


@pytest.mark.parametrize(("platform", "is_written"), [("c220-m7", False), ("r750", True), ("sr650-v3", True)])
def test_only_the_firmware_of_cisco_is_set_by_hand(platform: str, is_written: bool, tmp_path: Path) -> None:
    """The start page says so of the makers that it names."""
    done = setpoint("compile", "-e", f"goal latency; platform {platform}", "-o", str(tmp_path / "bundle"))
    assert done.status == 0, done.err
    assert (tmp_path / "bundle/redfish").is_dir() == is_written


def test_the_list_of_servers_says_whose_name_is_not_compared(knowledge: Knowledge) -> None:
    """The operators' guide refers to that list. What the artifacts compare decides what is true."""
    plans = {name: {"latency": plan_of(knowledge, name)} for name in knowledge.values["platform"]}
    index = platform_pages(knowledge, Plans("platform", "goal", plans))["platforms/index.md"]
    for name, under in plans.items():
        (line,) = re.findall(rf"^.*\| `{name}` \|.*$", index, re.MULTILINE)
        compared = [check.kind for check in identification(under["latency"]).checks]
        assert (NOT_COMPARED not in line) == ("product" in compared), name


def plan_of(knowledge: Knowledge, platform: str) -> Plan:
    (each,) = planned(read_text(f"goal latency; platform {platform}"), knowledge)
    assert each.plan is not None
    return each.plan


# --------------------------------------------------------------------------------------- the compiler

STAGES = re.compile(r"^ *(path --read--> .*)$", re.MULTILINE)


@pytest.mark.parametrize("place", ["compiler/__init__.py", "docs/architecture.md", "docs/implementation.md"])
def test_the_pipeline_is_drawn_as_it_is(place: str) -> None:
    (drawn,) = STAGES.findall(page(place))
    (code,) = STAGES.findall(page("compiler/pipeline.py"))
    assert drawn == code


def test_each_package_is_in_the_essay_of_the_compiler() -> None:
    packages = {path.parent.name for path in (ROOT / "compiler").glob("*/__init__.py")}
    essay = ast.get_docstring(ast.parse(page("compiler/__init__.py"))) or ""
    assert set(re.findall(r"`(\w+)`", essay)) == {*packages, "pipeline", "stdlib"}


def test_a_proof_takes_what_contributors_are_told() -> None:
    """The benchmarks measure `kb check` of the whole library, with nothing kept from a run before."""
    seconds = int(row("CONTRIBUTING.md", "`setpoint kb check`")[1].partition(" s")[0])
    measured, _ = json.loads(page("docs/benchmarks.json"))["costs"]["library: kb check"]["1"]
    assert measured <= seconds <= 2 * measured
