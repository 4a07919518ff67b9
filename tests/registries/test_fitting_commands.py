"""`--registry` and `--current` on the command line: what is written for one server, and what is said of wrong files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from registries import document
from registries.test_fitting import R740, R750, plan, policy, server
from setpoint.targets._bios.attributes import spell
from support.command import Ran, setpoint
from support.transitions import end_state

POLICY = policy(R740)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a policy, and the resources of two servers in a folder of their own."""
    (tmp_path / "web.tune").write_text(POLICY)
    (tmp_path / "captured").mkdir()
    for name, server_name in ((R740, "r740"), (R750, "r750")):
        for resource in ("BiosRegistry", "Bios"):
            text = json.dumps(document(name, resource))
            (tmp_path / "captured" / f"{server_name}-{resource}.json").write_text(text)
    return tmp_path


def run(folder: Path, *words: str) -> Ran:
    """Run a command in a folder."""
    return setpoint(*words, cwd=folder)


def compiled(folder: Path, out: str, *more: str) -> dict[str, bytes]:
    """The files that a policy is compiled to."""
    assert run(folder, "compile", "web.tune", "-o", out, *more).status == 0
    return {
        str(path.relative_to(folder / out)): path.read_bytes()
        for path in sorted((folder / out).rglob("*"))
        if path.is_file()
    }


def test_a_bundle_names_the_file_and_no_folder(folder: Path) -> None:
    named = ("--registry", "captured/r740-BiosRegistry.json", "--current", "captured/r740-Bios.json")
    absolute = ("--registry", str(folder / named[1]), "--current", str(folder / named[3]))
    once, again = compiled(folder, "once", *named), compiled(folder, "again", *absolute)
    assert once == again
    assert not [path for path, text in once.items() if b"captured/" in text or str(folder).encode() in text]
    found = json.loads(once["plan.json"])["registry"]
    assert (found["file"], found["product"], found["firmware"]) == (
        "r740-BiosRegistry.json",
        "PowerEdge R740",
        "0.4.1",
    )


def test_a_request_has_what_is_not_right_yet_and_the_expected_state_has_everything(folder: Path) -> None:
    made = compiled(
        folder, "out", "--registry", "captured/r740-BiosRegistry.json", "--current", "captured/r740-Bios.json"
    )
    body = json.loads(made["redfish/settings.json"])["Attributes"]
    expected = end_state(json.loads(made["redfish/expected.json"]))
    current = document(R740, "Bios")["Attributes"]
    assert body.items() < expected.items()
    assert {name for name, value in expected.items() if current[name] != value} == body.keys()
    assert (
        b"already as planned on r740-BiosRegistry.json"
        in run(
            folder,
            "plan",
            "web.tune",
            "--registry",
            "captured/r740-BiosRegistry.json",
            "--current",
            "captured/r740-Bios.json",
        ).out.encode()
    )


def test_a_server_that_has_the_plan_gets_no_request(folder: Path) -> None:
    end = {line.attribute: line.value for line in spell(plan(POLICY, server(R740))).lines}
    current: dict[str, Any] = {**document(R740, "Bios")["Attributes"], **end}
    (folder / "Bios.json").write_text(json.dumps(current))  # the attributes alone
    made = compiled(folder, "out", "--registry", "captured/r740-BiosRegistry.json", "--current", "Bios.json")
    assert not {"redfish/settings.json", "redfish/settings-first.json", "redfish/job.json"} & set(made)
    apply, wanted = (
        json.loads((folder / f"out/redfish/{name}.json").read_text()) for name in ("apply", "expected")
    )
    assert apply["ways"] == []
    assert end_state(wanted) == end
    assert "tuned/tuned.plan" in made


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("--registry", "web.tune"), 2, "error[E0609]: `web.tune` is not a registry: "),
        (("--registry", "captured/r740-Bios.json"), 2, "help: it has current values: name it by `--current`"),
        (("--current", "captured/r740-BiosRegistry.json"), 2, "help: it is a registry, "),
        (("--registry", "none.json"), 2, "error[E0601]: cannot read `none.json`: "),
        (("--registry", "captured/r750-BiosRegistry.json"), 1, "  --> web.tune:1:15\n"),
    ],
)
@pytest.mark.parametrize("verb", ["plan", "check", "compile"])
def test_a_wrong_file_is_named_and_nothing_is_written(
    folder: Path, verb: str, words: tuple[str, str], status: int, says: str
) -> None:
    out = ("-o", "out") if verb == "compile" else ()
    ran = run(folder, verb, "web.tune", *out, *words)
    assert ran.status == status
    assert says in ran.out + ran.err
    assert "Traceback" not in ran.err
    assert not (folder / "out").exists()


