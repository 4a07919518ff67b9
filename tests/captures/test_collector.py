"""The collector: what it prints of a tree of files, in every shell and with every awk that servers have."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from setpoint.compiler.captures.document import capture_of
from setpoint.compiler.captures.model import Capture, Reading, Readings
from setpoint.compiler.captures.script import collector
from support.command import ROOT
from support.limits import PATIENCE, limited

NOBODY = 65534

BUSYBOX = "busybox"
"""The shell of small systems, which brings awk, od and the rest."""

MAWK = "mawk"
"""dash with the awk of Debian, which ends when a file cannot be read."""

SHELLS = {"dash": ["dash"], "bash": ["bash", "--posix"], BUSYBOX: ["busybox", "ash"], MAWK: ["dash"]}


class Server:
    """A tree of files in a folder, which a script with places in that folder reads."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.programs = top / "programs"
        self.programs.mkdir()
        self.registers = top / "cpus"

    def add(self, path: str, content: str | bytes) -> None:
        """A file of the server."""
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def add_program(self, name: str, script: str) -> None:
        """A program that the collector finds first."""
        file = self.programs / name
        file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        file.chmod(0o755)

    def add_register(self, cpu: int, number: int, value: int) -> None:
        """A register of a CPU; the file of the others has holes."""
        file = self.registers / str(cpu) / "msr"
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "r+b" if file.exists() else "wb") as opened:
            opened.seek(number)
            opened.write(value.to_bytes(8, "little"))

    def script(self, *places: str, **values: int) -> str:
        """The collector of places in this tree, in which the files are those of a kernel, with other limits."""
        inner = [place.replace("/", f"{self.top}/", 1) if "/" in place else place for place in places]
        text = collector(inner, "0.0").replace("/proc/* | /sys/*) ;;", f"{self.top}/sys/*) ;;")
        text = text.replace("/dev/cpu/", f"{self.registers}/")
        for name, value in values.items():
            text = text.replace(f"\n{name}=", f"\n{name}={value} # ")
        return text

    def read(self, *places: str, shell: str = "dash", user: int = 0, **values: int) -> Readings:
        """What the collector of these places reads, with the places as they are in the tree."""
        kept = self.top / "kept"
        kept.mkdir(mode=0o777, exist_ok=True)
        kept.chmod(0o777)
        path = f"{self.programs}:{os.environ['PATH']}"
        if shell == MAWK and not (self.programs / "awk").exists():
            (self.programs / "awk").symlink_to(str(shutil.which(MAWK)))
        if shell == BUSYBOX:
            path = f"{self.programs}:{_applets(self.top / 'applets')}"

        done = subprocess.run(
            limited(SHELLS[shell]),
            input=self.script(*places, **values),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={"PATH": path, "TMPDIR": str(kept)},
            cwd="/",
            user=user or None,
            group=user or None,
            check=True,
        )
        assert done.stderr == ""
        assert list(kept.rglob("*")) == [], "the collector leaves something behind"
        host = capture_of(json.loads(done.stdout.replace(str(self.top), "")), "server").host
        assert host is not None
        return host


