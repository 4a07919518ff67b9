"""The cache makes commands faster and never changes a result. A cache file is trusted only if it is the user's own and
undamaged.
"""

import contextlib
import os
import pickle
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from setpoint.compiler.files.cache import cache_folder, cached
from support.command import in_shell

POLICY = "goal latency; cpu westmere"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/setpoint"


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A file that something is made from."""
    (tmp_path / "source").write_text("x")
    return str(tmp_path / "source")


# --------------------------------------------------------------------------------------- where it is


@pytest.mark.parametrize(
    ("cache_home", "home", "expected"),
    [
        ("/var/cache/me", "/home/me", "/var/cache/me/setpoint"),
        ("", "/home/me", "/home/me/.cache/setpoint"),
        ("relative", "/home/me", "/home/me/.cache/setpoint"),
        ("", "relative", ""),
    ],
)
def test_the_folder_is_absolute_or_there_is_none(
    monkeypatch: pytest.MonkeyPatch, cache_home: str, home: str, expected: str
) -> None:
    """Otherwise the owner of the working directory could control the cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", cache_home)
    monkeypatch.setenv("HOME", home)
    assert cache_folder() == expected


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # a user of no name, as containers have
    assert cached("thing", [source], lambda: ["one", "two"], 2) == ["one", "two"]
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


# ------------------------------------------------------------------------------------------ what is trusted


def test_only_the_requested_parts_are_read(folder: Path, source: str) -> None:
    assert cached("thing", [source], lambda: [1, 2, 3]) == [1]
    assert cached("thing", [source], lambda: ["made again"], 2) == [1, 2]


def test_a_source_that_has_changed_is_read_again(folder: Path, source: str) -> None:
    cached("thing", [source], lambda: ["old"])
    Path(source).write_text("longer")
    assert cached("thing", [source], lambda: ["new"]) == ["new"]


def test_another_version_of_a_library_invalidates_the_cache(folder: Path, source: str) -> None:
    cached("thing", [source], lambda: ["old"], versions=["1.0"])
    assert cached("thing", [source], lambda: ["new"], versions=["1.0"]) == ["old"]
    assert cached("thing", [source], lambda: ["new"], versions=["1.1"]) == ["new"]


def test_a_damaged_file_is_replaced_wherever_the_damage_is(folder: Path, source: str) -> None:
    """A flipped byte neither changes the result nor causes an error."""
    cached("thing", [source], lambda: [list(range(20)), "second"])
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        assert cached("thing", [source], lambda: [list(range(20)), "second"], 2) == [
            list(range(20)),
            "second",
        ]
        assert file.read_bytes() == whole


@pytest.mark.parametrize("rest", [0, 1, 60, -1])
def test_so_is_one_that_was_cut_off(folder: Path, source: str, rest: int) -> None:
    cached("thing", [source], lambda: ["whole"])
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:rest])
    assert cached("thing", [source], lambda: ["whole"]) == ["whole"]


