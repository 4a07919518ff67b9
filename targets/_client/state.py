"""What a server has, beside what its plan wants: what is in effect, what waits, what can be staged now, and why the rest is not.

A value is in effect when `Bios` shows it, nothing stages it, no job is open that hides what it carries, and the journal does not know
better: services exist that show a staged value in `Bios` at once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from setpoint.targets._client.journal import Journal
from setpoint.targets._client.server import (
    AT_WORK,
    JOB_DONE,
    Reading,
    job_words,
    pairs,
    same,
    shown,
    without,
)
from setpoint.targets._client.wire import Document

RESULTS = ("setting", "layer", "wanted", "found", "pending", "state", "reason")


@dataclass
class Permissions:
    """What a run may do beside what is its own."""

    foreign_settings: bool = False
    foreign_jobs: bool = False
    reboot: bool = False
    force: bool = False
    power_on: bool = False


@dataclass(frozen=True)
class Opening:
    """How a message opens that says why a run ends: before it has asked for anything, and before it has staged anything."""

    changed: str = "Nothing was changed"
    staged: str = "Nothing was staged"


@dataclass
class Wanted:
    """What is asked of a run.

    Attributes:
        plan: The BIOS part of the plan's data.
        name: The plan's name.
        reports: What the service must report of the server: `product`, `processor` and `sockets`.
        pass_over: What of `product`, `processor`, `sockets` and `server` is told if it differs, and required of no server.
        may: The permissions.
        through_bmc: Whether a restart goes through the service.
        dry: Whether nothing is changed.
        back: Whether the values from before the plan are restored.
        retries: How often the end of a job, or of a restart, is looked for again.
        delay: Seconds between these readings.
        opening: How a message opens that says why the run ends.
        restarted: Whether somebody knows that the server has restarted since the last run.
        uuid: The host's own UUID; "" if it is not known.
        claims: A folder with a file for each server that a host has been found to be; None not to compare hosts with each other.
        host: The name of the host.
        journals: A folder that has the journal of each server, by its UUID; None if it is known where that of this one is.
    """

    plan: Document
    name: str = ""
    reports: Document = field(default_factory=dict)
    pass_over: Collection[str] = ()
    may: Permissions = field(default_factory=Permissions)
    through_bmc: bool = True
    dry: bool = False
    back: bool = False
    retries: int = 60
    delay: float = 30
    opening: Opening = Opening()
    restarted: bool = False
    uuid: str = ""
    claims: Path | None = None
    host: str = ""
    journals: Path | None = None


@dataclass
class State:
    """A reading of a server, beside its plan.

    Attributes:
        plan: The BIOS part of the plan's data: `first`, `write`, `fixed`, `along`, `opens`, `locks`, `assumed`, `once`.
        reading: What was read.
        has_jobs: Whether a job carries out what is staged.
        journal: What is kept of the server.
        may: The permissions.
        back: Whether the values from before the plan are restored.
    """

    plan: Document
    reading: Reading
    has_jobs: bool
    journal: Journal
    may: Permissions
    back: bool = False

    def __post_init__(self) -> None:
        given = self.plan
        self.written: Document = {**given["first"], **given["write"]}
        self.expected: Document = {**self.written, **given["fixed"]}
        self.once: Document = {
            name: value for action in given.get("once") or [] for name, value in action["attributes"].items()
        }
        looked_at = looked_at_in(given)
        now = self.reading.attributes
        self.current: Document = {name: value for name, value in now.items() if name in looked_at}
        staged = self.reading.staged if self.has_jobs else without(self.reading.staged, now)
        early = {name: value for name, value in self.journal.early.items() if same(now.get(name), value)}
        self.pending: Document = {**early, **without(self.journal.unseen, now), **staged}
        self.open_jobs = self.reading.open_jobs
        self.running_jobs = [job for job in self.open_jobs if job.get("JobState") in AT_WORK]

    # -------------------------------------------------------------------------------------------- what is staged

    @property
    def opened(self) -> Document:
        """What is written so that attributes that go first can be."""
        first = self.first_waiting
        return {
            opening["governor"]: opening["value"]
            for opening in self.plan["opens"]
            if opening["attribute"] in first
        }

    @property
    def foreign(self) -> Document:
        """What is staged and neither what the plan has nor what a run or an undo of this client has staged."""
        rest = self.pending
        ours = [self.expected, self.once, self.opened]
        ours += [self.journal.changes, self.journal.opened] if self.back else [self._put_back]
        ours += [self.journal.early, self.journal.unseen]
        for values in ours:
            rest = without(rest, values)
        return rest

    @property
    def _put_back(self) -> Document:
        """What an undo has staged, and is not known to be in effect."""
        return self.journal.attributes if self.journal.back == "staged" else {}

    @property
    def own(self) -> Document:
        """The rest of what is staged."""
        return without(self.pending, self.foreign)

    @property
    def in_effect(self) -> Document:
        """What is in effect for certain. Where a job is open and nothing is seen to be staged, that is nothing."""
        if self.open_jobs and not self.pending and not self.may.foreign_jobs:
            return {}
        return {name: value for name, value in self.current.items() if name not in self.pending}

    @property
    def next(self) -> Document:
        """What the server has after the next restart."""
        return {**self.current, **self.pending}

    # ---------------------------------------------------------------------------------------------- what is wanted

    @property
    def differing(self) -> list[str]:
        """What of the end state is not in effect."""
        return list(without(self.expected, self.in_effect))

    @property
    def reached(self) -> str:
        """How far the end state is reached: "in effect", "staged", or ""."""
        if not self.differing:
            return "in effect"
        return "" if without(self.expected, self.next) else "staged"

    @property
    def still_replaced(self) -> Document:
        """What earlier runs of this plan have replaced and no undo has brought back: after one that is not known to be in effect, what
        waits, and what is as in the plan all the same."""
        journal = self.journal
        if journal.changes != self.expected or journal.back == "in effect":
            return {}
        wrong = without(self.expected, self.next)
        kept = journal.attributes
        return {
            name: kept[name] for name in kept if not journal.back or name in self.pending or name not in wrong
        }

    @property
    def stuck(self) -> list[str]:
        """What of it others set, which are as they should be: this BIOS sets it otherwise."""
        differing = self.differing
        along = {follower["attribute"] for follower in self.plan["along"]}
        coming = {
            follower["attribute"] for follower in self.plan["along"] if follower["governor"] in differing
        }
        return [name for name in differing if name in along and name not in coming]

    @property
    def waiting(self) -> list[str]:
        """What is to be written and not in effect."""
        stuck = self.stuck
        return [name for name in self.differing if name in self.written and name not in stuck]

    @property
    def first_waiting(self) -> list[str]:
        """What of it must be in effect before the rest is written."""
        return [name for name in self.waiting if name in self.plan["first"]]

    @property
    def first_stage(self) -> Document:
        """What to stage of that, with what lets it be written."""
        first = self.first_waiting
        return {**{name: self.plan["first"][name] for name in first}, **self.opened}

    @property
    def unknown(self) -> list[str]:
        """What is to be written that this server does not have."""
        return [name for name in self.written if name not in self.current]

    @property
    def otherwise(self) -> list[str]:
        """What the plan leaves alone and takes to be otherwise than it is."""
        known = {name: value for name, value in self.plan["assumed"].items() if name in self.current}
        return list(without(known, self.next))

    def locked(self, wanted: Document, along: Document | None = None) -> list[str]:
        """Which of the attributes to be staged are locked where the request leads, in sentences."""
        after = {**self.next, **(along or {}), **wanted}
        told = []
        for lock in self.plan["locks"]:
            need, bar = lock.get("is"), lock.get("is_not")
            lacks = need is not None and not _holds(after, need)
            barred = bar is not None and _holds(after, bar)
            if lacks or barred:
                told += [words_of(name, lock) for name in lock["attributes"] if name in wanted]
        return told

    @property
    def once_pending(self) -> list[str]:
        """What performs a one-time action and is staged."""
        return [
            name
            for name, value in self.once.items()
            if name in self.pending and same(self.pending[name], value)
        ]

    @property
    def waits(self) -> bool:
        """Whether anything waits for a restart."""
        once = bool(self.once_pending) and not self.back
        return bool(self.waiting or once or (self.open_jobs and not self.may.foreign_jobs))

    # ------------------------------------------------------------------------------------------------- in words

    def seen(self, name: str) -> str:
        """A value that the server has, or is to have, in words."""
        values = self.next
        waits = " (staged)" if name in self.pending else ""
        return f"{shown(values[name])}{waits}" if name in values else "not there"

    def change(self, wanted: Document) -> list[str]:
        """How attributes would change."""
        return [f"{name}: {self.seen(name)} -> {shown(value)}" for name, value in wanted.items()]

    def wrong(self, wanted: Document) -> list[str]:
        """How attributes differ."""
        return [
            f"{name}: {self.seen(name)}, wanted {shown(value)}"
            for name, value in without(wanted, self.next).items()
        ]

    @property
    def jobs_told(self) -> str:
        """The jobs that are open."""
        return "; ".join(map(job_words, self.open_jobs))

    @property
    def stuck_told(self) -> str:
        """What is stuck, with what sets it."""
        return "; ".join(
            f"{name}: {self.seen(name)}, wanted {shown(self.expected[name])}, set by {self.set_by(name)}"
            for name in self.stuck
        )

    def set_by(self, name: str) -> str:
        """What sets an attribute."""
        return next(
            (str(follower["governor"]) for follower in self.plan["along"] if follower["attribute"] == name),
            "",
        )

    @property
    def notes(self) -> list[str]:
        """What was found beside the settings."""
        told = []
        wrong = self.wrong(self.expected)
        ended = [
            job
            for job in self.reading.bios_jobs
            if isinstance(job.get("CompletionTime"), str) and job not in self.open_jobs
        ]
        ended.sort(key=lambda job: str(job["CompletionTime"]))
        if wrong and ended and ended[-1].get("JobState") != JOB_DONE:
            told.append(f"The last BIOS job: {job_words(ended[-1])}")
        if wrong and self.reading.last_words:
            told.append(f"What the service says of the last change: {' '.join(self.reading.last_words)}")
        if self.foreign and not self.may.foreign_settings:
            told.append(f"Staged by somebody else: {pairs(self.foreign)}.")
        if self.open_jobs and (self.own or not self.may.foreign_jobs):
            told.append(f"BIOS jobs that are open: {self.jobs_told}")
        return told

    @property
    def reasons(self) -> str:
        """Why the plan is not in effect, in sentences; "" where it is."""
        told = []
        wrong = self.wrong(self.expected)
        if wrong:
            told.append(
                f"Not as {'before the policy' if self.back else 'the policy has it'}: {'; '.join(wrong)}."
            )
        if self.stuck:
            told.append(
                f"Set by what locks it, which is as the policy has it, and cannot be written: {self.stuck_told}. This BIOS sets it"
                " otherwise than the one that the policy was compiled for."
            )
        if self.first_waiting and wrong:
            first, rest, run = ", ".join(self.first_waiting), "the rest of the policy", "site.yml"
            if self.back:
                rest, run = "what was set before the policy", "rollback.yml"
            told.append(f"To be set in a restart of its own, since {rest} locks it: {first}. Run {run}.")
        own = f"Staged, and in effect only {self.when}: {pairs(self.own)}." if self.own else ""
        if own and self.has_jobs and not self.open_jobs:
            own += f" No job waits to do that: run {'rollback.yml' if self.back else 'site.yml'}."
        notes = self.notes
        before = [note for note in notes if not note.startswith(("Staged by", "BIOS jobs"))]
        return " ".join(
            [*told, *before, *filter(None, [own]), *(note for note in notes if note not in before)]
        )

    @property
    def when(self) -> str:
        """When what is staged takes effect."""
        return "when a job has carried it out at a restart" if self.has_jobs else "after a restart"

    def results(self) -> list[dict[str, Any]]:
        """A result for each attribute of the end state, as in form setpoint.verify/1."""
        return [self._result(name, wanted) for name, wanted in self.expected.items()]

    def _result(self, name: str, wanted: object) -> dict[str, Any]:
        jobs = self.jobs_told or (
            "no job waits to carry it out" if self.has_jobs else "it waits for a restart"
        )
        has, waits, by = self.current.get(name), self.pending.get(name), self.set_by(name)
        now: object = None
        pending: object = None
        if name not in self.current:
            state, reason = "differs", f"this server's BIOS has no {name}"
        elif name in self.pending and same(waits, wanted):
            state, pending, reason = "pending", wanted, f"{name} is staged; {jobs}"
        elif name in self.pending:
            who = "somebody else" if name in self.foreign else "an earlier run, or an undo,"
            state, pending, reason = "differs", waits, f"{name}: {who} has staged {shown(waits)}"
        elif name not in self.in_effect:
            state, reason = (
                "unreadable",
                f"{name} is shown as {shown(has)}, and a BIOS job is open that may set it: {jobs}",
            )
        elif same(has, wanted):
            state, now, reason = "ok", wanted, name
        elif by in self.pending and same(self.pending[by], self.expected.get(by)):
            state, now, pending, reason = (
                "pending",
                has,
                wanted,
                f"{name} comes with {by}, which is staged; {jobs}",
            )
        elif name in self.stuck:
            state, now, reason = "locked", has, f"{name} is fixed by {by}"
        else:
            other = " has another type on this server" if shown(has) == shown(wanted) else ""
            state, now, reason = "differs", has, f"{name}{other}"
        return result(self.plan, name, wanted, now, pending, state, reason)


def restored(plan: Document, journal: Journal) -> Document:
    """The plan that brings back what the journal has.

    What is locked then is not written: the firmware sets it along with its lock. What it leaves alone instead (`again`) is set first,
    with values of what locks it that let it be written.
    """
    before = journal.attributes
    again = {name: before[name] for name in journal.again if name in before}
    along = [
        {"attribute": name, "governor": need["key"]}
        for lock in plan["locks"]
        for need in (condition(lock),)
        if need["key"] in before and _holds(before, need) != ("is" in lock)
        for name in lock["attributes"]
        if name not in again
    ]
    locked = {follower["attribute"] for follower in along}
    return {
        **plan,
        "first": again,
        "write": {name: value for name, value in before.items() if name not in locked and name not in again},
        "fixed": {name: value for name, value in before.items() if name in locked},
        "along": along,
        "opens": [
            {"attribute": name, "governor": governor, "value": value}
            for name in again
            for governor, value in journal.again[name].items()
        ],
        "assumed": {},
        "others": looked_at_in(plan),
    }


def looked_at_in(plan: Document) -> set[str]:
    """What is looked at for a plan: what it writes, performs, takes to be so, what locks something, and `others` in a plan that goes back."""
    actions = [action["attributes"] for action in plan.get("once") or []]
    parts = (plan["first"], plan["write"], plan["fixed"], *actions, plan["assumed"], plan.get("others", ()))
    return {name for part in parts for name in part} | {condition(lock)["key"] for lock in plan["locks"]}


def condition(lock: Document) -> Document:
    """What a lock looks at: while it is so (`is`), or is not (`is_not`), the lock is open."""
    need: Document = lock.get("is") or lock["is_not"]
    return need


def words_of(name: str, lock: Document) -> str:
    """When an attribute with this lock can be written, in a sentence."""
    need, unless = condition(lock), "" if "is" in lock else "not "
    return f"{name} can be written only while {need['key']} is {unless}{shown(need['value'])}"


def kept_by_its_lock(state: State) -> dict[str, Document]:
    """What an undo can set in a restart of its own, with the values of what locks it that let it be written.

    A profile does not set all that it locks: what was set before the profile was chosen stays as it was. So what locks such an attribute is
    as it was before, and the attribute is not.
    """
    settable = {}
    for name in state.stuck:
        locks = [lock for lock in state.plan["locks"] if name in lock["attributes"]]
        barring = [lock["is_not"] for lock in locks if "is_not" in lock]
        needed = [lock["is"] for lock in locks if "is" in lock]
        governors = [need["key"] for need in barring if _holds(state.next, need)]
        opening = [lock["is"] for lock in state.plan["locks"] if lock.get("is", {}).get("key") in governors]
        values = {need["key"]: need["value"] for need in (*opening, *needed)}
        if values and not state.locked({name: state.expected[name], **values}):
            settable[name] = values
    return settable


def _holds(values: Document, need: Document) -> bool:
    """Whether a condition holds: an entry with `key` and `value` is among the values."""
    return need["key"] in values and same(values[need["key"]], need["value"])


def result(
    plan: Document, name: str, wanted: object, now: object, pending: object, state: str, reason: str
) -> dict[str, Any]:
    """A line of the report."""
    setting = plan["settings"].get(name, name)
    texts = [None if value is None else shown(value) for value in (wanted, now, pending)]
    return dict(zip(RESULTS, (setting, "firmware", *texts, state, reason), strict=True))
