"""Files are written completely or not at all; the previous content is not lost."""

import errno
import os
import stat
import tempfile
from pathlib import Path

import pytest

from setpoint.compiler.files.writing import write_whole
from support.command import ROOT, in_shell, setpoint

POLICY = "goal latency; cpu westmere"
FORMATTED = "goal  latency;\ncpu   westmere;\n"
NOBODY = 65534
NO_ROOM = "ulimit -f 0"
"""A shell in which no file can grow, as on a disk that is full."""


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    file = tmp_path / "web.tune"
    file.write_text(POLICY, encoding="utf-8")
    return file


# --------------------------------------------------------------------------------------- one file


def test_a_policy_that_cannot_be_rewritten_is_unchanged(policy: Path) -> None:
    ran = in_shell(f"{NO_ROOM}; setpoint fmt web.tune", policy.parent)
    assert (ran.status, ran.err) == (4, "setpoint: web.tune: File too large\n")
    assert policy.read_text(encoding="utf-8") == POLICY
    assert list(policy.parent.iterdir()) == [policy]


def test_findings_that_cannot_be_written_leave_those_of_the_last_run(policy: Path) -> None:
    (policy.parent / "findings.json").write_text("of the last run")
    ran = in_shell(f"{NO_ROOM}; setpoint check web.tune --also json=findings.json", policy.parent)
    assert (ran.status, ran.err) == (4, "setpoint: findings.json: File too large\n")
    assert (policy.parent / "findings.json").read_text() == "of the last run"


def test_mode_and_link_stay(policy: Path) -> None:
    policy.chmod(0o640)
    link = policy.parent / "link.tune"
    link.symlink_to("web.tune")
    assert setpoint("fmt", str(link)).status == 0
    assert link.is_symlink()
    assert policy.read_text(encoding="utf-8") == FORMATTED
    assert stat.S_IMODE(policy.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_that_the_user_gives_new_files(policy: Path) -> None:
    in_shell("umask 027; setpoint check web.tune --also json=findings.json", policy.parent)
    assert stat.S_IMODE((policy.parent / "findings.json").stat().st_mode) == 0o640


def test_a_read_only_file_is_not_written() -> None:
    """Even if its folder permits replacing it. Root may write everything, so this runs as nobody."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        file = folder / "web.tune"
        file.write_text(POLICY, encoding="utf-8")
        file.chmod(0o444)
        child = os.fork()
        if child == 0:
            os._exit(_error_as_nobody(str(file)))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == errno.EACCES
        assert file.read_text(encoding="utf-8") == POLICY


def _error_as_nobody(path: str) -> int:
    """The number of the error from writing a file; 0 if it is written."""
    if os.geteuid() == 0:
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    try:
        write_whole(path, b"")
    except OSError as error:
        return error.errno or 0
    return 0


@pytest.mark.parametrize("rest", ["| cat", ">> said; cat said"])
def test_a_stream_is_written_directly(policy: Path, rest: str) -> None:
    """Even if the shell has redirected it to a file, which it keeps open."""
    ran = in_shell(f"setpoint check web.tune --format github --also json=/dev/stdout {rest}", policy.parent)
    assert ran.status == 0
    assert '"schema": "setpoint.check/1"' in ran.out


def test_an_error_names_the_file_and_not_its_draft(tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere/a.json")
    with pytest.raises(OSError, match=f"'{path}'") as caught:
        write_whole(path, b"")
    assert caught.value.errno == errno.ENOENT


# --------------------------------------------------------------------------------------- a bundle


def test_a_folder_that_cannot_be_made_is_named_as_it_was_given(policy: Path) -> None:
    ran = setpoint("compile", "web.tune", "-o", "/proc/out", cwd=policy.parent)
    assert (ran.status, ran.err.splitlines()[-1]) == (4, "setpoint: /proc/out: No such file or directory")


def test_a_bundle_that_cannot_be_written_leaves_the_earlier_one(policy: Path) -> None:
    assert setpoint("compile", "web.tune", "-o", "out", cwd=policy.parent).status == 0
    before = {path: path.stat().st_ino for path in (policy.parent / "out").rglob("*")}
    ran = in_shell(f"{NO_ROOM}; setpoint compile web.tune -o out", policy.parent)
    assert (ran.status, ran.err.splitlines()[-1]) == (4, "setpoint: out: File too large")
    assert before == {path: path.stat().st_ino for path in (policy.parent / "out").rglob("*")}


@pytest.mark.parametrize(("here", "name"), [("out", "."), ("out", "../out"), ("out/report.d", "..")])
def test_the_folder_that_the_command_runs_in_is_not_replaced(policy: Path, here: str, name: str) -> None:
    """Replacing it would remove the shell's working directory."""
    folder = policy.parent / here
    folder.mkdir(parents=True)
    ran = setpoint("compile", "-e", POLICY, "-o", name, cwd=folder)
    assert ran.status == 4
    assert f"error[E0605]: `{name}` exists and is the folder that this runs in, or holds it" in ran.err
    assert list(folder.iterdir()) == []


def test_a_folder_without_a_name_is_wrong_usage(tmp_path: Path) -> None:
    ran = setpoint("compile", "-e", POLICY, "-o", "", cwd=tmp_path)
    assert (ran.status, "argument -o: the folder has no name" in ran.err) == (2, True)


@pytest.mark.parametrize("kind", ["a link to a folder", "an empty folder"])
def test_a_foreign_file_in_a_bundle_is_not_lost_whatever_its_kind(policy: Path, kind: str) -> None:
    assert setpoint("compile", "web.tune", "-o", "out", cwd=policy.parent).status == 0
    mine = policy.parent / "out/syscfg/mine"
    if kind == "an empty folder":
        mine.mkdir()
    else:
        mine.symlink_to(ROOT / "docs")
    ran = setpoint("compile", "web.tune", "-o", "out", cwd=policy.parent)
    assert (ran.status, "holds `syscfg/mine`, which is not of the bundle there" in ran.err) == (4, True)
    assert mine.is_dir()