def test_a_file_of_another_user_is_not_read(
    folder: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached("thing", [source], lambda: ["planted"])
    monkeypatch.setattr("os.geteuid", lambda: 4711)
    monkeypatch.setattr("setpoint.compiler.files.cache.ROOT", 4712)
    assert cached("thing", [source], lambda: ["made"]) == ["made"]


def test_code_in_a_file_that_is_not_a_cache_file_does_not_run(
    folder: Path, source: str, tmp_path: Path
) -> None:
    class Planted:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "ran"),)

    cached("thing", [source], lambda: ["made"])
    (file,) = folder.iterdir()
    file.write_bytes(pickle.dumps(Planted()))
    assert cached("thing", [source], lambda: ["made"]) == ["made"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_not_read(folder: Path, source: str, mode: int) -> None:
    cached("thing", [source], lambda: ["planted"])
    (file,) = folder.iterdir()
    file.chmod(mode)
    assert cached("thing", [source], lambda: ["made"]) == ["made"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert cached("thing", [source], lambda: ["made again"]) == ["made"]


@pytest.mark.parametrize("which", [".", "..", "../.."])
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_nothing_is_read_from_where_others_could_put_another_file(
    folder: Path, source: str, mode: int, which: str
) -> None:
    cached("thing", [source], lambda: ["planted"])
    (folder / which).resolve().chmod(mode)
    before = {path: path.stat().st_ino for path in folder.iterdir()}
    assert cached("thing", [source], lambda: ["made"]) == ["made"]
    assert {path: path.stat().st_ino for path in folder.iterdir()} == before, "nothing is written there"
    (folder / which).resolve().chmod(mode | stat.S_ISVTX)  # nobody can replace another user's files there
    assert cached("thing", [source], lambda: ["made"]) == ["planted"]


def test_a_link_that_others_could_change_is_not_followed(folder: Path, source: str, tmp_path: Path) -> None:
    """The user's own link, perhaps to another disk, is followed if its folder and everything behind it are closed to
    others.
    """
    cached("thing", [source], lambda: ["planted"])
    for open_ in (tmp_path / "far", tmp_path / "disk"):
        open_.mkdir()
    folder.rename(tmp_path / "disk/setpoint")
    (tmp_path / "far/link").symlink_to("../disk/setpoint")
    folder.symlink_to("../far/link")
    assert cached("thing", [source], lambda: ["made"]) == ["planted"]
    for between in (tmp_path / "far", tmp_path / "disk"):
        between.chmod(0o777)
        assert cached("thing", [source], lambda: ["made"]) == ["made"]
        between.chmod(0o755)
    assert cached("thing", [source], lambda: ["made"]) == ["planted"]


def test_a_link_of_another_user_is_not_followed(
    folder: Path, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in /tmp, where everybody can make links. Making one takes root, so its owner is simulated."""
    real = os.lstat

    def said(path: str) -> os.stat_result:
        status = real(path)
        return os.stat_result((*status[:4], 4711, *status[5:])) if Path(path) == folder else status

    cached("thing", [source], lambda: ["planted"])
    folder.rename(tmp_path / "theirs")
    folder.symlink_to(tmp_path / "theirs")
    assert cached("thing", [source], lambda: ["made"]) == ["planted"]
    monkeypatch.setattr("os.lstat", said)
    assert cached("thing", [source], lambda: ["made"]) == ["made"]


def test_links_that_lead_in_a_circle_lead_to_no_cache(folder: Path, source: str) -> None:
    folder.parent.mkdir()
    folder.symlink_to(folder.name)
    assert cached("thing", [source], lambda: ["made"]) == ["made"]


@pytest.mark.parametrize("what", ["a pipe", "a folder", "a full folder", "a link", "a socket"])
def test_a_special_file_is_neither_read_nor_waited_for(
    folder: Path, source: str, tmp_path: Path, what: str
) -> None:
    cached("thing", [source], lambda: ["planted"])
    (file,) = folder.iterdir()
    file.rename(tmp_path / "elsewhere")
    match what:
        case "a pipe":
            os.mkfifo(file)
        case "a folder":
            file.mkdir()
        case "a full folder":
            (file / "mine").mkdir(parents=True)
        case "a link":
            file.symlink_to(tmp_path / "elsewhere")
        case "a socket":
            with contextlib.chdir(folder), socket.socket(socket.AF_UNIX) as listening:
                listening.bind(file.name)
    elsewhere = (tmp_path / "elsewhere").read_bytes()
    with limited(20):
        assert cached("thing", [source], lambda: ["made"]) == ["made"]
        if "folder" in what:
            assert file.is_dir()
        else:
            assert cached("thing", [source], lambda: ["made again"]) == ["made"]
    assert (tmp_path / "elsewhere").read_bytes() == elsewhere


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Fails where something waits for ever."""
    signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it waits"))
    signal.alarm(seconds)
    yield
    signal.alarm(0)


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077])
def test_cache_files_are_private_whatever_the_umask(folder: Path, source: str, umask: int) -> None:
    """Otherwise users whose files belong to their group would find a cache that they cannot trust."""
    before = os.umask(umask)
    try:
        cached("thing", [source], lambda: ["made"])
        assert cached("thing", [source], lambda: ["made again"]) == ["made"]
    finally:
        os.umask(before)
    (file,) = folder.iterdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file, folder, folder.parent)]
    assert modes == [0o600, 0o700, 0o700]


# --------------------------------------------------------------------------------------- writing


def test_an_unwritable_cache_is_not_an_error_and_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    ran = in_shell(f"ulimit -f 10; setpoint plan -e '{POLICY}'", tmp_path)
    assert ran.status == 0
    assert list(folder.iterdir()) == []
    assert in_shell(f"setpoint plan -e '{POLICY}'", tmp_path).out == ran.out
    assert len(list(folder.iterdir())) == 2
