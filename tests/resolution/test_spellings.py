"""What a setting is called where it is written: which spelling is used, and a site's own settings in every artifact."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from consumers.tuned_lint import lint
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.lowering.target import Emission, emission_of, targets
from setpoint.compiler.plan.as_json import plan_from_json, plan_json
from setpoint.compiler.plan.document import NotAPlanError
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Plan
from support.host import with_profile
from support.plans import plan_of_text
from support.together import refusals
from support.transitions import end_state

SITE = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
setting schedstats { title "Automatic task groups"; layer os; values on, off; }
setting lockup-watchdog { title "Watchdog for hard lockups"; layer boot; values on, off; }
setting port-range { title "Ports for outgoing connections"; layer os; values narrow, wide; }
options of lab when os linux {
    schedstats        on, off       default on      at "Run 1";
    lockup-watchdog  on, off       default on      at "Run 2";
    port-range       narrow, wide  default narrow  at "Run 3";
}
"""
POLICY = """
goal latency; cpu skylake; platform r740; os debian-12;
set schedstats off because "a test";
set lockup-watchdog off because "a test";
"""


def plan(*statements: str) -> Plan:
    return plan_of_text(SITE + "".join(statements) + POLICY)


def spelled(plan: Plan, setting: str) -> list[tuple[str, tuple[str, ...], str | None]]:
    decision = plan.setting(setting)
    assert decision is not None
    return [(one.interface, one.names, one.text) for one in decision.spelled]


def sysctl(row: str, when: str = "os linux") -> str:
    return f'spelling sysctl of lab when {when} {{ {row} at "Run 1"; }}'


GENERAL = sysctl('schedstats on "1", off "0" in "kernel.sched_schedstats"')


def test_a_setting_without_a_spelling_has_no_words() -> None:
    assert spelled(plan(), "schedstats") == []


def test_a_value_has_the_text_of_its_spelling() -> None:
    assert spelled(plan(GENERAL), "schedstats") == [("sysctl", ("kernel.sched_schedstats",), "0")]


def test_of_two_conditions_the_narrower_one_is_used() -> None:
    debian = sysctl('schedstats on "yes", off "no" in "kernel.schedstats"', "os debian-12")
    assert spelled(plan(GENERAL, debian), "schedstats") == [("sysctl", ("kernel.schedstats",), "no")]
    assert spelled(plan(debian, GENERAL), "schedstats") == [("sysctl", ("kernel.schedstats",), "no")]


def test_spellings_with_one_condition_belong_together() -> None:
    second = sysctl('schedstats on "8", off "1" in "kernel.sched_base"')
    assert spelled(plan(GENERAL, second), "schedstats") == [
        ("sysctl", ("kernel.sched_base",), "1"),
        ("sysctl", ("kernel.sched_schedstats",), "0"),
    ]


def test_each_interface_has_its_own() -> None:
    tuned = 'spelling tuned of lab when os linux { schedstats on "1", off "0" in "[scheduler] schedstats" at "Run 1"; }'
    assert [interface for interface, *_ in spelled(plan(GENERAL, tuned), "schedstats")] == ["sysctl", "tuned"]


def test_a_spelling_without_values_has_each_value_as_its_text() -> None:
    plain = sysctl('schedstats in "kernel.schedstats"')
    assert spelled(plan(plain), "schedstats") == [("sysctl", ("kernel.schedstats",), "off")]


def test_two_conditions_of_which_neither_is_narrower_are_refused() -> None:
    other = sysctl('schedstats on "a", off "b" in "kernel.schedstats"', "goal latency")
    with pytest.raises(SetpointError) as refused:
        plan(GENERAL, other)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "E0304"
    assert (
        diagnostic.message
        == "conflicting spellings of `schedstats` (sysctl): neither has the narrower condition"
    )


WATCHDOG = """
spelling argument of lab when os linux {
    lockup-watchdog on absent, off "0" in "nmi_watchdog" shown "/proc/sys/kernel/nmi_watchdog" at "Run 2";
}
"""


