"""How targets are found: by their folders, and by what outside packages have registered."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from setpoint.compiler.lowering.target import targets
from setpoint.targets.report import TARGET

PACKAGE = {
    "outside.py": "class TARGET: name, title, layers = 'outside', '', ()\n",
    "outside-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n",
    "outside-1.0.dist-info/entry_points.txt": "[setpoint.targets]\noutside = outside:TARGET\n",
}


@pytest.fixture(params=["folder", "archive"])
def installed(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """An outside package with a target, in a folder or in an archive on Python's path."""
    place = tmp_path / "packages"
    for name, text in PACKAGE.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    if request.param == "archive":
        place = Path(shutil.make_archive(str(tmp_path / "packages"), "zip", place))
    monkeypatch.syspath_prepend(str(place))
    targets.cache_clear()
    yield
    targets.cache_clear()
    sys.modules.pop("outside", None)


@pytest.mark.usefixtures("installed")
def test_targets_are_those_of_the_folders_and_of_outside_packages() -> None:
    found = targets()
    assert found["report"] is TARGET
    assert found["outside"].name == "outside"
    assert list(found) == sorted(found)
    assert not any(name.startswith("_") for name in found)


def test_they_are_looked_for_once() -> None:
    """A bundle asks for them a dozen times, and to look means to read a folder of every place of Python's path."""
    assert targets() is targets()
