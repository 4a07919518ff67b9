"""Snapshots and rollback of kernel arguments: what was there comes back byte by byte, wherever a run ends.

Faults happen at each call of a program that changes something, one at a time: it fails (before it does its work, or
after), the script is killed, or it gets SIGTERM. Whatever happened, what was reported is true, the script can be run
again, and `undo` then brings back every byte. The shells take turns.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from consumers.boot_entries import MACHINE, install, systemd_boot
from consumers.faults import KINDS, Faults
from consumers.grub import grub_cfg, session
from setpoint.targets.kernel_args import TARGET
from support.effort import calls, is_complete
from support.host import PROGRAM, arguments_for, plan_of
from support.plans import planned
from support.shell import Ran, stand_in

CONSUMERS = Path(__file__).resolve().parents[1] / "consumers"
LATENCY = "goal latency; cpu westmere; workload comm-bound"
SHELLS = ("dash", "bash", "busybox sh")
CHANGING = ("cp", "mv", "rm", "mkdir", "chmod", "sync", "cksum")
WORDS = ("processor.max_cstate=1", "intel_idle.max_cstate=0", "skew_tick=1")
ENTRY = "title Linux {n}\nversion {n}\nlinux /boot/vmlinuz-{n}\noptions ro {args}\n"
ARGUMENTS = {
    "5.1": "quiet intel_idle.max_cstate=2  net.ifnames=0",
    "5.2": "quiet",
    "5.3": "skew_tick=0 quiet",
}


def without_sync(programs: Path) -> Path:
    """The folder of programs, in which `sync` does nothing."""
    sync = programs / "sync"
    sync.write_text("#!/bin/sh\n", encoding="utf-8")
    sync.chmod(0o755)
    return programs


class Server:
    """A server with a boot loader, and a script for it."""

    def __init__(self, folder: Path, os: str, tool: str) -> None:
        self.root = folder / "root"
        self.state = folder / "state"
        self.plan = plan_of(TARGET.emit(planned(f"{LATENCY}; os {os}")).artifacts)
        tools = (*CHANGING, tool) if tool else CHANGING
        self.faults = Faults(folder, tools, self.real(folder), SETPOINT_ROOT=str(self.root))

    def real(self, folder: Path) -> Path:
        raise NotImplementedError

    def kernels(self) -> list[str]:
        """The command line of each kernel."""
        raise NotImplementedError

    def put(self, path: str, text: str, mode: int = 0o644) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(mode)

    def files(self) -> dict[str, tuple[bytes, int]]:
        """Every file of the server with its mode, but for what a tool leaves that is killed in the middle."""
        return {
            str(path.relative_to(self.root)): (path.read_bytes(), path.stat().st_mode)
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and path.suffix != ".new"
        }

    def run(self, *arguments: str, kind: str = "fails", at: int = 0) -> Ran:
        self.faults.environment["SETPOINT_PLAN"] = self.plan
        ran = self.faults.run(
            PROGRAM,
            *arguments_for(arguments),
            "--state",
            str(self.state),
            kind=kind,
            at=at,
            shell=SHELLS[at % 3],
        )
        self.faults.left(self.state / "kernel-args.lock")
        return ran

    @property
    def is_planned(self) -> bool:
        return all(
            [word for word in line.split() if word.partition("=")[0] == name.partition("=")[0]][-1:] == [name]
            for line in self.kernels()
            for name in WORDS
        )

    @property
    def kept(self) -> set[str]:
        return {path.name for path in self.state.glob("*")}


class WithGrubby(Server):
    """Three entries of the boot loader specification, and what else grubby may change."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "rhel 9", "grubby")
        for number, arguments in ARGUMENTS.items():
            self.entry(number, arguments)
        self.put("boot/grub2/grubenv", "# GRUB Environment Block\nsaved_entry=5.2\n####", 0o600)
        self.put("etc/default/grub", 'GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX="quiet skew_tick=0"\n')
        (self.root / "etc/kernel").mkdir()

    def entry(self, number: str, arguments: str) -> None:
        self.put(f"boot/loader/entries/{number}.conf", ENTRY.format(n=number, args=arguments), 0o640)

    def real(self, folder: Path) -> Path:
        return without_sync(stand_in(folder / "real-programs", CONSUMERS / "grubby_bls_stand_in", "grubby"))

    def run(self, *arguments: str, kind: str = "fails", at: int = 0) -> Ran:
        self.faults.environment["GRUBBY_ENTRIES"] = str(self.root / "boot/loader/entries")
        return super().run(*arguments, kind=kind, at=at)

    def kernels(self) -> list[str]:
        entries = sorted((self.root / "boot/loader/entries").glob("*.conf"))
        return [entry.read_text(encoding="utf-8").partition("options ")[2].strip() for entry in entries]


