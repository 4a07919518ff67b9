"""The wheel: an installation contains everything that the checkout has, under one name."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from support.command import ROOT
from support.limits import PATIENCE


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--quiet",
        "--wheel-dir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_has_one_top_level_name(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"setpoint"}


def test_the_wheel_holds_every_data_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for room, pattern in (
        ("stdlib", "*.tune"),
        ("grammar", "*.lark"),
        ("docs/diagnostics", "*.md"),
        ("compiler", "*.json"),
    ):
        files = [path.relative_to(ROOT) for path in (ROOT / room).rglob(pattern)]
        assert files, f"{room} has no {pattern}"
        for file in files:
            assert f"setpoint/{file}" in names


def installed(wheel: Path, site: Path) -> Path:
    """The folder that the wheel is installed into. Dependencies are borrowed from this environment, the package is
    not."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--quiet",
        "--target",
        str(site),
        str(wheel),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    return site


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(wheel, tmp_path_factory.mktemp("installed") / "site")


def run(site: Path, cache: Path, code: str) -> str:
    """What the installed package says, in a fresh environment without the checkout."""
    script = (
        f"import sys; sys.path.insert(0, {str(site)!r}); sys.path[:] = [p for p in sys.path if '.dev' not in p]; "
        f"import setpoint; assert all('site' in p for p in setpoint.__path__), setpoint.__path__; {code}"
    )
    env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-P", "-c", script]
    done = subprocess.run(command, cwd=site.parent, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_wheel_plans_and_compiles(site: Path, tmp_path: Path) -> None:
    said = run(
        site,
        tmp_path / "cache",
        "from setpoint.compiler.cli import main; "
        "status = main(['plan', '-e', 'goal latency; cpu westmere']); "
        f"status += main(['compile', '-e', 'goal latency; cpu westmere', '-o', {str(tmp_path / 'out')!r}]); "
        "status += main(['explain', 'E0301']); sys.exit(status)",
    )
    assert "E0301" in said
    assert (tmp_path / "out" / "manifest.json").is_file()


THEIRS = "print('theirs')\nraise SystemExit(3)\n"


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ((), ("setpoint/compiler.py", "setpoint/targets/__init__.py")),
        ((), ("setpoint/compiler/__init__.py", "setpoint/compiler/__main__.py", "setpoint/compiler/cli.py")),
        ((), ("json.py", "re.py", "sitecustomize.py", "lark/__init__.py")),
        (("-P",), ("setpoint/__init__.py", "setpoint/compiler.py")),
        (("-P",), ("setpoint.py",)),
    ],
)
@pytest.mark.parametrize("where", ["an installation", "a checkout"])
def test_modules_where_it_is_run_are_not_run(
    site: Path, tmp_path: Path, where: str, options: tuple[str, ...], files: tuple[str, ...]
) -> None:
    """Whoever opens a repository does not run what it has under the names of modules."""
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(THEIRS, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(site if where == "an installation" else ROOT / ".dev")}
    command = [sys.executable, *options, "-m", "setpoint.compiler", "kb", "list", "targets"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "racadm" in done.stdout


PLAN = "from setpoint.compiler.cli import main; main(['plan', '-e', 'goal latency; cpu westmere'])"
MADE = f"{PLAN}; print('lark' in sys.modules, 'setpoint.compiler.knowledge.build' in sys.modules)"
"""A plan; and whether it has made the tables of the grammar, and read the library's files."""


def test_the_first_command_makes_nothing(site: Path, tmp_path: Path) -> None:
    """It notes what the wheel's own results were made of, and the second command has the same plan."""
    first = run(site, tmp_path / "cache", MADE)
    assert first.splitlines()[-1] == "False False"
    kept = {path.name.rpartition("-")[0] for path in (tmp_path / "cache/setpoint").iterdir()}
    assert kept == {"grammar-contents", "knowledge-contents"}
    assert run(site, tmp_path / "cache", MADE) == first


@pytest.mark.parametrize("change", ["a library's file", "open to others"])
def test_nothing_is_taken_that_is_of_other_files_or_open_to_others(
    wheel: Path, tmp_path: Path, change: str
) -> None:
    """It is a pickle, which can run code; and it is of the files that it was made of."""
    changed = installed(wheel, tmp_path / "site")
    if change == "open to others":
        (changed / "setpoint/compiler/files/made").chmod(0o777)
    else:
        with (changed / "setpoint/stdlib/aliases.tune").open("a", encoding="utf-8") as file:
            file.write("# another word\n")
    assert run(changed, tmp_path / "cache", MADE).splitlines()[-1].endswith("True")


def test_the_same_files_are_made_into_the_same(wheel: Path, tmp_path: Path) -> None:
    code = f"from setpoint.compiler.knowledge.load import ship_made; ship_made({str(tmp_path)!r})"
    no_byte_code = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": str(tmp_path / "none")}
    env = {**os.environ, **no_byte_code, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT / ".dev")}
    subprocess.run([sys.executable, "-c", code], env=env, check=True, timeout=PATIENCE)
    archive = zipfile.ZipFile(wheel)
    for path in tmp_path.iterdir():
        assert archive.read(f"setpoint/compiler/files/made/{path.name}") == path.read_bytes(), path.name
