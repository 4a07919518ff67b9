"""What a plan does to captured servers, before anything is done: what changes there, with or without a restart, what is
right already, and what is there that the plan does not want or does not touch.

The rows are made of verdicts (`verdicts`), whose three readings they show side by side, and of what no verdict is
about: values of somebody else that wait for the next restart, and what an earlier plan or a hand has left where the
plan has no value of its own. Rows with the same content are one, with their servers: a fleet has few causes.
"""

from collections.abc import Iterator, Mapping

from setpoint.compiler.captures.model import Capture
from setpoint.compiler.knowledge.interfaces import value_text
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.blame import ACTIVE_PROFILE, SITE_SYSCTL_FOLDERS, SYSCTL_LAST
from setpoint.compiler.verification.boot import ABSENT, argument
from setpoint.compiler.verification.configured import Configured, foreign_values
from setpoint.compiler.verification.host import BOOT_LINE, NEXT_BOOT, Host
from setpoint.compiler.verification.model import (
    CONFIGURED,
    DIFFERENCES,
    IN_EFFECT,
    LOCKED,
    NOT_APPLICABLE,
    OK,
    PENDING,
    UNDECIDED,
    SettingVerdict,
)
from setpoint.compiler.verification.questions import ARGUMENT, PlanQuestions
from setpoint.compiler.verification.texts import is_same
from setpoint.compiler.verification.verdicts import ServerSides, sides, verdicts_on

CHANGES, WAITS, FOREIGN, LEFT_OVER, UNKNOWN, RIGHT = KINDS = (
    "changes", "pending", "foreign", "left-over", "not-known", "right",
)  # fmt: skip
"""What becomes of what was found: the plan writes it; it waits for a restart; somebody else has staged it; nothing
writes it, and it is not as the plan assumes; the capture does not show it; it is as planned."""

OWN_SYSCTLS = (*SITE_SYSCTL_FOLDERS, SYSCTL_LAST)
"""Where files of sysctls lie that are not of a package."""

PROFILE = "setpoint-"
"""How the names of tuned profiles begin that artifacts write; the policy follows."""

TUNED = "tuned profile"
"""What is no setting of its own: the active profile."""

LONGEST = 120
"""How many characters of a text a row shows."""


class FoundValue(NamedTuple):
    """A row of one of KINDS on a server, beside what the plan wants, of a setting, or of what `name` says.

    `configured`, `pending`, `in_effect` and `wanted` are in the words of the system; the first three are None if they
    are not known, or nothing waits, and `wanted` if the plan has no value. `value` is the planned one as in a policy.
    `restart` says whether the planned value comes into effect by a restart, `locked` whether another setting does not
    let it be written now.
    """

    kind: str
    name: str
    setting: str
    layer: str
    configured: str | None
    pending: str | None
    in_effect: str | None
    wanted: str | None
    value: str = ""
    restart: bool = False
    locked: bool = False
    why: str = ""
    decided_by: str = ""


class ServerChanges(NamedTuple):
    """What a plan does to one server, by the plan's `facts`, and `notes` about the server, such as open jobs."""

    host: str
    policy: str
    facts: tuple[tuple[str, str], ...]
    values: tuple[FoundValue, ...]
    notes: tuple[str, ...]


