"""Claims of the pages in prose and tables, compared with the library and the code.

Commands and their output are run elsewhere (`test_commands`). Here are the claims that no command shows: which servers
there are, what artifacts compare, what a check costs, and which stages the compiler has.
"""

import ast
import json
import re
from pathlib import Path

import pytest

from setpoint.compiler import cli
from setpoint.compiler.cli import STATUSES, STOPPED
from setpoint.compiler.cli.commands import commands
from setpoint.compiler.files.reading import MOST_BYTES, MOST_LEVELS
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.lowering.target import targets
from setpoint.compiler.pipeline import planned, read_text
from setpoint.compiler.plan.model import Plan
from setpoint.docs.hooks.reference.platforms import NOT_COMPARED, Plans, platform_pages
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


def test_every_maker_of_a_described_server_has_a_name_here(knowledge: Knowledge) -> None:
    """Others are known by the names of their servers alone, which only families read."""
    described = {
        maker
        for platform in knowledge.values["platform"].values()
        for fact, maker in platform.implies
        if fact == "vendor"
    }
    assert sorted(MAKERS) == sorted(described)


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


def test_the_start_page_says_which_generation_has_amd_processors(knowledge: Knowledge) -> None:
    of_amd = [name for name in knowledge.values["platform"] if re.fullmatch(r"poweredge-\d+g-amd", name)]
    said = re.search(r"with AMD processors of the\s+(\d+)th and (\d+)th\b", page("docs/index.md"))
    assert said is not None
    assert of_amd == [f"poweredge-{generation}g-amd" for generation in said.groups()]


ARTIFACTS = {
    "ansible": "an Ansible role",
    "cpuspeed": "",  # for releases of fifteen years ago, in the list of targets alone
    "kernel-args": "arguments",
    "puppet": "a Puppet module",
    "racadm": "syscfg and racadm",
    "redfish": "Redfish payloads",
    "report": "a report for the pull request",
    "scp": "Server Configuration Profiles",
    "syscfg": "plans for syscfg",
    "systemd": "files for systemd",
    "tuned": "tuned profiles",
}  # each target, as the first paragraphs name what it writes


@pytest.mark.parametrize("place", ["README.md", "docs/index.md"])
def test_the_first_paragraphs_name_every_artifact(place: str) -> None:
    assert sorted(ARTIFACTS) == sorted(targets())
    text = " ".join(page(place).partition("recommendations are not")[0].split())
    assert [name for name, words in ARTIFACTS.items() if words not in text] == []


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


@pytest.mark.parametrize("place", ["compiler/pipeline.py", "docs/architecture.md", "docs/implementation.md"])
def test_the_stages_are_counted(place: str) -> None:
    (drawn,) = STAGES.findall(page("compiler/pipeline.py"))
    numbers = {4: "four", 5: "five", 6: "six", 7: "seven"}
    assert set(
        re.findall(r"(\w+) stages, each", page(place)) + re.findall(r"all (\w+) stages", page(place))
    ) == {numbers[drawn.count("-->")]}


@pytest.mark.parametrize("place", ["README.md", "CONTRIBUTING.md", "docs/tutorial.md"])
def test_the_release_of_python_is_that_of_the_package(place: str) -> None:
    (least,) = re.findall(r'^requires-python = ">=(.*)"$', page("pyproject.toml"), re.MULTILINE)
    assert set(re.findall(r"Python (\d[\d.]*\d)", page(place))) == {least}


def test_the_limits_of_json_are_those_of_the_reader() -> None:
    text = " ".join(page("docs/formats.md").split())
    assert f"JSON files of up to {MOST_BYTES >> 20} MiB" in text
    assert f"nested up to {MOST_LEVELS} levels deep" in text


def test_each_package_is_in_the_essay_of_the_compiler() -> None:
    packages = {path.parent.name for path in (ROOT / "compiler").glob("*/__init__.py")}
    essay = ast.get_docstring(ast.parse(page("compiler/__init__.py"))) or ""
    assert set(re.findall(r"`(\w+)`", essay)) == {*packages, "pipeline", "stdlib"}


def test_a_proof_takes_what_contributors_are_told() -> None:
    """At most, so that nobody interrupts one. The benchmarks measure `kb check` of the whole library, with nothing kept
    from a run before."""
    seconds = int(row("CONTRIBUTING.md", "`setpoint kb check`")[1].partition(" s")[0])
    measured, _ = json.loads(page("docs/benchmarks.json"))["costs"]["library: kb check"]["1"]
    assert measured <= seconds


def test_the_comparison_with_other_tools_repeats_what_was_measured() -> None:
    ours, opa, cue = (
        row("docs/benchmarks.md", name) for name in ("Setpoint, with artifacts", "OPA (Rego)", "CUE")
    )
    text = " ".join(page("docs/comparison.md").split())
    one, many = 1, 3  # the columns of one host and of 10,000
    assert f"{ours[one]} of processor time with its artifacts" in text
    assert f"takes OPA {opa[one]} and CUE {cue[one]}" in text
    assert f"For 10,000 hosts it takes {ours[many]}, and OPA {opa[many]}" in text
    table = page("docs/benchmarks.md").partition("| ratio to Setpoint |\n")[2].partition("\n\n")[0]
    others = [line for line in table.splitlines()[1:] if not line.startswith("| Setpoint")]
    assert {5: "five", 6: "six", 7: "seven"}[len(others)] in re.findall(r"compares (\w+) languages", text)


# ----------------------------------------------------------------------------------- the command line

COMMANDS = page("README.md").partition("\n## Commands\n")[2].partition("\n## ")[0]


def test_the_first_page_has_every_command() -> None:
    """A row of the table names one, or several as `kb list`, `show`."""
    listed = set()
    for cell in re.findall(r"^\| (`setpoint .*?) \|", COMMANDS, re.MULTILINE):
        first, *others = (words.removeprefix("setpoint ") for words in re.findall("`([^`]+)`", cell))
        names = [first, *(f"kb {each}" if first.startswith("kb ") else each for each in others)]
        listed |= {" ".join(re.match(r"(kb )?[a-z]+", name)[0].split()) for name in names if name}  # type: ignore[index]
    assert listed == {" ".join(each.words) for each in commands() if each.words} - {"kb"}


@pytest.mark.parametrize(("option", "said"), [("-e", "replaces a policy file"), ("--current", "take `--registry FILE`")])  # fmt: skip
def test_the_first_page_says_which_commands_have_an_option(option: str, said: str) -> None:
    """`--current` is of one server; `kb import` is about nothing else."""
    (sentence,) = (
        each for each in " ".join(COMMANDS.rpartition("|\n")[2].split()).split(". ") if said in each
    )
    named = set(re.findall("`([a-z]+)`", sentence))
    having = {
        each.words[0] for each in commands() if any(option in argument.flags for argument in each.options)
    }
    assert named == having - {"kb"}


def test_the_first_page_has_every_exit_status() -> None:
    named = re.findall(r"(\d)\s[a-z]", COMMANDS.partition("Exit status: ")[2])
    assert [int(each) for each in named] == [each for each in STATUSES if each < STOPPED]


def test_the_recipe_of_a_verb_has_every_exit_status() -> None:
    names = re.search(r"Statuses are ([^;]*);", page("CONTRIBUTING.md"))
    assert names
    assert [getattr(cli, each) for each in re.findall("`([A-Z_]+)`", names[1])] == [
        each for each in STATUSES if each < STOPPED
    ]
