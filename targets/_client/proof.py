"""A server that restarts: when what was staged is over, and what proves that the server restarted.

A controller accepts a restart that an operating system then ignores. Proof is a staged value that is now in effect, or that the settings
resource does not have any more; a later time of the last reset or of the last change; a server that was off and is on; a job that was
carried out or is at work, since that happens at a start alone. A value that `Bios` showed before the restart proves nothing when it shows it
again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from setpoint.targets._client.server import (
    UNSUCCESSFUL,
    Server,
    Times,
    job_words,
    part,
    same,
    without,
)
from setpoint.targets._client.wire import Answer, Document

LATE = 3
"""How many readings find no job where one was announced before it counts as gone: it can be there late (openstack/sushy, fix-dell-bmc-404-race-condition)."""


@dataclass
class Before:
    """A server before its restart: what it had staged, the jobs to wait for, its times and its power."""

    own: Document = field(default_factory=dict)
    once: list[str] = field(default_factory=list)
    awaited: list[str] = field(default_factory=list)
    times: Times = field(default_factory=Times)
    power: str = "On"


class Watch:
    """A server that restarts: what its readings prove so far. A reading that fails proves nothing."""

    def __init__(self, server: Server, before: Before, proven: bool, task: str = "") -> None:
        self.server = server
        self.before = before
        self.proven = proven
        self.task = task  # of the restart
        self.failed = ""
        self.over = self.taken = False
        self.jobs: dict[str, Document] = {}
        self.unread: dict[str, Answer] = {}
        self.absent: dict[str, int] = {}
        self.system = Answer("")
        self._was_off = before.power == "Off"
        # What is listed as staged, and then is not, was taken, though `Bios` showed it before.
        self._listed = [name for name in before.own if name in server.reading.staged]
        # What `Bios` shows already proves nothing when it shows it again.
        self._new = without(before.own, server.reading.attributes)

    @property
    def unfinished(self) -> list[Document]:
        """The jobs that are not over."""
        return [job for job in self.jobs.values() if not self.server.words.is_over(job)]

    @property
    def unsuccessful(self) -> list[Document]:
        """Those that have not succeeded."""
        return [job for job in self.jobs.values() if self.server.words.has_failed(job)]

    def look(self) -> None:
        """Look once."""
        ended = self._look_at_jobs() if self.before.awaited else self._look_at_settings()
        self.system = self.server.service.read(self.server.path, 0)
        if self.system.good:
            self.server.system = self.system.document
            self._was_off = self._was_off or self.server.power == "Off"
            if self._was_off and self.server.power == "On":
                self.proven = True
        times = self.server.times
        if times.later(self.before.times):
            self.proven = True
            self.taken = self.taken or bool(
                self.before.times.applied and times.applied != self.before.times.applied
            )
        if self.task and not self.proven:
            task = self.server.service.read(self.task, 0).document
            self.failed = job_words(task) if task.get("TaskState") in UNSUCCESSFUL else ""
        self.over = ended or (
            self.proven and not self.before.awaited and not self.before.own and not self.before.once
        )

    def _look_at_jobs(self) -> bool:
        """Whether all jobs are over. One that was carried out, or is at work, proves a restart: that happens at a start alone."""
        for place in self.before.awaited:
            if self.server.words.is_over(self.jobs.get(place, {})):
                continue
            answer = self.server.service.read(place, 0)
            self.unread.pop(place, None)
            if answer.good and answer.document.get("JobState"):
                self.jobs[place] = answer.document
                if self.server.words.has_begun(answer.document):
                    self.proven = True
            elif answer.status == 404 and (place in self.jobs or self.absent.setdefault(place, LATE) == 0):
                self.jobs.pop(place, None)
            else:
                self.absent[place] = self.absent.get(place, 1) - (answer.status == 404)
                self.unread[place] = answer
        return not self.unread and not self.unfinished

    def _look_at_settings(self) -> bool:
        """Without jobs: any staged value that is now in effect, or is not staged any more, is proof. Whether all of them are in effect."""
        bios = self.server.service.read(self.server.bios_path, 0)
        settings = self.server.staged(0)
        if bios.good:
            self.server.reading.bios = bios.document
        now = self.server.reading.attributes if bios.good else {}
        gone = (settings.good or settings.status == 404) and not self.server.unshown
        staged = part(settings.document, "Attributes") if settings.good else None
        rest = staged if isinstance(staged, dict) else {}
        taken = [name for name, value in self._new.items() if same(now.get(name), value)]
        if bios.good and gone:
            wanted = {
                **self._new,
                **{name: self.before.own[name] for name in self.before.once if name in self.before.own},
            }
            taken += [name for name, value in wanted.items() if not same(rest.get(name), value)]
            taken += [name for name in self._listed if name not in rest]
        if taken:
            self.proven = self.taken = True
        return bool(self.proven and bios.good and not without(self.before.own, now)) or bool(
            taken and gone and not without(rest, now)
        )