class WithDropIn(Server):
    """Debian: update-grub makes grub.cfg from the drop-in files."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "debian 12", "update-grub")
        self.put("etc/default/grub", "GRUB_CMDLINE_LINUX_DEFAULT='quiet skew_tick=0'\n")
        self.put("etc/default/grub.d/10-site.cfg", "GRUB_CMDLINE_LINUX=net.ifnames=0\n")
        self.put("boot/grub/grub.cfg", "")
        self.update()
        (self.root / "boot/grub/grub.cfg").chmod(0o600)

    def real(self, folder: Path) -> Path:
        programs = folder / "real-programs"
        programs.mkdir()
        text = (CONSUMERS / "update_grub_stand_in").read_text(encoding="utf-8")
        tool = programs / "update-grub"
        tool.write_text(text.replace("/etc/default", f"{self.root}/etc/default"), encoding="utf-8")
        tool.chmod(0o755)
        return without_sync(programs)

    def update(self) -> None:
        self.faults.environment["GRUB_CFG"] = str(self.root / "boot/grub/grub.cfg")
        assert self.faults.run("update-grub").status == 0

    def kernels(self) -> list[str]:
        text = (self.root / "boot/grub/grub.cfg").read_text(encoding="utf-8")
        return [line.strip() for line in text.splitlines() if line.lstrip().startswith("linux")]


class WithPbl(Server):
    """SUSE: pbl changes the defaults, and makes grub.cfg of them. An option is there twice, and the last counts."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "sles 15", "pbl")
        self.put("etc/sysconfig/bootloader", "grub2-efi\n")
        self.put(
            "etc/default/grub", 'GRUB_TIMEOUT=8\nGRUB_CMDLINE_LINUX_DEFAULT="skew_tick=0 quiet skew_tick=0"\n'
        )
        self.put("boot/grub2/grub.cfg", "")
        assert self.faults.run("pbl --config").status == 0
        (self.root / "boot/grub2/grub.cfg").chmod(0o600)

    def real(self, folder: Path) -> Path:
        return without_sync(stand_in(folder / "real-programs", CONSUMERS / "pbl_stand_in", "pbl"))

    def kernels(self) -> list[str]:
        text = (self.root / "boot/grub2/grub.cfg").read_text(encoding="utf-8")
        lines = [line.strip() for line in text.splitlines() if line.lstrip().startswith("linux")]
        return [line for line in lines if not line.endswith(" single")]


class WithBls(Server):
    """systemd-boot, with entries of two kernels, the line for new ones, and an entry of another system."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "debian 12", "")
        self.put("etc/machine-id", f"{MACHINE}\n")
        self.put("etc/kernel/cmdline", "root=/dev/sda1  ro quiet skew_tick=0\n")
        systemd_boot(self.root)
        for version in ("6.1.0-1", "6.1.0-2"):
            install(self.root, version)
        self.put(f"efi/loader/entries/{'f' * 32}-5.14.conf", ENTRY.format(n="5.14", args="quiet"))
        self.put("efi/loader/entries/memtest.conf", "title Memory test\nefi /memtest.efi\noptions quiet\n")

    def real(self, folder: Path) -> Path:
        (folder / "real-programs").mkdir()
        return without_sync(folder / "real-programs")

    def kernels(self) -> list[str]:
        entries = sorted((self.root / "efi/loader/entries").glob(f"{MACHINE}-*.conf"))
        texts = [entry.read_text(encoding="utf-8") for entry in entries]
        return [text.partition("options ")[2].partition("\n")[0] for text in texts]


class WithRpmOstree(Server):
    """A deployed system, whose arguments are those of its next deployment."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "rhel 9", "rpm-ostree")
        self.put("run/ostree-booted", "")
        self.put("ostree/kargs", "root=UUID=1 rw ostree=/ostree/boot.1/default/0 quiet skew_tick=0\n")

    def real(self, folder: Path) -> Path:
        return without_sync(
            stand_in(folder / "real-programs", CONSUMERS / "rpm_ostree_stand_in", "rpm-ostree")
        )

    def kernels(self) -> list[str]:
        return (self.root / "ostree/kargs").read_text(encoding="utf-8").splitlines()


