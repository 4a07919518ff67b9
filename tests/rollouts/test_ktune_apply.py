"""Plans of a profile for tuned 0.2: what tuned-adm links, renames and switches comes back exactly, wherever a run ends.

A stand-in answers for tuned-adm, chkconfig and service, as their sources have it, in a folder that stands for the
server. Faults happen at calls of a program that changes something, as in `test_tuned_apply`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from consumers.el6_machine import GOVERNOR, SITE, STAND_IN, SWAPPINESS, THP, begin, build, picture, put
from consumers.faults import KINDS, Faults, services
from setpoint.targets.tuned import TARGET
from support.effort import calls
from support.host import PROGRAM, arguments_for, plan_of
from support.plans import planned
from support.shell import Ran, shellcheck, stand_in

PLAN = planned(
    "goal latency; cpu westmere; os rhel 6.4; manage all;"
    'set governor performance because "a test"; set cpuspeed-service on because "a test";'
    'accept os-control-without-cpuspeed because "a test"'
)
OURS = "setpoint-policy"
CHANGING = (
    "cp",
    "mv",
    "rm",
    "mkdir",
    "chmod",
    "sync",
    "cksum",
    "tuned-adm",
    "order-chkconfig",
    "order-service",
)
SHELLS = ("dash", "bash", "busybox sh")


class Server:
    """A server of Enterprise Linux 6 on which profile `active` is active, or none."""

    def __init__(self, folder: Path, active: str = "site", *, is_last: bool = True) -> None:
        self.root, self.state = folder / "root", folder / "state"
        self.etc = self.root / "etc"
        build(self.root, is_last=is_last)
        self.faults = Faults(folder, CHANGING, self._programs(folder / "real-programs"),
                             SETPOINT_ROOT=str(self.root), SETPOINT_HOST="c042", LANG="de_DE.UTF-8")  # fmt: skip
        self.script = PROGRAM
        self.faults.environment["SETPOINT_PLAN"] = plan_of(TARGET.emit(PLAN).artifacts)
        for command in begin(active):
            assert self.faults.run(command).status == 0

    @staticmethod
    def _programs(real: Path) -> Path:
        services(stand_in(real, STAND_IN, "tuned-adm"), STAND_IN)
        (real / "sync").write_text("#!/bin/sh\n")
        (real / "sync").chmod(0o755)
        return real

    def put(self, path: str, text: str) -> None:
        put(self.root, path, text)

    def run(
        self, *arguments: str, kind: str = "fails", at: int = 0, shell: str = "dash", **environment: str
    ) -> Ran:
        self.faults.environment |= environment
        state = ("--state", str(self.state))
        ran = self.faults.run(self.script, *arguments_for(arguments), *state, kind=kind, at=at, shell=shell)
        self.faults.left(self.state / "tuned.lock")
        assert not (self.root / "fake/has-the-lock").exists()
        return ran

    def results(self) -> tuple[int, dict[str, dict[str, Any]]]:
        done = self.run("verify", "--json")
        return done.status, {each["setting"]: each for each in json.loads(done.said)["results"]}

    def live(self, path: str) -> str:
        return (self.root / path).read_text().strip()

    @property
    def is_active(self) -> bool:
        values = (self.live(GOVERNOR), self.live(THP), self.live(SWAPPINESS))
        return values == ("performance", "always madvise [never]", "60")

    def picture(self) -> dict[str, object]:
        return picture(self.root)

    @property
    def kept(self) -> set[str]:
        return {path.name for path in self.state.glob("*")}


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def test_the_script_is_clean(server: Server) -> None:
    assert shellcheck(server.script) == ""


@pytest.mark.parametrize(
    ("active", "shell", "is_last"),
    [
        pytest.param(
            active, shell, is_last, marks=[] if is_last == (active != "default") else pytest.mark.repeated
        )
        for active, shell in (("site", "busybox sh"), ("default", "dash"), ("", "bash"))
        for is_last in (True, False)
    ],
)
def test_the_profile_before_it_comes_back_exactly(
    tmp_path: Path, active: str, shell: str, is_last: bool
) -> None:
    """In 0.2.19 `off` even takes the services out of the runlevels."""
    server = Server(tmp_path, active, is_last=is_last)
    before = server.picture()
    dry = server.run("try", shell=shell)
    assert (dry.status, f"would run: tuned-adm profile {OURS}" in dry.said) == (3, True)
    assert (server.picture(), server.kept) == (before, set())
    done = server.run(shell=shell)
    assert (done.status, server.is_active) == (0, True), done.said
    assert (server.etc / "tune-profiles" / OURS).stat().st_mode & 0o777 == 0o755
    again = server.run(shell=shell)
    assert (again.status, again.said) == (0, "nothing to change\n")
    back = server.run("undo", shell=shell)
    assert (back.status, server.picture()) == (0, before), back.said
    assert server.kept == {"tuned.lock", "tuned.rolled-back"}


def test_files_of_the_bundle_and_of_the_script_are_the_same(server: Server) -> None:
    assert server.run().status == 0
    for artifact in TARGET.emit(PLAN).artifacts:
        name = artifact.path.rpartition("/")[2]
        if not artifact.path.endswith((".plan", "setpoint-host")):
            put = server.etc / "tune-profiles" / OURS / name
            assert (put.read_text(), put.stat().st_mode & 0o777) == (artifact.text, artifact.mode)


def test_an_earlier_profile_of_that_name_ends_as_it_began(server: Server) -> None:
    """It is stopped with its own files: with those of the new plan, what only it has set would stay."""
    for name, text in SITE.items():
        server.put(
            f"etc/tune-profiles/{OURS}/{name}", text.replace("vm.swappiness = 10", "vm.dirty_expire = 1")
        )
    server.put("proc/sys/vm/dirty_expire", "3000\n")
    server.put(f"etc/tune-profiles/{OURS}/ktune.sysconfig", "USE_KTUNE_D=yes\nKTUNE_REVERT_SYSCTL=1\n")
    assert server.faults.run(f"tuned-adm profile {OURS}").status == 0
    before = server.picture()
    assert server.live("proc/sys/vm/dirty_expire") == "1"
    assert server.run().status == 0
    assert (server.live("proc/sys/vm/dirty_expire"), server.is_active) == ("3000", True)
    back = server.run("undo")
    assert (back.status, server.picture()) == (0, before), back.said


def test_json_has_every_setting_of_the_profile(server: Server) -> None:
    status, found = server.results()
    assert (status, {each["state"] for each in found.values()}) == (3, {"differs"})
    assert "tuned's active profile is site" in found["swappiness"]["reason"]
    assert server.run().status == 0
    status, found = server.results()
    assert (status, {each["state"] for each in found.values()}) == (0, {"ok"})
    assert set(found) == TARGET.emit(PLAN).expressed
    assert (found["force-latency"]["found"], found["governor"]["found"]) == ("1", "performance")


@pytest.mark.parametrize(
    ("path", "text", "setting", "state", "found"),
    [
        (SWAPPINESS, "10", "swappiness", "differs", "10"),
        (THP, "[always] madvise never", "transparent-hugepages", "differs", "always"),
        (GOVERNOR, None, "governor", "not-applicable", None),
        ("var/run/tuned/pmqos-static.pid", None, "force-latency", "differs", "none"),
        ("var/run/tuned/pmqos-static.pid", "", "force-latency", "differs", "none"),
        ("var/run/tuned/pmqos-static.pid", "4712", "force-latency", "differs", "none"),
        (
            "proc/4711/cmdline",
            "python\0pmqos-static.py\0cpu_dma_latency=0\0",
            "force-latency",
            "differs",
            "0",
        ),
    ],
)
def test_json_tells_what_drifted_and_another_run_sets_it(
    server: Server, path: str, text: str | None, setting: str, state: str, found: str | None
) -> None:
    """A number whose process has ended holds nothing; until July 2013 tuned's own profile asked for 0."""
    assert server.run().status == 0
    if text is None:
        (server.root / path).unlink()
    else:
        server.put(path, text)
    status, results = server.results()
    assert (results[setting]["state"], results[setting]["found"]) == (state, found)
    assert [name for name, each in results.items() if each["state"] != "ok"] == [setting]
    assert status == server.run("verify").status == (3 if state == "differs" else 0)
    if path == SWAPPINESS:
        assert server.run().status == 0
        assert server.results()[0] == 0


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("service ktune stop", "the ktune service has not been started"),
        ("chkconfig ktune off", "the ktune service does not start with the server"),
        ("tuned-adm off", "tuned has no active profile"),
        (
            'ln -sf elsewhere "$SETPOINT_ROOT/etc/sysconfig/ktune"',
            "/etc/sysconfig/ktune is not the profile's",
        ),
    ],
)
def test_a_profile_that_is_not_in_force_is_found_and_put_in_force(
    server: Server, order: str, reason: str
) -> None:
    assert server.run().status == 0
    assert server.faults.run(order).status == 0
    status, found = server.results()
    assert status == 3
    assert all(reason in each["reason"] for each in found.values())
    done = server.run()
    assert (done.status, server.results()[0]) == (0, 0), done.said


