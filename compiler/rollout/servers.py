"""A server with its controller and its host: read, changed, compared, put back.

The firmware is the controller's, or the host's where a tool there was chosen; the rest is the host's. What is asked of
a controller is what the role asks of it, with the same code. A server that cannot be finished says what it is left
with, and what was not begun.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from time import sleep
from typing import Any

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.words import count
from setpoint.compiler.rollout.bundles import FIRMWARE_PLANS, Deployable, HostPlan
from setpoint.compiler.rollout.hosts import HostAnswer, HostRun, HostShell
from setpoint.targets._client.command import FINE, as_command, carried_out, given_for
from setpoint.targets._client.identity import uuids
from setpoint.targets._client.program import answer

MOST_READINGS = 60
"""How often a host is looked for after a restart."""

LEFT_BY = {
    4: "nothing of it is changed",
    5: "this is not a server of the policy, and nothing of it is changed",
    6: "something of it is changed, or may be",
    7: "another run or job is at work, and nothing of it is changed",
}
"""What the exit status of the program for hosts says of a plan."""

TRIED = (0, 3)
"""The exit statuses of `try` where a plan can be applied."""

WAITS = 3
"""The exit status of `undo` where the rest can be put back only after a restart."""


WOULD = re.compile(r"(^|: )would ")
"""What the program for hosts says of what it would do."""


class ControllerAccount(NamedTuple):
    """A controller: its address, the account, and the file with certificates that are trusted."""

    address: str
    user: str
    password: str
    ca: str

    def __repr__(self) -> str:
        return f"ControllerAccount({self.address!r}, {self.user!r})"


class RolloutChoices(NamedTuple):
    """The user's choices: whether to restart, to put back, what to pass over, seconds between readings, journals."""

    restart: bool = False
    undo: bool = False
    pass_over: tuple[str, ...] = ()
    permitted: tuple[str, ...] = ()
    restarted: bool = False
    firmware_by: str = ""
    poll: float = 30
    state: Path = Path()