SERVERS = {
    "grubby": WithGrubby,
    "drop-in": WithDropIn,
    "pbl": WithPbl,
    "bls": WithBls,
    "rpm-ostree": WithRpmOstree,
}


@pytest.fixture(
    params=["grubby", "drop-in", pytest.param("pbl", marks=pytest.mark.repeated), "bls", "rpm-ostree"]
)
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Server:
    made: Server = SERVERS[request.param](tmp_path)
    return made


def test_what_was_there_comes_back_byte_by_byte(server: Server) -> None:
    before = server.files()
    assert server.run("try").status == 3
    assert (server.files(), server.kept) == (before, set())
    done = server.run()
    assert (done.status, server.is_planned) == (0, True), done.said
    assert server.kept == {"kernel-args.lock", "kernel-args.rollback.1"}
    again = server.run()
    assert (again.status, again.said) == (0, "kernel-args: nothing to change\n")
    assert server.run("try") == again
    back = server.run("undo")
    assert (back.status, server.files()) == (0, before), back.said
    assert server.kept == {"kernel-args.lock", "kernel-args.rolled-back"}
    none = server.run("undo")
    assert (none.status, "nothing to put back: that was done" in none.said) == (0, True)


def two_plans(server: Server) -> tuple[object, object]:
    """Run a plan, and another after it. What was there before each."""
    first = server.files()
    assert server.run().status == 0
    second = server.files()
    plan = server.plan
    server.plan = plan.replace("skew_tick=1", "skew_tick=2")
    done = server.run()
    assert (done.status, "kernel-args.rollback.2" in server.kept) == (0, True), done.said
    server.plan = plan
    return first, second


def test_a_rollback_of_all_runs_goes_back_to_before_the_first(server: Server) -> None:
    for refused in ("apply --all", "verify --all", "undo undo", "try --all", "undo --json", "--all"):
        assert server.run(*refused.split()).status == 2
    none = server.run("undo", "--all")
    assert (none.status, "nothing to put back" in none.said) == (0, True)
    first, second = two_plans(server)
    now, kept = server.files(), server.kept
    for options, count in (("undo --dry-run", 1), ("undo --dry-run --all", 2)):
        dry = server.run(*options.split())
        assert (dry.status, dry.said.count("would put back what the run of policy")) == (3, count), dry.said
        assert (server.files(), server.kept) == (now, kept)
    assert server.run("undo").status == 0
    assert server.files() == second
    dry = server.run("undo", "--dry-run")
    assert (dry.status, "nothing to put back: that was done" in dry.said) == (0, True), dry.said
    back = server.run("undo", "--all")
    assert (back.status, server.files()) == (0, first), back.said
    for options in ("undo --all", "undo --all --dry-run"):
        again = server.run(*options.split())
        assert (again.status, "nothing to put back" in again.said, server.files()) == (0, True, first)


def test_a_rollback_of_all_runs_that_is_killed_is_completed(server: Server) -> None:
    first, _ = two_plans(server)
    assert server.run("undo", "--all").status == 0
    unfinished = 0
    for case, at in enumerate(calls(server.faults.calls, 12)):
        two_plans(server)
        killed = server.run("undo", "--all", kind=("kills", "kills-done")[case % 2], at=at)
        assert killed.status in (0, -9), killed
        if "kernel-args.journal" in server.kept:
            unfinished += 1
            now = server.files()
            dry = server.run("undo", "--dry-run")
            assert (dry.status, "did not finish: that would be taken back" in dry.said) == (3, True), dry.said
            assert server.files() == now
        back = server.run("undo", "--all")
        assert (back.status, server.files()) == (0, first), back.said
        assert not server.kept & {"kernel-args.journal", "kernel-args.rollback.1"}
    assert unfinished


