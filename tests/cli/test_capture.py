"""`setpoint capture`: this machine, other hosts by ssh, and the script alone."""

import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from setpoint.compiler.captures.running import ssh
from support.command import Ran, setpoint

SSH = """#!/bin/sh
# As ssh(1): options, the destination behind `--`, and the command, which a shell runs with this standard input.
printf '%s\\n' "$*" >> "$LOG"
while [ "$1" != -- ]; do shift; done
case $2 in
    down) echo "ssh: connect to host down port 22: Connection refused" >&2; exit 255 ;;
    chatty) echo "Welcome"; exec sh -c "$3" ;;
    rude) printf '\\033[2Jno\\n' >&2; exit 1 ;;
    endless) while :; do echo 'more and more and more and more'; done ;;
esac
exec sh -c "$3"
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The arguments of each call of a stand-in for ssh, which runs commands here."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "ssh").write_text(SSH, encoding="utf-8")
    (programs / "ssh").chmod(0o755)
    (programs / "sudo").write_text(
        '#!/bin/sh\n[ "$1" = -n ] && shift\nexec env BY_SUDO=yes "$@"\n', encoding="utf-8"
    )
    (programs / "sudo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def capture(log: Path, *words: str) -> Ran:
    """Run the command beside the log."""
    return setpoint("capture", *words, cwd=log.parent)


def read(path: Path) -> Any:
    """What a host shows in a file."""
    return json.loads(path.read_text(encoding="utf-8"))["host"]["read"]


def test_this_machine_is_printed() -> None:
    ran = setpoint("capture", "--local")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out)["host"]["read"]["run uname -r"] == os.uname().release


def test_this_machine_is_written_by_its_name(tmp_path: Path) -> None:
    ran = setpoint("capture", "--local", "-o", str(tmp_path / "new/folder"))
    path = tmp_path / f"new/folder/{socket.gethostname()}.json"
    assert (ran.status, ran.out) == (0, f"{path}\n")
    assert path.is_file()


def test_hosts_are_read_by_ssh_into_a_file_each(log: Path) -> None:
    ran = capture(log, "--ssh", "web1", "admin@web2.example.org", "--ssh-option", "Port=2222", "-o", "out")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "out/web1.json\nout/web2.example.org.json\n"
    assert sorted(log.read_text(encoding="utf-8").splitlines()) == [
        "-T -o Port=2222 -- admin@web2.example.org sh -s",
        "-T -o Port=2222 -- web1 sh -s",
    ]
    assert read(log.parent / "out/web1.json")["run uname -r"] == os.uname().release


def test_root_reads_by_sudo_if_asked(log: Path) -> None:
    assert capture(log, "--ssh", "web1", "--sudo").status == 0
    assert log.read_text(encoding="utf-8") == "-T -- web1 sudo -n sh -s\n"


def test_one_host_that_fails_leaves_the_others(log: Path) -> None:
    ran = capture(log, "--ssh", "web1", "down", "-o", "out")
    assert ran.status == 4
    assert (
        "error[E0625]: cannot capture `down`: ssh: connect to host down port 22: Connection refused"
        in ran.err
    )
    assert ran.out == "out/web1.json\n"


def test_captures_of_one_name_do_not_replace_each_other(log: Path) -> None:
    """A report of a host that was read as well."""
    document = log.parent / "reports/web1.json"
    document.parent.mkdir()
    document.write_text(
        '{"schema": "setpoint.capture/1", "host": {"read": {"/proc/cmdline": "of the report"}}}',
        encoding="utf-8",
    )
    ran = capture(log, "--ssh", "web1", "--from", "reports/web1.json", "-o", "out")
    assert (ran.status, ran.out) == (0, "out/web1.json\nout/web1-2.json\n")
    assert read(log.parent / "out/web1-2.json") == {"/proc/cmdline": "of the report"}


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("chatty", "what it printed is not a capture: Expecting value"),
        ("rude", r"cannot capture `rude`: \x1b[2Jno"),
        ("endless", "it printed more than 16 MiB"),
    ],
)
def test_what_a_host_prints_is_foreign(host: str, why: str, log: Path) -> None:
    ran = capture(log, "--ssh", host)
    assert (ran.status, ran.out) == (4, "")
    assert why in ran.err.replace("\n   ", "")
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    "host", ["-oProxyCommand=reboot", "a b", "a;b", "", "user@-x", "@web1", "web1/../x", ".."]
)
def test_a_host_is_neither_an_option_nor_a_path(host: str, log: Path) -> None:
    assert capture(log, f"--ssh={host}", "-o", "out").status == 2
    assert not log.exists()


def test_options_of_ssh_stay_options() -> None:
    assert ssh("web1", ["-F/etc/passwd"])[:4] == ["ssh", "-T", "-o", "-F/etc/passwd"]
    assert ssh("fe80::1%eth0", [])[-3:] == ["--", "fe80::1%eth0", "sh -s"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "name a server"),
        (("--ssh", "a", "b"), "-o DIR"),
        (("--ssh", "a", "root@a", "-o", "out"), "two servers are called a"),
        (("--script", "--local"), "reads no server"),
        (("--role", "collect", "--local"), "--role is for other ways to servers, and reads no server"),
        (("--script", "-o", "out"), "reads no server"),
    ],
)
def test_command_lines_that_name_no_server_or_too_many(words: tuple[str, ...], why: str) -> None:
    ran = setpoint("capture", *words)
    assert (ran.status, ran.out) == (2, "")
    assert why in ran.err


def test_the_script_prints_the_same_capture(tmp_path: Path) -> None:
    script = setpoint("capture", "--script").out
    done = subprocess.run(["sh"], input=script, capture_output=True, text=True, check=True, cwd=tmp_path)
    data, direct = json.loads(done.stdout), json.loads(setpoint("capture", "--local", "--no-redact").out)
    assert {*data["host"]["read"], *data["host"]["unread"]} == {
        *direct["host"]["read"],
        *direct["host"]["unread"],
    }


def test_a_capture_is_redacted_unless_its_owner_wants_all(log: Path) -> None:
    program = log.parent / "programs/grubby"
    program.write_text(
        "#!/bin/sh\necho 'args=\"ro root=UUID=9f1c2b3a-8d7e-4f60-9a1b-2c3d4e5f6a7b\"'\n", encoding="utf-8"
    )
    program.chmod(0o755)
    place = "run grubby --info=DEFAULT"
    assert capture(log, "--ssh", "web1", "-o", "shared").status == 0
    assert capture(log, "--ssh", "web1", "-o", "own", "--no-redact").status == 0
    assert (
        read(log.parent / "own/web1.json")[place]
        == 'args="ro root=UUID=9f1c2b3a-8d7e-4f60-9a1b-2c3d4e5f6a7b"'
    )
    assert read(log.parent / "shared/web1.json")[place].startswith('args="ro root=UUID=')
    assert "9f1c2b3a" not in (log.parent / "shared/web1.json").read_text(encoding="utf-8")
