"""Ask a capture the questions of a plan: one verdict for each setting."""

from setpoint.compiler.captures.model import Capture
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.blame import Authors
from setpoint.compiler.verification.configured import Configured, configured, foreign
from setpoint.compiler.verification.firmware import configured_values, firmware_verdict, with_locks
from setpoint.compiler.verification.host import Host
from setpoint.compiler.verification.live import NOTHING, InEffect, best_way
from setpoint.compiler.verification.model import (
    DIFFERS,
    INCONSISTENT,
    NOT_APPLICABLE,
    OK,
    UNREADABLE,
    UNRESOLVED,
    HostVerdicts,
    SettingVerdict,
)
from setpoint.compiler.verification.observed import Sighting, sighting
from setpoint.compiler.verification.questions import PlanQuestions, SettingQuestion
from setpoint.compiler.verification.system import boot_verdict, system_verdict, unseen_verdict

GUEST = "hypervisor"
"""The processor flag of virtual machines."""

IN_A_GUEST = "a virtual machine does not show the firmware of its server"
NO_SIGHTING = Sighting(NOTHING)
NO_HOST = "the capture has nothing of the host"


class ServerSides(NamedTuple):
    """The sides of a captured server: the host with what wrote its files, None without one, and the controller."""

    name: str
    host: Host | None
    authors: Authors | None
    controller: Configured


def sides(capture: Capture) -> ServerSides:
    """The sides of the server of a capture."""
    host = Host(capture.host) if capture.host else None
    return ServerSides(capture.name, host, Authors(host) if host else None, configured(capture.controller))


def verdicts(questions: PlanQuestions, capture: Capture) -> HostVerdicts:
    """The verdicts on the server of a capture."""
    return verdicts_on(questions, sides(capture))


def verdicts_on(questions: PlanQuestions, server: ServerSides) -> HostVerdicts:
    """The verdicts on a server whose sides are known."""
    controller = server.controller
    judged = [verdict(question, server) for question in questions.settings]
    values = configured_values(questions.plan, controller)
    judged = [with_locks(questions.plan, of_setting, values) for of_setting in judged]
    planned = {
        attribute.name: attribute.value
        for question in questions.settings
        for attribute in question.attributes
    }
    notes = (*foreign(controller, planned), *controller.jobs)
    return HostVerdicts(server.name, questions.plan.policy, tuple(judged), notes)


def verdict(question: SettingQuestion, server: ServerSides) -> SettingVerdict:
    """The verdict on a setting of a server, without what locks it."""
    _, host, authors, controller = server
    decision, asked = question.decision, question.observed
    if decision.layer == "firmware":
        if host is not None and GUEST in host.flags:
            return question.verdict(NOT_APPLICABLE, IN_A_GUEST)
        shown = sighting(host, asked, decision.value) if host is not None else NO_SIGHTING
        return firmware_verdict(question, controller, shown)
    if host is None or authors is None:
        return question.verdict(UNREADABLE, NO_HOST)._replace(change="capture the host as well")
    if not (question.words or question.ways or asked.observations):
        return unseen_verdict(question)
    seen = best_way(host, question.ways)
    if not question.is_leftover:
        seen = together(seen, sighting(host, asked, decision.value).seen)
    return boot_verdict(question, host, seen) if question.words else system_verdict(question, authors, seen)


def together(written: InEffect, effect: InEffect) -> InEffect:
    """What the places where a setting is written and observed show: the observed effect counts more.

    An effect that does not count here, as where something else owns the value, leaves open what the written value does.
    """
    if effect.state in (DIFFERS, INCONSISTENT) or (effect.state == UNRESOLVED and written.state == OK):
        readings = tuple(dict.fromkeys((*effect.readings, *written.readings)))
        return effect._replace(found=effect.found or written.found, readings=readings)
    if written.state == NOT_APPLICABLE:
        return effect if effect.state != NOT_APPLICABLE or effect.why else written
    return written
