"""How servers take BIOS settings over Redfish: which `service` a plan has, and the requests that follow from it."""

import json
import re
from typing import Any

import pytest
from proof.small import findings

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.lowering.target import emission_of, targets
from setpoint.compiler.plan.as_json import plan_from_json, plan_json
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Plan
from support.plans import plan_of_text
from support.together import refusals

SITE = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
cpu example { title "Example"; }
platform shelf { title "Example Shelf"; }
platform shelf-2 { title "Example Shelf 2"; within shelf; reported as product "Shelf 2" of lab at "Run 1"; }
options of lab when platform shelf {
    smt    on "Enabled", off "Disabled"  default on  at "Run 1";
    turbo  on "Enabled", off "Disabled"  default on  at "Run 1";
}
spelling attribute of lab when platform shelf {
    smt    on "Enable", off "Disable"  in "Hyper-Threading [ALL]"  at "Run 1";
    turbo  on "Enable", off "Disable"  in "TurboMode_3D06"         at "Run 1";
}
"""
ADDRESSES = """
    uri system   "/redfish/v1/Systems/Self";
    uri bios     "/redfish/v1/Systems/Self/Bios";
    uri settings "/redfish/v1/Systems/Self/Bios/SD";
"""
JOBS = 'applies job; uri jobs "/redfish/v1/Jobs"; reported as target "Settings";'
POLICY = """
goal latency; cpu example; platform shelf-2;
set smt off because "a test";
"""


def service(name: str, body: str, when: str = "platform shelf") -> str:
    return f'service {name} of lab at "Run 1" {{ title "Shelf controller"; when {when}; {body} }}'


PLAIN = service("plain", ADDRESSES + "applies restart;")


def plan(*statements: str) -> Plan:
    return plan_of_text(SITE + "".join(statements) + POLICY)


def files(plan: Plan) -> dict[str, Any]:
    """The Redfish artifacts as data, by file name."""
    emission = emission_of("redfish", plan)
    assert emission is not None
    return {
        one.path.removeprefix("redfish/"): json.loads(one.text)
        for one in emission.artifacts
        if one.path.endswith(".json")
    }


def refusal(plan: Plan) -> str:
    return targets()["redfish"].unsupported_reason(plan)


# ------------------------------------------------------------------------------------- which one


def test_a_server_without_a_service_has_no_requests() -> None:
    assert refusal(plan()) == "the Redfish service of shelf-2 is not known"


def test_a_service_can_be_known_to_be_missing() -> None:
    none = service("none", 'because "the shelf has no controller";')
    assert refusal(plan(none)) == "the shelf has no controller"


def test_the_service_with_the_narrowest_condition_is_used() -> None:
    narrow = service("narrow", ADDRESSES + JOBS, "platform shelf-2")
    used = plan(PLAIN, narrow).service
    assert used is not None
    assert used.name == "narrow"


def test_of_two_services_one_must_be_narrower() -> None:
    other = service("other", ADDRESSES + "applies restart;", "cpu example")
    with pytest.raises(SetpointError) as caught:
        plan(PLAIN, other)
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        ("E0304", "conflicting services: neither has the narrower condition")
    ]


def test_the_plan_in_json_has_the_service() -> None:
    one = plan(PLAIN)
    again = plan_from_json(json.loads(json.dumps(plan_json(judge(one, "")))))
    assert again.plan.service == one.service
    assert files(again.plan) == files(one)


# ---------------------------------------------------------------------------------- the requests


def test_where_a_restart_is_enough_there_is_one_request() -> None:
    found = files(plan(PLAIN))
    assert sorted(found) == ["apply.json", "expected.json", "settings.json"]
    assert found["settings.json"] == {"Attributes": {"Hyper-Threading [ALL]": "Disable"}}
    apply = found["apply.json"]
    assert apply["service"] == "Shelf controller"
    assert apply["identify"]["uri"] == "/redfish/v1/Systems/Self"
    assert apply["identify"]["expects"][0]["accepts"] == ["Shelf 2"]
    assert apply["verify"]["uri"] == "/redfish/v1/Systems/Self/Bios"
    assert apply["ways"] == [
        {
            "name": "restart",
            "needs": "",
            "requests": [
                {"method": "PATCH", "uri": "/redfish/v1/Systems/Self/Bios/SD", "file": "settings.json"}
            ],
        }
    ]
    assert "cancel" not in apply


def test_a_service_with_jobs_has_the_body_of_one() -> None:
    jobs = 'uri clear "/redfish/v1/Clear"; applies on-reset "1.2";'
    found = files(plan(service("jobs", ADDRESSES + jobs + JOBS)))
    assert found["job.json"] == {"Settings": "/redfish/v1/Systems/Self/Bios/SD"}
    on_reset, job = found["apply.json"]["ways"]
    added = {"@Redfish.SettingsApplyTime": {"ApplyTime": "OnReset"}}
    assert [(one["file"], one["adds"]) for one in on_reset["requests"]] == [("settings.json", added)]
    assert (on_reset["name"], job["name"]) == ("on-reset", "job")
    assert on_reset["needs"].endswith("(seen at 1.2)")
    assert [one["uri"] for one in job["requests"]] == ["/redfish/v1/Systems/Self/Bios/SD", "/redfish/v1/Jobs"]
    assert found["apply.json"]["cancel"] == {"method": "POST", "uri": "/redfish/v1/Clear"}


def test_words_come_from_all_services_that_apply() -> None:
    """One that says nothing else is of no server by itself."""
    spoken = service("spoken", 'reported as busy "Wait"; reported as failed "Broken";', "cpu example")
    busy = service("plain", ADDRESSES + 'applies restart; reported as busy "Later";')
    assert files(plan(busy, spoken))["apply.json"]["reported"] == {
        "Later": "busy",
        "Wait": "busy",
        "Broken": "failed",
    }
    assert refusal(plan(spoken)) == "the Redfish service of shelf-2 is not known"


def test_a_job_is_asked_for_in_known_words_alone() -> None:
    asked = plan(service("jobs", ADDRESSES + JOBS.partition("reported")[0]))
    assert refusal(asked) == "how the Redfish service of shelf-2 is asked for a job is not known"


# ------------------------------------------------------------------------------ what is refused


WRONG = [
    ("", "service `one` lacks `uri system`, `uri bios`, `uri settings`"),
    (ADDRESSES, "service `one` lacks `applies`"),
    (ADDRESSES + "applies job;", "service `one` lacks `uri jobs`"),
    (ADDRESSES + "applies later;", "unknown way `later`"),
    (ADDRESSES + 'applies restart; uri chassis "/redfish/v1/Chassis/1";', "unknown address `chassis`"),
    (ADDRESSES + 'applies restart; uri jobs "https://bmc/redfish/v1/Jobs";', "`https://bmc/redfish/v1/Jobs` is not an address of a Redfish service"),
    (ADDRESSES + 'applies restart; uri jobs "/redfish/v1/Jobs?a=$(reboot)";', "`/redfish/v1/Jobs?a=$(reboot)` is not an address of a Redfish service"),
    (ADDRESSES + "applies restart; applies restart;", "way of service `one`: `restart` is declared twice"),
    (ADDRESSES + 'applies restart; because "there is none";', "service `one` both exists and does not"),
    (ADDRESSES + 'applies restart; reported as later "Wait";', "unknown kind of report `later`"),
    (ADDRESSES + 'applies restart; reported as busy "not now";', "`not now` is not a word of a Redfish service"),
    (ADDRESSES + 'applies restart; help "no";', "a service has no field `help`"),
]  # fmt: skip


@pytest.fixture(scope="module")
def refused() -> dict[str, tuple[Diagnostic, ...]]:
    """What is found in services with each of these bodies."""
    blocks = {
        body: service(f"one-{number}", body).replace("\n", " ") for number, (body, _) in enumerate(WRONG)
    }
    found = refusals(blocks.values(), SITE)
    return {body: found[text] for body, text in blocks.items()}


@pytest.mark.parametrize(("body", "message"), WRONG)
def test_a_wrong_service_is_refused(
    refused: dict[str, tuple[Diagnostic, ...]], body: str, message: str
) -> None:
    assert message in [re.sub("`one-[0-9]+`", "`one`", found.message) for found in refused[body]]


def test_a_service_depends_on_facts_alone() -> None:
    with pytest.raises(SetpointError) as caught:
        plan(service("one", ADDRESSES + "applies restart;", "platform shelf, turbo on"))
    assert [d.message for d in caught.value.diagnostics] == [
        "service `one` depends on `turbo`, which is a setting"
    ]


SMALL = '{ title "C"; when %s; because "none"; }'


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        (["model m1", "model m2"], []),
        (["model m1", "model m1, rack front"], []),
        (["model m1", "rack front"], ["services `s0` and `s1` apply together, and neither is narrower"]),
        (["model m1", "rack front", "model m1, rack front"], []),
    ],
)
def test_services_that_meet_are_found_before_a_policy_does(
    conditions: list[str], expected: list[str]
) -> None:
    statements = (f'service s{i} of paper at "Menu" {SMALL % when}' for i, when in enumerate(conditions))
    assert [d.message for d in findings(*statements) if d.code == "K21"] == expected
