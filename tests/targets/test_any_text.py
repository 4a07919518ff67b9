"""Any printable text as the name or the value of a BIOS attribute, in every artifact: the reader of each gets it
unchanged."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from consumers.ansible_run import play, programs
from setpoint.compiler.knowledge.interfaces import INTEGER, INTERFACES, typed_value, value_text
from setpoint.compiler.lowering.target import Emission, emission_of
from setpoint.compiler.plan.model import Plan, SpelledValue
from setpoint.targets._client.plan_files import plan_in
from setpoint.targets.ansible import emit
from support.ansible import plan_data
from support.host import words_of
from support.machines import changed
from support.plans import planned
from support.transitions import end_state

POLICY = "policy any { goal latency; platform r740; sockets 1; os debian-12; }"
SETTING = "turbo"
OWNED = "/tmp/setpoint-owned"
TAKEN_FOR_CODE = (
    "Quadrant   (4-clusters)",
    "I/OThroughput",
    "TurboMode_3D06",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "{# x",
    "#jinja2: variable_start_string: '[', variable_end_string: ']'",
    f"{{{{ lookup('ansible.builtin.pipe', 'touch {OWNED}') }}}}",
    f"$(touch {OWNED})",
    f"`touch {OWNED}`",
    f"x; touch {OWNED}",
    f"' ; touch {OWNED} ; '",
    '"',
    "'",
    "\\",
    "a\\",
    "#",
    "a # b",
    "a: b",
    "- a",
    "? a",
    "!unsafe a",
    "&a *b",
    "]]>",
    "<a b='c'>&amp;</a>",
    "<!-- a -->",
    "%",
    "%{facts}",
    "${x}",
    "yes",
    "null",
    "~",
    "0x10",
    "1e3",
    "2026-01-01",
    "-1",
    "=",
    "<<",
    "@odata.id",
    "grüße 你好 µs 😀",
)

texts = st.one_of(
    st.sampled_from(TAKEN_FOR_CODE),
    st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1, max_size=40),
)
names = texts.map(str.strip).filter(bool)


def spelled(plan: Plan, setting: str, name: str, text: str, kind: str = "") -> Plan:
    """The plan, with this attribute and this text for a setting."""
    value = SpelledValue("attribute", (name,), text, is_absent=False, shown=(), type=kind)
    racadm = SpelledValue("racadm", ("BIOS.AnyGroup.AnyName",), text, is_absent=False, shown=())
    return changed(plan, setting, spelled=(value, racadm), unwritten="")


def files(plan: Plan, target: str) -> dict[str, str]:
    """The files of a target, by their paths."""
    return {artifact.path: artifact.text for artifact in made(plan, target).artifacts}


def made(plan: Plan, target: str) -> Emission:
    """What a target makes of a plan."""
    emission = emission_of(target, plan)
    assert emission is not None
    return emission


@given(names, texts)
def test_json_and_xml_have_any_text(name: str, text: str) -> None:
    plan = spelled(planned(POLICY), SETTING, name, text)
    assert json.loads(files(plan, "redfish")["redfish/settings.json"])["Attributes"][name] == text
    assert end_state(json.loads(files(plan, "redfish")["redfish/expected.json"]))[name] == text
    profile = files(plan, "scp")
    for body in (
        profile["scp/settings.xml"],
        json.loads(profile["scp/import.json"])["ImportBuffer"],
        json.loads(profile["scp/preview.json"])["ImportBuffer"],
    ):
        assert in_xml(body)[name] == text


def in_xml(text: str) -> dict[str, str]:
    """The attributes of a profile."""
    return {one.attrib["Name"]: one.text or "" for one in ElementTree.fromstring(text).iter("Attribute")}


@given(names, texts)
def test_the_role_has_it_in_the_files_of_the_client_only(name: str, text: str) -> None:
    plan = spelled(planned(POLICY), SETTING, name, text)
    assert bios_of(plan)["write"][name] == text
    assert bios_of(plan)["settings"][name] == SETTING
    assert role_data(plan) == role_data(planned(POLICY))


def bios_of(plan: Plan) -> dict[str, Any]:
    """What the client reads of a plan's BIOS in the bundle of a role."""
    with TemporaryDirectory() as place:
        for path, text in files(plan, "ansible").items():
            if path.startswith("redfish/"):
                (Path(place) / path.rpartition("/")[2]).write_text(text, encoding="utf-8")
        found: dict[str, Any] = plan_in(Path(place))["bios"]
        return found