def test_every_artifact_of_its_layer_has_a_setting_of_a_site() -> None:
    """No code knows these settings: what it takes is their declaration, an offer and a spelling."""
    made = plan(GENERAL, WATCHDOG)
    found = {
        target: "\n".join(artifact.text for artifact in emission.artifacts)
        for target in ("kernel-args", "tuned", "ansible", "puppet")
        if (emission := emission_of(target, made)) is not None
    }
    assert re.search(r"\bnmi_watchdog=0\b", found["kernel-args"])
    assert re.search(
        r"^shows +lockup-watchdog +/proc/sys/kernel/nmi_watchdog +is +0$", found["kernel-args"], re.MULTILINE
    )
    assert "kernel.sched_schedstats=0" in found["tuned"]
    assert re.search(r"value +schedstats +/proc/sys/kernel/sched_schedstats += 0 ", found["tuned"])
    for fleet in ("ansible", "puppet"):
        assert "nmi_watchdog=0" in found[fleet]
        assert "kernel.sched_schedstats=0" in found[fleet]


def test_tuned_writes_files_of_sys(tmp_path: Path) -> None:
    files = 'spelling sysfs of lab when os linux { schedstats on "2", off "1" in "/sys/block/*/queue/rq_affinity" at "Run 1"; }'
    emission = emission_of("tuned", plan(files))
    assert emission is not None
    profile, script = (
        next(a.text for a in with_profile(emission.artifacts) if a.path.endswith(end))
        for end in ("/tuned.conf", "/tuned.plan")
    )
    assert (
        "[sysfs]\n# Automatic task groups: off (set: a test)\n/sys/block/*/queue/rq_affinity=1\n" in profile
    )
    assert re.search(r"^value +schedstats +/sys/block/\*/queue/rq_affinity += 1 ", script, re.MULTILINE)
    folder = tmp_path / "setpoint-policy"
    folder.mkdir()
    (folder / "tuned.conf").write_text(profile, encoding="utf-8")
    read = lint(folder)
    assert read.problems == ()
    assert read.options("sysfs") == {"/sys/block/*/queue/rq_affinity": "1"}


def test_an_argument_that_must_be_absent_is_taken_off_the_line() -> None:
    on = POLICY.replace("lockup-watchdog off", "lockup-watchdog on")
    emission = emission_of("kernel-args", plan_of_text(SITE + GENERAL + WATCHDOG + on))
    assert emission is not None
    (script,) = (a.text for a in emission.artifacts if a.path.endswith(".plan"))
    assert "nmi_watchdog" in script
    assert "nmi_watchdog=0" not in script


def test_a_command_line_that_would_be_too_long_is_left_to_a_person() -> None:
    long = "a" * 3000
    made = plan(
        GENERAL,
        f'spelling argument of lab when os linux {{ lockup-watchdog on absent, off "{long}" in "x" at "Run 2"; }}',
    )
    emission = emission_of("kernel-args", made)
    assert emission is not None
    assert "lockup-watchdog" not in emission.expressed
    assert emission.left_out["lockup-watchdog"].startswith("the arguments of this plan are 30")


def test_any_stands_for_the_values_that_are_not_listed() -> None:
    some = sysctl('schedstats on "1", any "no-*" in "kernel.schedstats"')
    assert spelled(plan(some), "schedstats") == [("sysctl", ("kernel.schedstats",), "no-off")]


def test_a_text_that_no_source_has_is_no_text() -> None:
    (one,) = spelled(plan(sysctl('schedstats on "1", off unknown in "kernel.schedstats"')), "schedstats")
    assert one == ("sysctl", ("kernel.schedstats",), None)


BIOS = """
setting fan-offset { title "Fan offset"; layer firmware; values low, high; }
options of lab when platform poweredge-14g { fan-offset low "Low", high "High" default low menu "Thermal" at "Menu"; }
spelling attribute of lab when platform poweredge-14g { fan-offset low "LowOffset", high "HighOffset" in "FanOffset" at "Menu"; }
spelling racadm of lab when platform poweredge-14g { fan-offset in "BIOS.ThermalSettings.FanOffset" at "Menu"; }
"""


