"""`setpoint apply` on twins of controllers and on hosts behind a real sshd: shown, changed, proven, put back, or
stopped with the truth.

A host is made of files (`SETPOINT_ROOT`), with a stand-in for grubby that sets entries of the boot loader
specification.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from consumers.ssh_server import SshServer, ssh_server
from setpoint.compiler.twin.controller import Twin
from setpoint.targets._client.identity import uuids
from support.command import Ran, setpoint
from support.rehearsed import ACCOUNT, POLICIES, compiled, twin
from support.shell import EVERY_CHECK, stand_in

CONSUMERS = Path(__file__).resolve().parents[1] / "consumers"
POLICY = "policy web { goal latency; platform r750; sockets 2; os rhel 9; }"
UUID = "4c4c4544-0035-3410-8050-c6c04f314733"
OTHER = "4c4c4544-0035-3410-8050-c6c04f314734"
ENTRY = "title Linux {n}\nversion {n}\nlinux /boot/vmlinuz-{n}\noptions ro quiet skew_tick=0\n"


class Site:
    """A bundle, a controller, and perhaps a host; and the command with what they need."""

    def __init__(
        self, folder: Path, bundle: Path, bmc: Twin | None = None, host: SshServer | None = None
    ) -> None:
        self.folder, self.bundle, self.bmc, self.host = folder, bundle, bmc, host

    def apply(self, *words: str, env: dict[str, str] | None = None, servers: bool = True) -> Ran:
        """Run it on both."""
        given = ["--poll", "0.05", "--state", str(self.folder / "state")]
        if self.bmc and servers:
            given += ["--redfish", f"https://{self.bmc.address}", "--ca-file", str(self.bmc.ca)]
        if self.host and servers:
            given += ["--ssh", "root@127.0.0.1"]
            given += [f"--pass-over={name}" for name in EVERY_CHECK.split()]
        for option in self.host.options if self.host else ():
            given += ["--ssh-option", option]
        return setpoint(
            "apply", str(self.bundle), *given, *words, cwd=self.folder, env={**ACCOUNT, **(env or {})}
        )

    def entries(self) -> str:
        """The boot loader's entry."""
        return (self.folder / "root/boot/loader/entries/5.1.conf").read_text(encoding="utf-8")


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Site]:
    """A controller alone."""
    with twin(tmp_path, "r750", UUID=UUID) as bmc:
        yield Site(tmp_path, compiled(tmp_path / "bundle", POLICIES["r750"], "redfish"), bmc)


