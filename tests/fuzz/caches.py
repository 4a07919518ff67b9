"""Reads the cache: files that are damaged, exchanged, or something else, with other modes."""

import contextlib
import os
import stat
from pathlib import Path
from random import Random
from unittest.mock import patch

from fuzz import corpus, spoil
from fuzz.property import DefectError, command
from setpoint.compiler.files.cache import cached

PARTS = [{"a": list(range(30))}, ("second", None), ["third"]]


def once(random: Random, folder: Path) -> None:
    """Spoil what is cached: what comes back is what is made, and nothing is waited for."""
    source = folder / "source"
    source.write_text("x")
    with patch.dict(os.environ, {"XDG_CACHE_HOME": str(folder / "cache")}):
        cached("thing", [str(source)], lambda: PARTS)
        (file,) = (folder / "cache/setpoint").iterdir()
        whole = file.read_bytes()
        _exchange(random, file, whole)
        for _ in range(2):
            count = random.randrange(1, 4)
            found = cached("thing", [str(source)], lambda: PARTS, count)
            if found != PARTS[:count]:
                raise DefectError(f"something else comes back: {found!r}")
    if random.random() < 0.02:
        _whole_command(random, folder)


def _exchange(random: Random, file: Path, whole: bytes) -> None:
    match random.randrange(8):
        case 0:
            file.unlink()
            os.mkfifo(file)
        case 1:
            file.unlink()
            file.mkdir()
        case 2:
            file.unlink()
            file.symlink_to(random.choice(("nowhere", "/dev/zero", file.name, "/")))
        case 3:
            random.choice((file, file.parent, file.parent.parent)).chmod(
                random.choice((0o777, 0o700, 0o500, 0o1777, 0o600)) | stat.S_IXUSR
            )
        case _:
            file.write_bytes(spoil.data(random, whole))


def _whole_command(random: Random, folder: Path) -> None:
    """A plan is the same, whatever the command's caches contain."""
    env = {"XDG_CACHE_HOME": str(folder / "cache")}
    first = command("plan", "-e", corpus.SMALL, folder=folder / "cache", **env)
    for file in (folder / "cache/setpoint").iterdir():
        with contextlib.suppress(OSError):
            file.write_bytes(spoil.data(random, file.read_bytes()))
    if command("plan", "-e", corpus.SMALL, folder=folder / "cache", **env) != first:
        raise DefectError("a plan depends on the cache")
