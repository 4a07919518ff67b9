"""The program for hosts: one file for every policy, and plans that it reads and never runs.

What it does with kernel arguments, tuned, systemd and cpuspeed is tried with these targets.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpoint.compiler.render.verification import Report
from setpoint.targets._host import program
from setpoint.targets.kernel_args import TARGET as KERNEL_ARGS
from support.host import PROGRAM, plan_of, run_host
from support.plans import HOSTILE, because, planned
from support.shell import Ran, run, shellcheck

PLAN = plan_of(KERNEL_ARGS.emit(planned("goal latency; cpu westmere; os rhel 9")).artifacts)
HEAD = "setpoint.plan/1 kernel-args\npolicy p\n"


def test_the_program_is_clean() -> None:
    assert shellcheck(PROGRAM) == ""


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("have skew-tick skew_tick=$(touch${IFS}owned)", "a character that no plan has"),
        ("have skew-tick `touch owned`", "a character that no plan has"),
        ("have skew-tick skew_tick=1; touch owned", "a character that no plan has"),
        ("have skew-tick 'skew_tick=1'", "a character that no plan has"),
        ("have skew-tick\tskew_tick=1", "a character that no plan has"),
        ("have skew-tick skew_tick=1 \x1b[31mred", "a character that no plan has"),
        ("have skew-tick", "none of a plan: have skew-tick"),
        ("want skew-tick skew_tick=1", "none of a plan"),
        ("way lilo", "none of a plan: way lilo"),
        ("longest many", "none of a plan"),
        ("shows s /proc/x like 1", "none of a plan"),
        ("file /etc/passwd 644", "none of a plan"),
        ("server product", "none of a plan"),
    ],
)
@pytest.mark.parametrize("verb", ["apply", "verify", "undo"])
def test_a_line_that_is_none_of_a_plan_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, line: str, complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_host(f"{HEAD}{line}\n", verb, "--state", str(tmp_path / "state"))
    assert (done.status, complaint in done.said, "nothing was changed" in done.said) == (4, True, True)
    assert "\x1b" not in done.said
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "text", ["", "policy p\n", "setpoint.plan/2 tuned\npolicy p\n", "setpoint.plan/1 grub\n", "#!/bin/sh\n"]
)
def test_a_text_that_is_no_plan_is_refused(text: str) -> None:
    done = run_host(text, "verify")
    assert (done.status, "nothing was changed" in done.said) == (4, True), done.said


@pytest.mark.parametrize(
    "line",
    [
        "file ../../etc/passwd 644",
        "file /etc/../root/x 644",
        "absent /etc/../x",
        "name ../x",
        "includes /etc",
        "file x 4755",
    ],
)
def test_a_plan_does_not_lead_out_of_its_folder(line: str) -> None:
    done = run_host(f"setpoint.plan/1 tuned\npolicy p\n{line}\n", "verify")
    assert (done.status, "none of a plan" in done.said) == (4, True), done.said


@given(st.one_of(st.sampled_from(HOSTILE), st.text()), st.sampled_from(("set", "rule")))
def test_a_reason_stays_behind_its_sign(text: str, kind: str) -> None:
    other = plan_of(
        KERNEL_ARGS.emit(because(planned("goal latency; cpu westmere; os rhel 9"), text, kind)).artifacts
    )
    assert [line.partition(" # ")[0] for line in other.splitlines()] == [
        line.partition(" # ")[0] for line in PLAN.splitlines()
    ]


def test_a_plan_of_any_bytes_is_refused_or_read(tmp_path: Path) -> None:
    """Cut off, or with bytes of another file: there is an answer, and no trace of anything that was run."""
    for at in range(0, len(PLAN), 97):
        for text in (PLAN[:at], PLAN[:at] + "\x00é\n; reboot\n" + PLAN[at:]):
            file = tmp_path / "plan"
            file.write_text(text, encoding="utf-8")
            done = run(PROGRAM, "verify", str(file), SETPOINT_ROOT=str(tmp_path))
            assert done.status in (0, 3, 4), done.said
            assert "not found" not in done.said


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
def test_the_state_is_told_with_the_comparison(tmp_path: Path, shell: str) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cmdline").write_text("ro quiet\n", encoding="utf-8")
    done = run_host(
        PLAN, "status", "--state", str(tmp_path / "state"), shell=shell, SETPOINT_ROOT=str(tmp_path)
    )
    first, second, *rest = done.said.splitlines()
    assert first == f"kernel-args: setpoint-host {program().version}: kernel-args of policy policy"
    assert second == "kernel-args: no run can be undone"
    assert (done.status, any("is to be there, found: nothing" in line for line in rest)) == (3, True)


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
def test_a_server_is_identified_without_anything_else_being_read(tmp_path: Path, shell: str) -> None:
    """By any plan, and with nothing kept."""
    for part in ("kernel-args", "tuned", "ktune", "systemd", "cpuspeed"):
        plan = f"setpoint.plan/1 {part}\npolicy p\nserver system os rhel-9 states | Linux\n"
        for name, status, words in (
            ("Linux", 0, "this is a server that policy p is for"),
            ("AIX", 5, "this server reports the system AIX, and the policy states os rhel-9 (Linux)"),
        ):
            (tmp_path / "proc/sys/kernel").mkdir(parents=True, exist_ok=True)
            (tmp_path / "proc/sys/kernel/ostype").write_text(f"{name}\n", encoding="utf-8")
            options, root = ("--state", str(tmp_path / "state")), str(tmp_path)
            done = run_host(plan, "identify", *options, shell=shell, SETPOINT_ROOT=root, SETPOINT_IGNORE="")
            assert (done.status, words in done.said) == (status, True), done.said
    assert not (tmp_path / "state").exists()


OTHER = """server product platform r740 states | PowerEdge R740
server sockets sockets 2 assumes | 2
server kernel os rhel-9 states
"""
"""What the server below does not report: it has another product, no sockets, and of its kernel nothing is known."""


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
def test_what_differs_and_is_passed_over_is_told(tmp_path: Path, shell: str) -> None:
    """By the verbs that say what stands, and in JSON as notes, so that a report shows it."""
    dmi = tmp_path / "sys/class/dmi/id/product_name"
    dmi.parent.mkdir(parents=True)
    dmi.write_text('PowerEdge "R750"\\n\n', encoding="utf-8")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cmdline").write_text("ro quiet\n", encoding="utf-8")
    head, line, rest = PLAN.partition("policy policy\n")
    before = [line for line in PLAN.splitlines() if line.startswith("server ")]
    plan = "".join((head, line, OTHER, *(each for each in rest.splitlines(True) if each[:-1] not in before)))

    def ran(verb: str, *options: str, ignore: str = "product sockets kernel") -> Ran:
        variables = {"SETPOINT_ROOT": str(tmp_path), "SETPOINT_IGNORE": ignore}
        return run_host(plan, verb, *options, shell=shell, programs=None, **variables)

    words = [
        'passed over: this server reports the product PowerEdge "R750"\\n, and the policy states platform r740 (PowerEdge R740)',
        "passed over: this server reports no processor sockets, and the policy assumes 2",
        "passed over: no source shows which kernel os rhel-9 reports, so that nothing can be compared",
    ]
    for verb, status, at in (("identify", 0, 1), ("status", 3, 2)):
        done = ran(verb)
        lines = [each.removeprefix("kernel-args: ") for each in done.said.splitlines()]
        assert (done.status, lines[at : at + 3]) == (status, words), done.said
    done = ran("verify", "--json")
    report = Report.model_validate_json(done.said)
    assert (done.status, list(report.notes)) == (3, words)
    done = ran("apply", ignore="product")
    assert (done.status, "Nothing was changed" in done.said) == (5, True)


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
def test_a_report_of_all_parts_has_their_notes_once(tmp_path: Path, shell: str) -> None:
    for name in ("tuned", "systemd"):
        plan = f"setpoint.plan/1 {name}\npolicy p\nname p\nserver system os rhel-9 states | Linux\n"
        (tmp_path / f"{name}.plan").write_text(
            f"{plan}value swappiness /proc/sys/vm/swappiness = 10\n", encoding="utf-8"
        )
    parts = tmp_path / "server.plan"
    lines = (
        "part tuned",
        "part systemd",
        "plan 0f",
        "setting swappiness os tuned 10",
        "setting turbo firmware - off",
    )
    parts.write_text("\n".join(("setpoint.plan/1 parts", "policy p", *lines, "")), encoding="utf-8")
    options = ("--json", "--state", str(tmp_path / "state"))
    variables = {"SETPOINT_IGNORE": "system", "SETPOINT_ROOT": str(tmp_path)}
    done = run(PROGRAM, "verify", str(parts), *options, shell=shell, programs=None, **variables)
    report = Report.model_validate_json(done.said)
    assert report.notes == (
        "passed over: this server reports no system, and the policy states os rhel-9 (Linux)",
    )
    assert (report.plan, report.results[-1].setting) == ("0f", "turbo")


@pytest.mark.parametrize("arguments", [(), ("apply",), ("remove", "x"), ("--verify", "x")])
def test_without_a_verb_and_a_plan_it_says_how_it_is_used(arguments: tuple[str, ...]) -> None:
    done = run(PROGRAM, *arguments)
    assert (done.status, done.said.startswith("setpoint-host: usage: ")) == (2, True)


def test_a_plan_that_cannot_be_read_is_named() -> None:
    done = run(PROGRAM, "verify", "/none.plan")
    assert done == (4, "setpoint-host: /none.plan cannot be used: it cannot be read: nothing was changed\n")


def test_the_head_names_every_verb_and_option() -> None:
    head, _, code = PROGRAM.partition("\nset -u\n")
    (verbs,) = re.findall(r"^    ([a-z |]+)\) ;;\n    -h", code, re.MULTILINE)
    told = re.findall(r"^#   ([a-z]+) +(?:nothing|values) ", head, re.MULTILINE)
    assert sorted(told) == sorted(verbs.split(" | "))
    checks = re.findall(r'" (product [a-z ]+) \$other_checks "', code)[0].split()
    assert f"of {', '.join(checks)} and (racadm) staged" in head
    for option in set(re.findall(r"--(?:state|by|json|all|dry-run)", code)):
        assert option in head