def test_defaults_that_somebody_else_changed_keep_his_change(tmp_path: Path) -> None:
    server = WithPbl(tmp_path)
    defaults = server.root / "etc/default/grub"
    assert server.run().status == 0
    defaults.write_text(defaults.read_text(encoding="utf-8").replace("=8", "=9"), encoding="utf-8")
    back = server.run("undo")
    assert (back.status, "only the arguments are put back" in back.said) == (0, True), back.said
    text = defaults.read_text(encoding="utf-8")
    assert text.startswith("GRUB_TIMEOUT=9\n")
    assert text.split('"')[1].split() == ["quiet", "skew_tick=0"]
    assert not any(word.startswith("intel_idle") for line in server.kernels() for word in line.split())


@pytest.mark.parametrize("loader", ["systemd-boot", "grub2-bls", ""])
def test_another_boot_loader_of_suse_is_left_to_a_person(tmp_path: Path, loader: str) -> None:
    server = WithPbl(tmp_path)
    server.put("etc/sysconfig/bootloader", f"{loader}\n")
    before = server.files()
    done = server.run()
    assert (done.status, server.files()) == (4, before)
    assert f"the boot loader is {loader or 'unknown'}, and not GRUB with a grub.cfg" in done.said


def test_what_new_kernels_get_goes_with_the_arguments(tmp_path: Path) -> None:
    """grubby makes /etc/kernel/cmdline. Whatever else somebody has changed, kernels installed later get the old
    arguments."""
    server = WithGrubby(tmp_path)
    cmdline, default = server.root / "etc/kernel/cmdline", server.root / "etc/default/grub"
    entries = {path: text for path, text in server.files().items() if "entries" in path}
    assert server.run().status == 0
    assert cmdline.read_text(encoding="utf-8").endswith(" ".join(WORDS) + "\n")
    default.write_text(default.read_text(encoding="utf-8").replace("=5", "=9"), encoding="utf-8")
    back = server.run("undo")
    assert (back.status, cmdline.exists()) == (0, False), back.said
    assert default.read_text(encoding="utf-8") == 'GRUB_TIMEOUT=9\nGRUB_CMDLINE_LINUX="quiet skew_tick=0"\n'
    assert {path: text for path, text in server.files().items() if "entries" in path} == entries


def test_the_line_for_new_kernels_that_somebody_else_changed_stays(tmp_path: Path) -> None:
    server = WithGrubby(tmp_path)
    cmdline = server.root / "etc/kernel/cmdline"
    assert server.run().status == 0
    cmdline.write_text(f"ro {' '.join(WORDS)} console=ttyS0\n", encoding="utf-8")
    back = server.run("undo")
    assert (back.status, cmdline.read_text(encoding="utf-8")) == (0, "ro console=ttyS0\n"), back.said


def test_the_line_for_new_kernels_that_was_there_before_comes_back(tmp_path: Path) -> None:
    server = WithGrubby(tmp_path)
    server.put("etc/kernel/cmdline", "ro  console=ttyS0\n", 0o640)
    before = server.files()
    assert server.run().status == 0
    assert WORDS[2] in (server.root / "etc/kernel/cmdline").read_text(encoding="utf-8")
    back = server.run("undo")
    assert (back.status, server.files()) == (0, before), back.said


OWN_LINE = "ro console=ttyS0\n"


@pytest.mark.parametrize("written", [OWN_LINE, f"ro {' '.join(WORDS)} console=ttyS0\n"])
def test_a_line_for_new_kernels_that_the_tool_has_not_made_stays(tmp_path: Path, written: str) -> None:
    """An older grubby makes none; whoever has written one since then keeps it, but for the plan's arguments."""
    server = WithGrubby(tmp_path)
    (server.root / "etc/kernel").rmdir()
    assert server.run().status == 0
    server.put("etc/kernel/cmdline", written)
    back = server.run("undo")
    assert (back.status, server.files()["etc/kernel/cmdline"][0]) == (0, OWN_LINE.encode()), back.said


