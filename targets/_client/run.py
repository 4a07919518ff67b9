"""A run for one server: is it the right one, what is to be staged, the restart and its proof, the way back.

What a service reports is believed only when a reading shows it. Each way in which a run can end before its goal is a `StopError`, whose text
says what was changed before it.
"""

from __future__ import annotations

import time

from setpoint.targets._client.identity import claim, other_firmware, require_kind, require_same, uuids
from setpoint.targets._client.journal import Journal
from setpoint.targets._client.proof import Before, Watch
from setpoint.targets._client.server import Server, job_words, pairs, same, without
from setpoint.targets._client.state import State, Wanted, kept_by_its_lock, restored
from setpoint.targets._client.wire import ACCEPTED, FOREIGN, Answer, Document, StopError, plain

BIOS_WORDS = "stage the attributes"


class Run:
    """A run. `told` has what is to be known of one that goes on, `changed` whether it changed something, or would, and `passed_over` what of the
    server differs and was passed over.
    """

    def __init__(self, server: Server, wanted: Wanted, journal: Journal) -> None:
        self.server = server
        self.wanted = wanted
        self._take(journal)
        self.told: list[str] = []
        self.passed_over: list[str] = []
        self.changed = False
        self.diff: dict[str, str] = {}
        self.awaited: list[str] = []
        self.state: State

    def _take(self, journal: Journal) -> None:
        """Go by a journal."""
        self.journal = journal
        self.plan = restored(self.wanted.plan, journal) if self.wanted.back else self.wanted.plan

    # ------------------------------------------------------------------------------------------ what was done so far

    @property
    def so_far(self) -> str:
        """What the run has changed, as the opening of a sentence that says why it goes no further."""
        sent = self.server.service.sent
        if not sent:
            return self.wanted.opening.changed
        words = ", ".join(
            f"{words} ({'accepted' if answer.status in ACCEPTED else 'not confirmed'})"
            for words, answer in sent
        )
        sure = all(answer.status in ACCEPTED for _, answer in sent)
        return f"This run has asked the BMC to {words}{'. Nothing more was changed' if sure else ', and for nothing more'}"

    def read(self) -> State:
        """Read the BIOS, and what it means for the plan."""
        self.server.read(self.so_far)
        journal = self.journal
        self.server.unshown = bool(journal.unseen)
        if self.wanted.restarted or self.server.times.later(journal.times):
            journal.early, journal.unseen = {}, {}
        journal.note_seen(self.server.reading.attributes)
        self.state = self._state()
        if self.wanted.back and (again := without(kept_by_its_lock(self.state), journal.again)):
            journal.again = {**journal.again, **again}
            if not self.wanted.dry:
                journal.keep()
            self.plan = restored(self.wanted.plan, journal)
            self.state = self._state()
        if self.wanted.back and not self.wanted.dry:
            journal.note_back(self.state.reached)
        return self.state

    def _state(self) -> State:
        """What the last reading means for the plan."""
        server, wanted = self.server, self.wanted
        return State(self.plan, server.reading, bool(server.jobs_path), self.journal, wanted.may, wanted.back)

    # ------------------------------------------------------------------------------------------------ which server

    def identify(self) -> None:
        """Find the server, and require that it is the right one."""
        wanted = self.wanted
        self.server.find(self.so_far)
        server = self.server
        self.passed_over = require_kind(
            server.system, wanted.reports, self.so_far, wanted.pass_over, server.processors()
        )
        uuid = plain(self.server.system.get("UUID") or "")
        self.passed_over += require_same(uuid, wanted.uuid, self.so_far, wanted.pass_over)
        if wanted.journals is not None and (known := uuids(uuid)):
            self._take(self.journal.of_server(wanted.journals, min(known), wanted.dry))
        if wanted.claims is not None:
            claim(uuid, wanted.claims, wanted.host, self.so_far, wanted.dry)

    # ---------------------------------------------------------------------------------------------------- staging

    def apply(self, after_restart: bool = False) -> None:
        """Stage what can be staged now: what must be in effect first, else all that differs."""
        state = self.read()
        self.told += self.passed_over
        if self.wanted.back and not self.journal.attributes:
            self.told.append(
                f"BIOS: nothing to roll back. Going by {self.journal.file}, nothing was changed. What was applied from another machine,"
                " as another user, or by another way than this is taken back there, in the same way"
            )
            return
        self._require(state)
        if note := other_firmware(self.plan, self.server.system):
            self.told.append(note)
        first = state.first_waiting
        if after_restart and first:
            raise StopError(
                f"The server was restarted, and its BIOS still has other values for {', '.join(first)}; the rest was not staged."
                f" {state.reasons}"
            )
        if first and (state.opened or state.waiting != first):
            rest = "what was set before the policy" if self.wanted.back else "the rest of the policy"
            self.told.append(
                f"Two restarts are needed: {rest} locks {' and '.join(first)}, so the first restart puts these in effect."
                " With setpoint_reboot, this run does both. Without it, restart after this run, run it again, and restart once more"
            )
        self.require_restart(state)
        if not first:
            self.stage(self.plan["write"], self.plan["fixed"])
            return
        self.stage(state.first_stage)
        if not self.wanted.may.reboot:
            self.told.append(
                f"Restart and run this again: the rest can be staged when these are in effect: {', '.join(first)}"
            )

    def _require(self, state: State) -> None:
        if state.unknown:
            raise StopError(
                f"{self.so_far}: this server's BIOS has no {', '.join(state.unknown)}. Is the policy for another platform? Some"
                " controllers show an attribute only when the server has started once with its present BIOS"
            )
        if state.otherwise:
            self.note_otherwise()
        if state.stuck and self.wanted.back:
            raise StopError(
                f"{self.so_far}: these attributes cannot be put back, since what locks them is as it was before the policy: {state.stuck_told}."
                " No value of it is known with which they can be written. Set them in the menu of the BIOS"
            )
        if state.stuck:
            raise StopError(
                f"{self.so_far}: these attributes cannot be written, since the attribute that sets them is already as in the policy:"
                f" {state.stuck_told}. This BIOS differs from the one that the policy was compiled for. State its values in the"
                ' policy, or state "system-profile custom" to write them'
            )

    def note_otherwise(self) -> None:
        """Tell what the policy leaves alone and takes to be otherwise."""
        state, assumed = self.state, self.plan["assumed"]
        told = "; ".join(
            f"{name}: {state.seen(name)}, assumed {plain(assumed[name])}" for name in state.otherwise
        )
        self.told.append(
            "The policy does not manage these attributes, and assumes other values than this server has. They are not changed:"
            f' {told}. To set them, state them in the policy, or "manage all"'
        )

    def require_restart(self, state: State, waits: bool | None = None) -> None:
        """Require a way to restart the server, before anything is staged for a restart."""
        if self.wanted.may.reboot and self.wanted.through_bmc and (state.waits if waits is None else waits):
            self.server.restart_kind(self.wanted.may.force, self.wanted.may.power_on, self.so_far)

    def stage(self, wanted: Document, along: Document | None = None) -> None:
        """Stage attributes, with a job where the service has these, unless both is done; and read it back."""
        state = self.state
        asked = without(wanted, state.next)
        self._others(state, asked)
        if locked := state.locked(asked, along):
            raise StopError(
                f"{self.so_far}: {'; '.join(locked)}. This server has another value, and the policy does not change it: set it yourself, or"
                " state it in the policy"
            )
        stale = without(state.pending, state.expected) if self.wanted.back else {}
        clears = bool(stale and self.server.clear_path and not state.foreign and not state.open_jobs)
        if asked:
            self.told += state.change(asked)
            self._differ(state, asked)
        if clears:
            self.told.append(f"Clear the values that are staged without a job: {pairs(stale)}")
        to_wait = list(without(wanted, state.in_effect))
        jobless = bool(to_wait and state.has_jobs and not state.open_jobs)
        if self.wanted.dry:
            if jobless and not asked and not clears:
                self.told.append(f"A job would be made for the staged values: {', '.join(to_wait)}")
            self.changed = bool(asked or clears or jobless)
            return
        if not self.wanted.back:
            self._note(state)
        if clears:
            self._clear(stale)
            asked = without(wanted, self.state.next)
        answer = self._send(asked, state.reading.on_reset and state.has_jobs) if asked else None
        if without(wanted, self.state.in_effect) and self.state.has_jobs:
            self._job(wanted, answer)

    def _differ(self, state: State, asked: Document) -> None:
        """Note the difference in the form that Ansible shows."""
        self.diff = {
            "before": "".join(f"{name}: {state.seen(name)}\n" for name in asked),
            "after": pairs(asked).replace(" = ", ": ").replace(", ", "\n") + "\n",
        }

    def _others(self, state: State, asked: Document) -> None:
        """Require that nobody else has staged anything: a job, or a restart, carries out all that is."""
        foreign = state.foreign
        jobs = state.open_jobs if asked or foreign or (self.wanted.may.reboot and not state.pending) else []
        if jobs and not self.wanted.may.foreign_jobs:
            raise StopError(
                f"{self.so_far}: a BIOS job is open, and nothing shows that it is for this policy. {state.jobs_told} Staged by somebody"
                f" else: {pairs(foreign) or 'nothing that is shown'}. Let the job run, or delete it. To continue anyway, set"
                " setpoint_ignore_foreign_jobs",
                FOREIGN,
            )
        if foreign and not self.wanted.may.foreign_settings:
            raise StopError(
                f"{self.so_far}: somebody else has staged {pairs(foreign)}, and"
                f" {'a job of this role' if state.has_jobs else 'the next restart'} would apply that, too."
                f" {self._how_to_clear()}. To apply it together with the policy, set setpoint_ignore_foreign_settings",
                FOREIGN,
            )

    def _how_to_clear(self) -> str:
        """What to do about values that nobody's job carries out."""
        path = self.server.clear_path
        how = f", by a POST to {path} or in the BMC" if path else " in the BMC, or set them back"
        return f"Find out whose it is, and have it applied, or clear it{how}"

    def _note(self, state: State) -> None:
        """Keep the values that the plan replaces, before the first of them is changed; those that an earlier run of it kept stay, unless an
        undo has brought them back since."""
        journal = self.journal
        again = state.still_replaced
        opened = {opening["governor"]: opening["value"] for opening in self.plan["opens"]}
        touched = {*state.differing, *state.opened}
        journal.attributes = {
            **{name: value for name, value in state.current.items() if name in touched},
            **again,
        }
        journal.plan, journal.changes, journal.opened = self.wanted.name, state.expected, opened
        journal.again, journal.back = {}, ""
        journal.bios = plain(self.server.system.get("BiosVersion") or "")
        journal.keep()

    def _clear(self, stale: Document) -> None:
        """Clear what an interrupted run has staged: some services ignore a value that is in effect, and would keep the staged one."""
        answer = self.server.service.change("clear the staged values", "POST", self.server.clear_path, {})
        if answer.outcome == "refused":
            raise StopError(
                f"Nothing was changed: the BMC refused to clear the staged values {answer.reply} Staged: {pairs(stale)}"
            )
        self.changed = answer.outcome == "done"
        for _ in range(self.server.service.account.retries + 1):
            state = self.read()
            if not state.pending:
                break
            time.sleep(self.server.service.account.delay)
        if state.pending:
            how = "accepted the request to clear the staged values"
            self.changed = False
            if answer.outcome != "done":
                how = f"did not confirm the request to clear the staged values {answer.reply}"
            raise StopError(
                f"The BMC {how} Still staged: {pairs(state.pending)}. Run rollback.yml again, or clear them in the BMC"
            )
        self.changed = True
        if answer.outcome != "done":
            self.told.append(
                f"The BMC did not confirm the request to clear the staged values {answer.reply} Read back: nothing is staged"
            )

    def _send(self, asked: Document, on_reset: bool) -> Answer:
        """Ask the service to stage attributes, and read back what came of it."""
        before = self.state.current
        answer = self._patch(asked, on_reset)
        if answer.outcome == "refused":
            raise StopError(f"{self.wanted.opening.staged}: the BMC refused the attributes {answer.reply}")
        had = self.changed
        self.changed = had or answer.outcome == "done"
        failed = self.server.task(answer)
        if answer.path == self.server.bios_path and answer.outcome == "done" and not failed:
            self.told.append(self.journal.note_unseen(asked, before, self.server.times))
        state = self.read()
        missing = without(asked, state.next)
        self.changed = had or len(missing) < len(asked)
        if missing:
            self._miss(asked, missing, answer, failed)
        now = without(state.reading.attributes, before)
        early = {name: value for name, value in asked.items() if same(now.get(name), value)}
        if early and not state.has_jobs:
            self.journal.early = {**self.journal.early, **early}
            self.journal.times = self.server.times
            self.journal.keep()
            self.state = self._state()
        if answer.outcome == "unknown":
            self.told.append(
                f"The BMC did not confirm the request to {BIOS_WORDS} {answer.reply} Read back: all of them are staged"
            )
        return answer

    def _miss(self, asked: Document, missing: Document, answer: Answer, failed: str) -> None:
        """End a run of which some attributes are not staged: which, why, and what of the rest is."""
        how = "reported success and dropped"
        if failed:
            how = f"accepted the attributes, and its task failed: {failed} Not staged:"
        elif answer.outcome == "unknown":
            how = f"did not confirm the request to {BIOS_WORDS} {answer.reply} Not staged:"
        rest = without(asked, missing)
        told = f"The BMC {how} {'; '.join(self.state.change(missing))}."
        words = answer.reply.partition("): ")[2] if answer.outcome == "done" and answer.document else ""
        if words and words != "no reason is known." and not failed:
            told += f" It said: {words}"
        if rest:
            told += f" The rest is staged, and in effect {self.state.when}: {pairs(rest)}. To take it back, run rollback.yml"
        raise StopError(told)

    def _patch(self, asked: Document, on_reset: bool) -> Answer:
        """The request. Some services take it only for the version that there is (RFC 9110, 13.1.1); some know no version of their own."""
        body: Document = {"Attributes": asked}
        if on_reset:
            body["@Redfish.SettingsApplyTime"] = {"ApplyTime": "OnReset"}
        tag = self.server.reading.etag
        answer = Answer("", 404)
        for attempt in range(3 if self.server.settings_path else 0):
            headers = {"If-Match": tag} if tag else {}
            path = self.server.settings_path
            answer = self.server.service.change(BIOS_WORDS, "PATCH", path, body, headers)
            if answer.status not in (412, 428) or attempt == 2:
                break
            self.server.service.sent.pop()
            again = self.server.service.read(self.server.settings_path)
            fresh = again.headers.get("etag") or str(again.document.get("@odata.etag") or "")
            tag = fresh if fresh and fresh != tag else "*"
        if answer.status in (404, 405) and not self.server.linked:
            del self.server.service.sent[len(self.server.service.sent) - bool(answer.path) :]
            answer = self.server.service.change(BIOS_WORDS, "PATCH", self.server.bios_path, asked)
        return answer

    def _job(self, wanted: Document, patched: Answer | None) -> None:
        """Make sure that a job carries out what is staged: one of the service's own, or one that is asked for."""
        answer = patched
        on_reset = self.state.reading.on_reset
        if not self.state.open_jobs and (patched is None or not on_reset):
            if not (target := self.server.words.target):
                raise StopError(
                    f"The attributes are staged, and nothing is known of how this service is asked for a job: make one at {self.server.jobs_path}"
                )
            body = {target: self.server.settings_path}
            answer = self.server.service.change("make the job", "POST", self.server.jobs_path, body)
            if answer.outcome == "refused":
                raise StopError(
                    f"The attributes are staged, but the BMC refused to make the job {answer.reply}"
                )
            self.changed = self.changed or answer.outcome == "done"
            self.read()
            if answer.outcome == "unknown" and self.state.open_jobs:
                self.changed = True
                self.told.append(
                    f"The BMC did not confirm the request to make the job {answer.reply} Read back: {self.state.jobs_told}"
                )
        place = self.server.job_of(answer) if answer is not None else ""
        self.awaited = [str(job.get("@odata.id")) for job in self.state.open_jobs] or list(
            filter(None, [place])
        )
        if not self.awaited:
            how = ""
            if answer is not None:
                verb = "accepted" if answer.outcome == "done" else "did not confirm"
                how = f" The BMC {verb} the request to make one {answer.reply}"
            waits = ", ".join(without(wanted, self.state.in_effect))
            raise StopError(f"Staged, but no job waits to carry it out: {waits}.{how} Run this again")

    # --------------------------------------------------------------------------------------------------- restarts

    def before(self) -> Before:
        """What is to be compared after a restart."""
        state = self.state
        awaited = self.awaited or [str(job.get("@odata.id")) for job in state.open_jobs]
        return Before(state.own, state.once_pending, awaited, self.server.times, self.server.power)

    def restart(self, awaited: list[str]) -> None:
        """Restart the server through its controller, unless a job is at work, and wait until what was staged is in effect."""
        self.read()
        before = self.before()
        before.awaited = before.awaited or awaited
        if self.state.running_jobs:
            self.wait(before, proven=True)
            return
        staged = "The staged values wait for a restart"
        kind = self.server.restart_kind(self.wanted.may.force, self.wanted.may.power_on, staged)
        answer = self.server.service.change(
            "restart the server", "POST", self.server.reset_path, {"ResetType": kind}
        )
        if answer.outcome == "refused":
            raise StopError(f"{staged}: the BMC refused {kind} {answer.reply}")
        self.changed = self.changed or answer.outcome == "done"
        self.wait(before, proven=False, kind=kind, answer=answer)
        if answer.outcome == "unknown":
            self.changed = True
            self.told.append(
                f"The BMC did not confirm the request to restart the server {answer.reply} Read back: the server restarted"
            )

    def wait(self, before: Before, proven: bool, kind: str = "", answer: Answer | None = None) -> None:
        """Wait for the end of the jobs, or until what was staged is in effect, and for proof of the restart.

        While a server starts, its controller may be busy or not answer: a reading that fails counts as "not yet".
        """
        watch = Watch(self.server, before, proven, self.server.task_of(answer))
        left, last = self.wanted.retries, self.server.service.account.retries
        while True:
            watch.look()
            settled = watch.over or watch.taken
            if (watch.over and watch.proven) or (settled and last <= 0) or left <= 0 or watch.failed:
                break
            last, left = last - settled, left - 1
            time.sleep(self.wanted.delay)
        if not watch.proven:
            raise StopError(self._unproven(watch, kind, answer))
        self.changed = True
        self._ended(watch, proven)
        if self.journal.early or self.journal.unseen:
            self.journal.early, self.journal.unseen = {}, {}
            self.journal.keep()
        self.wanted.restarted = True
        self.read()

    def _unproven(self, watch: Watch, kind: str, answer: Answer | None) -> str:
        verb = "accepted" if answer is None or answer.outcome == "done" else "did not confirm"
        why = (
            f" {answer.reply} Nothing" if answer is not None and answer.outcome != "done" else ", and nothing"
        )
        told = [f"The BMC {verb} {kind}{why} shows that the server restarted."]
        if watch.system.good:
            reset = self.server.times.reset
            told.append(
                f"Its power state is {self.server.power}, and its last reset {f'was at {reset}' if reset else 'is not shown'}."
            )
        else:
            told.append(f"The BMC does not show its power state {watch.system.reply}")
        told += [job_words(job) for job in watch.jobs.values()]
        if watch.failed:
            told.append(f"The task of the restart failed: {watch.failed}")
        if kind == "GracefulRestart":
            told.append("An operating system can ignore or delay a graceful restart. Nothing was forced.")
        if watch.unsuccessful:
            told.append("No job waits any more: look at the console of the server, then run this again")
        elif watch.unfinished and not watch.unread:
            told.append(
                "The staged values wait for a restart: look at the console of the server, restart it yourself, then run verify.yml"
            )
        elif self.state.has_jobs:
            told.append(
                "Unknown whether the BIOS job still waits: look at the console of the server, then run this again"
            )
        else:
            told.append("Look at the console of the server, and run verify.yml when it is up")
        return " ".join(told)

    def _ended(self, watch: Watch, ran: bool) -> None:
        """Require that the jobs that were waited for have ended well."""
        if watch.unfinished or watch.unread:
            begun = ran and self.wanted.through_bmc
            subject = "The BIOS job" if begun else "The server restarted, but its BIOS job"
            last = "; ".join(map(job_words, watch.unfinished))
            readings = f"{self.wanted.retries} more readings, {self.wanted.delay:g} seconds apart"
            what = f"was still open after {readings}. {last}"
            if watch.unread:
                reply = next(iter(watch.unread.values())).reply
                what = f"was not seen to end in {readings}. The BMC does not show it {reply}"
                what += f" When it last did: {last}" if last else ""
            raise StopError(
                f"{subject} {what} Look at the server's console and at the BMC's job queue; when the job is over, run this again"
            )
        if watch.unsuccessful:
            reasons = self.read().reasons
            told = [words for words in map(job_words, watch.unsuccessful) if words not in reasons]
            raise StopError(" ".join(["The BIOS job did not succeed.", *told, reasons]))