def test_without_tuned_nothing_can_be_told(server: Server) -> None:
    """The programs of this machine, which may have tuned, are not the server's."""
    assert server.run().status == 0
    for folder in (server.faults.programs, server.faults.real):
        (folder / "tuned-adm").unlink()
    server.script = server.script.replace(":/sbin:/usr/sbin", "")
    done = server.run("verify", "--json")
    document, _ = json.JSONDecoder().raw_decode(done.said)
    assert (done.status, frozenset(each["setting"] for each in document["results"])) == (
        4,
        TARGET.emit(PLAN).expressed,
    )
    assert {(each["state"], each["reason"]) for each in document["results"]} == {
        ("unreadable", "tuned is not installed")
    }
    done = server.run("verify")
    assert (done.status, "tuned is not installed" in done.said) == (4, True)


def test_a_tuned_without_the_daemon_for_latency_is_named(server: Server) -> None:
    (server.root / "usr/libexec/tuned/pmqos-static.py").unlink()
    assert server.run().status == 3
    status, found = server.results()
    assert (status, "no /usr/libexec/tuned/pmqos-static.py" in found["force-latency"]["reason"]) == (3, True)


def test_a_tuned_adm_that_fails_halfway_is_put_back(server: Server) -> None:
    """It renames /etc/tuned.conf, and ends with a traceback where that is missing, with ktune's links in place."""
    assert server.faults.run("service tuned stop").status == 0
    (server.etc / "tuned.conf").unlink()
    before = server.picture()
    done = server.run()
    assert (done.status, "as it was before this run" in done.said) == (4, True), done.said
    assert server.picture() == before


