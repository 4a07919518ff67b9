"""Captures of servers that are made: everything is as a plan has it, in the words of its interfaces."""

from functools import cache
from typing import Any

from verification.hosts import readings, with_controller

from setpoint.compiler.adoption.arranged import Adopted, Adoption
from setpoint.compiler.adoption.written import adopted_text
from setpoint.compiler.captures.model import Capture, Readings
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import Planned, planned, read_text
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.verification.model import DIFFERS, SettingVerdict
from setpoint.compiler.verification.questions import PlanQuestions, questions
from setpoint.compiler.verification.verdicts import verdicts

R750 = "platform r750; cpu xeon-platinum-8360y; os rhel 9.4;"

SHOWS = {
    "/sys/class/dmi/id/product_name": "PowerEdge R750",
    "/etc/os-release": 'ID="rhel"\nVERSION_ID="9.4"\n',
    "/proc/cpuinfo": "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Platinum 8360Y CPU @ 2.40GHz\nflags\t\t: fpu vmx nx\n",
    "/etc/sysctl.conf": "",
}
"""What a PowerEdge R750 with RHEL 9.4 shows of itself."""

IDLE = "/sys/devices/system/cpu/cpu*/cpuidle/state1"


def made(policy: str, name: str = "c042") -> Capture:
    """A PowerEdge R750 that is as the plan of a policy."""
    plan = plan_of(f"{R750} {policy}")
    asked = questions(plan, standard(), everything=True)
    words = [word.wanted for each in asked.settings for word in each.words if not word.is_absent]
    places: dict[str, Any] = {**SHOWS, "/proc/cmdline": " ".join(words), f"{IDLE}/latency": {"2": "0-3"}}
    places[f"{IDLE}/name"] = {"C1": "0-3"}
    for file in (file for each in asked.settings for way in each.ways for file in way):
        if file.place.startswith(("/proc", "/sys")):
            places[file.place] = (
                {_text(file.text, file.comparison): "0-3"}
                if "*" in file.place
                else _text(file.text, file.comparison)
            )
    host = Readings({place: readings(found) for place, found in places.items()}, {})
    return with_controller(Capture(name, host, None), _attributes(plan))


def _text(text: str, comparison: str) -> str:
    """What a file shows that is compared like that."""
    if comparison == "exit-latency":
        return "2" if text.startswith("cstate") else "0"
    return text.partition("|")[0].removeprefix(">")


def _attributes(plan: Plan) -> dict[str, Any]:
    """The attributes of the firmware with the values of a plan, of those that are known."""
    return {
        name: spelled.text
        for decision in plan.settings
        for spelled in decision.spelled_in("attribute")
        for name in spelled.names
        if not spelled.type and not decision.once
    }


@cache
def plan_of(policy: str) -> Plan:
    """The plan of a policy with a single one."""
    plan = done(policy).plan
    assert plan is not None
    return plan


def done(policy: str) -> Planned:
    """A policy, as far as it can be planned."""
    (one,) = planned(read_text(policy), standard())
    return one


def adopted(*captures: Capture) -> Adopted:
    """The policy for captured servers."""
    adoption = Adoption(standard())
    for each in captures:
        adoption.add(each)
    return adoption.adopted()


def text_of(*captures: Capture) -> str:
    """The text of the policy for captured servers."""
    return adopted_text(adopted(*captures))


def errors(policy: str) -> list[Diagnostic]:
    """What is wrong with a policy apart from reasons that are open."""
    return [each for each in done(policy).findings.errors if each.code != "E0209"]


def differing(policy: str, capture: Capture) -> list[SettingVerdict]:
    """The settings of which verification says that a server has another value."""
    asked: PlanQuestions = questions(plan_of(policy), standard())
    return [each for each in verdicts(asked, capture).verdicts if each.state == DIFFERS]
