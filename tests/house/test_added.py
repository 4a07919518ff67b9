"""What CONTRIBUTING says how to add is added to a copy of the code, and everything that should know of it does.

Nothing here knows how it was added: the copy is asked by the commands that users type, by its pages and its schema.
What a recipe touches is counted, so that the next one is as cheap. `test_added_block.py` asks the same of a block of
the language.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from house.test_contributing import PAGE, RECIPES, asked, copied, follow, shell_in

Shell = Callable[[str], str]

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

TOUCHED = {
    "Add a source": 3,
    "Add a setting": 5,
    "Add a target": 3,
    "Add a diagnostic": 2,
    "Add a field of the plan": 4,
    "Add a block of the language": 7,
    "Add a verb": 4,
}
"""How many files each example touches, new ones included. Expected outputs that `--update` writes are not among
them."""


@pytest.mark.parametrize("recipe", RECIPES)
def test_an_addition_touches_the_files_that_its_recipe_says(recipe: str, tmp_path: Path) -> None:
    text = PAGE.partition(f"\n## {recipe}")[2].partition("\n## ")[0]
    (said,) = re.findall(r"touches (\w+) files", " ".join(text.split()))
    assert NUMBERS.index(said) == len(set(follow(recipe, copied(tmp_path)))) == TOUCHED[recipe]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with all of the additions, which do not know each other."""
    copy = copied(tmp_path_factory.mktemp("added"))
    for recipe in RECIPES:
        follow(recipe, copy)
    return copy


@pytest.fixture(scope="module")
def shell(project: Path) -> Shell:
    return shell_in(project)


PAGES = """
import json
from setpoint.compiler.knowledge.load import measurements, standard, trees
from setpoint.docs.hooks.reference import pages_of_statements
print(json.dumps(pages_of_statements(standard()._replace(measurements=measurements()), trees())))
"""


@pytest.fixture(scope="module")
def pages(project: Path) -> dict[str, str]:
    """What the reference of the manual shows of statements, by the paths of its pages."""
    made = asked(project, PAGES)
    assert isinstance(made, dict)
    return made


# ------------------------------------------------------------------------------- in the library

LIQUID = "'goal latency; cpu skylake; cooling liquid'"
DEBIAN = "'goal latency; cpu skylake; os debian 12; set scheduler-statistics {} because \"a test\"'"


def test_a_source_is_cited_wherever_its_advice_is(project: Path, shell: Shell, pages: dict[str, str]) -> None:
    assert shell("setpoint kb list sources | grep lab-c").split(None, 1) == [
        "lab-cooling",
        "Turbo under liquid cooling (Our lab, 2026-11-01)\n",
    ]
    assert shell("setpoint kb show turbo-on-for-liquid").splitlines() == [
        "rule turbo-on-for-liquid [lab-cooling, Run 1]",
        "  turbo on, vendor",
        "  where cooling liquid, cpu skylake, goal latency",
        "  because with liquid cooling the clock stays where it is",
        "  defined in stdlib/sources/lab-cooling.tune:2",
    ]
    assert shell(f"setpoint explain -e {LIQUID} turbo | tail -n 1").split(None, 1) == [
        "lab-cooling",
        "Turbo under liquid cooling, Our lab, 2026-11-01\n",
    ]
    shell(f"setpoint compile -e {LIQUID} -o cited")
    for name in ("report.md", "redfish/expected.json", "racadm/racadm.plan"):
        assert "lab-cooling, Run 1" in (project / "cited" / name).read_text("utf-8"), name
    assert "lab-cooling" in json.loads((project / "cited/plan.json").read_text("utf-8"))["sources"]
    assert "| Run 1 | `turbo-on-for-liquid` | " in pages["sources/lab-cooling.md"]
    assert "lab-cooling" in pages["index.md"]


def test_a_setting_is_planned_written_checked_and_found(
    project: Path, shell: Shell, pages: dict[str, str]
) -> None:
    off, maybe = DEBIAN.format("off"), DEBIAN.format("maybe")
    assert shell("setpoint kb show scheduler-statistics").splitlines()[2:] == [
        "offered",
        "  os debian-12  on, off  default on  [lab-servers, Run 1]",
        "",
        "written as",
        '  sysctl  kernel.sched_schedstats  on "1", off "0"  os debian-12 [lab-servers, Run 1]',
    ]
    assert "\n  wins  off  set  set: a test\n" in shell(f"setpoint explain -e {off} scheduler-statistics")
    assert "help: values of `scheduler-statistics`: on, off\n" in shell(f"setpoint plan -e {maybe}")
    assert "help: did you mean `scheduler-statistics`?\n" in shell(
        f"setpoint plan -e {off.replace('tics', 'tic')}"
    )
    shell(f"setpoint compile -e {off} -o off")
    profile = (project / "off/tuned/tuned.plan").read_text("utf-8")
    assert "/proc/sys/kernel/sched_schedstats" in profile and "| kernel.sched_schedstats=0\n" in profile
    assert "/proc/sys/kernel/sched_schedstats" in shell("setpoint capture --script")
    (project / "99.conf").write_text("kernel.sched_schedstats = 1\n", encoding="utf-8")
    assert shell("setpoint audit 99.conf -e 'cpu skylake; os debian 12' | head -n 1") == (
        "warning[W0905]: `kernel.sched_schedstats = 1` is redundant: it is the default\n"
    )
    assert any(
        "Statistics of the scheduler" in page and "kernel.sched_schedstats" in page for page in pages.values()
    )