class ServerRollout:
    """The roll-out to one server. `results` are in form setpoint.verify/1, and `told` is what else is to be known."""

    def __init__(
        self,
        bundle: Deployable,
        chosen: RolloutChoices,
        controller: ControllerAccount | None,
        host: HostShell | None,
    ) -> None:
        self.name = host.name if host else controller.address if controller else ""
        self.bundle = bundle
        self.chosen = chosen
        self.controller = controller if bundle.controller is not None else None
        self.plans = self._plans() if host else ()
        self.host = host if self.plans else None
        self.results: list[dict[str, Any]] = []
        self.told: list[str] = []
        self.uuid = self._host_uuid = ""
        self.model = ""
        self.boot = ""
        self.would_change = False
        self.is_unfinished = False
        self._due = self._undone = False

    def _plans(self) -> tuple[HostPlan, ...]:
        """The plans for the host; of those that set firmware only the chosen one, since each needs a tool there."""
        left_out = {*FIRMWARE_PLANS} - {self.chosen.firmware_by}
        return tuple(plan for plan in self.bundle.plans if plan.part not in left_out)

    @property
    def has_work(self) -> bool:
        """Whether something of the bundle is for this server."""
        return self.controller is not None or self.host is not None

    @property
    def differing(self) -> list[dict[str, Any]]:
        """The results that are not as planned."""
        return [result for result in self.results if result["state"] not in FINE]

    # -------------------------------------------------------------------------------------------------- reading

    def read(self) -> None:
        """Read the server, and find what would be changed. Raises SetpointError (E0653, E0654) if that cannot be."""
        verbs = ("undo --dry-run",) if self.chosen.undo else ("try",)
        self.told, reply = [], HostAnswer("", "", ())
        if self.host:
            reply = self.host.run(self.bundle, self.plans, (*verbs, "verify --json"))
            self.uuid = self._host_uuid = reply.uuid
            self.boot = reply.boot
        came = self._ask("staged", dry=True) if self.controller else {}
        self.model = came.get("model", "")
        self.uuid = came.get("uuid") or self.uuid
        self.told += [
            as_command(line) for line in came.get("told", ()) if " -> " not in line or self.chosen.undo
        ]
        self._collect(reply.runs)
        refused = [
            f"{run.part}: {run.words}"
            for run in reply.runs
            if run.verb != "verify" and run.status not in TRIED
        ]
        if came.get("failed"):
            refused.insert(0, f"the controller {self._address}: {as_command(came['msg'])}")
        if refused:
            raise self._stop("E0654", "cannot be changed", "; ".join(refused), ())
        tried = [
            line
            for run in reply.runs
            if run.verb == "try"
            for line in run.out.splitlines()
            if WOULD.search(line)
        ]
        self.would_change = bool(tried or came.get("changed"))
        self.told += tried
        if self.chosen.undo:
            self.told += [
                line for run in reply.runs if run.verb == "undo" for line in (run.out or run.err).splitlines()
            ]

    def compare(self) -> None:
        """Compare the server with the plan; `rolled-back` is what an undo put back. Raises SetpointError (E0653)."""
        runs = self.host.run(self.bundle, self.plans, ("verify --json",)).runs if self.host else ()
        self.told = []
        self._collect(runs, self._undone)

    def _collect(self, runs: tuple[HostRun, ...], undone: bool = False) -> None:
        """The results of both, and of each setting that neither compares."""
        self.results = []
        if self.controller:
            came = self._ask("compared", dry=True)
            self.results += [{**result, "reason": as_command(result["reason"])} for result in came["results"]]
            self._tell(as_command(note) for note in came["notes"])
        for run in runs:
            if run.verb == "verify":
                self._tell(run.notes)
                self.results += [_put_back(result) if undone else result for result in run.results]
        known = {result["setting"] for result in self.results}
        for decision in self.bundle.settings:
            if decision.setting not in known:
                self.results.append(self._not_compared(decision.setting, decision.layer, decision.value))

    def _tell(self, notes: Iterable[str]) -> None:
        """Add what is to be known, each once."""
        self.told += [note for note in notes if note not in self.told]

    def _not_compared(self, setting: str, layer: str, value: str) -> dict[str, Any]:
        named = self.controller or self.host if layer == "firmware" else self.host
        way = "--redfish or --firmware-by" if layer == "firmware" else "--ssh or --local"
        reason = (
            "no artifact sets it: see manual-steps.md"
            if named
            else f"its layer was not chosen: {way} names what sets it"
        )
        texts = {"setting": setting, "layer": layer, "wanted": value, "found": None, "pending": None}
        return {**texts, "state": "not-compared", "reason": reason}

    # ------------------------------------------------------------------------------------------------- changing

    def change(self, say: Callable[[str], None]) -> None:
        """Bring the server to the plan, or back. Raises SetpointError (E0653, E0655) with what it is left with."""
        done: list[str] = []
        if self.controller:
            came = carried_out(self._given(), False, say)
            if came.get("failed"):
                raise self._left(as_command(came["msg"]), done, [plan.part for plan in self.plans])
            done.append(f"firmware: {'staged' if came['waits'] else 'as it is to be'}")
            self._due = bool(came["waits"])
        if self.host:
            self._change_host(say, done)
        if self.chosen.restart and (self._due or self._host_waits()):
            self._restart(say, done)
        self._undone = self.chosen.undo

    def _change_host(self, say: Callable[[str], None], done: list[str]) -> None:
        assert self.host is not None
        plans = self.plans[::-1] if self.chosen.undo else self.plans
        verb = "undo" if self.chosen.undo else "apply"
        try:
            runs = self.host.run(self.bundle, plans, (verb,), stop=True).runs
        except SetpointError as error:
            unknown = f"unknown: {', '.join(plan.part for plan in plans)}"
            raise self._left(str(error), [*done, unknown], []) from None
        for run in runs:
            if self.chosen.undo and run.status == WAITS:
                self.is_unfinished = True
                say(f"{run.part}: {run.words}")
                done.append(f"{run.part}: waits for a restart")
                continue
            if run.status:
                done.append(f"{run.part}: failed; {LEFT_BY.get(run.status, LEFT_BY[6])}")
                rest = [plan.part for plan in plans if plan.part not in {begun.part for begun in runs}]
                raise self._left(f"{run.part}: {run.words}", done, rest)
            done.append(f"{run.part}: {'put back' if self.chosen.undo else 'applied'}")

    def _host_waits(self) -> bool:
        """Whether something on the host waits for a restart."""
        if self.host is None:
            return False
        runs = self.host.run(self.bundle, self.plans, ("verify --json",)).runs
        return any(result["state"] == "pending" for run in runs for result in run.results)

    def _restart(self, say: Callable[[str], None], done: list[str]) -> None:
        """Restart through the controller, and wait for the host: its start is another one then."""
        came = carried_out(self._given(), True, say, due=True)
        if came.get("failed"):
            begun = not came.get("unsent", True)
            rest = [] if begun else ["the restart"]
            raise self._left(
                as_command(came["msg"]), [*done, *(["a restart was asked for"] if begun else [])], rest
            )
        done.append("restarted")
        if not self.host:
            return
        for _ in range(MOST_READINGS):
            try:
                if self.host.run(self.bundle, (), ()).boot not in ("", self.boot):
                    return
            except SetpointError:
                pass  # it is starting
            sleep(self.chosen.poll)
        raise self._left(
            "the controller has restarted the server, and the host shows no other start than before", done, []
        )

    # ------------------------------------------------------------------------------------------------ controllers

    @property
    def _address(self) -> str:
        return self.controller.address if self.controller else ""

    def _given(self) -> dict[str, Any]:
        """What the client is given, for each of its states."""
        assert self.controller is not None
        where = self.controller
        return given_for(
            where.address,
            self.chosen.state,
            self.chosen.poll,
            restart=self.chosen.restart,
            undo=self.chosen.undo,
            user=where.user,
            password=where.password,
            ca=where.ca,
            plan=self.bundle.controller,
            name=self.name,
            uuid=self._host_uuid,
            pass_over=list(self.chosen.pass_over),
            restarted=self.chosen.restarted,
            **dict.fromkeys(self.chosen.permitted, True),
        )

    def _ask(self, state: str, dry: bool) -> dict[str, Any]:
        return answer({**self._given(), "state": state}, dry)

    # ---------------------------------------------------------------------------------------------------- stops

    def _left(self, why: str, done: list[str], rest: list[str]) -> SetpointError:
        """A server that is stopped, with what it is left with."""
        notes = [f"left with: {'; '.join(done)}"] if done else ["nothing on it was changed before that"]
        notes += [f"not begun: {', '.join(rest)}"] if rest else []
        return self._stop("E0655", "was stopped", why, tuple(notes))

    def _stop(self, code: str, what: str, why: str, notes: tuple[str, ...]) -> SetpointError:
        help_ = ("run it again when what it names is mended: what is right already is not touched",)
        return SetpointError.of(code, f"`{self.name}` {what}: {why}", notes=notes, help=help_)


