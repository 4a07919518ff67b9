"""`setpoint verify` and `setpoint plan --against`: forms of the output, statuses, and which plan a capture is compared
with."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from prometheus_client.parser import text_string_to_metric_families

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.verification.questions import questions
from support.command import ROOT, setpoint
from support.forms import VerificationReport
from support.golden import compare_schema
from support.plans import plan_of_text

SCHEMA = ROOT / "compiler/render/verified.schema.json"

POLICY = 'goal latency; cpu ice-lake; os debian 13; set swappiness 10 because "a test";'
SWAPPINESS = "/proc/sys/vm/swappiness"
PRODUCT = "/sys/class/dmi/id/product_name"


def capture(path: Path, read: dict[str, Any], unread: dict[str, str] | None = None) -> str:
    """Write a capture with these readings; its path."""
    data = {"schema": "setpoint.capture/1", "host": {"read": read, "unread": unread or {}}}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def as_planned() -> dict[str, Any]:
    """What a host shows that is as `POLICY` plans: the words on its boot line, and in its files."""
    asked = questions(plan_of_text(POLICY), standard())
    words = [word.wanted for each in asked.settings for word in each.words if not word.is_absent]
    idle = "/sys/devices/system/cpu/cpu*/cpuidle/state1"
    read: dict[str, Any] = {"/proc/cmdline": " ".join(words), f"{idle}/latency": {"2": "0-3"}}
    for file in (file for each in asked.settings for way in each.ways for file in way):
        text = "2" if file.comparison == "exit-latency" else file.text.partition("|")[0]
        read[file.place] = {text: "0-3"} if "*" in file.place else text
    return read


def test_json_has_each_cause_once_with_its_servers(tmp_path: Path) -> None:
    for name, text in (("a", "60"), ("b", "60"), ("c", "10")):
        capture(tmp_path / "captures" / f"{name}.json", {SWAPPINESS: text})
    ran = setpoint("verify", "-e", POLICY, "--against", str(tmp_path / "captures"), "--format", "json")
    data = json.loads(ran.out)
    jsonschema.validate(data, json.loads(SCHEMA.read_text(encoding="utf-8")))
    VerificationReport.model_validate(data)
    found = {each["state"]: each for each in data["results"] if each["setting"] == "swappiness"}
    assert {state: each["hosts"] for state, each in found.items()} == {"differs": ["a", "b"], "ok": ["c"]}
    assert found["differs"]["readings"] == [{"kind": "in effect", "place": SWAPPINESS, "text": "60"}]
    assert ran.status == 3


def test_the_schema_is_that_of_the_models(update: bool) -> None:
    compare_schema(VerificationReport, SCHEMA, update)


def test_junit_has_a_suite_for_each_server(tmp_path: Path) -> None:
    capture(tmp_path / "captures" / "a.json", {SWAPPINESS: '60 <"&'})
    capture(tmp_path / "captures" / "b.json", {PRODUCT: "PowerEdge R650"})
    policy = "goal latency; platform r750; os rhel 9.4;"
    ran = setpoint("verify", "-e", policy, "--against", str(tmp_path / "captures"), "--format", "junit")
    suites = {suite.get("name"): suite for suite in ElementTree.fromstring(ran.out)}
    assert {name: suite.get("errors") for name, suite in suites.items()} == {"a": "0", "b": "1"}
    (case,) = (each for each in suites["a"] if each.get("name") == "swappiness")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == 'differs: found 60 <"&, planned 10'


def test_metrics_are_what_prometheus_reads(tmp_path: Path) -> None:
    capture(tmp_path / "captures" / "a.json", {SWAPPINESS: "60"})
    capture(tmp_path / "captures" / 'b"\\.json', {SWAPPINESS: "10"})
    capture(tmp_path / "captures" / "c.json", {PRODUCT: "PowerEdge R650", "/etc/os-release": "ID=fedora"})
    path = tmp_path / "setpoint.prom"
    against = ("--against", str(tmp_path / "captures"))
    ran = setpoint("verify", "-e", POLICY, *against, "--format", "metrics", "-o", str(path))
    families = {each.name: each.samples for each in text_string_to_metric_families(path.read_text("utf-8"))}
    states = {
        (sample.labels["host"], sample.labels["state"]): sample.value
        for sample in families["setpoint_verify_settings"]
    }
    assert {host for host, _ in states} == {"a", 'b"\\'}
    assert (states["a", "differs"] - states['b"\\', "differs"], states["a", "pending"]) == (1, 0)
    differing = [each.labels for each in families["setpoint_verify_setting_differs"]]
    assert [each["host"] for each in differing if each["setting"] == "swappiness"] == ["a"]
    assert [each.labels for each in families["setpoint_verify_capture_refused"]] == [{"host": "c"}]
    assert ran.status == 1


@pytest.mark.parametrize(
    ("changes", "unread", "status"),
    [
        ({}, {}, 0),
        ({SWAPPINESS: "60"}, {}, 3),
        ({}, {"/sys/devices/system/cpu/intel_pstate/min_perf_pct": "no permission"}, 4),
        ({SWAPPINESS: "60"}, {"/sys/devices/system/cpu/intel_pstate/min_perf_pct": "no permission"}, 3),
    ],
)
def test_the_status_says_what_the_worst_is(
    tmp_path: Path, changes: dict[str, str], unread: dict[str, str], status: int
) -> None:
    read = {place: text for place, text in as_planned().items() if place not in unread}
    path = capture(tmp_path / "c042.json", {**read, **changes}, unread)
    ran = setpoint("verify", "-e", POLICY, "--against", path)
    assert (ran.status, ran.err) == (status, "")


def test_a_capture_of_another_server_is_an_error_and_no_verdict(tmp_path: Path) -> None:
    path = capture(tmp_path / "c042.json", {PRODUCT: "PowerEdge R650"})
    ran = setpoint("verify", "-e", "goal latency; platform r750", "--against", path)
    assert (ran.status, ran.out) == (1, "no server was compared\n")
    assert ran.err.startswith("error[E0624]: `c042`: a capture of another server")


def test_a_server_without_a_name_is_told_by_its_processor(tmp_path: Path) -> None:
    info = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Platinum 8360Y CPU @ 2.40GHz\n"
    path = capture(tmp_path / "c042.json", {"/proc/cpuinfo": info})
    ran = setpoint("verify", "-e", "goal latency; cpu skylake", "--against", path)
    assert ran.status == 1
    assert "its cpu is xeon-platinum-8360y; the policy states cpu skylake" in ran.err


def test_of_several_plans_the_one_that_fits_is_used(tmp_path: Path) -> None:
    policies = tmp_path / "site.tune"
    policies.write_text("goal latency; policy old { platform r740; } policy new { platform r750; }\n")
    path = capture(tmp_path / "c042.json", {PRODUCT: "PowerEdge R750"})
    assert setpoint("verify", str(policies), "--against", path).out.startswith("new: c042\n")
    unknown = capture(tmp_path / "c043.json", {"/proc/cmdline": "ro"})
    ran = setpoint("verify", str(policies), "--against", unknown)
    assert (ran.status, ran.err.partition(":")[0]) == (1, "error[E0627]")


def test_a_host_is_compared_with_the_block_of_its_name(tmp_path: Path) -> None:
    policy = tmp_path / "site.tune"
    policy.write_text(
        f'{POLICY}\nfor host c042 {{ set swappiness 30 because "an application"; }}\n', encoding="utf-8"
    )
    captures = tmp_path / "captures"
    capture(captures / "c042.json", {SWAPPINESS: "30"})
    capture(captures / "c043.json", {SWAPPINESS: "10"})
    data = json.loads(setpoint("verify", str(policy), "--against", str(captures), "--format", "json").out)
    states = [(each["state"], each["hosts"]) for each in data["results"] if each["setting"] == "swappiness"]
    assert sorted(states) == [("ok", ["c042"]), ("ok", ["c043"])]


def test_a_bundle_is_verified_as_its_policy(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert setpoint("compile", "-e", POLICY, "-o", str(out)).status == 0
    path = capture(tmp_path / "c042.json", {SWAPPINESS: "60"})
    for plan in (str(out), str(out / "plan.json")):
        ran = setpoint("verify", plan, "--against", path)
        assert ran.status == 3
        assert "swappiness: found 60, planned 10" in ran.out


def test_a_fleet_compares_each_host_with_its_own_plan(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts.csv"
    hosts.write_text(
        "host,model,sockets,os\nc001,PowerEdge R740,2,rhel 9.4\nc002,PowerEdge R750,2,rhel 9.4\n",
        encoding="utf-8",
    )
    fleet = tmp_path / "fleet"
    setpoint("fleet", "-e", "goal latency;", "--inventory", str(hosts), "-o", str(fleet))
    captures = tmp_path / "captures"
    capture(captures / "c001.json", {PRODUCT: "PowerEdge R740", SWAPPINESS: "60"})
    capture(
        captures / "c002.example.org.json", {PRODUCT: "PowerEdge R740"}
    )  # another class than the fleet says
    capture(captures / "c003.json", {PRODUCT: "PowerEdge R740"})  # no host of the fleet
    ran = setpoint("verify", str(fleet), "--against", str(captures))
    assert ran.status == 1
    assert "swappiness: found 60, planned 10" in ran.out
    assert "error[E0624]: `c002.example.org`: a capture of another server" in ran.err
    assert "error[E0627]: `c003`: not a host of this fleet" in ran.err


def test_the_output_can_be_a_file(tmp_path: Path) -> None:
    path = capture(tmp_path / "c042.json", {SWAPPINESS: "60"})
    written = tmp_path / "verified.txt"
    ran = setpoint("verify", "-e", POLICY, "--against", path, "-o", str(written))
    assert (ran.status, ran.out) == (3, "")
    assert "swappiness: found 60" in written.read_text(encoding="utf-8")


def test_what_was_read_cannot_forge_the_output(tmp_path: Path) -> None:
    path = capture(tmp_path / "c042.json", {SWAPPINESS: "6\x1b[2J0\u202e"})
    ran = setpoint("verify", "-e", POLICY, "--against", path)
    assert r"found 6\x1b[2J0\u202e" in ran.out
    assert "\x1b" not in ran.out


def test_a_plan_shows_what_changes_on_a_server(tmp_path: Path) -> None:
    path = capture(tmp_path / "c042.json", {SWAPPINESS: "60", "/proc/cmdline": "ro idle=poll"})
    ran = setpoint("plan", "-e", f'{POLICY} set skew-tick on because "a test";', "--against", path)
    restart, now = ran.out.partition("changes, and needs a restart")[2].partition("changes at once")[::2]
    assert "skew-tick" in restart
    assert "idle-poll" in restart
    assert "swappiness" in now.partition("\n\n")[0]
    assert ran.status == 0


def test_a_plan_for_another_server_is_an_error(tmp_path: Path) -> None:
    path = capture(tmp_path / "c042.json", {PRODUCT: "PowerEdge R650"})
    ran = setpoint("plan", "-e", "goal latency; platform r750", "--against", path)
    assert (ran.status, ran.out) == (1, "no server was compared\n")
    assert "E0624" in ran.err


@pytest.mark.parametrize("place", ["a-file/report.json", "."])
def test_what_cannot_be_written_is_not_what_is_undecided(tmp_path: Path, place: str) -> None:
    """Who lets 4 pass, since not everything is visible, must not let a missing report pass (decision 0059)."""
    unread = {"/sys/devices/system/cpu/intel_pstate/min_perf_pct": "no permission"}
    read = {name: text for name, text in as_planned().items() if name not in unread}
    path = capture(tmp_path / "c042.json", read, unread)
    (tmp_path / "a-file").write_text("", encoding="utf-8")
    ran = setpoint("verify", "-e", POLICY, "--against", path, "-o", str(tmp_path / place))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err
