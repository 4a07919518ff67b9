"""Workspaces beside the output: foreign files are left alone, and leftovers of killed runs are removed."""

import fcntl
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest

from setpoint.compiler.cli import main
from setpoint.compiler.files.workspace import DRAFT, MARKER, OLD, put_in_place, workspace
from setpoint.compiler.files.writing import write_whole
from support.command import Ran, in_shell

POLICY = "goal latency; cpu westmere"


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that each test gets a copy of."""
    place = tmp_path_factory.mktemp("bundled")
    assert compiled(place) == 0
    return place


@pytest.fixture
def folder(bundled: Path, tmp_path: Path) -> Path:
    """A folder with a bundle in it."""
    return Path(shutil.copytree(bundled, tmp_path / "work"))


def compiled(folder: Path) -> int:
    """The exit status of a compilation in this folder."""
    with chdir(folder):
        return main(["compile", "-e", POLICY, "-o", "out"])


def dies(folder: Path, how: signal.Signals, where: str, first: str = "None") -> Ran:
    """A compilation that a signal stops in a function: after it ran once, or before if `first` is given."""
    (folder.parent / "slow.py").write_text(
        "import os, signal, sys\n"
        "import setpoint.compiler.lowering.bundle as bundle, setpoint.compiler.cli as cli\n"
        "import setpoint.compiler.files.workspace as workspace\n"
        f"room, name = {where.rpartition('.')[0]}, {where.rpartition('.')[2]!r}\n"
        "real = getattr(room, name)\n"
        "def met(*arguments):\n"
        f"    if {first} is None: real(*arguments)\n"
        f"    os.kill(os.getpid(), signal.{how.name})\n"
        f"    if {first} is not None: real(*arguments)\n"
        "setattr(room, name, met)\n"
        f"sys.exit(cli.main(['compile', '-e', '{POLICY}', '-o', 'out']))\n"
    )
    return in_shell(f"exec {sys.executable} ../slow.py", folder)


def content(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All files below a folder, each with its inode."""
    return {
        str(path.relative_to(folder)): (path.stat().st_ino, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def put(place: Path, check: Callable[[str], None]) -> None:
    """Put an empty folder there."""
    with workspace(str(place)) as room:
        (Path(room) / DRAFT).mkdir()
        put_in_place(room, str(place), check)


def workspaces(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name != "out")


# ------------------------------------------------------------------------------------------ foreign files


def test_foreign_files_beside_the_bundle_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever their names are, even with the number of this process."""
    monkeypatch.chdir(tmp_path)
    for name in (f"out.partial-{os.getpid()}", f"out.replaced-{os.getpid()}"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes.txt").write_text("do not lose this")
    before = content(tmp_path)
    for _ in range(2):
        assert main(["compile", "-e", POLICY, "-o", "out"]) == 0
        assert content(tmp_path).items() >= before.items()


def killed(folder: Path) -> Path:
    """What a run leaves that is killed while it makes a bundle."""
    assert dies(folder, signal.SIGKILL, "bundle._put").status == -signal.SIGKILL
    (found,) = workspaces(folder)
    return found


@pytest.fixture(scope="module")
def left(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, once for all tests."""
    return killed(Path(shutil.copytree(bundled, tmp_path_factory.mktemp("left") / "work")))


@pytest.fixture
def leftover(left: Path, folder: Path) -> Path:
    """A copy of it in the test's folder, where it has the same name: that comes from the name of the bundle."""
    return Path(shutil.copytree(left, folder / left.name))


def test_what_a_killed_run_leaves_is_removed_by_the_next(folder: Path) -> None:
    before = content(folder / "out")
    assert (killed(folder) / DRAFT).is_dir()
    assert content(folder / "out") == before
    assert compiled(folder) == 0
    assert workspaces(folder) == []


@pytest.mark.parametrize(
    "what",
    ["no marker", "another marker", "a longer marker", "the marker of another name", "a link as marker",
     "a pipe as marker", "something more", "a link", "a file", "something locked"],
)  # fmt: skip
def test_what_only_looks_like_a_leftover_is_left_alone(folder: Path, leftover: Path, what: str) -> None:
    found = leftover
    marker = found / MARKER
    said = marker.read_text()
    held = None
    if what.endswith("as marker"):
        marker.rename(folder.parent / "elsewhere")
        marker.symlink_to(folder.parent / "elsewhere") if "link" in what else os.mkfifo(marker)
    match what:
        case "no marker":
            marker.unlink()
        case "another marker":
            marker.write_text("mine")
        case "a longer marker":
            marker.write_text(f"{said}mine")
        case "the marker of another name":
            marker.write_text(said.replace(" out", " in"))
        case "something more":
            (found / "notes.txt").write_text("do not lose this")
        case "a link":
            found.rename(folder.parent / "elsewhere")
            found.symlink_to(folder.parent / "elsewhere")
        case "a file":
            found.rename(folder.parent / "elsewhere")
            found.write_text("do not lose this")
        case "something locked":
            held = os.open(found, os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_EX)
    before = content(found)
    assert compiled(folder) == 0
    assert workspaces(folder) == [found]
    assert content(found) == before
    if held is not None:
        os.close(held)
        assert compiled(folder) == 0
        assert workspaces(folder) == []


@pytest.mark.parametrize("said", [None, "", "setpoint is writ"])
def test_a_run_that_was_killed_before_it_had_begun_leaves_nothing(
    folder: Path, leftover: Path, said: str | None
) -> None:
    found = leftover
    for each in found.rglob("*"):
        if each.is_file():
            each.unlink()
    in_shell(f"rm -r {found}/*", folder)
    if said is not None:
        (found / MARKER).write_text(said)
    assert compiled(folder) == 0
    assert workspaces(folder) == []


def test_files_that_appear_in_a_bundle_during_its_replacement_are_not_lost(folder: Path) -> None:
    def appears(old: str) -> None:
        raise OSError("not so")

    before = content(folder / "out")
    with pytest.raises(OSError, match="not so"):
        put(folder / "out", appears)
    assert content(folder / "out") == before
    assert workspaces(folder) == []


def test_neither_is_the_bundle_if_something_else_appears_in_its_place(folder: Path) -> None:
    def appears(old: str) -> None:
        (folder / "out").mkdir()
        (folder / "out/notes.txt").write_text("do not lose this")
        raise OSError("not so")

    before = content(folder / "out")
    with pytest.raises(OSError, match="what was there before is in"):
        put(folder / "out", appears)
    assert [*content(folder / "out")] == ["notes.txt"]
    assert compiled(folder) == 4
    (found,) = workspaces(folder)
    assert content(found / OLD) == before


# --------------------------------------------------------------------------------------- signals


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("where", ["bundle._put", "workspace._mark", "bundle._make"])
def test_a_run_that_is_stopped_half_way_changes_nothing(
    folder: Path, how: signal.Signals, where: str
) -> None:
    before = content(folder)
    ran = dies(folder, how, where)
    assert (ran.status, "Traceback" in ran.err, ran.out) == (128 + how, False, "")
    assert content(folder) == before
    assert workspaces(folder) == []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_replacement_that_has_begun_is_completed(folder: Path, how: signal.Signals) -> None:
    before = content(folder)
    assert dies(folder, how, "bundle._foreign", "0").status == 128 + how
    assert content(folder) == before  # it came before anything was written
    ran = dies(folder, how, "workspace.os.rename")
    assert (ran.status, "Traceback" in ran.err) == (128 + how, False)
    assert content(folder).keys() == before.keys()
    assert content(folder) != before
    assert workspaces(folder) == []


def test_a_run_that_is_killed_between_the_two_steps_costs_no_bundle(folder: Path) -> None:
    """The next run puts it back before anything else, though it cannot write a new one."""
    before = content(folder / "out")
    assert dies(folder, signal.SIGKILL, "workspace.os.rename").status == -signal.SIGKILL
    assert not (folder / "out").exists()
    assert in_shell(f"ulimit -f 0; setpoint compile -e '{POLICY}' -o out", folder).status == 4
    assert content(folder / "out") == before
    assert workspaces(folder) == []


def test_an_ignored_signal_stays_ignored(folder: Path) -> None:
    ran = in_shell(f"trap '' HUP; exec {sys.executable} ../slow.py", prepared(folder))
    assert (ran.status, "files in out" in ran.out) == (0, True)


def prepared(folder: Path) -> Path:
    """The folder, with the script of a compilation beside it that is stopped by a hang-up."""
    dies(folder, signal.SIGHUP, "bundle._put")
    return folder


# --------------------------------------------------------------------------------------- single files


def test_a_file_that_a_killed_run_was_writing_is_cleared_away(tmp_path: Path) -> None:
    place = tmp_path / "web.tune"
    place.write_text("before")
    child = os.fork()
    if child == 0:
        with workspace(str(place)) as room:
            (Path(room) / DRAFT).write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 2
    write_whole(str(place), b"after")
    assert list(tmp_path.iterdir()) == [place]
    assert place.read_text() == "after"
