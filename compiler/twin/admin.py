"""What a rehearsal does to a twin beside Redfish, at `/twin` of the same service: see its state, change values by hand,
order faults.

GET   /twin          what is in effect, what is staged, the jobs, the power, how often it was started, how many requests
                     there were
PATCH /twin/values   {"ATTRIBUTE": VALUE}: somebody changes the BIOS by its menu, or another tool does; it is in effect
                     at once
PUT   /twin/fault    {"kind": "busy", "times": 3, "every": 1, "seconds": 0}, from the next request on; {} takes it back
PATCH /twin/server   what the server does from now on, by the names of SERVER
POST  /twin/update   {"version": "…", "names": {"OLD": "NEW"}}: the BIOS is updated: its version is another, its
                     values are those of the start again, and attributes are called otherwise, as a maker's suffixes are
                     after an update
"""

from collections.abc import Mapping
from typing import Any

from setpoint.compiler.twin.controller import Twin
from setpoint.compiler.twin.faults import KINDS, Fault
from setpoint.compiler.twin.machine import RefusedError

ADMIN = "/twin"
SERVER: Mapping[str, type] = {
    "drops": list, "rejects": list, "ignored": list, "fails": bool, "message": str, "refuses": str, "seconds": float,
    "slashes": bool, "jobless": bool, "exhausted": bool, "blind": bool, "forgets": bool, "tells": bool, "silent": bool, "distrusts": bool,
    "unseen": list, "timeless": bool, "stubborn": list,
}  # fmt: skip
"""The fields of `Setup` that a rehearsal may change, and `system`, of which it may change what follows."""

SYSTEM = ("UUID", "SerialNumber", "Model", "SKU")
"""What the system may show otherwise, as another server in its place does."""

MOST_SECONDS = 3600.0


def administered(twin: Twin, method: str, path: str, body: Any) -> dict[str, Any] | None:
    """The answer to a request beside Redfish; None where nothing is. Raises RefusedError for what cannot be ordered."""
    machine = twin.machine
    asked = (method, path.removeprefix(ADMIN))
    if asked == ("GET", "") or asked == ("HEAD", ""):
        return state(twin)
    if asked == ("PATCH", "/values"):
        if unknown := sorted(body.keys() - machine.current.keys()):
            raise RefusedError("unknown", unknown[0], about=unknown[0])
        machine.current.update(body)
        machine.changes += 1
    elif asked == ("PUT", "/fault"):
        twin.fault = _fault(body, len(twin.requests)) if body else None
    elif asked == ("PATCH", "/server"):
        _change(twin, body)
    elif asked == ("POST", "/update"):
        names = _names(body)
        machine.current = {names.get(name, name): value for name, value in machine.setup.current.items()}
        machine.staged = {}
        machine.changes += 1
        _change(twin, {}, BiosVersion=_text(body, "version"))
    else:
        return None
    return state(twin)


def state(twin: Twin) -> dict[str, Any]:
    """What a rehearsal may want to know of the server."""
    machine = twin.machine
    machine.pass_time()
    return {
        "controller": machine.dialect.name,
        "current": dict(machine.current),
        "staged": dict(machine.staged),
        "jobs": [{"id": job["Id"], "state": job["JobState"]} for job in machine.jobs],
        "PowerState": machine.power,
        "starting": machine.is_starting,
        "starts": machine.boots,
        "requests": len(twin.requests),
    }


def _fault(body: Mapping[str, Any], request: int) -> Fault:
    kind = body.get("kind")
    if kind not in KINDS or body.keys() - {"kind", "times", "every", "seconds"}:
        raise RefusedError("value", "kind", str(kind), about="kind")
    times, every, seconds = body.get("times", 1), body.get("every", 1), body.get("seconds", 0)
    for name, given, least in (("times", times, 0), ("every", every, 1)):
        if not isinstance(given, int) or given < least:
            raise RefusedError("value", name, str(given), about=name)
    if not isinstance(seconds, int | float) or not 0 <= seconds <= MOST_SECONDS:
        raise RefusedError("value", "seconds", str(seconds), about="seconds")
    return Fault(request, kind, seconds, times, every)


def _change(twin: Twin, body: Mapping[str, Any], **shown: str) -> None:
    """Replace the setup of the machine by one with other fields."""
    machine, fields = twin.machine, dict[str, Any]()
    for name, given in body.items():
        wanted = SERVER.get(name)
        if name in SYSTEM:
            shown[name] = _text(body, name)
        elif wanted is None:
            raise RefusedError("unknown", name, about=name)
        elif wanted is list and isinstance(given, list) and all(isinstance(text, str) for text in given):
            fields[name] = tuple(given)
        elif wanted is float and isinstance(given, int | float) and 0 <= given <= MOST_SECONDS:
            fields[name] = float(given)
        elif wanted is not list and wanted is not float and isinstance(given, wanted):
            fields[name] = given
        else:
            raise RefusedError("value", name, str(given), about=name)
    machine.setup = machine.setup._replace(**fields, system={**machine.setup.system, **shown})


def _text(body: Mapping[str, Any], name: str) -> str:
    given = body.get(name)
    if not isinstance(given, str) or not 0 < len(given) <= 200:
        raise RefusedError("value", name, str(given)[:200], about=name)
    return given


def _names(body: Mapping[str, Any]) -> Mapping[str, str]:
    given = body.get("names", {})
    if not isinstance(given, dict) or not all(isinstance(name, str) and name for name in given.values()):
        raise RefusedError("value", "names", str(given)[:200], about="names")
    return given
