"""A capture and its JSON: reading restores what was written, and refuses what is not a capture."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from setpoint.compiler.captures.document import capture_of, to_json
from setpoint.compiler.captures.form import SCHEMA, FormError, check, schema
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


def with_read(**places: Any) -> Any:
    """A capture of a host with these places alone."""
    return {"schema": SCHEMA, "host": {"read": places}}


def test_the_schema_is_that_of_the_form(update: bool) -> None:
    text = json.dumps(schema(), indent=2) + "\n"
    if update:
        FILE.write_text(text, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == text, "run pytest --update"


def test_reading_restores_what_was_written() -> None:
    capture = capture_of(SERVER, "captures/c1.json")
    assert capture.name == "c1"
    assert capture.host is not None
    assert capture.host.text("/proc/cmdline") == "ro quiet"
    assert capture.host.read[GOVERNOR] == (Reading("performance", "0-62"), Reading("powersave", "63"))
    assert to_json(capture) == SERVER
    jsonschema.validate(SERVER, schema())


def test_the_manual_has_the_example_and_all_reasons() -> None:
    section = (ROOT / "docs/formats.md").read_text(encoding="utf-8").partition("## Captures")[2]
    example = section.partition("```json\n")[2].partition("```")[0]
    assert to_json(capture_of(json.loads(example), "c1.json")) == json.loads(example)
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
        (
            {"schema": SCHEMA, "host": {"read": {}, "unread": {"/a": "tired"}}},
            "at host › unread › /a: should be one of: absent,",
        ),
        ({"schema": SCHEMA, "host": {}}, "at host › read: Field required"),
        ({"schema": SCHEMA, "host": []}, "at host: Input should be a valid dictionary"),
        (
            {"schema": SCHEMA, "controller": {"read": {"/redfish/v1": {}}, "unread": None}},
            "at controller › unread: Input",
        ),
        (
            with_read(**{"/proc/cmdline": 7}),
            "at host › read › /proc/cmdline: Input should be a valid string or dictionary",
        ),
        (
            with_read(**{"msr 0x1fc": {"0x1": 7}}),
            "at host › read › msr 0x1fc › 0x1: Input should be a valid string",
        ),
        (with_read(**{"/" + "a" * 1000: "b"}), "Place should have at most 1000 characters"),
        (
            with_read(**{"/a\x1b[2J": "b"}),
            "at host › read › /a\x1b[2J: Place should have characters, and none of control",
        ),
    ],
)
def test_what_is_not_a_capture_is_an_error(data: Any, why: str) -> None:
    with pytest.raises(SetpointError) as raised:
        capture_of(data, "c1.json")
    (found,) = raised.value.diagnostics
    assert found.code == "E0619"
    assert why in found.message


damaged = st.recursive(
    st.none() | st.integers() | st.sampled_from(["", "quiet", "0-3", "3-1", "absent", SCHEMA]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["schema", "read", "host", "/a", "/a*", "msr 0x1", "\x07", "", "0x1"]), inner
        )
    ),
    max_leaves=4,
)
"""JSON data that is not far from a part of a capture."""


def parts(data: Any) -> Iterator[tuple[Any, Any]]:
    """Each dictionary within JSON data, with each of its keys."""
    for key in data if isinstance(data, dict) else ():
        yield data, key
        yield from parts(data[key])


@given(st.data())
def test_the_check_and_the_schema_agree_on_damaged_captures(chance: st.DataObject) -> None:
    data = copy.deepcopy(SERVER)
    where, key = chance.draw(st.sampled_from(list(parts(data))))
    if chance.draw(st.booleans()):
        where[key] = chance.draw(damaged)
    else:
        del where[key]
    fits = jsonschema.Draft202012Validator(schema()).is_valid(data)
    try:
        check(data)
    except FormError as error:
        # A schema cannot say which places are read once, nor compare the lists of CPUs.
        assert not fits or error.at == ("host",), error
    else:
        assert fits


def test_a_pattern_finds_the_places_of_all_states() -> None:
    state = "/sys/devices/system/cpu/cpu*/cpuidle/state{}/name"
    found = {state.format(number): (Reading(name, "0-1"),) for number, name in enumerate(("POLL", "C1"))}
    readings = Readings({**found, GOVERNOR: (Reading("performance", "0-1"),)}, {})
    assert readings.at(state.format("*")) == found
    assert readings.at(GOVERNOR) == {GOVERNOR: (Reading("performance", "0-1"),)}


def test_a_list_of_cpus_is_sorted_runs() -> None:
    assert number_list([5, 3, 4, 0, 4]) == "0,3-5"
    assert list(numbers("0,3-5")) == [0, 3, 4, 5]
