"""A capture and its JSON: reading restores what was written, and refuses what is not a capture."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from setpoint.compiler.captures.document import SCHEMA, read_capture, to_json
from setpoint.compiler.captures.form import schema
from setpoint.compiler.captures.model import REASONS, Reading, Readings, number_list, numbers
from setpoint.compiler.diagnostics import SetpointError
from support.command import ROOT

FILE = ROOT / "compiler/captures/capture.schema.json"
GOVERNOR = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"

SERVER = {
    "schema": SCHEMA,
    "host": {
        "read": {
            "/proc/cmdline": "ro quiet",
            "/sys/block/*/queue/scheduler": {"[none] mq-deadline": "sda sdb"},
            GOVERNOR: {"performance": "0-62", "powersave": "63"},
            "msr 0x1fc": {"0x24005d": "0-63"},
        },
        "unread": {"msr 0x1a4": "no permission"},
    },
    "controller": {
        "read": {"/redfish/v1/Systems/1/Bios": {"Attributes": {"ProcCStates": "Disabled"}}},
        "unread": {},
    },
}


def of(tmp_path: Path, data: Any) -> str:
    """The path of a file with this data."""
    path = tmp_path / "c1.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def with_read(**places: Any) -> Any:
    """A capture of a host with these places alone."""
    return {"schema": SCHEMA, "host": {"read": places}}


def test_the_schema_is_that_of_the_models(update: bool) -> None:
    text = json.dumps(schema(), indent=2) + "\n"
    if update:
        FILE.write_text(text, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == text, "run pytest --update"


def test_reading_restores_what_was_written(tmp_path: Path) -> None:
    capture = read_capture(of(tmp_path, SERVER))
    assert capture.name == "c1"
    assert capture.host is not None
    assert capture.host.text("/proc/cmdline") == "ro quiet"
    assert capture.host.read[GOVERNOR] == (Reading("performance", "0-62"), Reading("powersave", "63"))
    assert to_json(capture) == SERVER
    jsonschema.validate(SERVER, schema())


def test_the_manual_has_the_example_and_all_reasons(tmp_path: Path) -> None:
    section = (ROOT / "docs/formats.md").read_text(encoding="utf-8").partition("## Captures")[2]
    example = section.partition("```json\n")[2].partition("```")[0]
    assert to_json(read_capture(of(tmp_path, json.loads(example)))) == json.loads(example)
    assert [f"| `{reason}` | {why} |" for reason, why in REASONS.items()] == [
        line for line in section.splitlines() if line.startswith("| `") and "|" in line[3:]
    ][-len(REASONS) :]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "Input should be a valid dictionary"),
        ({"schema": "setpoint.capture/2"}, "at schema: Input should be 'setpoint.capture/1'"),
        (with_read(**{"/proc/cmdline": {"quiet": "0-3"}}), "`/proc/cmdline` is read once"),
        (with_read(**{GOVERNOR: "performance"}), "has texts of several CPUs or devices"),
        (with_read(**{"msr 0x1fc": {"0x1": "0-3", "0x2": "3-7"}}), "two texts for number 3"),
        (with_read(**{"msr 0x1fc": {"0x1": "all"}}), "not a list of CPUs or nodes, such as 0-63,128: 'all'"),
        (with_read(**{"msr 0x1fc": {"0x1": "0-99999"}}), "not numbers of CPUs or nodes"),
        ({"schema": SCHEMA, "host": {"read": {}, "unread": {"/a": "tired"}}}, "at host › unread › /a"),
        (with_read(**{"/a\x1b[2J": "b"}), "String should match pattern"),
    ],
)
def test_what_is_not_a_capture_is_an_error(data: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(SetpointError) as raised:
        read_capture(of(tmp_path, data))
    (found,) = raised.value.diagnostics
    assert found.code == "E0619"
    assert why in found.message


def test_a_pattern_finds_the_places_of_all_states() -> None:
    state = "/sys/devices/system/cpu/cpu*/cpuidle/state{}/name"
    found = {state.format(number): (Reading(name, "0-1"),) for number, name in enumerate(("POLL", "C1"))}
    readings = Readings({**found, GOVERNOR: (Reading("performance", "0-1"),)}, {})
    assert readings.at(state.format("*")) == found
    assert readings.at(GOVERNOR) == {GOVERNOR: (Reading("performance", "0-1"),)}


def test_a_list_of_cpus_is_sorted_runs() -> None:
    assert number_list([5, 3, 4, 0, 4]) == "0,3-5"
    assert list(numbers("0,3-5")) == [0, 3, 4, 5]
