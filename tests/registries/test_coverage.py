"""Which attributes for tuning the library knows, on captured servers and on one with a setting of nobody's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from registries import document
from registries.test_importing import A42, SUPERMICRO, made
from setpoint.compiler.registries.coverage import coverage_lines, coverage_of
from setpoint.compiler.registries.words import is_for_tuning, library_words
from support.command import setpoint


@pytest.mark.parametrize(
    ("name", "described", "mapped", "missing"),
    [
        ("dell-12g-R720", 24, (), set()),
        ("dell-13g-R630", 39, (), {"LowerMmio", "WorkloadProfile", "PowerSaver"}),
        ("dell-15g-R750", 19, ("Cppc",), {"ControlledTurboMinusBin"}),
    ],
)
def test_the_rest_is_listed_by_menu(
    name: str, described: int, mapped: tuple[str, ...], missing: set[str]
) -> None:
    found = coverage_of(made(name), library_words())
    assert (len(found.described), found.mapped) == (described, mapped)
    assert {each for names in found.others.values() for each in names} == missing
    assert found.total == described + len(mapped) + len(missing)


def test_settings_that_the_library_knows_from_other_servers_are_covered() -> None:
    found = coverage_of(made(A42), library_words())
    assert {"ProcAMDBoost", "ProcSMT"} <= set(found.mapped)
    assert found.covered == len(found.mapped)
    assert all(names for names in found.others.values())
    assert coverage_of(made(SUPERMICRO), library_words()).total < len(made(SUPERMICRO).settings)


@pytest.mark.parametrize(
    ("texts", "is_tuning"),
    [
        (("ProcessorOptions", "SMT"), True),
        (("System Profile Settings", "C States"), True),
        (("", "Workload Profile"), True),
        (("Memory Settings > Memory Map Out", "DIMM A1"), False),
        (("Network Settings", "PXE Device1"), False),
        (("System Security", "Power Button"), False),
    ],
)
def test_menus_and_labels_tell_what_is_for_tuning(texts: tuple[str, ...], is_tuning: bool) -> None:
    assert is_for_tuning(texts, library_words()) is is_tuning


def test_the_command_writes_no_knowledge(tmp_path: Path) -> None:
    (tmp_path / "registry.json").write_text(json.dumps(document("dell-12g-R720", "BiosRegistry")))
    ran = setpoint("kb", "import", "registry.json", "--coverage", cwd=tmp_path)
    assert ran.status == 0
    assert ran.out.splitlines()[0] == (
        "PowerEdge R720, BIOS 2.5.4: 24 of 24 attributes for tuning are settings of the library (100 %)"
    )
    assert (
        ran.out
        == "\n".join(
            coverage_lines(coverage_of(made("dell-12g-R720"), library_words()), made("dell-12g-R720"))
        )
        + "\n"
    )
