"""What happens where a program is missing, and the script that installs them."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from consumers.elf import INTERPRETER, is_static
from consumers.requirement import PROJECT, require

INSTALL = PROJECT / "tests" / "install-consumers"


def test_a_missing_program_is_a_skip_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"not installed \(tests/install-consumers\)"):
        require("no-such-program")


def test_a_missing_program_is_a_failure_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="CI=true, and no-such-program"):
        require("no-such-program")


def test_a_program_is_found_by_its_path() -> None:
    assert require("sh").name == "sh"


def test_the_installer_is_clean() -> None:
    done = subprocess.run(
        [str(require("shellcheck")), str(INSTALL)], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""


def test_the_installer_says_what_is_missing_and_never_fails(tmp_path: Path) -> None:
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [str(require("dash")), str(INSTALL), "--check"], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stdout.startswith("install-consumers: missing:")
    assert "a-kernel-image" in done.stdout


@pytest.mark.parametrize("static", [False, True])
def test_a_busybox_that_needs_libraries_does_not_count(static: bool, tmp_path: Path) -> None:
    busybox = tmp_path / "bin" / "busybox"
    busybox.parent.mkdir()
    busybox.write_bytes(program(*(() if static else (INTERPRETER,))))
    busybox.chmod(0o755)
    env = {"PATH": f"{busybox.parent}:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(tmp_path)}
    command = [str(require("dash")), str(INSTALL), "--check"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert ("busybox-static" in done.stdout.split()) is not static


def program(*kinds: int, wide: bool = True, order: str = "<") -> bytes:
    """The head of an ELF file with a segment to load, and segments of these types."""
    head, size, fields = (64, 56, "16sHHIQQQIHHHHHH") if wide else (52, 32, "16sHHIIIIIHHHHHH")
    identity = b"\x7fELF" + bytes([1 + wide, 1 if order == "<" else 2, 1])
    values = (identity, 2, 62, 1, 0, head, 0, 0, head, size, 1 + len(kinds), 0, 0, 0)
    segments = b"".join(struct.pack(f"{order}I", kind).ljust(size, b"\0") for kind in (1, *kinds))
    return struct.pack(order + fields, *values) + segments


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("wide", [False, True])
def test_a_dynamic_program_names_its_loader(wide: bool, order: str, tmp_path: Path) -> None:
    file = tmp_path / "program"
    for kinds, static in (((), True), ((6, INTERPRETER, 2), False), ((6, 4), True)):
        file.write_bytes(program(*kinds, wide=wide, order=order))
        assert is_static(file) is static


def test_what_is_no_program_is_not_static(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    assert not is_static(script)
    assert not is_static(tmp_path / "none")


def test_the_python_that_runs_this_is_dynamic() -> None:
    assert not is_static(Path(sys.executable).resolve())
