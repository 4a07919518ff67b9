"""What happens where a program is missing, and the script that installs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

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