def test_explain_says_why_a_setting_is_not_there(folder: Path) -> None:
    (words,) = [
        ("explain", "--registry", "captured/r740-BiosRegistry.json", "web.tune", "turbo-cores-processor-2")
    ]
    assert " ".join(run(folder, *words).out.split()) == (
        "turbo-cores-processor-2: not available on this server. r740-BiosRegistry.json (PowerEdge R740, BIOS 0.4.1): "
        "no attribute Proc2TurboCoreNum"
    )


def test_current_values_alone_are_said_to_be_checked_by_name_once(folder: Path) -> None:
    (folder / "db.tune").write_text(
        "policy a { goal latency; platform r740; }\npolicy b { goal throughput; platform r740; }"
    )
    ran = run(folder, "check", "db.tune", "--current", "captured/r740-Bios.json")
    assert ran.out.count("W0505]") == 1


def test_diff_shows_the_registry_as_a_fact_that_changes_values(folder: Path) -> None:
    compiled(folder, "every")
    compiled(
        folder, "one", "--registry", "captured/r740-BiosRegistry.json", "--current", "captured/r740-Bios.json"
    )
    shown = " ".join(run(folder, "diff", "every", "one").out.split())
    assert "registry - -> r740-BiosRegistry.json (PowerEdge R740, BIOS 0.4.1) stated" in shown
    assert (
        "turbo-cores-processor-2 all -> - registry is r740-BiosRegistry.json (PowerEdge R740, BIOS 0.4.1) now"
        in shown
    )


def test_what_nobody_manages_is_shown_where_it_differs_from_the_assumed_default(folder: Path) -> None:
    current = {**document(R740, "Bios")["Attributes"], "SriovGlobalEnable": "Enabled"}
    (folder / "Bios.json").write_text(json.dumps({"Attributes": current}))
    words = ("plan", "web.tune", "--registry", "captured/r740-BiosRegistry.json", "--current", "Bios.json")
    for form in ("text", "markdown"):
        shown = " ".join(run(folder, *words, "--format", form).out.split())
        assert "not managed, and other than the vendor's default there: SriovGlobalEnable Enabled" in shown


def updated(folder: Path, without: str) -> str:
    """The registry of the R740 after an update of its BIOS, which has taken a value of C states out of it."""
    registry = document(R740, "BiosRegistry")
    registry["SupportedSystems"][0]["FirmwareVersion"] = "9.9.9"
    for each in registry["RegistryEntries"]["Attributes"]:
        if each["AttributeName"] == "ProcCStates":
            each["Value"] = [value for value in each["Value"] if value["ValueName"] != without]
    (folder / "updated.json").write_text(json.dumps(registry))
    return "updated.json"


BEFORE = ("--registry", "captured/r740-BiosRegistry.json")


def test_diff_shows_what_an_update_of_the_bios_changes(folder: Path) -> None:
    ran = run(folder, "diff", "web.tune", *BEFORE, "--new-registry", updated(folder, "Disabled"))
    assert ran.status == 3
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert any(line.endswith("-> updated.json (PowerEdge R740, BIOS 9.9.9)") for line in lines)
    assert any(line.startswith("c-states off -> ") for line in lines), ran.out


def test_diff_finds_an_update_that_changes_nothing(folder: Path) -> None:
    ran = run(folder, "diff", "web.tune", *BEFORE, "--new-registry", BEFORE[1])
    assert (ran.status, ran.out) == (0, "No change: every policy has the same plan.\n")


def test_diff_plans_both_sides_for_one_server(folder: Path) -> None:
    (folder / "later").mkdir()
    (folder / "later/web.tune").write_text(POLICY)
    ran = run(folder, "diff", "web.tune", "later/web.tune", *BEFORE)
    assert (ran.status, ran.out) == (0, "No change: every policy has the same plan.\n")


def test_a_second_registry_needs_a_first(folder: Path) -> None:
    ran = run(folder, "diff", "web.tune", "--new-registry", "captured/r740-BiosRegistry.json")
    assert ran.status == 2
    assert "--new-registry needs --registry, the one before the update" in ran.err
