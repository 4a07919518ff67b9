"""A plan for one server with the observations that a test states, and its verdicts on a capture."""

from collections.abc import Mapping
from functools import cache

from setpoint.compiler.captures.model import Capture, Readings
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.pipeline import knowledge_for, planned, read_text
from setpoint.compiler.verification.model import SettingVerdict
from setpoint.compiler.verification.questions import PlanQuestions, questions
from setpoint.compiler.verification.verdicts import verdicts
from verification.hosts import readings

SERVER = "goal latency; platform r750; os rhel 9.4;"
SOURCE = 'source seen-here { title "What this test observes"; publisher "Tests"; date 2026-11-01; }'


@cache
def asked(statements: str = "", observed: str = "", server: str = SERVER) -> PlanQuestions:
    """What the plan of a server asks, with these statements, if settings can be observed like that."""
    block = f"{SOURCE}\nobserve of seen-here {{ {observed} }}" if observed else ""
    program = read_text(f"{server} {statements}\n{block}")
    knowledge = knowledge_for(program)
    (done,) = planned(program, knowledge)
    assert done.plan is not None, done.findings
    return questions(done.plan, with_these_only(knowledge))


def with_these_only(knowledge: Knowledge) -> Knowledge:
    """The knowledge base with the observations of the test, and none of the library."""
    observations = {
        name: tuple(one for one in each if one.citation.source == "seen-here")
        for name, each in knowledge.observations.items()
    }
    unseen = {
        name: tuple(one for one in each if one.citation.source == "seen-here")
        for name, each in knowledge.unseen.items()
    }
    return knowledge._replace(observations=observations, unseen=unseen)


def host(places: Mapping[str, str | Mapping[str, str]], unread: dict[str, str] | None = None) -> Capture:
    """A capture of a host with these readings."""
    return Capture(
        "c042", Readings({place: readings(found) for place, found in places.items()}, unread or {}), None
    )


def verdict(setting: str, plan: PlanQuestions, capture: Capture) -> SettingVerdict:
    """The verdict on a setting."""
    (found,) = (each for each in verdicts(plan, capture).verdicts if each.setting == setting)
    return found