def test_every_artifact_of_the_firmware_has_a_setting_of_a_site() -> None:
    made = plan(BIOS, 'set fan-offset high because "a test";')
    found = {
        target: "\n".join(artifact.text for artifact in emission.artifacts)
        for target in ("redfish", "racadm", "scp", "syscfg", "ansible", "puppet")
        if (emission := emission_of(target, made)) is not None
    }
    assert '"FanOffset": "HighOffset"' in found["redfish"]
    assert "BIOS.ThermalSettings.FanOffset" in found["racadm"]
    assert '<Attribute Name="FanOffset">HighOffset</Attribute>' in found["scp"]
    for target in ("syscfg", "ansible", "puppet"):
        assert "FanOffset" in found[target]


TYPED = """
setting ecc-threshold { title "ECC threshold"; layer firmware; values off; range 0 to 500 step 10; }
setting Fast_Boot { title "Fast boot"; layer firmware; values on, off, a_b; }
options of lab when platform poweredge-14g {
    ecc-threshold  off, 0 to 500  default 0   menu "Memory"  at "Menu";
    Fast_Boot      on, off        default on  menu "Boot"    at "Menu";
}
spelling attribute of lab when platform poweredge-14g {
    ecc-threshold  off "-1", any "*"          in "EccThreshold" as integer  at "Menu";
    Fast_Boot      on "true", off "false", a_b unknown  in "FastBoot" as boolean     at "Menu";
}
spelling racadm of lab when platform poweredge-14g {
    ecc-threshold  in "BIOS.MemSettings.EccThreshold"  at "Menu";
    Fast_Boot      in "BIOS.BootSettings.FastBoot"     at "Menu";
}
set ecc-threshold 250 because "a test";
set Fast_Boot off because "a test";
"""


def test_an_attribute_has_the_type_that_its_spelling_says() -> None:
    made = plan(TYPED)
    found = {
        target: artifacts_of(target, made) for target in ("redfish", "racadm", "scp", "syscfg", "ansible")
    }
    written, expected = (
        json.loads(found["redfish"][f"redfish/{name}.json"]) for name in ("settings", "expected")
    )
    for attributes in (written["Attributes"], end_state(expected)):
        assert attributes["EccThreshold"] == 250
        assert attributes["FastBoot"] is False
    for name in ("import", "preview"):
        body = ElementTree.fromstring(json.loads(found["scp"][f"scp/{name}.json"])["ImportBuffer"])
        texts = {one.get("Name"): one.text for one in body.iter("Attribute")}
        assert (texts["EccThreshold"], texts["FastBoot"]) == ("250", "false")
    assert re.search(r"want +Fast_Boot +FastBoot +false\b", found["syscfg"]["syscfg/syscfg.plan"])
    assert re.search(
        r"want +Fast_Boot +BIOS.BootSettings.FastBoot +false\b", found["racadm"]["racadm/racadm.plan"]
    )
    assert found["ansible"]["redfish/expected.json"] == found["redfish"]["redfish/expected.json"]
    assert emission_of("report", made) is not None


def test_a_type_survives_the_json_of_a_plan() -> None:
    made = plan(TYPED)
    data = json.loads(json.dumps(plan_json(judge(made))))
    (spelled,) = [
        one for one in data["settings"]["ecc-threshold"]["spelled"] if one["interface"] == "attribute"
    ]
    assert (spelled["text"], spelled["type"]) == ("250", "integer")
    again = plan_from_json(data).plan
    assert artifacts_of("redfish", again) == artifacts_of("redfish", made)
    wrongs: tuple[dict[str, object], ...] = (
        {"type": "float"},
        {"text": "many"},
        {"names": ["a\nb"]},
        {"names": []},
        {"texts": {"off": "x"}},
    )
    for wrong in wrongs:
        broken = json.loads(json.dumps(data))
        for one in broken["settings"]["ecc-threshold"]["spelled"]:
            if one["interface"] == "attribute":
                one.update(wrong)
        with pytest.raises(NotAPlanError):
            plan_from_json(broken)


