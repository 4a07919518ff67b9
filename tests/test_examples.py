"""Every example compiles to the bundle that lies beside it, to the byte."""

from pathlib import Path

import pytest

from support.command import ROOT, setpoint
from support.golden import compare_folder

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/*.tune"))
TODAY = "2026-11-20"


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_example(folder: Path, tmp_path: Path, update: bool) -> None:
    (policy,) = folder.glob("*.tune")
    name = str(policy.relative_to(ROOT))
    ran = setpoint("compile", name, "-o", str(tmp_path / "bundle"), "--today", TODAY)
    assert ran.status == 0, ran.err
    compare_folder(tmp_path / "bundle", folder / "expected", update)


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_example_is_formatted_and_listed(folder: Path) -> None:
    files = [str(path.relative_to(ROOT)) for path in folder.rglob("*.tune")]
    assert setpoint("fmt", "--check", *files).status == 0
    assert f"[{folder.name}]({folder.name}/)" in (ROOT / "examples/README.md").read_text(encoding="utf-8")
