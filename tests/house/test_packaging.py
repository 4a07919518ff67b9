"""The wheel: an installation contains everything that the checkout has, under one name."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from support.command import ROOT


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
    subprocess.run(command, check=True, capture_output=True, timeout=300)
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


def test_an_installed_wheel_plans_and_compiles(wheel: Path, tmp_path: Path) -> None:
    """In a fresh environment, without the checkout: dependencies are borrowed from this one, the package is not."""
    site = tmp_path / "site"
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
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    script = (
        f"import sys; sys.path.insert(0, {str(site)!r}); sys.path[:] = [p for p in sys.path if '.dev' not in p]; "
        "import setpoint; assert all('site' in p for p in setpoint.__path__), setpoint.__path__; "
        "from setpoint.compiler.cli import main; "
        "status = main(['plan', '-e', 'goal latency; cpu westmere']); "
        f"status += main(['compile', '-e', 'goal latency; cpu westmere', '-o', {str(tmp_path / 'out')!r}]); "
        "status += main(['explain', 'E0301']); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "E0301" in done.stdout
    assert (tmp_path / "out" / "manifest.json").is_file()