SEVERAL = """
setting fan-offset { title "Fan offset"; layer firmware; values low, high; }
options of lab when platform poweredge-14g { fan-offset low, high default low menu "Thermal" at "Menu"; }
spelling attribute of lab when platform poweredge-14g {
    fan-offset  low "LowOffset", high "HighOffset"  in "FanOffset1", "FanOffset2"  at "Menu";
    fan-offset  low "20", high "80"                 in "FanFloor" as integer       at "Menu";
}
set fan-offset high because "a test";
"""


def test_all_attributes_of_a_setting_are_written() -> None:
    made = plan(SEVERAL)
    wanted = {"FanOffset1": "HighOffset", "FanOffset2": "HighOffset", "FanFloor": 80}
    documents = artifacts_of("redfish", made)
    assert wanted.items() <= json.loads(documents["redfish/settings.json"])["Attributes"].items()
    expected = json.loads(documents["redfish/expected.json"])
    assert wanted.items() <= end_state(expected).items()
    assert {expected["attributes"][name]["setting"] for name in wanted} == {"fan-offset"}
    options = [
        line.split()[2:4]
        for line in artifacts_of("syscfg", made)["syscfg/syscfg.plan"].splitlines()
        if line.startswith("want ") and "fan-offset" in line
    ]
    assert options == [[name, str(value)] for name, value in wanted.items()]


@pytest.mark.parametrize(
    ("names", "options"),
    [
        ('"BIOS.A.FanFloor", "BIOS.B.FanOffset1", "BIOS.B.FanOffset2"',
         ["BIOS.B.FanOffset1", "BIOS.B.FanOffset2", "BIOS.A.FanFloor"]),
        ('"BIOS.A.FanFloor", "BIOS.B.FanOffset1"', []),
    ],
)  # fmt: skip
def test_racadm_writes_all_attributes_of_a_setting_or_none(names: str, options: list[str]) -> None:
    made = plan(
        SEVERAL, f'spelling racadm of lab when platform poweredge-14g {{ fan-offset in {names} at "Menu"; }}'
    )
    lines = artifacts_of("racadm", made)["racadm/racadm.plan"].splitlines()
    assert [
        line.split()[2] for line in lines if line.startswith("want ") and " fan-offset " in line
    ] == options
    emission = emission_of("racadm", made)
    assert emission is not None
    assert ("fan-offset" in emission.expressed) is bool(options)
    assert ("fan-offset" in emission.left_out) is not bool(options)


def test_a_setting_is_left_out_if_one_of_its_attributes_has_no_text() -> None:
    emission = emission_of("redfish", plan(SEVERAL.replace('high "80"', "high unknown")))
    assert emission is not None
    assert "fan-offset" not in emission.expressed
    assert emission.left_out["fan-offset"] == "FanFloor has no known value for high on r740"


def artifacts_of(target: str, made: Plan) -> dict[str, str]:
    """The files of a target, by their paths."""
    emission = emission_of(target, made)
    assert emission is not None
    return {artifact.path: artifact.text for artifact in emission.artifacts}


def attribute(row: str) -> str:
    """A spelling as a BIOS attribute."""
    return f'spelling attribute of lab when platform poweredge-14g {{ {row} at "Menu"; }}'


BIOS_SETTINGS = """
setting fan-offset { title "Fan offset"; layer firmware; values low, a_b; }
setting fan-floor { title "Fan floor"; layer firmware; values off; range 0 to 100 in W; }
setting fan-cpus { title "Fan CPUs"; layer firmware; values cpu-list; }
"""