class SpelledNames:
    """The settings that names of interfaces belong to, wherever the knowledge base spells them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._settings: dict[tuple[str, str], list[str]] = {}
        for setting, spellings in knowledge.spellings.items():
            for name in {(s.interface, _plain(s.interface, name)) for s in spellings for name in s.names}:
                self._settings.setdefault(name, []).append(setting)

    def of(self, interface: str, name: str) -> tuple[str, ...]:
        """The settings that a name belongs to; () if the knowledge base does not have it."""
        return tuple(self._settings.get((interface, _plain(interface, name)), ()))


def _plain(interface: str, name: str) -> str:
    return name.replace("-", "_") if interface == ARGUMENT else name


def changes(asked: PlanQuestions, capture: Capture, names: SpelledNames) -> ServerChanges:
    """What the plan of these questions, those about all that it assumes, does to the server of a capture."""
    server = sides(capture)
    judged, plan = verdicts_on(asked, server), asked.plan
    rows = [_of_verdict(plan, verdict) for verdict in judged.verdicts]
    known = {decision.setting for decision in plan.written}
    known |= {row.setting for row in rows if row is not None and row.kind in (CHANGES, WAITS, LEFT_OVER)}
    rows += _staged(asked, server.controller)
    if server.host is not None:
        rows += _next_words(asked, server.host, names)
    rows += _left_over(asked, server, names, known)
    values = sorted((row for row in rows if row is not None), key=lambda row: KINDS.index(row.kind))
    facts = tuple((fact.name, fact.value) for fact in plan.facts)
    return ServerChanges(capture.name, plan.policy, facts, tuple(values), server.controller.jobs)


def _of_verdict(plan: Plan, verdict: SettingVerdict) -> FoundValue | None:
    """The row of a verdict; None where there is nothing to set, or nothing contradicts an assumed value."""
    decision = plan.setting(verdict.setting)
    if verdict.state == NOT_APPLICABLE or decision is None:
        return None
    if not _is_written(decision) and verdict.state not in DIFFERENCES:
        return None
    by_kind: dict[str, list[str]] = {}
    for reading in verdict.readings:
        by_kind.setdefault(reading.kind, []).append(reading.text)
    configured_texts, effect = by_kind.get(CONFIGURED, []), by_kind.get(IN_EFFECT, [])
    if not configured_texts and not effect and verdict.found is not None:
        effect = [verdict.found]
    kind = _kind(decision, verdict)
    return FoundValue(
        kind,
        verdict.setting,
        verdict.setting,
        verdict.layer,
        _together(configured_texts),
        verdict.pending,
        _together(effect),
        verdict.wanted,
        verdict.value,
        restart=kind in (CHANGES, WAITS) and (decision.reboot or kind == WAITS),
        locked=verdict.state == LOCKED,
        why=verdict.reason,
        decided_by=verdict.decided if verdict.state in DIFFERENCES else "",
    )


def _together(texts: list[str]) -> str | None:
    return ", ".join(dict.fromkeys(texts))[:LONGEST] if texts else None


def _is_written(decision: Decision) -> bool:
    """Whether artifacts bring a server to a value; they also remove boot arguments at the kernel's default."""
    return decision.unwritten != "default" or decision.layer == "boot"


def _kind(decision: Decision, verdict: SettingVerdict) -> str:
    """What becomes of a setting."""
    if verdict.state == OK:
        return RIGHT
    if verdict.state in UNDECIDED:
        return UNKNOWN
    if not _is_written(decision):
        return LEFT_OVER
    return WAITS if verdict.state == PENDING else CHANGES


def _staged(asked: PlanQuestions, controller: Configured) -> Iterator[FoundValue]:
    """Attributes that are staged with a value that the plan does not want."""
    attributes = {
        attribute.name: (question, attribute)
        for question in asked.settings
        for attribute in question.attributes
    }
    planned = {name: attribute.value for name, (_, attribute) in attributes.items()}
    for name, now, staged in foreign_values(controller, planned):
        setting = attributes[name][0].decision.setting if name in attributes else ""
        wanted = value_text(planned[name]) if name in planned else None
        before = None if now is None else value_text(now)[:LONGEST]
        after = value_text(staged)[:LONGEST]
        yield FoundValue(FOREIGN, name, setting, "firmware", before, after, None, wanted)


def _next_words(asked: PlanQuestions, host: Host, names: SpelledNames) -> Iterator[FoundValue]:
    """Known arguments that the next boot entry has, and neither the running line nor the plan."""
    now, after = host.boot_line or {}, host.next_line or {}
    decided = {_plain(ARGUMENT, word.name) for question in asked.settings for word in question.words}
    for name, texts in sorted(after.items()) if host.boot_line is not None else ():
        settings = names.of(ARGUMENT, name)
        if (
            settings
            and name not in decided
            and now.get(name) != texts
            and not _is_planned(asked, name, texts)
        ):
            word = argument(name, texts[-1])[:LONGEST]
            before = argument(name, now[name][-1])[:LONGEST] if name in now else ABSENT
            yield FoundValue(
                FOREIGN, name, settings[0], "boot", before, word, None, None, why=f"{NEXT_BOOT} has it"
            )


