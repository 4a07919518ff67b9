"""Files are written completely or not at all; the previous content is not lost."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from setpoint.compiler.files.writing import write_whole
from support.command import ROOT, in_shell, setpoint

POLICY = "goal latency; cpu westmere"
FORMATTED = "goal latency;\ncpu westmere;\n"
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


# ------------------------------------------------------------------------------------ links and owners


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that is open to all, and that everybody can reach, with the folder `own` of nobody and a victim's file
    there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "own").mkdir(mode=0o755)
        (folder / "own/precious").write_text("precious")
        for path in (folder / "own", folder / "own/precious"):
            os.chown(path, NOBODY, NOBODY)
        yield folder


def written(path: Path, user: int, folder: Path = Path("/")) -> str:
    """How writing a file ends for a user: "" if it is written."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        os.chdir(folder)
        try:
            write_whole(str(path), b"new")
        except OSError as error:
            os.write(writing, str(error.strerror).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with open(reading, encoding="utf-8") as told:
        return told.read()


ROOT_USER, OTHER = 0, 12_345
WRITERS = [ROOT_USER, NOBODY]
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of other users")


@only_root
@pytest.mark.parametrize("user", WRITERS)
@pytest.mark.parametrize("sticky", [True, False])
@pytest.mark.parametrize(
    "where", ["the file", "a folder on the way", "a link of the user's own to it", "nothing there"]
)
def test_a_link_of_another_user_is_not_followed(shared: Path, user: int, sticky: bool, where: str) -> None:
    shared.chmod(0o1777 if sticky else 0o777)
    link, path = shared / "link", shared / "link"
    match where:
        case "the file":
            link.symlink_to(shared / "own/precious")
        case "nothing there":
            link.symlink_to(shared / "own/new")
        case "a folder on the way":
            link.symlink_to(shared / "own")
            path = link / "precious"
        case _:
            link.symlink_to(shared / "own/precious")
            path = shared / "mine"
            path.symlink_to(link)
            os.lchown(path, user, user)
    os.lchown(link, OTHER, OTHER)
    assert written(path, user) == f"its way goes through a link of another user, `{link}`"
    assert (shared / "own/precious").read_text() == "precious"
    assert not (shared / "own/new").exists()
    for owner in {user, ROOT_USER}:
        os.lchown(link, owner, owner)
        assert written(path, user) == ""


@only_root
@pytest.mark.parametrize("user", WRITERS)
def test_a_file_of_another_user_is_not_replaced_where_all_can_make_files(shared: Path, user: int) -> None:
    """It is a file of theirs: they could read and change what is written there. In a closed folder its owner has let it
    be."""
    planted = shared / "found.xml"
    planted.write_text("theirs")
    planted.chmod(0o666)
    os.chown(planted, OTHER, OTHER)
    assert written(planted, user) == "it belongs to another user, in a folder that is open to all"
    assert planted.read_text() == "theirs"
    shared.chmod(0o755)
    os.chown(shared, user, user)
    assert written(planted, user) == ""


@only_root
def test_a_pipe_of_another_user_is_not_written_to(shared: Path) -> None:
    os.mkfifo(shared / "found.xml", 0o666)
    os.chown(shared / "found.xml", OTHER, OTHER)
    assert (
        written(shared / "found.xml", NOBODY) == "it belongs to another user, in a folder that is open to all"
    )


@only_root
@pytest.mark.parametrize(
    "command",
    ["compile web.tune -o DIR/out", "new DIR/out", "check web.tune --also junit=DIR/out", "test web.tune --junit DIR/out",
     "audit grub -e goal\tlatency --export DIR/out", "explain web.tune smt --plot DIR/out.svg",
     "fleet web.tune --inventory h.csv -o DIR/out"],
)  # fmt: skip
@pytest.mark.parametrize("planted", ["a link of another user", "a link that leads out of the folder"])
def test_every_output_goes_through_the_same_door(policy: Path, command: str, planted: str) -> None:
    elsewhere = policy.parent / "elsewhere"
    elsewhere.mkdir()
    place = policy.parent / "work"
    place.mkdir()
    (place / "web.tune").write_text(f"{POLICY}; expect smt off;")
    (place / "h.csv").write_text("host,model\nc1,PowerEdge R710\n")
    (place / "grub").write_text("isolcpus=2\n")
    (place / "DIR").symlink_to("../elsewhere")
    if planted == "a link of another user":
        os.lchown(place / "DIR", OTHER, OTHER)
    ran = setpoint(*command.split(" "), cwd=place)
    assert (ran.status, list(elsewhere.iterdir())) == (4, []), ran.err
    assert ("error[E0605]" if "another" in planted else "error[E0603]") in ran.err


@only_root
def test_a_bundle_of_another_user_is_not_replaced_where_all_can_make_files(shared: Path) -> None:
    assert setpoint("compile", "-e", POLICY, "-o", str(shared / "out")).status == 0
    os.chown(shared / "out", OTHER, OTHER)
    before = (shared / "out").stat().st_ino
    ran = setpoint("compile", "-e", POLICY, "-o", str(shared / "out"))
    assert (ran.status, "error[E0605]" in ran.err, (shared / "out").stat().st_ino) == (4, True, before)


@only_root
def test_a_file_of_another_user_is_not_kept_in_a_fleet(policy: Path) -> None:
    """The file that stays as it is would stay theirs, to be changed later."""
    (policy.parent / "h.csv").write_text("host,model,cpu\nc1,PowerEdge R710,westmere\n")
    words = ("fleet", "web.tune", "--inventory", "h.csv", "-o", "out")
    assert setpoint(*words, cwd=policy.parent).status == 0
    file = policy.parent / "out/manifest.json"
    os.chown(file, OTHER, OTHER)
    assert setpoint(*words, cwd=policy.parent).status == 0
    assert file.stat().st_uid == 0


@pytest.mark.parametrize(("umask", "file", "folder"), [("027", 0o640, 0o750), ("077", 0o600, 0o700)])
@pytest.mark.parametrize(
    "command", ["compile web.tune -o out", "new out", "fleet web.tune --inventory h.csv -o out"]
)
def test_new_files_and_folders_have_the_modes_that_the_umask_leaves(
    policy: Path, command: str, umask: str, file: int, folder: int
) -> None:
    (policy.parent / "h.csv").write_text("host,model,cpu\nc1,PowerEdge R710,westmere\n")
    ran = in_shell(f"umask {umask}; setpoint {command}", policy.parent)
    assert ran.status == 0, ran.err
    out = policy.parent / "out"
    for path in (out, *out.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode & ~0o110 == (file if path.is_file() else folder) & ~0o110, path
        assert path.is_file() or mode == folder


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