WRONG = [
    (sysctl('turbo on "1", off "0" in "kernel.turbo"'), "`turbo` is a setting of layer firmware, and a sysctl of layer os"),
    (sysctl('schedstats on "1; reboot" in "kernel.schedstats"'), "`1; reboot` is not a value of a sysctl"),
    (sysctl('schedstats on "1 x" in "kernel.schedstats"'), "`1 x` is not a value of a sysctl"),
    (sysctl('schedstats on "1  2" in "kernel.schedstats"'), "`1  2` is not a value of a sysctl"),
    (sysctl('schedstats on "1 2" in "kernel.schedstats" shown "/proc/x" on "1 2"'), "`1 2` is not a word that a file shows"),
    (sysctl('schedstats on "1" in "kernel.schedstats=1 x"'), "`kernel.schedstats=1 x` is not the name of a sysctl"),
    (sysctl('schedstats on "1" in "kernel.schedstats" shown "/etc/shadow"'), "`/etc/shadow` is not a file of /proc, /sys or /dev"),
    (sysctl('schedstats on "1" in "kernel.schedstats" shown "/proc/x" on not "2"'), "a sysctl is compared with what a file contains"),
    (sysctl('schedstats on "1", on "2" in "kernel.schedstats"'), "spelt value of `schedstats` `on` is declared twice"),
    (GENERAL + GENERAL, "`schedstats` as sysctl `kernel.sched_schedstats` is stated twice under the same conditions"),
    (sysctl('schedstats on "1" in "kernel.schedstats"', "turbo on"), "the spelling of `schedstats` depends on `turbo`, which is a setting"),
    ('spelling ethtool of lab { schedstats on "1" in "rx-frames" at "Run 1"; }', "`rx-frames` is not the name of a parameter of network cards"),
    ('spelling ethtool of lab { schedstats on "1" in "ring rx; reboot" at "Run 1"; }', "`ring rx; reboot` is not the name of a parameter of network cards"),
    ('spelling racadm of lab { turbo on "1" in "BIOS.A.B" at "Run 1"; }', "a name in racadm has no texts of its own"),
    (sysctl('schedstats on maybe in "kernel.schedstats"'), "unknown text `maybe`"),
    (sysctl('autogrup on "1" in "kernel.schedstats"'), "unknown setting `autogrup`"),
    (sysctl('schedstats maybe "1" in "kernel.schedstats"'), "`schedstats` has no value `maybe`"),
    (sysctl('schedstats on "1" in "kernel.schedstats" shown "/proc/x" as nearly'), "unknown comparison `nearly`"),
    ('spelling registry of lab { schedstats on "1" in "x.y" at "Run 1"; }', "unknown interface `registry`"),
    ('spelling sysctl of lab { schedstats on "1" in "x.y"; }', "the spelling of `schedstats` has no locator"),
    (sysctl('schedstats on "1", off "0" in "kernel.schedstats" as integer'), "a sysctl has no type"),
    (attribute('fan-offset low "1", a_b "2" in "A" as float'), "unknown type `float`"),
    (attribute('fan-offset low "1", a_b "two" in "A" as integer'), "`two` is not of type integer"),
    (attribute('fan-offset low "007", a_b "2" in "A" as integer'), "`007` is not of type integer"),
    (attribute('fan-offset low "true", a_b "False" in "A" as boolean'), "`False` is not of type boolean"),
    (attribute('fan-offset in "A" as boolean'), "`low`, the text of `fan-offset low`, is not of type boolean"),
    (attribute('fan-offset low "1", any "*" in "A" as integer'), "`a_b`, the text of `fan-offset a_b`, is not of type integer"),
    (attribute('fan-floor in "A" as integer'), "`off`, the text of `fan-floor off`, is not of type integer"),
    (attribute('fan-floor off "-1", any "*W" in "A" as integer'), "`0W`, the text of `fan-floor 0W`, is not of type integer"),
    (attribute('fan-cpus in "A" as boolean'), "`0`, the text of `fan-cpus 0`, is not of type boolean"),
    (attribute('fan-offset low "1", a_b "2" in " A"'), "` A` is not the name of a BIOS attribute"),
    (attribute('fan-offset low "1", a_b "" in "A"'), "`` is not a value of a BIOS attribute"),
    (attribute('fan-offset low "1", a_b "a\tb" in "A"'), "`a\tb` is not a value of a BIOS attribute"),
    (attribute('fan-offset low absent, a_b "1" in "A"'), "a BIOS attribute cannot be absent"),
]  # fmt: skip


