"""The controller's side of a capture: what is configured, and what waits for the next restart.

Two services answer differently: some have the staged values alone in the settings resource, others all values. So a
value is pending if it is there and is another than the current one. Some services show a staged value as the current
one at once; then the host alone tells.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from setpoint.compiler.captures.model import Controller
from setpoint.compiler.captures.resources import ManagedServer, managed_servers
from setpoint.compiler.knowledge.interfaces import TypedValue, value_text
from setpoint.compiler.record import NamedTuple

DONE = frozenset(
    {
        "Cancelled", "Completed", "CompletedWithErrors", "Exception", "Failed", "Killed", "RebootCompleted", "RebootFailed",
    }
)  # fmt: skip
"""The states of a job that is over."""

LONGEST = 80
"""How many characters of a controller's text a sentence has."""

MOST_NOTES = 20
"""How many attributes are named that wait with another value."""


class Configured(NamedTuple):
    """The attributes of a controller: `values` at `place`, None without an answer, `pending` at `pending_place`.

    `why` is why there are no values, "" if there are. `jobs` are those that are not over, in words.
    """

    place: str
    values: Mapping[str, Any] | None
    pending_place: str
    pending: Mapping[str, Any]
    jobs: tuple[str, ...] = ()
    why: str = ""

    def waits(self, name: str) -> TypedValue | None:
        """The value of an attribute after the next restart, if it is another one; else None."""
        value = self.pending.get(name)
        if not isinstance(value, str | int) or self.values is None:
            return None
        now = self.values.get(name)
        return None if type(now) is type(value) and now == value else value


NO_CONTROLLER = Configured("", None, "", {}, (), "the capture has no answer of the controller")


def configured(controller: Controller | None) -> Configured:
    """What a controller shows of the attributes of its server; of several servers, those of the first."""
    if controller is None:
        return NO_CONTROLLER
    server = next(iter(managed_servers(controller)), None)
    values = server.bios.get("Attributes") if server else None
    if server is None or not isinstance(values, Mapping):
        refused = next((f"{path}: {controller.unread[path]}" for path in sorted(controller.unread)), "")
        return NO_CONTROLLER._replace(why=f"the controller shows no attributes{refused and f' ({refused})'}")
    staged = server.settings.get("Attributes")
    return Configured(
        _address(server.bios),
        values,
        _address(server.settings),
        staged if isinstance(staged, Mapping) else {},
        tuple(_open_jobs(server)),
    )


def foreign_values(
    controller: Configured, planned: Mapping[str, TypedValue]
) -> Iterator[tuple[str, TypedValue | None, TypedValue]]:
    """The waiting attributes with another value than the plan's: name, value now, None if unknown, and then."""
    for name in sorted(controller.pending):
        value = controller.waits(name)
        if value is not None and planned.get(name) != value:
            now = (controller.values or {}).get(name)
            yield name, now if isinstance(now, str | int) else None, value


def foreign(controller: Configured, planned: Mapping[str, TypedValue]) -> Iterator[str]:
    """The same as sentences."""
    others = list(foreign_values(controller, planned))
    for name, _, value in others[:MOST_NOTES]:
        yield f"{name[:LONGEST]} is staged as {value_text(value)[:LONGEST]}, which is not this plan's"
    if len(others) > MOST_NOTES:
        yield f"{len(others) - MOST_NOTES} more attributes are staged with values that are not this plan's"


def _open_jobs(server: ManagedServer) -> Iterator[str]:
    """The jobs that are not over."""
    for job in server.jobs:
        state = job.get("JobState") or job.get("TaskState")
        if isinstance(state, str) and state not in DONE:
            name = ": ".join(str(job[key])[:LONGEST] for key in ("Id", "Name") if key in job)
            yield f"a job of the controller is open: {name} ({state[:LONGEST]})"


def _address(resource: Mapping[str, Any]) -> str:
    address = resource.get("@odata.id")
    return address[:LONGEST] if isinstance(address, str) else "Bios"