def role_data(plan: Plan) -> dict[str, Any]:
    """The data of a plan in its role, but for the digest."""
    paths = files(plan, "ansible").items()
    data = plan_data(next(text for path, text in paths if path.endswith("/vars/plans/any.yml")))
    return {key: value for key, value in data.items() if key != "digest"}


@given(names, texts)
def test_yaml_has_any_text(name: str, text: str) -> None:
    """That of one-time actions, which are in the role's data."""
    assert plan_data(f"any:\n  {emit.name(name)}: {emit.scalar(text)}\n") == {name: text}


@given(st.integers(-(2**63), 2**64 - 1).map(str))
def test_numbers_are_numbers(text: str) -> None:
    plan = spelled(planned(POLICY), SETTING, "Any_Number", text, INTEGER)
    number = typed_value(text, INTEGER)
    assert value_text(number) == text
    assert json.loads(files(plan, "redfish")["redfish/settings.json"])["Attributes"]["Any_Number"] == number
    assert bios_of(plan)["write"]["Any_Number"] == number
    assert in_xml(files(plan, "scp")["scp/settings.xml"])["Any_Number"] == text


@pytest.mark.parametrize(
    ("target", "path"), [("syscfg", "syscfg/syscfg.plan"), ("racadm", "racadm/racadm.plan")]
)
@given(name=names, text=texts)
def test_a_plan_has_plain_words_or_says_that_it_cannot(target: str, path: str, name: str, text: str) -> None:
    plan = spelled(planned(POLICY), SETTING, name, text)
    emission = made(plan, target)
    rows = [line.split() for line in words_of(files(plan, target)[path])]
    found = [row[3] for row in rows if row[1:2] == [SETTING]]
    if SETTING in emission.expressed:
        assert found == [text]
        assert shlex.quote(text) == text
    else:
        assert found == []
        assert emission.left_out[SETTING].endswith("` is not a plain word")


@given(names, texts)
def test_puppet_has_it_in_a_comment_only(name: str, text: str) -> None:
    """The module carries a plan, which has plain words only: why it does not set the value stands beside it."""
    plan = spelled(planned(POLICY), SETTING, f"{name} QZJX", f"{text} QZJX")
    (data,) = (content for content in files(plan, "puppet").values() if "QZJX" in content)
    assert "QZJX" not in str(yaml.safe_load(data))
    assert all("  # " in line.partition("QZJX")[0] for line in data.splitlines() if "QZJX" in line)


def test_ansible_has_any_text_and_executes_none(tmp_path: Path) -> None:
    programs()
    wanted = {f"{text} {number}": text for number, text in enumerate(TAKEN_FOR_CODE)}
    lines = (f"  {emit.name(name)}: {emit.scalar(text)}\n" for name, text in wanted.items())
    data = tmp_path / "data.yml"
    data.write_text(f"data:\n{''.join(lines)}", encoding="utf-8")
    book = f"""
- hosts: host
  gather_facts: false
  tasks:
    - ansible.builtin.include_vars: {{file: {data}}}
    - ansible.builtin.set_fact:
        found: "{{{{ data }}}}"
        names: "{{{{ data.keys() | list }}}}"
    - ansible.builtin.copy:
        content: "{{{{ [found, names, names | map('extract', found) | list] | to_json }}}}"
        dest: {tmp_path}/found.json
"""
    (tmp_path / "roles/setpoint_any").mkdir(parents=True)  # whose group of hosts the play gets
    (tmp_path / "book.yml").write_text(book, encoding="utf-8")
    assert play(tmp_path / "book.yml", {"host": {}}, tmp_path / "home").failed("host") == ""
    found, keys, values = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert found == dict(zip(keys, values, strict=True)) == wanted
    assert not Path(OWNED).exists()


def test_a_name_and_a_text_are_printable() -> None:
    attribute = INTERFACES["attribute"]
    for wrong in ("", "a\nb", "a\tb", "\x1b[2J", "a\x7f", "a\u202eb", "a\ud800", "a\u2028b", "\ufffe"):
        assert not attribute.name.fullmatch(wrong)
        assert not attribute.text.fullmatch(wrong)
    for text in TAKEN_FOR_CODE:
        assert attribute.name.fullmatch(text)
        assert attribute.text.fullmatch(f" {text} ")
        assert not attribute.name.fullmatch(f" {text}")