def test_another_server_gets_no_profile(server: Server) -> None:
    before = server.picture()
    done = server.run(SETPOINT_IGNORE="product sockets system kernel")
    assert (done.status, server.picture()) == (5, before)


ONE_IN = 9
"""Each sixth call has a fault, and the kinds of faults and the shells take turns. With `--complete` every call has
one."""


def test_a_fault_at_a_call_leaves_nothing_half_changed(server: Server) -> None:
    before = server.picture()
    assert server.run().status == 0
    last = server.faults.calls
    assert server.run("undo").status == 0
    assert last > 10
    for number, at in enumerate(calls(last, ONE_IN)):
        kind = KINDS[number % len(KINDS)]
        run = server.run(kind=kind, at=at, shell=SHELLS[number % len(SHELLS)])
        if run.status == 0:
            assert server.is_active, run.said
        elif run.status == 4:
            assert "nothing was changed" in run.said or "as it was before" in run.said, run.said
            assert server.picture() == before, (at, kind, run.said)
        elif run.status == -15:  # before it catches signals, it has done nothing
            assert (kind[:7], server.picture()) == ("signals", before), run
        else:
            assert run.status in (6, -9), run
            assert run.status == -9 or "NOT" in run.said or "what was set stays set" in run.said
        if server.kept & {"tuned.journal", "tuned.rollback.1"}:
            back = server.run("undo")
            assert back.status == 0, back.said
        assert server.picture() == before, (at, kind, run.said)


def test_a_fault_at_a_call_of_a_rollback_leaves_it_to_be_continued(server: Server) -> None:
    before = server.picture()
    assert server.run().status == 0
    assert server.run("undo").status == 0
    for number, at in enumerate(calls(server.faults.calls, ONE_IN)):
        assert server.run().status == 0
        kind, shell = KINDS[number % len(KINDS)], SHELLS[number % len(SHELLS)]
        run = server.run("undo", kind=kind, at=at, shell=shell)
        assert run.status in (0, 4, 6, -9, -15)
        if server.kept & {"tuned.journal", "tuned.rollback.1"}:
            back = server.run("undo")
            assert back.status == 0, back.said
        assert server.picture() == before, (at, run.said)