def test_a_line_for_new_kernels_written_after_a_run_was_killed_stays(tmp_path: Path) -> None:
    """Without a note of how the run left it, it counts as the tool's if it has the arguments of a kernel."""
    server = WithGrubby(tmp_path)
    before = server.files()
    made, own = 0, 0
    assert server.run().status == 0
    number = server.faults.calls
    assert server.run("undo").status == 0
    for case, at in enumerate(calls(number, 5)):
        server.run(kind="kills-done", at=at)
        cmdline = server.root / "etc/kernel/cmdline"
        if "kernel-args.journal" in server.kept:
            made += cmdline.exists()
            if case % 2:
                own += 1
                server.put("etc/kernel/cmdline", f"ro {' '.join(WORDS)} console=ttyS0\n")
        if server.kept & {"kernel-args.journal", "kernel-args.rollback.1"}:
            back = server.run("undo")
            assert back.status == 0, back.said
        if cmdline.exists():
            assert case % 2, "grubby's own is gone"
            assert cmdline.read_text(encoding="utf-8") == OWN_LINE
            own -= 1
            cmdline.unlink()
        assert server.files() == before
    assert (made > 0, own) == (True, 0)


def test_a_line_for_new_kernels_that_somebody_removed_stays_away(tmp_path: Path) -> None:
    """grubby makes it again, as the arguments in /etc/default/grub are put back by a change of all kernels."""
    server = WithGrubby(tmp_path)
    cmdline, default = server.root / "etc/kernel/cmdline", server.root / "etc/default/grub"
    assert server.run().status == 0
    cmdline.unlink()
    default.write_text(default.read_text(encoding="utf-8").replace("=5", "=9"), encoding="utf-8")
    server.entry("5.4", f"quiet console=ttyS0 {' '.join(WORDS)}")
    back = server.run("undo")
    assert (back.status, cmdline.exists()) == (0, False), back.said
    assert WORDS[2] not in default.read_text(encoding="utf-8")


def test_other_programs_can_read_a_folder_that_the_script_makes(tmp_path: Path) -> None:
    """The lock sets a umask for the folder of snapshots, which is for root alone."""
    server = WithDropIn(tmp_path)
    folder = server.root / "etc/default/grub.d"
    (folder / "10-site.cfg").unlink()
    folder.rmdir()
    server.update()
    done = server.run()
    assert (done.status, server.is_planned) == (0, True), done.said
    modes = {
        path.name: path.stat().st_mode & 0o777 for path in (folder, folder / "50-setpoint.cfg", server.state)
    }
    assert modes == {"grub.d": 0o755, "50-setpoint.cfg": 0o644, "state": 0o700}


SESSION = """
export SETPOINT_IGNORE="product processor sockets system distribution kernel"
state="{folder}/kernel-args.plan --state {folder}/state"
host="sh {folder}/setpoint-host"
$host apply $state >/dev/null || echo failed
$host next $state
$host undo $state >/dev/null || echo failed
cmp /boot/grub/grub.cfg {folder}/before && ls /etc/default/grub.d
$host apply $state >/dev/null || echo failed
echo GRUB_TIMEOUT=9 >>/etc/default/grub
update-grub 2>/dev/null
$host undo $state | grep since
grep -c 'skew_tick=1' /boot/grub/grub.cfg
grep -c 'timeout=9' /boot/grub/grub.cfg
"""


def test_the_real_grub_mkconfig_makes_what_is_planned_and_what_was_there(tmp_path: Path) -> None:
    """In the end somebody else has changed grub.cfg: his change stays, and the arguments go."""
    folder = tmp_path / "server"
    default = {"grub": "GRUB_CMDLINE_LINUX_DEFAULT='quiet skew_tick=0'\n", "grub.d/.keep": ""}
    before = grub_cfg(folder, default)
    (folder / "before").write_text(before, encoding="utf-8")
    made = TARGET.emit(planned(f"{LATENCY}; os debian 12")).artifacts
    (folder / "setpoint-host").write_text(PROGRAM, encoding="utf-8")
    (folder / "kernel-args.plan").write_text(plan_of(made), encoding="utf-8")
    (folder / "go").write_text(SESSION.format(folder=folder), encoding="utf-8")
    assert session(folder, folder / "go").splitlines() == [
        "kernel-args: the next start is as planned",
        "kernel-args: somebody else has changed /boot/grub/grub.cfg since: update-grub makes it anew",
        "0",
        "2",
    ]


