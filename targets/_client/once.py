"""One-time actions: attributes that perform something at a restart, and then have their old value again.

Which of them were asked for is recorded at the server, which knows whether they were performed; the records come with what a run is given.
"""

from __future__ import annotations

from typing import Any

from setpoint.targets._client.run import Run
from setpoint.targets._client.server import same
from setpoint.targets._client.wire import Document, StopError


def find_once(run: Run, recorded: dict[str, str]) -> dict[str, Any]:
    """Which one-time actions to ask for now, by what the records of the server say: nothing, `asked`, or `staged`."""
    state = run.read()
    listed = run.plan.get("once") or []
    staged = [name for name, text in recorded.items() if "staged" in text]
    asked = [name for name, text in recorded.items() if "asked" in text and name not in staged]
    new = [action for action in listed if action["record"] not in (*staged, *asked)]
    wanted: Document = {name: value for action in new for name, value in action["attributes"].items()}
    if lacking := [name for name in wanted if name not in state.current]:
        raise StopError(
            f"{run.so_far}: this server's BIOS has no {', '.join(lacking)}, or hides it now. Is the policy for another platform?"
        )
    if there := [name for name in wanted if same(state.next.get(name), wanted[name])]:
        raise StopError(
            f"{run.so_far}: this server shows already what performs the one-time actions, and nothing records that this policy has asked"
            f" for it: {', '.join(there)}. Set it back in the BIOS, then run this again"
        )
    waits = bool(state.once_pending)
    locked = state.locked(wanted)
    if locked:
        run.told.append(
            f"Not performed now: {'; '.join(locked)}. If the policy changes that, run this again after the restart"
        )
    seen = [action["record"] for action in listed if set(action["attributes"]) <= set(state.once_pending)]
    if unknown := [name for name in asked if name not in seen]:
        run.told.append(
            "An earlier run was interrupted when it asked for this, and it may have been performed:"
            f" {', '.join(unknown)}. It is not performed again. If it was not, remove its record on the server, and run this again"
        )
    now = [] if locked or waits else [str(action["record"]) for action in new]
    if now:
        run.told.append(f"To be performed once, at a restart before the rest is set: {', '.join(now)}")
        run.changed = run.wanted.dry
        run.require_restart(state, True)
    return {"next": now, "seen": [name for name in asked if name in seen], "waits": waits}


def stage_once(run: Run, records: list[str]) -> None:
    """Stage what performs these actions."""
    run.read()
    run.stage(
        {
            name: value
            for action in run.plan.get("once") or []
            if action["record"] in records
            for name, value in action["attributes"].items()
        }
    )
