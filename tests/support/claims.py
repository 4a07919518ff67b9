"""What a run of the role claims of a server, and whether that is so.

Each sentence that a run can end with claims something: that nothing was changed, that attributes are staged, that a job
is in some state. `untrue` finds the claims of a run that the emulated server behind its iDRAC belies. A run that ends
with a sentence that is not known here is reported, too: nobody has said what that claims.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from consumers.ansible_run import Run
from idrac import Controller, Machine


class Snapshot(NamedTuple):
    """A server before a run."""

    current: dict[str, str]
    staged: dict[str, str]
    jobs: tuple[str, ...]
    boots: int

    @property
    def running(self) -> bool:
        """Whether a job is running, so that the server changes by itself."""
        return any(job.endswith(" Running") for job in self.jobs)

    @classmethod
    def of(cls, machine: Machine) -> Snapshot:
        """The server as it is now."""
        jobs = tuple(f"{job['Id']} {job['JobState']}" for job in machine.jobs)
        return cls(dict(machine.current), dict(machine.staged), jobs, machine.boots)


class Server(NamedTuple):
    """A server after a run, what it was before, the attributes that the run wants, and those that it stages first, if
    any."""

    machine: Machine
    before: Snapshot
    goal: Mapping[str, str]
    first: Mapping[str, str]

    @property
    def untouched(self) -> bool:
        """Whether nothing has been changed."""
        return Snapshot.of(self.machine) == self.before

    @property
    def in_effect(self) -> bool:
        """Whether the policy is, with nothing under way."""
        machine = self.machine
        return machine.current.items() >= self.goal.items() and not machine.staged and not machine.open_jobs

    @property
    def staged(self) -> bool:
        """Whether what is missing is staged, or what goes first is."""
        current, staged = self.machine.current, self.machine.staged
        missing = {name: value for name, value in self.goal.items() if current[name] != value}
        return bool(missing) and staged in (missing, self.first)

    @property
    def restarted(self) -> bool:
        """Whether the server has restarted."""
        return self.machine.boots > self.before.boots


CLAIMS: dict[str, Callable[[Server], bool]] = {
    r"Nothing was changed\b": lambda it: it.untouched,
    r"Nothing more was changed\b": lambda it: not it.untouched,
    r"Nothing was staged: the BMC refused": lambda it: it.untouched,
    r"Nothing more was staged: the BMC refused": lambda it: not it.untouched and not it.machine.staged,
    r"^The BIOS was not compared: ": lambda it: True,  # Nothing is said of the server.
    r"The BMC reported success and dropped(?!.* The rest is staged)": lambda it: not it.machine.staged,
    r"The rest is staged, and in effect": lambda it: bool(it.machine.staged),
    r"The BMC did not confirm the request to stage .* Not staged:": lambda it: not it.machine.staged,
    r"Staged, but no job waits to carry it out": lambda it: it.staged and not it.machine.open_jobs,
    r"The attributes are staged, but the BMC refused to make the job": lambda it: (
        it.staged and not it.machine.open_jobs
    ),
    r"The staged values wait for a restart\b": lambda it: (
        it.staged
        and [job["JobState"] for job in it.machine.open_jobs]
        == (["Scheduled"] if it.machine.dialect.jobs else [])
    ),
    r"The BMC (accepted|did not confirm) the request to clear .* Still staged:": lambda it: it.untouched,
    r"clear the staged values \(accepted\)": lambda it: it.machine.staged != it.before.staged,
    r"asked the BMC to stage the attributes \(accepted\)": lambda it: bool(
        it.machine.staged or it.machine.jobs
    ),
    r"make the job \(accepted\)": lambda it: bool(it.machine.jobs),
    r"restart the server \(accepted\)": lambda it: it.restarted,
    r"\(not confirmed\), and for nothing more: ": lambda it: True,
    r"[Nn]othing shows that the server restarted\.": lambda it: it.staged or it.restarted,
    r"Unknown whether the BIOS job still waits": lambda it: bool(it.machine.jobs),
    r"No job waits any more\b": lambda it: not it.machine.open_jobs,
    r"The BIOS job was still open": lambda it: bool(it.machine.open_jobs),
    r"The BIOS job was not seen to end": lambda it: bool(it.machine.jobs),
    r"The server restarted, but its BIOS job was not seen to end": lambda it: it.restarted,
    r"No job waits to do that": lambda it: bool(it.machine.staged) and not it.machine.open_jobs,
    r"The server restarted, but its BIOS job was still open": lambda it: it.restarted,
    r"The BIOS job did not succeed\.": lambda it: it.machine.jobs[-1]["JobState"] != "Completed",
}
"""What the opening words of a sentence claim."""


def untrue(
    run: Run,
    host: str,
    bmc: Controller,
    before: Snapshot,
    goal: Mapping[str, str],
    first: Mapping[str, str],
) -> list[str]:
    """The claims of a run that are not so, each with what is; empty if all are."""
    return list(_untrue(run, host, Server(bmc.machine, before, goal, first)))


def _untrue(run: Run, host: str, server: Server) -> Iterator[str]:
    changed = [task.name for task in run.tasks[host] if task.changed]
    yield from belied(run.failed(host).partition(": ")[2], changed, server)


def belied(said: str, changed: list[str], server: Server) -> Iterator[str]:
    """What of this is not so: what a run failed with, "" if it did not, and the steps that it says have changed
    something."""
    if not said and not server.in_effect:
        yield "ok, and the policy is not in effect"
    if bool(changed) == server.untouched and not server.before.running:
        yield f"changed: {changed}, and the server is {'' if server.untouched else 'not '}as it was"
    claims = [claim for claim in CLAIMS if re.search(claim, said)]
    yield from (f"claimed: {claim}" for claim in claims if not CLAIMS[claim](server))
    if said and not claims:
        yield "said what nobody knows the meaning of"
    states = {job["Id"]: job["JobState"] for job in server.machine.jobs}
    for job, state in re.findall(r"(JID_\d+) is (\w+)", said):
        if states.get(job) != state:
            yield f"claimed: {job} is {state}"
    for name, value in re.findall(r"(\w+): (\w+), wanted \w+", said):
        if server.machine.current[name] != value:
            yield f"claimed: {name} is {value}"