def _left_over(
    asked: PlanQuestions, server: ServerSides, names: SpelledNames, known: set[str]
) -> Iterator[FoundValue]:
    """What an earlier plan or a hand has set without a verdict: boot arguments, files of sysctls, a tuned profile."""
    host, authors = server.host, server.authors
    if host is None or authors is None:
        return
    decided = {_plain(ARGUMENT, word.name) for question in asked.settings for word in question.words}
    for name, texts in sorted((host.boot_line or {}).items()):
        settings = names.of(ARGUMENT, name)
        if settings and name not in decided and not _is_planned(asked, name, texts):
            word = argument(name, texts[-1])[:LONGEST]
            is_gone = host.next_line is not None and name not in host.next_line
            pending = ABSENT if is_gone else None
            yield FoundValue(
                LEFT_OVER, name, settings[0], "boot", word, pending, None, None, decided_by=BOOT_LINE
            )
    for place, interface, name, text in authors.assignments:
        settings = names.of(interface, name)
        if not settings or not place.startswith(OWN_SYSCTLS) or known & {*settings}:
            continue
        if not _is_planned(asked, name, (text,), interface):
            yield FoundValue(
                LEFT_OVER, name, settings[0], "os", text[:LONGEST], None, None, None, decided_by=place
            )
    yield from _profile(asked.plan, host)


def _profile(plan: Plan, host: Host) -> Iterator[FoundValue]:
    """The active tuned profile, if it is not the plan's; it stays if the plan writes nothing that a profile has."""
    active = " ".join((host.text(ACTIVE_PROFILE) or "").split())
    mine = f"{PROFILE}{plan.policy}"
    if not active or active == mine:
        return
    replaced = any(decision.layer == "os" and decision.spelled_in("tuned") for decision in plan.written)
    kind = CHANGES if replaced else LEFT_OVER
    why = "" if replaced else "the plan has no profile to replace it"
    shown = active[:LONGEST]
    yield FoundValue(kind, TUNED, "", "os", shown, None, None, mine if replaced else None, why=why)


def _is_planned(asked: PlanQuestions, name: str, texts: tuple[str, ...], interface: str = ARGUMENT) -> bool:
    """Whether a name has the text with which the plan has the value that it decides or assumes."""
    return any(
        _plain(interface, spelling) == name
        and not spelled.is_absent
        and is_same(texts[-1], spelled.text or "")
        for decision in asked.plan.settings
        for spelled in decision.spelled_in(interface)
        for spelling in spelled.names
    )


# ------------------------------------------------------------------------------------ many servers


class FoundOnServers(NamedTuple):
    """A row, and the servers that have it, in their order."""

    value: FoundValue
    hosts: tuple[str, ...]


class ChangesOfServers(NamedTuple):
    """What plans do to servers. `hosts` has the policy of each, `classes` those of the same policy with the same facts.

    `rows` are in the order of KINDS, those of most servers first; `notes` has each note with its servers.
    """

    hosts: Mapping[str, str]
    classes: Mapping[tuple[str, tuple[tuple[str, str], ...]], tuple[str, ...]]
    rows: tuple[FoundOnServers, ...]
    notes: Mapping[str, tuple[str, ...]]

    def of(self, kind: str, restart: bool | None = None) -> tuple[FoundOnServers, ...]:
        """The rows of a kind; of those that change, those with a restart, or without."""
        return tuple(
            row
            for row in self.rows
            if row.value.kind == kind and (restart is None or row.value.restart is restart)
        )

    def number(self, kind: str, restart: bool | None = None) -> int:
        """The number of servers that have something of a kind."""
        return len({host for row in self.of(kind, restart) for host in row.hosts})


class GroupedChanges:
    """Takes what a plan does to one server after the other."""

    def __init__(self) -> None:
        self._hosts: dict[str, str] = {}
        self._classes: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
        self._rows: dict[FoundValue, list[str]] = {}
        self._notes: dict[str, list[str]] = {}

    def add(self, server: ServerChanges) -> None:
        """Add a server."""
        self._hosts[server.host] = server.policy
        self._classes.setdefault((server.policy, server.facts), []).append(server.host)
        for row in server.values:
            self._rows.setdefault(row, []).append(server.host)
        for note in server.notes:
            self._notes.setdefault(note, []).append(server.host)

    def whole(self) -> ChangesOfServers:
        """All servers."""
        rows = [FoundOnServers(row, tuple(hosts)) for row, hosts in self._rows.items()]
        rows.sort(key=lambda row: (KINDS.index(row.value.kind), -len(row.hosts)))
        return ChangesOfServers(
            self._hosts,
            {key: tuple(hosts) for key, hosts in self._classes.items()},
            tuple(rows),
            {note: tuple(hosts) for note, hosts in self._notes.items()},
        )
