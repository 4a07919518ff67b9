"""The cache: faster, never otherwise. What lies there is believed only if it is the user's own and whole."""

import os
import pickle
from pathlib import Path

import pytest

from setpoint.compiler.cache import cache_folder, kept
from support.command import in_shell, setpoint

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
    """Else whoever owns the folder in which the command runs could say what it does."""
    monkeypatch.setenv("XDG_CACHE_HOME", cache_home)
    monkeypatch.setenv("HOME", home)
    assert cache_folder() == expected


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # a user of no name, as containers have
    assert kept("thing", [source], lambda: ["one", "two"], 2) == ["one", "two"]
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


# --------------------------------------------------------------------------------------- what is believed


def test_only_as_many_parts_are_read_as_are_wanted(folder: Path, source: str) -> None:
    assert kept("thing", [source], lambda: [1, 2, 3]) == [1]
    assert kept("thing", [source], lambda: ["made again"], 2) == [1, 2]


def test_a_source_that_has_changed_is_read_again(folder: Path, source: str) -> None:
    kept("thing", [source], lambda: ["old"])
    Path(source).write_text("longer")
    assert kept("thing", [source], lambda: ["new"]) == ["new"]


def test_a_damaged_file_is_made_again_wherever_the_damage_is(folder: Path, source: str) -> None:
    """Whatever a byte that has flipped does to it: it neither changes what comes out, nor is it an error."""
    kept("thing", [source], lambda: [list(range(20)), "second"])
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        assert kept("thing", [source], lambda: [list(range(20)), "second"], 2) == [list(range(20)), "second"]
        assert file.read_bytes() == whole


@pytest.mark.parametrize("rest", [0, 1, 60, -1])
def test_so_is_one_that_was_cut_off(folder: Path, source: str, rest: int) -> None:
    kept("thing", [source], lambda: ["whole"])
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:rest])
    assert kept("thing", [source], lambda: ["whole"]) == ["whole"]


def test_what_another_user_has_put_there_is_not_read(
    folder: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept("thing", [source], lambda: ["planted"])
    monkeypatch.setattr("os.geteuid", lambda: 4711)
    monkeypatch.setattr("setpoint.compiler.cache.ROOT", 4712)
    assert kept("thing", [source], lambda: ["made"]) == ["made"]


def test_nothing_runs_of_a_file_that_is_no_cache_file(folder: Path, source: str, tmp_path: Path) -> None:
    class Planted:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "ran"),)

    kept("thing", [source], lambda: ["made"])
    (file,) = folder.iterdir()
    file.write_bytes(pickle.dumps(Planted()))
    assert kept("thing", [source], lambda: ["made"]) == ["made"]
    assert not (tmp_path / "ran").exists()


# --------------------------------------------------------------------------------------- writing


def test_a_cache_that_cannot_be_written_is_no_error_and_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    ran = in_shell(f"ulimit -f 10; setpoint plan -e '{POLICY}'", tmp_path)
    assert ran.status == 0
    assert list(folder.iterdir()) == []
    assert setpoint("plan", "-e", POLICY).out == ran.out
    assert len(list(folder.iterdir())) == 2