def _applets(folder: Path) -> Path:
    """A folder with the programs of busybox alone."""
    if not folder.exists():
        folder.mkdir()
        busybox = shutil.which("busybox")
        listed = subprocess.run(["busybox", "--list"], capture_output=True, text=True, check=True)
        for name in listed.stdout.split():
            (folder / name).symlink_to(str(busybox))
    return folder


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server without files, which every user can read."""
    top = tmp_path_factory.mktemp("server")
    for folder in (top, *list(top.parents)[:3]):
        if folder.stat().st_uid == os.getuid() and folder != Path("/tmp"):
            folder.chmod(0o755)
    return Server(top)


@pytest.fixture(params=sorted(SHELLS))
def shell(request: pytest.FixtureRequest) -> str:
    """Each shell that is installed."""
    if None in (
        shutil.which(SHELLS[request.param][0]),
        shutil.which("mawk" if request.param == MAWK else "sh"),
    ):
        pytest.skip(f"{request.param} is not installed")
    return str(request.param)


def test_the_script_is_clean_for_shellcheck() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    subprocess.run(["shellcheck", "-s", "sh", str(ROOT / "compiler/captures/collector.sh")], check=True)


# -------------------------------------------------------------------------------------------- files


def test_equal_texts_are_one_reading_with_all_their_cpus(server: Server, shell: str) -> None:
    for cpu in range(512):
        server.add(
            f"sys/cpu/cpu{cpu}/governor", "powersave\n" if cpu in (9, 10, 11, 511) else "performance\n"
        )
    server.add("sys/cpu/cpufreq/governor", "of no CPU\n")
    place = "/sys/cpu/cpu*/governor"
    assert server.read(place, shell=shell).read == {
        place: (Reading("performance", "0-8,12-510"), Reading("powersave", "9-11,511"))
    }


def test_the_star_of_a_place_is_the_cpu_or_node_and_else_the_first(server: Server, shell: str) -> None:
    server.add("sys/cpu/cpu0/state1/name", "C1\n")
    server.add("sys/cpu/cpu1/state1/name", "C1\n")
    server.add("sys/card/eth0/queue-1/map", "3\n")
    server.add("sys/fabric/package_00_die_01/limit", "9\n")
    found = server.read(
        "/sys/cpu/cpu*/state*/name", "/sys/card/*/queue-*/map", "/sys/fabric/package_*_die_*/limit"
    )
    assert found.read == {
        "/sys/cpu/cpu*/state1/name": (Reading("C1", "0-1"),),
        "/sys/card/*/queue-1/map": (Reading("3", "eth0"),),
        "/sys/fabric/package_*_die_*/limit": (Reading("9", "00_die_01"),),
    }


TEXTS = [
    (b"plain", "plain"),
    (b"line\n", "line"),
    (b"two\n\n", "two\n"),
    (b"\n", ""),
    (b"", ""),
    (b'a "quoted" \\ path \\n', 'a "quoted" \\ path \\n'),
    (bytes(range(1, 32)) + b"\x7f.", bytes(range(1, 32)).decode() + "\x7f."),
    ("Größe 日本 😀".encode(), "Größe 日本 😀"),
    (b"%s %d \\033[2J\x1b[2J", "%s %d \\033[2J\x1b[2J"),
    (b"=equal\n@1\tplace\n!why", "=equal\n@1\tplace\n!why"),
    (b"a\r\nb\r\n", "a\r\nb\r"),
]
NO_TEXTS = [b"\xff", b"\xc3(", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\x80"]


def test_any_text_is_kept_as_it_is(server: Server, shell: str) -> None:
    """All of them in one reading, so that none changes what comes after it either."""
    expected: dict[str, tuple[Reading, ...]] = {}
    for number, (content, text) in enumerate(TEXTS):
        server.add(f"sys/file-{number}", content)
        server.add(f"sys/of-{number}/sda/file", content)
        expected[f"/sys/file-{number}"] = (Reading(text),)
        expected[f"/sys/of-{number}/*/file"] = (Reading(text, "sda"),)
    assert server.read(*expected, shell=shell) == Readings(expected, {})


def test_what_is_not_utf_8_is_not_text(server: Server, shell: str) -> None:
    expected = {f"/sys/file-{number}": "not text" for number in range(len(NO_TEXTS))}
    for place, content in zip(expected, NO_TEXTS, strict=True):
        server.add(place.removeprefix("/"), content)
    assert server.read(*expected, shell=shell) == Readings({}, expected)


def test_a_large_file_is_not_read(server: Server, shell: str) -> None:
    server.add("sys/large", b"x" * 99 + b"\n" * 5_000)
    server.add("etc/large", b"x" * 5_000)
    server.add("etc/small", b"x" * 10)
    found = server.read("/sys/large", "/etc/large", "/etc/small", shell=shell, MOST=4_000)
    assert found.unread == {"/sys/large": "too large", "/etc/large": "too large"}
    assert list(found.read) == ["/etc/small"]


def test_only_regular_files_are_read_outside_of_the_kernel(server: Server, shell: str) -> None:
    server.add("etc/file", "a")
    os.mkfifo(server.top / "etc/pipe")
    found = server.read("/etc/*", "/etc/pipe", shell=shell)
    assert found == Readings({"/etc/*": (Reading("a", "file"),)}, {"/etc/pipe": "absent"})


def test_why_a_file_was_not_read(server: Server, shell: str) -> None:
    if os.getuid():
        pytest.skip("only root can read as another user")
    server.add("sys/secret", "a")
    server.add("sys/closed/file", "a")
    (server.top / "sys/secret").chmod(0o600)
    (server.top / "sys/closed").chmod(0o700)
    places = (
        "/sys/secret",
        "/sys/closed/file",
        "/sys/closed/*",
        "/sys/none",
        "/none/none",
        "/sys/none/cpu*/a",
    )
    found = server.read(*places, shell=shell, user=NOBODY)
    assert found.unread == {
        "/sys/secret": "no permission",
        "/sys/closed/file": "no permission",
        "/sys/closed/*": "no permission",
        "/sys/none": "absent",
        "/none/none": "absent",
        "/sys/none/cpu*/a": "absent",
    }


def test_a_file_that_does_not_answer_is_given_up(server: Server, shell: str) -> None:
    for name in ("a", "b", "d"):
        server.add(f"sys/{name}", name)
    for cpu in range(64):
        (server.top / f"sys/cpu{cpu}").mkdir()
        os.mkfifo(server.top / f"sys/cpu{cpu}/hung")
    found = server.read("/sys/a", "/sys/b", "/sys/cpu*/hung", "/sys/d", shell=shell, ITEM=1)
    assert found == Readings(
        {f"/sys/{name}": (Reading(name),) for name in ("a", "b", "d")}, {"/sys/cpu*/hung": "timed out"}
    )


def test_a_capture_that_takes_too_long_ends_with_what_it_has(server: Server, shell: str) -> None:
    server.add_program("sleepy", "sleep 100")
    found = server.read("run sleepy", "run sleepy more", "run uname -s", shell=shell, WHOLE=2)
    assert found.unread == dict.fromkeys(("run sleepy", "run sleepy more", "run uname -s"), "timed out")


# ----------------------------------------------------------------------- registers, programs, folders


def test_registers_are_read_of_every_cpu(server: Server, shell: str) -> None:
    for cpu in range(40):
        server.add_register(cpu, 0x1FC, 0x24005D if cpu != 7 else 0x24005F)
        server.add_register(cpu, 0x1B0, 0)
        server.add_register(cpu, 0x772, 0xFEDCBA9876543210)
    found = server.read("msr 0x1fc", "msr 0x1b0", "msr 0x772", shell=shell)
    assert {place: set(readings) for place, readings in found.read.items()} == {
        "msr 0x1fc": {Reading("0x24005d", "0-6,8-39"), Reading("0x24005f", "7")},
        "msr 0x1b0": {Reading("0x0", "0-39")},
        "msr 0x772": {Reading("0xfedcba9876543210", "0-39")},
    }
    assert found.unread == {}


def test_a_register_that_cannot_be_read_is_not_zero(server: Server, shell: str) -> None:
    server.add_register(0, 0x10, 1)  # the file ends behind it
    found = server.read("msr 0x10", "msr 0x772", shell=shell)
    assert list(found.read) == ["msr 0x10"]
    assert found.unread == {"msr 0x772": "failed"}


def test_without_the_module_there_are_no_registers(server: Server, shell: str) -> None:
    reason = server.read("msr 0x1fc", shell=shell).unread["msr 0x1fc"]
    has_registers = " msr " in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    assert reason == ("no module" if has_registers else "absent")


def test_registers_of_others_need_root(server: Server, shell: str) -> None:
    if os.getuid():
        pytest.skip("only root can read as another user")
    server.add_register(0, 0x1FC, 1)
    (server.registers / "0/msr").chmod(0o600)
    assert server.read("msr 0x1fc", shell=shell, user=NOBODY).unread == {"msr 0x1fc": "no permission"}


def test_what_programs_print(server: Server, shell: str) -> None:
    server.add_program("shows", 'printf "%s|" "$@"; echo "warning" >&2')
    server.add_program("refuses", 'echo "half"; echo "Permission denied" >&2; exit 1')
    server.add_program("says-no", "echo none; exit 1")
    server.add_program("fails", "echo 'no such luck' >&2; exit 1")
    server.add_program("binary", "printf 'a\\000b'")
    server.add_program("endless", "while :; do echo yes; done")
    found = server.read(
        "run binary", "run endless", "run fails", "run missing -x", "run refuses", "run says-no", "run shows -p a=b c",
        shell=shell,
    )  # fmt: skip
    assert found == Readings(
        {"run says-no": (Reading("none"),), "run shows -p a=b c": (Reading("-p|a=b|c|"),)},
        {
            "run binary": "not text",
            "run endless": "too large",
            "run fails": "failed",
            "run missing -x": "no program",
            "run refuses": "no permission",
        },
    )


def test_a_folder_is_its_names(server: Server, shell: str) -> None:
    server.add("sys/tables/SRAT", b"\0")
    server.add("sys/tables/DMAR", b"\0")
    (server.top / "sys/empty").mkdir()
    found = server.read("list /sys/tables", "list /sys/empty", "list /sys/none", shell=shell)
    assert found == Readings(
        {"list /sys/tables": (Reading("DMAR SRAT"),), "list /sys/empty": (Reading(""),)},
        {"list /sys/none": "absent"},
    )


@pytest.mark.parametrize(
    "place",
    ["", "END", "run a; b", "run $(reboot)", "/a b", "/a\nreboot", "msr 0x", "/a'", "run a > /b", "run -x"],
)
def test_a_place_can_not_be_code(place: str) -> None:
    with pytest.raises(ValueError, match="not a place"):
        collector([place], "0.0")


def this_machine(shell: str, places: tuple[str, ...]) -> Capture:
    """A capture of the machine that the tests run on."""
    done = subprocess.run(
        SHELLS[shell],
        input=collector(places, "0.0"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stderr == ""
    return capture_of(json.loads(done.stdout), "here")


def test_this_machine_is_captured(shell: str, places: tuple[str, ...]) -> None:
    host = this_machine(shell, places).host
    assert host is not None
    assert host.text("run uname -r") == os.uname().release
    assert host.text("/proc/cmdline") == Path("/proc/cmdline").read_text(encoding="utf-8").removesuffix("\n")
    covered = {*host.read, *host.unread}
    lost = [place for place in places if place not in covered and not host.at(place)]
    assert lost == []