def test_a_dry_run_tells_of_a_run_that_was_killed(server: Server) -> None:
    """Even where all is as planned by then: it has left a journal, and the next run takes it back."""
    assert server.run().status == 0
    calls = server.faults.calls
    assert server.run("undo").status == 0
    for at in range(calls, 0, -1):
        server.run(kind="kills", at=at)
        if "kernel-args.journal" in server.kept:
            break
        assert server.run("undo").status == 0  # a shell with programs of its own makes fewer calls
    assert server.is_planned
    dry = server.run("try")
    assert (dry.status, "did not finish" in dry.said, "nothing to change" in dry.said) == (3, True, False)


TURNS = 6 if is_complete() else 2
"""How many of the six kinds of faults a call has, in turns."""

FOLLOW_UPS = {"kernel-args.lock", "kernel-args.rollback.1"}


def judge(server: Server, run: Ran, before: object, kind: str) -> None:
    """Hold what a run reported against the server."""
    if run.status == 0:
        assert server.is_planned, run.said
        assert server.kept == FOLLOW_UPS
    elif run.status == 4:
        assert "nothing was changed" in run.said or "all is as it was before this run" in run.said, run.said
        assert server.files() == before, run.said
        assert "kernel-args.journal" not in server.kept
    elif run.status == 6:
        assert "kernel-args.journal" in server.kept, run.said
    elif run.status == -15:  # before it catches signals, it has done nothing
        assert kind.startswith("signals"), run
        assert (server.files(), server.kept - {"kernel-args.lock", "kernel-args.rolled-back"}) == (
            before,
            set(),
        )
    else:
        assert (kind[:5], run.status) == ("kills", -9), run


def ends_well(server: Server, before: object, again: bool) -> None:
    """The script can be taken back, whether or not it is run again first. A server that is as before needs no proof."""
    unfinished = "kernel-args.journal" in server.kept
    if again and unfinished:
        done = server.run()
        assert (done.status, server.is_planned) == (0, True), done.said
        assert "did not finish" in done.said
    if server.kept & {"kernel-args.journal", "kernel-args.rollback.1"}:
        back = server.run("undo")
        assert (back.status, server.files()) == (0, before), back.said
    assert server.files() == before
    assert not server.kept & {"kernel-args.journal", "kernel-args.rollback.1"}


@pytest.mark.parametrize("turn", range(TURNS))
def test_a_fault_at_any_call_leaves_nothing_half_changed(server: Server, turn: int) -> None:
    before = server.files()
    assert server.run().status == 0
    number = server.faults.calls
    assert server.run("undo").status == 0
    assert number > 10
    for case, at in enumerate(calls(number, 6), turn):
        kind = KINDS[case % len(KINDS)]
        judge(server, server.run(kind=kind, at=at), before, kind)
        ends_well(server, before, again=case % 2 == 0)


def test_a_fault_at_any_call_of_a_rollback_leaves_it_to_be_continued(server: Server) -> None:
    before = server.files()
    assert server.run().status == 0
    after = server.files()
    assert server.run("undo").status == 0
    for case, at in enumerate(calls(server.faults.calls, 6)):
        assert server.run().status == 0
        run = server.run("undo", kind=KINDS[case % len(KINDS)], at=at)
        if run.status == 0:
            assert server.files() == before, run.said
        elif run.status == 4:
            assert ("nothing was changed" in run.said, server.files()) == (True, after), run.said
        elif run.status == -15:  # before it catches signals, it has done nothing
            assert server.files() == after, run
        else:
            assert run.status in (6, -9), run
        ends_well(server, before, again=False)
