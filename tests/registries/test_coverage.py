"""Which attributes for tuning the library knows, on captured servers and on one with a setting of nobody's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from registries import document
from registries.test_importing import LENOVO, made
from registries.test_reading import WHOLE, registry
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.registries.coverage import RegistryCoverage, coverage_lines, coverage_of
from setpoint.compiler.registries.imported import Import
from setpoint.compiler.registries.importing import imported
from setpoint.compiler.registries.model import BiosResource, System
from setpoint.compiler.registries.words import is_about_tuning, library_words
from support.command import setpoint
from support.plans import planned


def covered(name: str) -> RegistryCoverage:
    """The coverage of a captured server."""
    return coverage_of(made(name), library_words())


def known(name: str) -> Import:
    """The import of a captured server under the product that it reports."""
    system = System(document(name, "System")["Model"] or "", "", "")
    return imported(standard(), registry(name), BiosResource(document(name, "Bios")["Attributes"]), system)


GOAL = 90
"""The share of the attributes for tuning that are to be settings of the library, in percent, on each server that has
some."""

KNOWN = """
dell-12g-R720                      | 25 of 26  | | IoatEngine
dell-13g-R630                      | 40 of 44  | | IoatEngine, LowerMmio, PowerSaver, WorkloadProfile
dell-14g-R740                      | 34 of 37  | EnergyEfficientTurbo, CollaborativeCpuPerfCtrl | IoatEngine, PowerSaver, WorkloadProfile
dell-15g-R750                      | 20 of 21  | Cppc | ControlledTurboMinusBin
hpe-gen10plus-DL360-U46-1.56       | 63 of 68  | | DramRapl, EnabledCoresPerProc, PcuPMax, ProcRapl, SnoopResponseHoldOff
hpe-gen10plusv2-DL385-A42-2.60-amd | 61 of 61  | |
hpe-gen11-DL380a-U58-2.44          | 38 of 38  | |
lenovo-SR670V2                     | 72 of 73  | | Processors_Processors33to32coresactive
nvidia-GB200-arm                   | 0 of 0    | |
supermicro-SYS-821GE-TNHR          | 96 of 102 | SGXFactoryReset_F317 | MaximumTimeWindow_3D81, MemoryFrequency_3BAA, PCIeMaxReadRequestSize_00AE, PPL1TimeWindow_3D7A, PPL2TimeWindow_3D7D, SelectOwnerEPOCHInputType_F30D
"""
"""How many attributes for tuning are settings, those known from other servers only, and those that are none, on each
server.

The attributes of the GB200 are those of its root ports and tests of its memory. Captures without a registry have no
types.
"""


def test_every_registry_has_a_line() -> None:
    assert tuple(line.split()[0] for line in KNOWN.strip().splitlines()) == WHOLE


@pytest.mark.parametrize("line", KNOWN.strip().splitlines())
def test_the_goal_is_met_and_nothing_is_missing_without_a_reason(line: str) -> None:
    name, share, elsewhere, missing = (part.strip() for part in line.split("|"))
    found = coverage_of(known(name), library_words())
    assert f"{found.covered} of {found.total}" == share
    assert 100 * found.covered >= GOAL * found.total
    assert (
        ", ".join(sorted((each for names in found.explained.values() for each in names), key=str.lower)),
        found.others,
        ", ".join(found.mapped),
    ) == (missing, {}, elsewhere)


def test_a_t630_is_offered_nothing_that_its_own_capture_lacks() -> None:
    """It has values alone, and a policy that manages everything names each attribute that the library knows there."""
    plan = planned("goal latency; platform t630; sockets 2; manage all")
    named = {name for each in plan.settings for one in each.spelled_in("attribute") for name in one.names}
    assert named
    assert named <= document("dell-13g-T630", "Bios")["Attributes"].keys()


def test_settings_without_a_word_of_tuning_are_those_of_security_and_repair() -> None:
    """Security, VMD, where devices are mapped, and the repair of memory. To count them would only raise the share."""
    uncounted = {name: coverage_of(known(name), library_words()).unmentioned_known for name in WHOLE}
    assert {name: count for name, count in uncounted.items() if count} == {
        "dell-12g-R720": 1,
        "dell-13g-R630": 1,
        "dell-14g-R740": 2,
        "dell-15g-R750": 5,
        "hpe-gen10plus-DL360-U46-1.56": 10,
        "lenovo-SR670V2": 2,
    }


def test_a_server_without_attributes_for_tuning_has_no_share() -> None:
    made_of = known("nvidia-GB200-arm")
    first, *rest = coverage_lines(coverage_of(made_of, library_words()), made_of)
    assert first == f"{made_of.platform.name}: no attribute is for tuning the whole server"
    assert [line.partition(":")[0] for line in rest] == [
        "not for tuning, since it chooses among tests of the memory",
        "not for tuning, since it is about one module, slot or root port of this server",
        "not counted, without a word of tuning in menu and label",
    ]


def test_settings_that_the_library_knows_from_other_servers_are_covered() -> None:
    found = covered(LENOVO)
    assert {"Processors_TurboMode", "Processors_SNC"} <= set(found.mapped)
    assert found.covered == len(found.mapped)


@pytest.mark.parametrize(
    ("texts", "is_tuning"),
    [
        (("ProcessorOptions", "SMT"), True),
        (("System Profile Settings", "C States"), True),
        (("", "Workload Profile"), True),
        (("MemoryOptions > MemEncryptionOptions", "Memory Encryption"), True),
        (("Memory Settings > Memory Map Out", "DIMM A1"), False),
        (("Network Settings", "PXE Device1"), False),
        (("System Security", "Power Button"), False),
        (("", "IpmiWatchdogTimerStatus"), False),
    ],
)
def test_menus_and_labels_tell_what_is_for_tuning(texts: tuple[str, ...], is_tuning: bool) -> None:
    words = library_words()
    excluded = any(each.applies("", texts) for each in words.not_tuning)
    assert (is_about_tuning(texts, words) and not excluded) is is_tuning


def test_every_reason_has_an_attribute_and_is_part_of_a_sentence() -> None:
    words = library_words()
    for each in (*words.not_tuning, *words.no_setting):
        assert each.phrases or each.attributes
        assert each.why.startswith("it ") and not each.why.endswith(".")


def test_the_command_writes_no_knowledge(tmp_path: Path) -> None:
    (tmp_path / "registry.json").write_text(json.dumps(document("dell-13g-R630", "BiosRegistry")))
    ran = setpoint("kb", "import", "registry.json", "--coverage", cwd=tmp_path)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0] == (
        "PowerEdge R630, BIOS 2.13.0: 40 of 44 attributes for tuning are settings of the library (90 %)"
    )
    assert (
        "not for tuning, since it says when the server turns on, or who may turn it on or off: "
        "PwrButton, AcPwrRcvry, AcPwrRcvryDelay"
    ) in lines
    assert "no setting, since it does something once, when the server starts" in ran.out
    assert lines[-1].startswith("not counted, without a word of tuning in menu and label: ")
    assert lines == list(coverage_lines(covered("dell-13g-R630"), made("dell-13g-R630")))
