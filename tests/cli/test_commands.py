"""The command line as users see it: its output and exit status."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from setpoint.compiler.lowering.manual_steps import in_order, manual_steps
from support.command import ROOT, setpoint
from support.plans import planned

TRADING = "examples/trading-edge/trading.tune"
SCHEMA = json.loads((ROOT / "compiler/plan/plan.schema.json").read_text(encoding="utf-8"))


# ----------------------------------------------------------------------------------------- plan


def test_plan_shows_value_source_and_what_was_overridden() -> None:
    ran = setpoint("plan", TRADING, "--all", "--today", "2026-11-20")
    assert ran.status == 0
    assert "c-states" in ran.out
    assert "dell-11g-hpc, Figure 10 (vendor)" in ran.out
    assert "overrides on (dell-11g-hpc, Table 6): the policy sets it" in ran.out
    assert "takes effect after a restart" in ran.out


def test_plan_says_how_each_fact_is_known() -> None:
    out = setpoint("plan", "-e", "goal latency; cpu westmere; workload comm-bound", "--all").out.split("\n")
    facts = {line.split()[0]: line for line in out[2:9] if line.strip()}
    assert "stated" in facts["cpu"]
    assert "implied by cpu westmere" in facts["platform"]
    assert "assumed" in facts["os"]
    assert "modern-linux" in facts["os"]


@pytest.mark.parametrize(
    ("policy", "status", "has_plan"),
    [
        ("goal latency; cpu westmere; workload comm-bound", 0, True),
        ("goal efficiency; cpu sandy-bridge", 0, True),
        ("goal performance; workload cpu-bound; cpu skylake", 0, True),
        ("goal throughput; workload hep; cpu nehalem; os slc 5", 0, True),
        ("cpu westmere", 1, False),
        ('goal efficiency; cpu westmere; set turbo on because "deadline"', 1, True),  # a hazard stops it
        ("goal latency; cpu skylake; platform poweredge-11g", 1, False),
    ],
)
def test_plan_as_json_fits_its_schema_also_when_it_fails(policy: str, status: int, has_plan: bool) -> None:
    ran = setpoint("plan", "-e", policy, "--format", "json")
    assert ran.status == status
    data = json.loads(ran.out)
    jsonschema.validate(data, SCHEMA)
    assert data["schema"] == "setpoint.plan/2"
    has_error = any(d["severity"] == "error" for d in data["diagnostics"])
    assert has_error == (status == 1)
    assert bool(data["settings"]) == has_plan


def test_plan_of_a_file_with_several_policies_shows_each(tmp_path: Path) -> None:
    file = tmp_path / "two.tune"
    file.write_text("policy a { goal latency; cpu westmere } policy b { goal balanced; cpu westmere }")
    assert {"Policy a", "Policy b"} <= set(setpoint("plan", str(file)).out.splitlines())
    assert "Policy a" not in setpoint("plan", str(file), "--policy", "b").out


def test_groups_and_hosts_choose_the_scope(tmp_path: Path) -> None:
    file = tmp_path / "fleet.tune"
    file.write_text(
        "cpu westmere;\n"
        "for group compute { goal performance; workload cpu-bound; }\n"
        "for group login { goal balanced; workload interactive; }\n"
        'for host c042 { set turbo off because "thermal ticket HW-881"; }\n'
    )
    both = setpoint("plan", str(file)).out
    assert "Policy fleet-compute" in both
    assert "Policy fleet-login" in both
    one = json.loads(
        setpoint("plan", str(file), "--group", "compute", "--host", "c042", "--format", "json").out
    )
    assert one["settings"]["turbo"]["value"] == "off"
    assert one["settings"]["turbo"]["from"] == "set"


# -------------------------------------------------------------------------------------- compile


def test_compile_is_byte_stable(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert setpoint("compile", TRADING, "-o", str(tmp_path / name), "--today", "2026-11-20").status == 0
    files = sorted(p.relative_to(tmp_path / "one") for p in (tmp_path / "one").rglob("*") if p.is_file())
    assert files
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_the_manifest_has_the_hash_of_every_other_file(tmp_path: Path) -> None:
    import hashlib

    setpoint("compile", TRADING, "-o", str(tmp_path / "out"), "--today", "2026-11-20")
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    listed = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    found = {
        str(p.relative_to(tmp_path / "out")): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in (tmp_path / "out").rglob("*")
        if p.is_file() and p.name != "manifest.json"
    }
    assert listed == found


def test_an_error_leaves_nothing_behind(tmp_path: Path) -> None:
    ran = setpoint("compile", "-e", "goal latncy; cpu westmere", "-o", str(tmp_path / "out"))
    assert ran.status == 1
    assert "did you mean `latency`?" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_an_error_in_one_policy_writes_none(tmp_path: Path) -> None:
    file = tmp_path / "two.tune"
    file.write_text("policy good { goal latency; cpu westmere } policy bad { goal latency; cpu west }")
    assert setpoint("compile", str(file), "-o", str(tmp_path / "out")).status == 1
    assert not (tmp_path / "out").exists()


def test_several_policies_get_a_folder_each(tmp_path: Path) -> None:
    file = tmp_path / "two.tune"
    file.write_text("policy a { goal latency; cpu westmere } policy b { goal balanced; cpu westmere }")
    assert setpoint("compile", str(file), "-o", str(tmp_path / "out")).status == 0
    assert (tmp_path / "out/a/report.md").is_file()
    assert (tmp_path / "out/b/report.md").is_file()


GROUPS = """
cpu skylake; platform r740; os rhel 8.10;
for group compute { goal performance; }
for group login { goal balanced; }
for host c042 in compute { set turbo off because "HW-881"; }
"""


def test_groups_and_hosts_share_what_one_program_hands_to_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "fleet.tune").write_text(GROUPS)
    out = tmp_path / "out"
    for _ in range(2):  # the second replaces the first, and finds nothing in its way
        assert setpoint("compile", str(tmp_path / "fleet.tune"), "-o", str(out)).status == 0
    plans = {"fleet-compute", "fleet-login", "fleet-compute-c042"}
    assert {path.name for path in out.iterdir()} == plans | {"fleet", "manifest.json"}
    assert "ansible" in {path.name for path in (out / "fleet").iterdir()}
    for name in plans:
        assert (out / name / "redfish").is_dir()
        assert not (out / name / "ansible").exists()
    manifest = json.loads((out / "manifest.json").read_text())
    listed = {entry["path"] for entry in manifest["files"]}
    shared = {str(path.relative_to(out)) for path in (out / "fleet").rglob("*") if path.is_file()}
    assert (set(manifest["policies"]), listed) == (plans, shared)


def test_one_group_alone_has_everything_in_its_bundle(tmp_path: Path) -> None:
    (tmp_path / "fleet.tune").write_text(GROUPS)
    out = tmp_path / "out"
    assert setpoint("compile", str(tmp_path / "fleet.tune"), "-o", str(out), "--group", "login").status == 0
    assert (out / "ansible/site.yml").is_file()
    assert json.loads((out / "manifest.json").read_text())["policy"] == "fleet-login"


def test_only_a_bundle_is_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert setpoint("compile", TRADING, "-o", str(out), "--today", "2026-11-20").status == 0
    assert setpoint("compile", TRADING, "-o", str(out), "--today", "2026-11-20").status == 0
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    ran = setpoint("compile", TRADING, "-o", str(tmp_path / "mine"), "--today", "2026-11-20")
    assert ran.status == 4
    assert "E0605" in ran.err
    assert (tmp_path / "mine/letter.txt").read_text() == "dear"


@pytest.mark.parametrize(
    "manifest", ['{"name": "my app"}', "[]", '{"schema": "setpoint.bundle/1"}', "no JSON"]
)
def test_a_manifest_of_something_else_makes_no_bundle(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "web/src").mkdir(parents=True)
    (tmp_path / "web/manifest.json").write_text(manifest)
    (tmp_path / "web/src/app.js").write_text("x")
    ran = setpoint("compile", TRADING, "-o", str(tmp_path / "web"), "--today", "2026-11-20")
    assert (ran.status, "exists and is not a bundle" in ran.err) == (4, True)
    assert (tmp_path / "web/src/app.js").read_text() == "x"


def test_a_note_that_somebody_left_in_a_bundle_is_not_lost(tmp_path: Path) -> None:
    file, out = tmp_path / "two.tune", tmp_path / "out"
    file.write_text("policy a { goal latency; cpu westmere } policy b { goal balanced; cpu westmere }")
    assert setpoint("compile", str(file), "-o", str(out)).status == 0
    (out / "b/NOTES").write_text("rack 7 done")
    ran = setpoint("compile", str(file), "-o", str(out))
    assert (ran.status, "holds `b/NOTES`, which is not of the bundle there" in ran.err) == (4, True)
    assert (out / "b/NOTES").read_text() == "rack 7 done"


def test_a_bundle_does_not_depend_on_the_working_directory(tmp_path: Path) -> None:
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "common.tune").write_text("cpu westmere;")
    (folder / "web.tune").write_text('include "common.tune"; goal latency; set turbo off because "x"')
    assert setpoint("compile", str(folder / "web.tune"), "-o", str(tmp_path / "one")).status == 0
    assert setpoint("compile", "web.tune", "-o", "../two", cwd=folder).status == 0
    one, two = (sorted((tmp_path / side).rglob("*")) for side in ("one", "two"))
    assert [p.name for p in one] == [p.name for p in two]
    for left, right in zip(one, two, strict=True):
        assert left.is_dir() or left.read_bytes() == right.read_bytes()


def test_a_check_of_nothing_does_not_pass(tmp_path: Path) -> None:
    ran = setpoint("check", str(tmp_path))
    assert (ran.status, "there is no .tune file in" in ran.err) == (2, True)


@pytest.mark.parametrize("path", [".", "nowhere"])
def test_a_check_of_paths_that_may_be_gone_has_no_findings(tmp_path: Path, path: str) -> None:
    assert setpoint("check", "--may-be-gone", path, cwd=tmp_path) == (
        0,
        "0 files: 0 errors, 0 warnings\n",
        "",
    )


@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
def test_a_stopped_compilation_leaves_a_complete_bundle_or_none(tmp_path: Path, seconds: float) -> None:
    run = [sys.executable, "-m", "setpoint.compiler", "compile", str(ROOT / "examples/hpc-fleet/fleet.tune")]
    with subprocess.Popen(
        [*run, "-o", "out"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".dev")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as started:
        time.sleep(seconds)
        started.terminate()
    left = [path.name for path in tmp_path.iterdir()]
    assert left in ([], ["out"])
    assert not left or (tmp_path / "out/manifest.json").is_file()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("-e", "goal latency; cpu westmere set"), "E0101"),
        (("-e", 'include "no.tune"'), "E0601"),
        (("nowhere.tune",), "E0601"),
        (("-e", "goal latency", "--group", "g"), "E0206"),
    ],
)
def test_the_json_of_a_plan_is_complete_after_every_error(arguments: tuple[str, ...], code: str) -> None:
    ran = setpoint("plan", "--format", "json", *arguments)
    assert ran.status != 0
    assert [d["code"] for d in json.loads(ran.out)["diagnostics"]] == [code]


def test_a_target_that_the_platform_lacks_is_an_error(tmp_path: Path) -> None:
    ran = setpoint(
        "compile", TRADING, "--target", "redfish", "-o", str(tmp_path / "out"), "--today", "2026-11-20"
    )
    assert ran.status == 1
    assert "E0503" in ran.err


NO_LINUX = "goal latency; cpu x5670; platform r710; os windows-server-2008-r2"
"""Neither Redfish nor a system that a script of ours runs on."""


def test_what_nothing_here_can_set_is_a_manual_step_with_its_menu_path(tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = setpoint("compile", "-e", NO_LINUX, "-o", str(out))
    assert (ran.status, "W0501" in ran.err) == (0, True)
    assert sorted(path.name for path in out.iterdir()) == [
        "README.md", "manifest.json", "manual-steps.md", "plan.json", "report.md",
    ]  # fmt: skip
    assert json.loads((out / "manifest.json").read_text())["targets"] == ["report"]
    steps = (out / "manual-steps.md").read_text()
    assert "**Turbo Mode**: set it to **on** (the menu says *Enabled*) at *Processor Settings" in steps
    assert "- syscfg: the program for hosts needs Linux" in steps
    assert "- ansible: none of the targets" in steps


@pytest.mark.parametrize(
    ("policy", "target", "why", "others"),
    [
        (NO_LINUX, "ansible", "none of the targets redfish, syscfg", "no target can; without `--target`"),
        (NO_LINUX, "syscfg", "the program for hosts needs Linux", "no target can; without `--target`"),
        (
            "goal balanced; cpu e5-2690; platform r720; os rhel 6.4",
            "cpuspeed",
            "this policy sets nothing that it can carry",
            "these can: ansible, kernel-args, puppet, racadm, redfish, scp, syscfg\n",
        ),
    ],
)
def test_a_target_that_would_make_no_file_is_an_error_and_never_offered(
    tmp_path: Path, policy: str, target: str, why: str, others: str
) -> None:
    ran = setpoint("compile", "-e", policy, "--target", target, "-o", str(tmp_path / "out"))
    assert ran.status == 1
    assert f"E0503]: target `{target}` cannot serve this policy: {why}" in ran.err
    assert others in ran.err
    assert not (tmp_path / "out").exists()


def test_a_boot_menu_that_is_edited_by_hand_is_a_manual_step(tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = setpoint("compile", "-e", "goal latency; cpu x5670; platform r710; os rhel 5.9", "-o", str(out))
    assert "warning[W0501]: `c1e`, " in ran.err
    assert "`acpi-idle-limit`" in ran.err.partition("W0501")[2].splitlines()[0]
    step = (out / "manual-steps.md").read_text().partition("- [ ] **Deepest C-state of acpi")[2]
    assert (
        "Not set by ansible, kernel-args, puppet: this system's boot menu is edited by hand: "
        "put the line of kernel-args/grub-legacy.txt (target kernel-args) into it.\n"
    ) in step
    assert step.count("grub-legacy") == 1
    by_hand = (out / "report.md").read_text().partition("## Left to do by hand")[2]
    assert "`acpi-idle-limit`" in by_hand.partition("## Reboot")[0]
    assert (out / "kernel-args/grub-legacy.txt").is_file()


def test_a_manual_step_without_a_known_place_says_so(tmp_path: Path) -> None:
    setpoint("compile", "-e", NO_LINUX, "-o", str(tmp_path / "out"))
    step = (tmp_path / "out/manual-steps.md").read_text().partition("**C1E**")[2].splitlines()[0]
    assert (
        step
        == ": set it to **off** (the menu says *Disabled*); no source prints where: look for it in the setup menu, and leave it if it is not there."
    )
    by_hand = (tmp_path / "out/report.md").read_text().partition("## Left to do by hand")[2]
    row = "| C1E `c1e` | **off** (the menu says *Disabled*) | no source prints where: look for it in the setup menu, and leave it if it is not there |"
    assert row in by_hand.splitlines()


def test_a_person_can_follow_the_manual_steps_in_their_order(tmp_path: Path) -> None:
    """The firmware accepts a member only while the profile is custom: the profile comes first, though it is decided
    last.
    """
    policy = "goal latency; platform r720; sockets 2; os rhel 7"
    assert setpoint("compile", "-e", policy, "--target", "puppet", "-o", str(tmp_path / "out")).status == 0
    steps = (tmp_path / "out/manual-steps.md").read_text()
    order = re.findall(r"^- \[ \] \*\*(.*?)\*\*", steps, re.MULTILINE)
    assert "System Profile" in order
    members = ("turbo", "c-states", "c1e", "cpu-power-management")
    titles = {d.title for d in planned(policy).settings if d.setting in members}
    assert titles <= set(order)
    assert all(order.index("System Profile") < order.index(title) for title in titles)
    assert "None" not in steps
    assert "Not set by puppet: Puppet leaves the BIOS settings to Redfish unless a site sets" in steps


def test_every_member_comes_behind_its_profile() -> None:
    """On every platform, whatever the order of decision."""
    for platform in ("r710", "r720", "r630", "r740", "r750"):
        for goal in ("latency", "balanced", "density"):
            plan = planned(f"goal {goal}; platform {platform}; manage all")
            order = [d.setting for d in in_order(plan, list(reversed(plan.settings)))]
            assert sorted(order) == sorted(d.setting for d in plan.settings)
            for governor in plan.settings:
                for member in governor.governs:
                    if member in order:
                        assert order.index(governor.setting) < order.index(member)


def test_recommended_but_unwritten_values_are_reported() -> None:
    plan = planned("goal latency; platform r720; os rhel 7")
    unsure = plan._replace(
        settings=tuple(d._replace(unwritten="unknown") if d.setting == "turbo" else d for d in plan.settings)
    )
    assert "## Recommended" not in manual_steps(plan, [], [], {}, {})
    steps = manual_steps(unsure, [], [], {}, {})
    assert "None: the artifacts carry every setting that the plan writes.\n" in steps
    assert "## Recommended, and not set by anything\n" in steps
    assert "- Turbo Mode: off\n" in steps


def test_names_in_the_reasons_of_manual_steps_are_in_the_type_of_code(tmp_path: Path) -> None:
    """A target that could set none of the steps is not among them."""
    setpoint("compile", "-e", NO_LINUX, "-o", str(tmp_path / "out"))
    steps = (tmp_path / "out/manual-steps.md").read_text().partition("## Why no other target sets them")[2]
    assert "- syscfg: the program for hosts needs Linux to run on, and `" in steps
    assert "- tuned:" not in steps


def test_selected_targets_list_the_settings_that_they_leave_out(tmp_path: Path) -> None:
    out = tmp_path / "out"
    policy = "goal latency; cpu e5-2690; os rhel 7"
    assert setpoint("compile", "-e", policy, "--target", "tuned", "-o", str(out)).status == 0
    steps = (out / "manual-steps.md").read_text()
    assert "carry every setting" not in steps
    listed = steps.partition("## Not served by the chosen targets\n\n")[2].splitlines()
    assert "- Turbo Mode: off" in listed
    plan = json.loads((out / "plan.json").read_text())["settings"].values()
    assert len(listed) == sum(1 for s in plan if s["written"] and s["layer"] != "os")


def test_manage_all_writes_the_documented_defaults_too() -> None:
    plain = json.loads(setpoint("plan", "-e", "goal latency; cpu westmere", "--format", "json").out)
    whole = json.loads(
        setpoint("plan", "-e", "goal latency; cpu westmere; manage all", "--format", "json").out
    )
    names = [n for n, s in plain["settings"].items() if s["unwritten"] == "default" and s["default"]]
    assert names
    assert all(whole["settings"][name]["written"] for name in names)


def test_a_bundle_is_the_same_before_and_after_a_waiver_has_expired(tmp_path: Path) -> None:
    """The hazard is a warning: it comes back on the screen, and the day is in no artifact."""
    policy = tmp_path / "p.tune"
    policy.write_text(
        "goal latency; cpu westmere; workload latency-bound;\n"
        'accept c-state-idle-power because "not billed here" until 2027-03-31;\n'
    )
    screens, manifests = [], []
    for day in ("2027-03-31", "2027-04-01"):
        ran = setpoint("compile", str(policy), "-o", str(tmp_path / day), "--today", day)
        screens.append("hazard `c-state-idle-power`" in ran.err)
        manifests.append((tmp_path / day / "manifest.json").read_text())
    assert screens == [False, True]
    assert manifests[0] == manifests[1]
    assert "until 2027-03-31" in (tmp_path / "2027-04-01/report.md").read_text()
    planned = setpoint("plan", str(policy), "--format", "json", "--today", "2027-04-01").out
    assert [w["expired"] for w in json.loads(planned)["waivers"]] == [True]


# ----------------------------------------------------------------------- check, explain, fmt, kb


def test_check_finds_every_error_in_one_run(tmp_path: Path) -> None:
    file = tmp_path / "bad.tune"
    file.write_text('goal latncy;\ncpu westmere;\nset trubo on because "x";\nset smt maybe because "y";\n')
    ran = setpoint("check", str(file))
    assert ran.status == 1
    for word in ("latncy", "trubo", "maybe", "did you mean `turbo`?", "3 errors"):
        assert word in ran.out


FLEET = """\
source lab { title "Tried"; publisher "L"; date 2026-05-04; }
rule one of lab at "LAB-1" { when goal performance; use turbo on; because "a"; }
rule two of lab at "LAB-2" { when goal balanced; use turbo on; because "b"; }
cpu westmere; platform r710;
set turbo off because "runs hot";
set c1e on because "as it was";
for group compute { goal performance; workload cpu-bound; }
for group login { goal balanced; workload interactive; }
for group spare { goal latency; workload interactive; accept c1e-vs-latency-11g because "as it was"; }
for host c1 { set smt off because "licence"; }
"""


def test_a_finding_for_several_groups_is_shown_once_with_their_names(tmp_path: Path) -> None:
    (tmp_path / "fleet.tune").write_text(FLEET, encoding="utf-8")
    ran = setpoint("check", "fleet.tune", "--format", "json", cwd=tmp_path)
    found = json.loads(ran.out)["diagnostics"]
    places = [(d["code"], d["line"], d["message"]) for d in found]
    assert len(places) == len(set(places))
    notes = {d["message"].split("`")[1]: d["notes"] for d in found if d["code"] == "W0302"}
    assert notes["turbo"] == [
        "dell-11g-hpc, Table 6 (vendor): on",
        "for fleet-compute: lab, LAB-1 (vendor): on, because a",
        "for fleet-login: lab, LAB-2 (vendor): on, because b",
    ]
    advised, for_whom = notes["c1e"]
    assert advised.startswith("dell-11g-hpc, Table 6 (vendor): off, because ")
    assert for_whom == "for fleet-spare"


def test_the_block_of_a_finding_shows_for_whom_it_is(tmp_path: Path) -> None:
    (tmp_path / "fleet.tune").write_text(FLEET, encoding="utf-8")
    ran = setpoint("check", "fleet.tune", "--format", "json", cwd=tmp_path)
    within = [d for d in json.loads(ran.out)["diagnostics"] if d["line"] > 6]
    assert within
    assert not [note for d in within for note in d["notes"] if note.startswith("for ")]


def test_check_has_forms_for_programs(tmp_path: Path) -> None:
    file = tmp_path / "bad.tune"
    file.write_text("goal latncy;\n")
    data = json.loads(setpoint("check", str(file), "--format", "json").out)
    assert [d["code"] for d in data["diagnostics"]] == ["E0202"]
    sarif = json.loads(setpoint("check", str(file), "--format", "sarif", cwd=tmp_path).out)
    region = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (1, 6)
    assert data["diagnostics"][0]["label"] == "unknown"
    assert sarif["runs"][0]["results"][0]["locations"][0]["message"] == {"text": "unknown"}
    github = setpoint("check", str(file), "--format", "github").out
    assert github.startswith("::error file=")
    assert "title=E0202::" in github


def test_explain_names_winner_losers_and_figures() -> None:
    out = setpoint("explain", "-e", "goal efficiency; cpu westmere; workload comm-bound", "turbo").out
    assert out.startswith("turbo = off")
    assert "Figure 13" in out
    assert "Measurements of turbo" in out


def test_explain_prints_what_a_figure_must_not_be_read_without() -> None:
    out = setpoint("explain", "-e", "goal efficiency; cpu westmere; workload comm-bound", "turbo").out
    one = " ".join(out[out.index("off against on") :].split("[dell-11g-hpc")[1].split())
    assert "held: c-states on, " in one
    assert "measurement: eclipse-" in one
    smt = setpoint("explain", "-e", "goal efficiency; cpu westmere", "smt").out
    assert "note: about; one range for this case and Ansys V12ln-1" in smt


def test_a_measurement_is_shown_by_the_name_that_explain_prints() -> None:
    shown = setpoint("kb", "show", "eclipse-power-without-turbo").out
    assert shown.startswith("measurement eclipse-power-without-turbo [dell-11g-hpc, Figure 13]\n")
    for part in ("power -21 %", "turbo off against on", "c-states on, ", "cpu x5570", "note ", "defined in "):
        assert part in shown
    near = setpoint("kb", "show", "eclipse-power-wthout-turbo").err
    assert "did you mean `eclipse-power-without-turbo`?" in near


def test_explain_prints_the_page_of_a_code() -> None:
    ran = setpoint("explain", "E0301")
    assert ran.status == 0
    assert ran.out.startswith("# E0301")
    assert setpoint("explain", "E9999").status == 2


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        (TRADING, f"which setting of it? `setpoint explain {TRADING} SETTING`"),
        ("tubro", "unknown diagnostic or setting `tubro`; did you mean `turbo`?"),
        ("F0301", "unknown diagnostic or setting `F0301`"),
    ],
)
def test_half_a_question_is_asked_back(word: str, answer: str) -> None:
    ran = setpoint("explain", word)
    assert (ran.status, answer in ran.err) == (2, True), ran.err


def test_fmt_check_reports_and_fmt_rewrites(tmp_path: Path) -> None:
    file = tmp_path / "a.tune"
    file.write_text("goal latency; cpu westmere # here\n")
    assert setpoint("fmt", "--check", str(file)).status == 3
    assert setpoint("fmt", str(file)).status == 0
    assert setpoint("fmt", "--check", str(file)).status == 0
    assert "# here" in file.read_text()


def test_kb_lists_and_shows() -> None:
    assert "dell-11g-hpc" in setpoint("kb", "list", "sources").out
    shown = setpoint("kb", "show", "turbo-vs-efficiency")
    assert shown.status == 0
    assert "Figure 13" in shown.out
    wrong = setpoint("kb", "show", "tubro")
    assert wrong.status == 2
    assert "did you mean `turbo`?" in wrong.err


# ------------------------------------------------------------------------------------ exit status


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((), 2),
        (("--help",), 0),
        (("paln",), 2),
        (("plan",), 2),
        (("plan", "no-such-file.tune"), 2),
        (("plan", TRADING, "--policy", "nobody"), 2),
        (("plan", TRADING, "--today", "tomorrow"), 2),
        (("compile", TRADING, "--target", "nowhere", "-o", "/tmp/never"), 2),
        (("plan", "-e", "goal latency; cpu westmere"), 0),
        (("plan", "-e", "goal"), 1),
    ],
)
def test_exit_status(arguments: tuple[str, ...], status: int) -> None:
    assert setpoint(*arguments).status == status


@pytest.mark.parametrize("today", ["2027-3-1", "20270301", "2027-W09-1", "2027-02-30"])
@pytest.mark.parametrize("verb", ["plan", "check", "waivers"])
def test_a_date_has_only_one_form(verb: str, today: str) -> None:
    """Dates are compared as text, which requires one form."""
    ran = setpoint(verb, TRADING, "--today", today)
    assert (ran.status, f"--today {today}: not a date such as 2027-03-31" in ran.err) == (2, True)


def test_a_closed_pipe_causes_no_traceback() -> None:
    import subprocess
    import sys

    command = f"{sys.executable} -m setpoint.compiler kb list | head -1"
    done = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / ".dev"), "PATH": "/usr/bin:/bin", "HOME": str(Path.home())},
    )
    assert "Traceback" not in done.stderr
