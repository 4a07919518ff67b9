"""Commands on a system that lacks what POSIX has: owners, modes, locks, signals that can be held back.

Windows lacks all of it, and other systems some. It is taken from a Python on this machine, before anything else is
imported; what the commands then write is compared with what they write here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import ROOT, Ran
from support.limits import PATIENCE

WITHOUT = """
import os, signal, sys
for module, names in ((os, {of_os}), (signal, {of_signal})):
    for name in names.split():
        delattr(module, name)
if not hasattr(os, "O_DIRECTORY"):
    os.supports_dir_fd.clear()  # such a system opens no folder, and shutil goes by this
for name in {modules}.split():
    sys.modules[name] = None
from setpoint.compiler.cli import main
sys.exit(main())
"""

OWNERS = "geteuid getegid getuid getgid fchown chown"
MODES = "fchmod"
FLAGS = "O_NOFOLLOW O_NONBLOCK O_NOCTTY O_CLOEXEC O_DIRECTORY"
SIGNALS = "SIGHUP pthread_sigmask"

LACKING = {
    "nothing": ("", "", ""),
    "owners": (OWNERS, "", ""),
    "modes and flags": (f"{MODES} {FLAGS}", "", ""),
    "locks": ("", "", "fcntl"),
    "signals": ("", SIGNALS, ""),
    "all of it": (f"{OWNERS} {MODES} {FLAGS}", SIGNALS, "fcntl"),
}

TRIED = ("nothing", "all of it")
"""What is tried by default; the others show which lack is to blame."""

each = pytest.mark.parametrize(
    "lacking", [pytest.param(name, marks=[] if name in TRIED else [pytest.mark.repeated]) for name in LACKING]
)

POLICY = 'policy web { goal latency; cpu westmere; accept c-state-idle-power because "idle is rare"; }\n'


class System:
    """A system that lacks something, with its own home folder; `cache` is a cache folder that it has from the start."""

    def __init__(self, lacking: str, home: Path, cache: Path | None = None) -> None:
        of_os, of_signal, modules = map(repr, LACKING[lacking])
        self.code = WITHOUT.format(of_os=of_os, of_signal=of_signal, modules=modules)
        self.home = home
        home.mkdir()
        if cache is not None:
            shutil.copytree(cache, home / ".cache")
        (home / "web.tune").write_text(POLICY, encoding="utf-8")

    def run(self, *arguments: str) -> Ran:
        """Run a command in the home folder."""
        done = subprocess.run(
            [sys.executable, "-c", self.code, *arguments],
            cwd=self.home,
            env={"PATH": os.defpath, "HOME": str(self.home), "PYTHONPATH": str(ROOT / ".dev")},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def written(self) -> dict[str, bytes]:
        """The files below the home folder, but for the cache."""
        paths = [path for path in self.home.rglob("*") if path.is_file() and ".cache" not in path.parts]
        return {path.relative_to(self.home).as_posix(): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> System:
    """A complete system, after a bundle was written twice."""
    system = System("nothing", tmp_path_factory.mktemp("whole") / "home")
    assert system.run("compile", "web.tune", "-o", "out").status == 0
    return system


@each
def test_the_output_is_the_same_and_nothing_is_left_behind(
    lacking: str, whole: System, tmp_path: Path
) -> None:
    system = System(lacking, tmp_path / "home", whole.home / ".cache")
    for _ in range(2):  # the second takes the place of the first
        ran = system.run("compile", "web.tune", "-o", "out")
        assert ran.status == 0, ran.err
    assert system.written() == whole.written()
    assert not list(system.home.rglob(".setpoint-*"))
    assert system.run("plan", "web.tune").out == whole.run("plan", "web.tune").out


@each
def test_a_file_is_rewritten_in_place(lacking: str, whole: System, tmp_path: Path) -> None:
    system = System(lacking, tmp_path / "home", whole.home / ".cache")
    (system.home / "web.tune").write_text("goal   latency;cpu westmere;\n", encoding="utf-8")
    assert system.run("fmt", "web.tune").status == 0
    assert (system.home / "web.tune").read_text(encoding="utf-8") == "goal latency;\ncpu westmere;\n"
    assert system.run("check", "web.tune").status == 0


@each
def test_the_cache_in_the_users_home_is_used(lacking: str, tmp_path: Path) -> None:
    system = System(lacking, tmp_path / "home")
    assert system.run("plan", "web.tune").status == 0
    kept = sorted((system.home / ".cache" / "setpoint").iterdir())
    assert kept
    times = [path.stat().st_mtime_ns for path in kept]
    assert system.run("plan", "web.tune").status == 0
    assert [path.stat().st_mtime_ns for path in kept] == times


def test_without_owners_only_the_home_is_believed(tmp_path: Path) -> None:
    system = System("owners", tmp_path / "home")
    system.code = system.code.replace(
        "from setpoint", f"os.environ['XDG_CACHE_HOME'] = {str(tmp_path / 'other')!r}\nfrom setpoint"
    )
    assert system.run("plan", "web.tune").status == 0
    assert not [path for path in (tmp_path / "other").rglob("*") if path.is_file()]


def test_without_locks_what_may_be_in_hand_is_left_alone(whole: System, tmp_path: Path) -> None:
    for lacking, left in (("nothing", False), ("locks", True)):
        system = System(lacking, tmp_path / lacking, whole.home / ".cache")
        assert system.run("compile", "web.tune", "-o", "out").status == 0
        leftover = system.home / f".setpoint-{zlib_of('out')}-abc"
        leftover.mkdir()
        assert system.run("compile", "web.tune", "-o", "out").status == 0
        assert leftover.exists() is left


def zlib_of(name: str) -> str:
    """The check sum in the names of workspaces for a place."""
    import zlib

    return f"{zlib.crc32(name.encode()):08x}"