# ------------------------------------------------------------------------------- in the compiler


def test_a_target_is_offered_made_and_listed(project: Path, shell: Shell) -> None:
    assert "  csv          Table of values" in shell("setpoint kb list targets")
    assert "help: did you mean `csv`?\n" in shell(
        "setpoint compile -e 'goal latency; cpu westmere' --target csw -o csv"
    )
    assert "csv" in shell("setpoint completion bash")
    shell("setpoint compile -e 'goal latency; cpu westmere' -o csv")  # without naming it
    manifest = json.loads((project / "csv/manifest.json").read_text("utf-8"))
    assert "csv" in manifest["targets"]
    assert "csv/settings.csv" in [file["path"] for file in manifest["files"]]


def test_a_diagnostic_is_found_explained_and_in_every_form(project: Path, shell: Shell) -> None:
    (project / "web.tune").write_text(
        'goal efficiency; cpu westmere;\naccept advice about smt because "benchmarked";\n', encoding="utf-8"
    )
    plan = json.loads(shell("setpoint plan web.tune --format json"))
    assert [each["line"] for each in plan["diagnostics"] if each["code"] == "W0399"] == [2]
    checked = json.loads(shell("setpoint check web.tune --format sarif"))["runs"][0]
    (rule,) = checked["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == "W0399: a waiver that never expires"
    assert [result["ruleId"] for result in checked["results"]] == ["W0399"]
    assert shell("setpoint explain W0399").startswith("# W0399: a waiver that never expires\n")
    shell("setpoint compile web.tune -o found")
    for name in ("report.md", "plan.json"):
        assert "never expires" in (project / "found" / name).read_text("utf-8"), name


A_FIELD = """
import json
from setpoint.compiler.pipeline import knowledge_for, planned, read_text
from setpoint.compiler.plan import document
from setpoint.compiler.plan.as_json import plan_from_json, plan_json

program = read_text("goal latency; platform r760; cpu sapphire-rapids;")
(plan,) = planned(program, knowledge_for(program))
data = plan_json(plan.judged)
name = next(name for name, each in data["settings"].items() if "remark" in each)
damaged = json.loads(json.dumps(data))
damaged["settings"][name]["remark"] = 1
earlier = json.loads(json.dumps(data))
del earlier["settings"][name]["remark"]
try:
    refused = plan_from_json(damaged)
except document.NotAPlanError as error:
    refused = str(error).partition(":")[0].replace(name, "NAME")
print(json.dumps({
    "written": data["settings"][name]["remark"] == plan.judged.plan.setting(name).remark,
    "read back": plan_json(plan_from_json(data)) == data,
    "absent where it is empty": sum("remark" in each for each in data["settings"].values()) < len(data["settings"]),
    "of an earlier version": plan_from_json(earlier).plan.setting(name).remark,
    "of another type": refused,
    "in the schema": document.schema()["$defs"]["SettingDocument"]["properties"]["remark"],
}))
"""


def test_a_field_of_the_plan_is_written_read_checked_described_and_shown(project: Path, shell: Shell) -> None:
    assert asked(project, A_FIELD) == {
        "written": True,
        "read back": True,
        "absent where it is empty": True,
        "of an earlier version": "",
        "of another type": "at $.settings.NAME.remark",
        "in the schema": {
            "default": "",
            "description": "What the library says of the setting.",
            "title": "Remark",
            "type": "string",
        },
    }
    policy = "'goal latency; platform r760; cpu sapphire-rapids; os rhel 9'"
    explained = shell(f"setpoint explain -e {policy} managed-interrupt-cpus")
    assert "\n  for CPUs of a partition, which load is still balanced on by itself;" in explained
    shell(f"setpoint compile -e {policy} -o remarked")  # so it is in bundles, and what compares them reads it
    assert '"remark": "for CPUs of a partition' in (project / "remarked/plan.json").read_text("utf-8")
    assert shell("setpoint diff remarked remarked && echo same").splitlines()[-1] == "same"


def test_a_verb_is_helped_completed_and_guarded(project: Path, shell: Shell) -> None:
    assert "\n  words       the values of a fact\n" in shell("setpoint --help")
    helped = shell("setpoint help words")
    assert helped == shell("setpoint words --help")
    assert helped.startswith("usage: setpoint words [-h]")
    assert helped.endswith("\nexample:\n  setpoint words cpu\n")
    assert "words" in shell("setpoint completion bash")
    assert shell("setpoint word dimm-voltage") == (
        "setpoint: unknown command `word`; did you mean `words`?\n"
    )
    assert shell("setpoint words dimm-voltag; echo $?") == (
        "setpoint: unknown fact `dimm-voltag`; did you mean `dimm-voltage`?\n2\n"
    )
    assert shell("setpoint words --nonsense; echo $?").endswith("\n2\n")
