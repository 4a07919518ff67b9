"""Setpoint's output for programs matches the schemas in the manual, and the manual lists every form."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.command import ROOT, setpoint

PAGE = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
FLEET = "examples/hpc-fleet/fleet.tune"
TRADING = "examples/trading-edge/trading.tune"
TODAY = ("--today", "2026-11-20")


def schema(name: str) -> Any:
    """A schema of the package."""
    (path,) = (ROOT / "compiler").rglob(f"{name}.schema.json")
    return json.loads(path.read_text(encoding="utf-8"))


def forms() -> set[str]:
    """Every form that the code names: `setpoint.plan/1`."""
    texts: set[str] = set()
    for room in ("compiler", "targets"):
        for path in (ROOT / room).rglob("*.py"):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            texts |= {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return {text for text in texts if re.fullmatch(r"setpoint(\.[a-z-]+)+/\d+", text)}


def test_the_manual_names_every_form() -> None:
    assert [form for form in sorted(forms()) if f"`{form}`" not in PAGE] == []


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("plan", ("plan", TRADING, "--format", "json", *TODAY)),
        ("check", ("check", TRADING, "--format", "json", *TODAY)),
        ("check", ("check", "examples", "--format", "json", *TODAY)),
        ("diff", ("diff", FLEET, FLEET, "--format", "json", *TODAY)),
        ("diff", ("diff", "examples/grid-jobs/grid.tune", TRADING, "--format", "json", *TODAY)),
        ("diff", ("diff", "examples/lab-findings/fluent.tune", TRADING, "--format", "json", *TODAY)),
        ("kb", ("kb", "coverage", "examples", "--format", "json")),
        ("kb", ("kb", "list", "--format", "json")),
        ("kb", ("kb", "list", "goals", "--format", "json")),
        ("expectations", ("test", "examples", "--format", "json", *TODAY)),
        ("matrix", ("matrix", TRADING, "--format", "json", *TODAY)),
        ("waivers", ("waivers", "examples", "--format", "json", *TODAY)),
    ],
)
def test_what_a_command_prints_fits_its_schema(name: str, command: tuple[str, ...]) -> None:
    ran = setpoint(*command)
    assert ran.status in (0, 3), ran.err
    jsonschema.validate(json.loads(ran.out), schema(name))


KNOWLEDGE = """
fact goal { title "What is wanted"; role intent; required; values latency, efficiency; }
setting turbo { title "Turbo"; layer firmware; values on, off, half; }
source bench { title "Notes"; publisher "Lab"; date 2026-01-01; }
options of bench { turbo on, off default on at "menu"; }
rule quiet of bench at "B-1" { when goal latency; use turbo VALUE; because "less jitter"; }
"""
"""A small separate knowledge base, which is analysed quickly."""

DISPUTED = """
source field { title "Field"; publisher "Field"; }
rule loud of field at "F-1" { when goal latency or efficiency; use turbo on; because "speed"; }
"""


def test_results_about_knowledge_match_their_schema(tmp_path: Path) -> None:
    for value in ("off", "on"):
        (tmp_path / f"{value}.tune").write_text(KNOWLEDGE.replace("VALUE", value), encoding="utf-8")
    check = setpoint("kb", "check", "off.tune", "--format", "json", cwd=tmp_path)
    assert json.loads(check.out)["diagnostics"]  # nobody offers `half`
    jsonschema.validate(json.loads(check.out), schema("kb"))
    diff = setpoint("kb", "diff", "off.tune", "on.tune", "--format", "json", cwd=tmp_path)
    assert json.loads(diff.out)["changes"]
    jsonschema.validate(json.loads(diff.out), schema("kb"))
    (tmp_path / "off.tune").write_text(KNOWLEDGE.replace("VALUE", "off") + DISPUTED, encoding="utf-8")
    disputes = setpoint("kb", "disputes", "off.tune", "--format", "json", cwd=tmp_path)
    assert [each["setting"] for each in json.loads(disputes.out)["disputes"]] == ["turbo"]
    jsonschema.validate(json.loads(disputes.out), schema("kb"))


def test_manifests_fit_their_schema(tmp_path: Path) -> None:
    assert setpoint("compile", FLEET, "-o", str(tmp_path / "out"), *TODAY).status == 0
    manifests = sorted((tmp_path / "out").rglob("manifest.json"))
    assert len(manifests) == 4
    for manifest in manifests:
        jsonschema.validate(json.loads(manifest.read_text(encoding="utf-8")), schema("bundle"))


def test_a_schema_refuses_what_it_should() -> None:
    broken: dict[str, Any] = {"schema": "setpoint.check/1", "files": 1, "diagnostics": [{"code": "E0401"}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema("check"))
