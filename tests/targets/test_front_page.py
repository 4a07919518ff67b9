"""`README.md` of a bundle: what it is for, what to do with it and in which order, and what to do when a step fails."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from setpoint.compiler.lowering.front_page import MOST, front_page
from support.command import setpoint
from support.plans import HOSTILE, because, planned

TRADING = "examples/trading-edge/trading.tune"
R750 = "goal latency; platform r750; os rhel 9.4"


def compiled(folder: Path, *words: str) -> tuple[Path, str]:
    """The bundle of a policy, and its front page."""
    ran = setpoint("compile", *words, "-o", str(folder / "out"), "--today", "2026-11-20")
    assert ran.status == 0, ran.err
    return folder / "out", (folder / "out/README.md").read_text(encoding="utf-8")


def phase(page: str, heading: str) -> list[str]:
    """The commands of a phase, which are for one server: in blocks, or in the line of their machine."""
    block = page.partition("## Single commands, for one server\n")[2].partition(f"\n**{heading}**, ")[2]
    block = re.split(r"\n\*\*|\nInstead of|\n## ", block)[0]
    return [one or other for one, other in re.findall(r"^ {4}(.+)$|: `(.+)`$", block, re.MULTILINE)]


@pytest.mark.parametrize(
    "words",
    [
        (TRADING,),
        ("-e", "goal latency; platform r750; os rhel 9.4"),
        ("-e", "goal latency; platform r640; os ubuntu 22.04"),
        ("-e", "goal latency; os sles 15.3"),
        ("-e", "goal latency; os sles 12"),
        ("-e", "goal latency; platform r710; os rhel 5.9"),
    ],
)
def test_every_command_is_one_of_a_file_that_is_there(words: tuple[str, ...], tmp_path: Path) -> None:
    bundle, page = compiled(tmp_path, *words)
    commands = re.findall(r"\bsh ([\w.-]+/[\w./-]+)(?: (--[\w-]+))?", page)
    assert commands
    for path, option in commands:
        script = (bundle / path).read_text(encoding="utf-8")
        assert not option or re.search(rf"{option}\b\)|{option} ?\|", script), f"{path} has no {option}"
    for playbook in re.findall(r"ansible-playbook -i inventory ([\w./]+)", page):
        assert (bundle / playbook).is_file()
    for named in re.findall(r"`([\w.-]+/[\w./-]+)`", page):
        assert (bundle / named).exists()


def test_the_steps_are_in_the_order_in_which_they_are_taken(tmp_path: Path) -> None:
    """Settings of the service and of the profile are different ones, so both are steps. What is undone is undone from
    the end.

    Each phase is a block of its own, and none restarts: what is pasted whole does one thing.
    """
    _, page = compiled(tmp_path, TRADING)
    plans = ["kernel-args/kernel-args.plan", "cpuspeed/cpuspeed.plan", "tuned/tuned.plan"]
    assert phase(page, "Change what differs") == [
        "sh host/setpoint-host apply syscfg/syscfg.plan",
        *(f"sh host/setpoint-host apply {plan}" for plan in plans),
    ]
    assert phase(page, "Compare with the plan, after the restart (but not what is set by hand)")
    assert phase(page, "Put back what was there before; then restart") == [
        *(f"sh host/setpoint-host undo {plan}" for plan in reversed(plans)),
        "sh host/setpoint-host undo syscfg/syscfg.plan",
    ]
    assert "Files set 10 of them; 4 must be set [by hand](#by-hand), which no command here does" in page
    assert "At the restart, set in the setup menu what is listed under [By hand](#by-hand)." in page


def test_what_is_to_be_minded_first_is_of_the_files_that_are_there(tmp_path: Path) -> None:
    """What was tried with stand-ins, and what a file needs, is said by its target."""
    _, old = compiled(tmp_path, TRADING)
    assert "had stand-ins for" in old and "Dell's `syscfg`" in old and "Dell's `racadm`" not in old
    assert "\n- Tuned with `/usr/libexec/tuned/pmqos-static.py` must be installed." in old
    _, plain = compiled(tmp_path, "-e", "goal latency; os sles 15.3")
    assert "none of this was tried on a real one.\n" in plain
    _, new = compiled(tmp_path, "-e", "goal latency; os rhel 9.4")
    assert "\n- Tuned must be installed." in new
    assert (
        "a governor where the firmware keeps the frequency, is reported as not applicable, and is no" in new
    )
    for page in (old, plain, new):
        assert (
            "`/var/lib/setpoint` on the server, and the name of their roll-out in `snapshots/` beside the playbook: keep them."
            in page
        )


def test_what_no_program_compares_is_named(tmp_path: Path) -> None:
    _, page = compiled(tmp_path, TRADING)
    assert "since it is not compared: interconnect infiniband (`lspci` names" in page
    assert "model 44 (as cpu x5670 has; its name is not compared); sockets 2" in page


def test_what_is_assumed_and_not_written_is_counted(tmp_path: Path) -> None:
    """As many as the client is told."""
    bundle, page = compiled(tmp_path, "-e", R750)
    assumed = json.loads((bundle / "redfish/apply.json").read_text(encoding="utf-8"))["assumed"]
    assert f"- **Left alone:** {len(assumed)} more settings of the firmware, assumed at the default." in page


def test_the_command_on_the_page_finds_a_file_that_is_not_as_it_was_compiled(tmp_path: Path) -> None:
    bundle, page = compiled(tmp_path, TRADING)
    (command,) = re.findall(r"lists the files that have changed since they were compiled: `(.+)`", page)

    def said() -> tuple[int, str]:
        ran = subprocess.run(["sh", "-c", command], cwd=bundle, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout

    assert said() == (0, "")
    (bundle / "plan.json").write_text("{}", encoding="utf-8")
    assert said() == (1, "plan.json: FAILED\n")


def test_a_value_by_hand_is_marked_wherever_it_is_named(tmp_path: Path) -> None:
    _, page = compiled(tmp_path, TRADING)
    values = page.partition("## What it sets, and why")[2].partition("\n## ")[0]
    for name in ("C1E", "Data Reuse", "DCU Streamer Prefetcher", "QPI Bandwidth Priority"):
        assert re.search(rf"{name} (\| )?\*\*\w+\*\* \(by hand\)", values), name
    assert values.count("(by hand)") == 4


def test_who_runs_images_is_told_whom_the_arguments_belong_to(tmp_path: Path) -> None:
    """The role refuses such a host, though the program for hosts can set them for its next deployment."""
    bundle, page = compiled(tmp_path, "-e", R750)
    (named,) = re.findall(r"the Ansible role leaves it alone: put `(.+?)` into the image", page)
    assert (bundle / named).is_file()
    assert "leaves it alone" not in compiled(tmp_path, TRADING)[1]


def test_what_goes_back_to_its_default_is_named(tmp_path: Path) -> None:
    """An argument of an earlier policy is removed, so it is not left alone."""
    bundle, page = compiled(tmp_path, TRADING)
    assert "lack idle-poll " in (bundle / "kernel-args/kernel-args.plan").read_text(encoding="utf-8")
    assert (
        "\n- Put back to the default where a server has another value: Polling idle loop **off** (removes idle=poll).\n"
        in page
    )


def test_a_value_by_hand_has_its_place_and_says_if_it_is_the_default(tmp_path: Path) -> None:
    _, page = compiled(tmp_path, TRADING)
    rows = page.partition("\n## By hand\n")[2].partition("\n## ")[0].splitlines()
    assert (
        "- C1E: **off** (the menu says *Disabled*); no source prints where: look for it in the setup menu, and leave it if it is not there"
        in rows
    )
    assert (
        r"- Data Reuse: **on** (the menu says *Enabled*), at *Processor Settings \> Data Reuse*; the default"
        in rows
    )


def test_of_files_that_set_the_same_one_is_used(tmp_path: Path) -> None:
    """One way to each value is enough: what sets nothing of its own is made if it is asked for. Puppet has the plan of
    racadm carried out, so this one stays."""
    bundle, page = compiled(tmp_path, "-e", R750)
    assert phase(page, "Change what differs")[0] == "python3 redfish/setpoint_bmc.py apply BMC"
    others = page.partition(
        "\nInstead of the command for the firmware, in each phase the same one of these:\n\n"
    )[2]
    assert [line.split(",")[0] for line in others.partition("\n\n")[0].splitlines()] == [
        "- Plan for Dell's racadm",
    ]
    assert "- **Not in this folder**, since the ways above set all that they set: scp, syscfg." in page
    assert not {"scp", "syscfg", "report.html"} & {each.name for each in bundle.iterdir()}


def test_what_is_asked_for_is_made(tmp_path: Path) -> None:
    asked = ("--target", "scp", "--target", "syscfg", "--target", "redfish", "--target", "report")
    bundle, page = compiled(tmp_path, "-e", R750, *asked)
    assert {"scp", "syscfg", "report.html"} <= {each.name for each in bundle.iterdir()}
    assert "Not in this folder" not in page
    others = page.partition("Instead of the command for the firmware")[2]
    assert "- Plan for Dell's syscfg" in others and "- Server Configuration Profiles" in others


def test_compile_names_what_it_makes_on_request(tmp_path: Path) -> None:
    """Once, however many bundles a run makes."""
    request = "on request, by --target: scp (redfish sets the same), syscfg (redfish sets the same)\n"
    ran = setpoint("compile", "-e", R750, "-o", str(tmp_path / "out"))
    assert ran.out.partition("\n")[2] == request
    both = "policy one { goal latency; platform r750; } policy two { goal efficiency; platform r750; }"
    ran = setpoint("compile", "-e", both, "-o", str(tmp_path / "both"))
    assert [line.partition(":")[0] for line in ran.out.splitlines()] == [
        "one",
        "two",
        "on request, by --target",
    ]
    assert ran.out.endswith(request)
    ran = setpoint("compile", "-e", "goal latency; platform r710; os rhel 6.4", "-o", str(tmp_path / "out"))
    assert "on request" not in ran.out  # syscfg is the only way


def test_what_a_way_does_not_set_is_said(tmp_path: Path) -> None:
    """Of racadm it is not known where it has one attribute; Puppet leaves the firmware to others unless it is told."""
    _, page = compiled(
        tmp_path, "-e", 'goal latency; platform r750; os rhel 9.4; set c-states off because "x"'
    )
    assert (
        "`sh host/setpoint-host apply racadm/racadm.plan`; `--restart graceful` restarts; **does not set Dynamic Load"
        in page
    )
    assert re.search(
        r"- \*\*Puppet module\*\*: does not set \d+ values of firmware, nor compare them\.\n", page
    )
    assert "- **Ansible role** (recommended): sets all that a file sets.\n" in page


def test_who_restarts_and_how_often_is_said(tmp_path: Path) -> None:
    """The role restarts only what it can, and two restarts are spoken of where an attribute has to be in effect before
    others."""
    _, page = compiled(tmp_path, "-e", "goal latency; platform r750; os rhel 9.4")
    assert """ansible/site.yml --limit SERVER -e '{"setpoint_reboot": true}'`""" in page
    assert "`python3 redfish/setpoint_bmc.py apply BMC --restart now`. **Two restarts** can be needed" in page
    role, module = page.partition("\n## Ansible role\n")[2].split("\n## ")[:2]
    assert "**Two restarts**" in role and "**Two restarts**" not in module
    _, old = compiled(tmp_path, TRADING)
    assert "setpoint_reboot" not in old and "**Two restarts**" not in old
    assert old.count("**Restart the server yourself**: nothing here can.") == 3


def test_what_no_script_does_is_said(tmp_path: Path) -> None:
    _, page = compiled(tmp_path, "-e", "goal latency; os sles 12")
    assert "\n- It is not known how this system keeps its command line: put the words of" in page
    assert (
        phase(page, "Compare with the plan, after the restart")[0]
        == "sh host/setpoint-host verify kernel-args/kernel-args.plan"
    )
    assert "\n## By hand\n" in page


def test_values_that_the_policy_sets_come_first_and_a_page_stays_a_page(tmp_path: Path) -> None:
    _, page = compiled(tmp_path, TRADING)
    table = page.partition("| --- | --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    why = "frequency jitter on the feed handler, PERF-212; against advice: on (dell-11g-hpc, Table 6)"
    assert table[0] == f"| Turbo Mode | **off** | {why} |"
    assert len(table) <= MOST and not any("|  |" in line for line in table)
    assert re.search(r"^- Firmware, too: .*; Data Reuse \*\*on\*\* \(by hand\); ", page, re.MULTILINE)
    assert "workload **comm-bound** (bound by communication between nodes): 14 values" in page
    assert len(page.splitlines()) < 135
    assert "**Accepted by the policy, until 2027-03-31:** an idle server forgoes what C-states save" in page


def test_a_bundle_without_a_report_names_none(tmp_path: Path) -> None:
    bundle, page = compiled(tmp_path, TRADING, "--target", "syscfg")
    named = set(re.findall(r"`([\w-]+\.(?:md|json))`", page))
    assert named == {"plan.json", "manifest.json"}
    assert all((bundle / name).is_file() for name in named)


def test_what_is_assumed_of_the_server_is_said(tmp_path: Path) -> None:
    _, page = compiled(tmp_path, "-e", "goal latency; platform r710; os rhel 6.4")
    assert re.search(r"- \*\*Assumed: \S+ \S+\*\* \(.+ depend on it\)\. For a server with another, ", page)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reason_is_text_in_a_cell_and_nothing_else(text: str) -> None:
    plan = because(planned('goal latency; platform r710; set turbo off because "x";'), text)
    (row,) = (
        line
        for line in front_page(plan, (), [], has_report=True).splitlines()
        if line.startswith("| Turbo Mode ")
    )
    assert len(re.findall(r"(?<!\\)\|", row)) == 4
    assert not re.search(r"(?<!\\)[`<]", row) and row.isprintable()


def test_files_of_all_plans_of_a_policy_are_not_in_the_folder_of_one(tmp_path: Path) -> None:
    setpoint("compile", "examples/hpc-fleet/fleet.tune", "-o", str(tmp_path / "out"))
    page = (tmp_path / "out/fleet-login/README.md").read_text(encoding="utf-8")
    assert "serve all plans of the policy, so they are not in this folder, but beside it." in page
    assert "ansible-playbook" not in page