@pytest.fixture(scope="module")
def refused() -> dict[str, tuple[Diagnostic, ...]]:
    """What is found in each of these statements."""
    return refusals((statement for statement, _ in WRONG), SITE + BIOS_SETTINGS)


@pytest.mark.parametrize(("statement", "message"), WRONG)
def test_what_no_interface_can_have_is_an_error(
    refused: dict[str, tuple[Diagnostic, ...]], statement: str, message: str
) -> None:
    assert message in [diagnostic.message for diagnostic in refused[statement]]


def test_one_spelling_has_a_text_and_the_other_none() -> None:
    """They are stated twice, and in an order nevertheless."""
    unknown = sysctl('schedstats on "1", off unknown in "kernel.sched_schedstats"')
    for both in ((GENERAL, unknown), (unknown, GENERAL)):
        with pytest.raises(SetpointError, match="is stated twice under the same conditions"):
            plan(*both)


ODD = ("_x", "a+b_c.d", "X-1.5", "3GHz", "2-5,8-11")
"""Values whose names have every character that a name or a number can have."""

PLACES = (
    ("firmware", "attribute", ("I/O Offset (a)", "B (b)", "_c", "D-4", "E.5")),
    ("boot", "argument", ("fan_x.y-1", "b", "c_3", "d.4", "e-5")),
    ("os", "sysctl", ("fan.offset_x", "b.b", "c.c_3", "d.d-4", "e.e.e")),
    ("os", "sysfs", ("/sys/fan/off_set", "/sys/b", "/sys/c.3", "/sys/d-4/d", "/sys/e/*/e")),
    ("os", "tuned", ("[fan] offset", "[b] b_2", "[c] c-3", "[d] d", "[e] e")),
    ("os", "ethtool", ("ring rx-mini", "ring rx", "ring tx", "ring rx-jumbo", "coalesce rx-usecs")),
)
"""Names in each interface, one for each of these values."""

WRITTEN = {
    (interface, value): (f"Fan_Off.set+{number}-{interface}", layer, name)
    for layer, interface, names in PLACES
    for number, (value, name) in enumerate(zip(ODD, names, strict=True))
}
"""A setting that has this value in this interface: its name, its layer and its name there."""


def odd(interface: str, value: str) -> str:
    """What declares a setting, and sets it."""
    setting, layer, name = WRITTEN[interface, value]
    takes = (
        "range 1 to 9 in GHz"
        if "GHz" in value
        else "values cpu-list"
        if "," in value
        else f"values {value}, plain"
    )
    offered = "1 to 9GHz" if "GHz" in value else "cpu-list" if "," in value else f"{value}, plain"
    return f"""
    setting {setting} {{ title "Fan offset"; layer {layer}; {takes}; }}
    options of lab when goal latency {{ {setting} {offered} menu "Menu" at "Menu"; }}
    spelling {interface} of lab when goal latency {{ {setting} in "{name}" at "Menu"; }}
    set {setting} {value} because "a test";
    """


@pytest.fixture(scope="module")
def emissions() -> list[Emission]:
    """What all targets write of a plan with all of these settings."""
    made = plan(*(odd(interface, value) for interface, value in WRITTEN))
    return [emission for target in targets() if (emission := emission_of(target, made)) is not None]


@pytest.mark.parametrize(("interface", "value"), WRITTEN)
def test_a_value_that_is_its_own_text_can_be_written_or_is_left_out(
    emissions: list[Emission], interface: str, value: str
) -> None:
    setting, *_ = WRITTEN[interface, value]
    assert any(setting in emission.expressed for emission in emissions)
    assert not any(setting in emission.expressed & emission.left_out.keys() for emission in emissions)