def _put_back(result: dict[str, Any]) -> dict[str, Any]:
    """A result of the comparison with the plan, after an undo: what is not as planned has been put back, or is at the
    next restart."""
    if result["state"] == "ok":
        return result
    if result["pending"] not in (None, result["found"]):
        return {
            **result,
            "wanted": result["pending"],
            "state": "pending",
            "reason": "put back at the next restart",
        }
    return {**result, "state": "rolled-back", "reason": "as it was before, by the old values that are kept"}


def require_different(servers: list[ServerRollout]) -> None:
    """Require that no two of the servers are one, by their UUIDs. Raises SetpointError (E0652)."""
    seen: dict[str, str] = {}
    for server in servers:
        forms = uuids(server.uuid)
        if not forms:
            continue
        other = seen.setdefault(min(forms), server.name)
        if other != server.name:
            message = f"`{server.name}` and `{other}` are one server: both show the UUID {server.uuid}"
            raise SetpointError.of("E0652", message, help=("name each server once",))


def effect(results: list[dict[str, Any]]) -> str:
    """When the results that are to be changed take effect, in a sentence; "" for none."""
    due = [result for result in results if result["state"] not in (*FINE, "pending", "unreadable")]
    later = sum(result["layer"] != "os" for result in due)
    when = (
        "in effect after a restart of the server"
        if later == len(due)
        else f"of which {later} after a restart of the server"
    )
    return f"{count(len(due), 'setting')} to be changed, {when}" if due else ""