def host_of(folder: Path, uuid: str = UUID) -> dict[str, str]:
    """The files of a host with entries of the boot loader specification; the environment of what runs there."""
    root = folder / "root"
    for path, text in (
        ("boot/loader/entries/5.1.conf", ENTRY.format(n="5.1")),
        ("boot/grub2/grubenv", "# GRUB\n"),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    (root / "etc/kernel").mkdir(parents=True)
    (root / "etc/default").mkdir()
    (root / "proc").mkdir()
    (folder / "temporary").mkdir()
    (root / "proc/cmdline").write_text(
        f"BOOT_IMAGE=/vmlinuz {ENTRY.rpartition('options ')[2]}", encoding="utf-8"
    )
    (root / "etc/default/grub").write_text('GRUB_CMDLINE_LINUX="quiet"\n', encoding="utf-8")
    programs = stand_in(folder / "programs", CONSUMERS / "grubby_bls_stand_in", "grubby")
    for name, line in (("dmidecode", f"echo {uuid}"), ("sync", "exit 0")):
        (programs / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    return {
        "SETPOINT_ROOT": str(root),
        "TMPDIR": str(folder / "temporary"),
        "GRUBBY_ENTRIES": str(root / "boot/loader/entries"),
        "PATH": f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin",
    }


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A controller and its host, which has the same UUID."""
    bundle = compiled(tmp_path / "bundle", POLICY, "redfish", "kernel-args")
    with (
        ssh_server(tmp_path / "ssh", host_of(tmp_path)) as host,
        twin(tmp_path, "r750", UUID=UUID.upper()) as bmc,
    ):
        yield Site(tmp_path, bundle, bmc, host)


# ------------------------------------------------------------------------------------------------------ one server


def states(ran: Ran) -> dict[str, int]:
    """How many settings of each layer have which state, of a report."""
    found: dict[str, int] = {}
    for server in json.loads(ran.out)["servers"]:
        for one in server["results"]:
            key = f"{one['layer']} {one['state']}"
            found[key] = found.get(key, 0) + 1
    return found


def test_firmware_is_shown_staged_proven_and_put_back(controller: Site) -> None:
    assert controller.bmc is not None
    before = dict(controller.bmc.machine.current)
    shown = controller.apply("--check")
    assert (shown.status, shown.err, controller.bmc.writes) == (3, "", [])
    assert "13 settings to be changed, in effect after a restart of the server" in shown.out
    assert "  turbo                        differs  Enabled                   Disabled  -" in shown.out
    staged = controller.apply("--yes", "--format", "json")
    assert (staged.status, controller.bmc.machine.current) == (3, before)
    assert states(staged)["firmware pending"] == 13
    again = controller.apply("--yes")
    assert (again.status, again.err) == (3, ""), "what waits for a restart is not staged again"
    done = controller.apply("--yes", "--restart", "now", "--format", "json")
    assert (done.status, done.err) == (0, f"{controller.bmc.address}: restarting, which takes minutes\n")
    assert states(done) == {"firmware ok": 21, "boot not-compared": 3, "os not-compared": 11}
    sent = list(controller.bmc.writes)
    assert (controller.apply("--yes").status, controller.bmc.writes) == (0, sent)
    assert controller.apply("--undo", "--yes", "--restart", "now").status == 0
    assert controller.bmc.machine.current == before


def test_nothing_is_changed_without_a_terminal_or_an_answer(controller: Site) -> None:
    assert controller.bmc is not None
    for words in ((), ("--undo",)):
        ran = controller.apply(*words)
        assert (ran.status, "error[E0656]" in ran.err, controller.bmc.requests) == (2, True, [])


def test_the_firmware_and_the_host_are_one_roll_out(site: Site) -> None:
    """The firmware by the controller, the rest by ssh; the restart is proven by both."""
    assert site.bmc is not None and site.host is not None
    entry, current = site.entries(), dict(site.bmc.machine.current)
    shown = site.apply("--check")
    assert (shown.status, shown.err, site.host.kept) == (3, "", []), shown
    assert "firmware" not in shown.out and "skew-tick" in shown.out
    ran = site.apply("--yes", "--format", "json")
    assert (ran.status, ran.err) == (3, ""), ran
    assert "skew_tick=1" in site.entries()
    assert site.bmc.machine.current == current, "the restart is the operator's"
    waiting = states(ran)
    assert waiting["firmware pending"] == 13
    assert waiting["boot pending"] == 3
    restart = Thread(target=_restart_with, args=(site,))
    restart.start()
    ran = site.apply("--yes", "--restart", "now", "--format", "json")
    restart.join()
    assert (ran.status, ran.err) == (0, "127.0.0.1: restarting, which takes minutes\n")
    assert states(ran) == {"firmware ok": 21, "boot ok": 4, "os not-compared": 11}
    assert site.apply("--yes").status == 0
    ran = site.apply("--undo", "--yes")
    assert (ran.status, site.entries()) == (3, entry), "the firmware waits for a restart"
    assert [*(site.folder / "temporary").iterdir()] == [], "the private folder is removed"


def _restart_with(site: Site) -> None:
    """The host restarts when its controller restarts it, with the arguments that its boot loader then has."""
    assert site.bmc is not None and site.host is not None
    for _ in range(2000):
        if "POST ComputerSystem.Reset" in site.bmc.writes:
            arguments = site.entries().rpartition("options ")[2]
            (site.folder / "root/proc/cmdline").write_text(
                f"BOOT_IMAGE=/vmlinuz {arguments}", encoding="utf-8"
            )
            site.host.restart()
            return
        time.sleep(0.05)


# --------------------------------------------------------------------------------------------- which server is which


def test_the_controller_of_another_server_is_refused_before_anything_is_changed(tmp_path: Path) -> None:
    bundle = compiled(tmp_path / "bundle", POLICY, "redfish", "kernel-args")
    with ssh_server(tmp_path / "ssh", host_of(tmp_path)) as host, twin(tmp_path, "r750", UUID=OTHER) as bmc:
        site = Site(tmp_path, bundle, bmc, host)
        entry = site.entries()
        ran = site.apply("--yes")
        assert (ran.status, bmc.writes, site.entries()) == (4, [], entry)
        assert (
            f"the BMC is that of another server: it shows the UUID {OTHER}, and the host has {UUID}"
            in ran.err
        )


def test_one_server_that_is_named_twice_is_refused(controller: Site) -> None:
    assert controller.bmc is not None
    with twin(controller.folder, "r750", UUID=UUID) as second:
        ran = controller.apply("--yes", "--redfish", f"https://{second.address}")
        assert (ran.status, controller.bmc.writes, second.writes) == (4, [], [])
        assert "error[E0652]" in ran.err and f"are one server: both show the UUID {UUID}" in ran.err


def test_the_first_server_that_fails_stops_the_rest_and_says_what_it_is_left_with(tmp_path: Path) -> None:
    bundle = compiled(tmp_path / "bundle", POLICIES["r750"], "redfish")
    with twin(tmp_path, "r750", UUID=UUID) as one, twin(tmp_path, "r750", UUID=OTHER) as two:
        site = Site(tmp_path, bundle, one)
        (tmp_path / "state").mkdir()
        (tmp_path / "state" / f"{min(uuids(UUID))}.json.new").mkdir()  # so that the journal cannot be kept
        ran = site.apply("--yes", "--redfish", f"https://{two.address}")
        assert (ran.status, one.writes, two.writes) == (4, [], [])
        assert f"error[E0655]: `{one.address}` was stopped: Nothing was changed: " in ran.err
        assert "nothing on it was changed before that" in ran.err
        assert f"not begun: {two.address}\n" in ran.err


def test_a_restart_that_does_not_take_a_value_is_told_as_one_that_was_asked_for(controller: Site) -> None:
    assert controller.bmc is not None
    machine = controller.bmc.machine
    machine.setup = machine.setup._replace(rejects=("CorrEccSmi",))
    ran = controller.apply("--yes", "--restart", "now")
    assert ran.status == 4
    assert "Not as the policy has it: CorrEccSmi: Enabled, wanted Disabled." in " ".join(ran.err.split())
    assert "left with: firmware: staged; a restart was asked for\n" in ran.err
    assert "not begun" not in ran.err


def test_a_host_that_fails_half_way_says_so(site: Site) -> None:
    """grubby fails: the firmware stays staged, the boot arguments are put back, and both are told."""
    assert site.bmc is not None
    entry = site.entries()
    grubby = site.folder / "programs/grubby"
    grubby.unlink()
    grubby.write_text(
        "#!/bin/sh\ncase $* in *--update-kernel*) echo no space left >&2; exit 1 ;; esac\n"
        f'exec {CONSUMERS / "grubby_bls_stand_in"} "$@"\n',
        encoding="utf-8",
    )
    grubby.chmod(0o755)
    ran = site.apply("--yes")
    assert (ran.status, site.entries()) == (4, entry)
    assert "error[E0655]: `127.0.0.1` was stopped: kernel-args:" in ran.err
    assert "left with: firmware: staged; kernel-args: failed; nothing of it is changed" in " ".join(
        ran.err.split()
    )
    assert site.bmc.machine.staged


def test_what_waits_for_a_restart_does_not_stop_an_undo(tmp_path: Path) -> None:
    """The cpuspeed service does not start while the firmware keeps the frequency: what was set before it is put back
    all the same."""
    policy = "policy web { goal latency; cpu westmere; os rhel 6.4; }"
    bundle = compiled(tmp_path / "bundle", policy, "kernel-args", "cpuspeed")
    service = tmp_path / "service"
    service.mkdir()
    (service / "levels").write_text("12345\n", encoding="utf-8")
    (service / "running").touch()
    host = {**host_of(tmp_path), "CPUSPEED": str(service)}
    stand_in(tmp_path / "programs", CONSUMERS / "cpuspeed_stand_in", "chkconfig", "service")
    with ssh_server(tmp_path / "ssh", host) as server:
        site = Site(tmp_path, bundle, host=server)
        entry = site.entries()
        site.apply("--yes")
        assert (site.entries() != entry, (service / "running").exists()) == (True, False)
        (service / "powerless").touch()
        waiting = site.apply("--yes", "--undo")
        assert (waiting.status, site.entries()) == (3, entry), waiting
        assert "cpuspeed ran before, and does not start now" in waiting.err
        assert "error" not in waiting.err
        (service / "powerless").unlink()
        back = site.apply("--yes", "--undo")
        assert (back.status, back.err, (service / "running").exists()) == (0, "", True), back


def test_a_host_that_is_not_reached_is_told_before_anything_is_changed(site: Site) -> None:
    assert site.bmc is not None
    ran = setpoint(
        "apply",
        str(site.bundle),
        "--ssh",
        "127.0.0.1",
        "--ssh-option",
        "Port=1",
        "--ssh-option",
        "BatchMode=yes",
        "--yes",
    )
    assert (ran.status, site.bmc.writes) == (4, [])
    assert "error[E0653]: cannot work on `127.0.0.1`: ssh: connect to host 127.0.0.1 port 1" in ran.err


# ------------------------------------------------------------------------------------------------------- the bundle


def test_a_program_that_is_not_the_compilers_own_is_run_only_if_it_is_named(tmp_path: Path) -> None:
    bundle = compiled(
        tmp_path / "bundle", "policy web { goal latency; cpu skylake; os rhel 9; }", "kernel-args"
    )
    environment = {**host_of(tmp_path), "SETPOINT_IGNORE": EVERY_CHECK}
    mark = tmp_path / "mark"
    own = (bundle / "host/setpoint-host").read_text(encoding="utf-8")
    _replace(bundle, "host/setpoint-host", own.replace("set -u\n", f"set -u\n: > {mark}\n", 1))
    words = ("--local", "--check", *(f"--pass-over={name}" for name in EVERY_CHECK.split()))
    ran = setpoint("apply", str(bundle), *words, env=environment)
    assert (ran.status, mark.exists()) == (4, False)
    assert "error[E0651]" in ran.err and "`--trust host/setpoint-host` runs it" in ran.err
    assert (
        setpoint("apply", str(bundle), *words, "--trust", "host/setpoint-host", env=environment).status == 3
    )
    assert mark.exists()


def _replace(bundle: Path, path: str, text: str) -> None:
    """Change a file of a bundle together with its manifest, as a pull request can."""
    (bundle / path).write_text(text, encoding="utf-8")
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    for each in manifest["files"]:
        if each["path"] == path:
            each["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_bundle_that_was_changed_by_hand_is_refused(controller: Site) -> None:
    assert controller.bmc is not None
    path = controller.bundle / "redfish/expected.json"
    path.write_text(path.read_text(encoding="utf-8").replace("MaxPerf", "MinPwr"), encoding="utf-8")
    ran = controller.apply("--yes")
    assert (ran.status, controller.bmc.requests) == (4, [])
    assert "error[E0651]" in ran.err and "redfish/expected.json is not as it was compiled" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("out",), "name a server"),
        (("out", "--redfish", "a", "--ssh", "b", "c"), "1 controller and 2 hosts"),
        (("out", "--redfish", *(f"b{n}" for n in range(17))), "17 servers are a fleet"),
        (("out", "--ssh", "-oProxyCommand=x"), "expected"),
        (("out", "--ssh", "b c"), "not the name of a host"),
        (("out", "--local", "--restart", "now"), "through the controller"),
        (("out", "--local", "--check", "--undo"), "changes nothing"),
        (("out", "--redfish", "a", "--firmware-by", "racadm"), "leave out --redfish"),
        (("out", "--local", "--pass-over", "colour"), "none of product"),
        (("out", "--local", "--poll", "never"), "a number of seconds"),
    ],
)
def test_command_lines_that_are_refused(words: tuple[str, ...], said: str) -> None:
    ran = setpoint("apply", *words)
    assert (ran.status, said in ran.err) == (2, True), ran.err


def test_what_is_no_bundle(tmp_path: Path) -> None:
    ran = setpoint("apply", str(tmp_path), "--local", "--check")
    assert (ran.status, "error[E0650]" in ran.err) == (2, True)
    bundle = compiled(
        tmp_path / "bundle", "policy web { goal latency; cpu skylake; os rhel 9; }", "kernel-args"
    )
    ran = setpoint("apply", str(bundle), "--redfish", "https://127.0.0.1:1", "--check", env=ACCOUNT)
    assert (ran.status, "has no requests for a controller" in ran.err) == (4, True), ran.err
