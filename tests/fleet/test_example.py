"""The example of a fleet: 3,200 hosts of a generated inventory, all of them planned or left out with a reason."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import ROOT, setpoint
from support.golden import compare

EXAMPLE = ROOT / "examples/fleet"
KEPT = ("summary.md", "classes.csv", "left-out.csv")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, its inventory, and what was written for it."""
    folder = tmp_path_factory.mktemp("example") / "fleet"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("expected"))
    command = [sys.executable, "hosts.py"]
    printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    (folder / "hosts.csv").write_text(printed.stdout, encoding="utf-8")
    options = ("--inventory", "hosts.csv", "--facts", "facts.toml", "--today", "2026-11-20", "-o", "out")
    ran = setpoint("fleet", "site.tune", *options, cwd=folder)
    assert ran.status == 5, ran.err
    return folder


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a table that was written."""
    with (folder / "out" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_summary_is_as_expected(folder: Path, update: bool) -> None:
    for name in KEPT:
        compare((folder / "out" / name).read_text(encoding="utf-8"), EXAMPLE / "expected" / name, update)


def test_every_host_has_a_plan_or_a_reason(folder: Path) -> None:
    planned = {row["host"] for row in rows(folder, "hosts.csv")}
    left_out = {row["host"] for row in rows(folder, "left-out.csv")}
    listed = (folder / "hosts.csv").read_text(encoding="utf-8").splitlines()[1:]
    cut_off = "odd-4.example.org"
    assert planned | left_out | {cut_off} == {line.partition(",")[0] for line in listed}
    assert planned & left_out == set()
    assert len(planned) == 3224


def test_an_exception_is_a_class_of_its_own(folder: Path) -> None:
    classes = {row["host"]: row["class"] for row in rows(folder, "hosts.csv")}
    for host in ("compute-0042.example.org", "front-0007.example.org"):
        assert list(classes.values()).count(classes[host]) == 1


def test_the_policy_is_formatted_and_the_example_is_listed() -> None:
    assert setpoint("fmt", "--check", str(EXAMPLE / "site.tune")).status == 0
    assert "[fleet](fleet/)" in (ROOT / "examples/README.md").read_text(encoding="utf-8")
