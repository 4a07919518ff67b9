"""The client as a program: what it is given, and what it answers.

It runs where the controllers can be reached, which is Ansible's own machine, and asks nothing of the server's operating system.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from setpoint.targets._client.fleet import confused, look
from setpoint.targets._client.identity import SAME, other_firmware
from setpoint.targets._client.journal import Journal
from setpoint.targets._client.once import find_once, stage_once
from setpoint.targets._client.proof import Before
from setpoint.targets._client.run import Run
from setpoint.targets._client.server import Server, Times
from setpoint.targets._client.state import Opening, Permissions, Wanted, result
from setpoint.targets._client.wire import Account, Document, Service, StopError, plain

VERSION = "1"
"""Of what the client is given and answers."""

STATES = ("staged", "restarted", "waited", "compared", "once", "performed", "unique")

ARGUMENTS: dict[str, dict[str, Any]] = {
    "state": {"type": "str", "required": True, "choices": list(STATES)},
    "host": {"type": "str", "required": True},
    "user": {"type": "str", "required": True},
    "password": {"type": "str", "required": True, "no_log": True},
    "ca": {"type": "path", "default": ""},
    "validate_certs": {"type": "bool", "default": True},
    "timeout": {"type": "float", "default": 60},
    "read_retries": {"type": "int", "default": 5},
    "read_delay": {"type": "float", "default": 10},
    "job_retries": {"type": "int", "default": 60},
    "job_delay": {"type": "float", "default": 30},
    "plan": {"type": "dict", "required": True},
    "name": {"type": "str", "required": True},
    "journal": {"type": "path", "required": True},
    "journals": {"type": "path", "default": ""},
    "claims": {"type": "path", "default": ""},
    "uuid": {"type": "str", "default": ""},
    "pass_over": {"type": "list", "elements": "str", "default": []},
    "reboot": {"type": "bool", "default": False},
    "through_bmc": {"type": "bool", "default": True},
    "force": {"type": "bool", "default": False},
    "power_on": {"type": "bool", "default": False},
    "foreign_settings": {"type": "bool", "default": False},
    "foreign_jobs": {"type": "bool", "default": False},
    "back": {"type": "bool", "default": False},
    "after_restart": {"type": "bool", "default": False},
    "restarted": {"type": "bool", "default": False},
    "before": {"type": "dict", "default": {}},
    "recorded": {"type": "dict", "default": {}},
    "hosts": {"type": "list", "elements": "dict", "default": [], "no_log": True},
    "role": {"type": "str", "default": ""},
    "records": {"type": "list", "elements": "str", "default": []},
}
"""Its options, as Ansible has them."""

OPENINGS = {
    "restarted": Opening("The staged values wait for a restart"),
    "waited": Opening("The server restarted"),
}
MORE = Opening("Nothing more was changed", "Nothing more was staged")
"""The opening after the restart of an earlier stage."""

NOT_COMPARED = "The BIOS was not compared"
"""How the words of a comparison open that could not be made, for one reason for all settings."""


def answer(given: Document, dry: bool) -> dict[str, Any]:
    """Do what is asked for, and say what came of it: `failed` and `msg` where a run ends before its goal."""
    account = Account(
        given["host"],
        given["user"],
        given["password"],
        given["ca"] or "",
        given["validate_certs"],
        given["timeout"],
        given["read_retries"],
        given["read_delay"],
    )
    if given["state"] == "unique":
        return {"changed": False, "told": [], "confused": confused(look(given, account))}
    if not (account.host and account.user and account.password):
        why = (
            "setpoint_bmc_host, setpoint_bmc_user and setpoint_bmc_password must name the BMC and its account"
        )
        more = (
            _unread(given["plan"]["bios"], why)
            if given["state"] == "compared"
            else {"failed": True, "msg": why}
        )
        return {"changed": False, "told": [], **more}
    service = Service(account, given["plan"]["bios"].get("reported", {}))
    run: Run | None = None
    try:
        run = _run(service, given, dry)
        more = _compared(run) if given["state"] == "compared" else _done(run, given)
        return {**_answered(run), **more}
    except (StopError, OSError) as stop:
        told = _answered(run) if run is not None else {"changed": False, "told": []}
        so_far = "" if isinstance(stop, StopError) else f"{run.so_far if run else 'Nothing was changed'}: "
        return {**told, "failed": True, "status": getattr(stop, "status", 4), "msg": f"{so_far}{stop}"}
    finally:
        service.close()


def _run(service: Service, given: Document, dry: bool) -> Run:
    plan = given["plan"]
    may = Permissions(
        *(given[name] for name in ("foreign_settings", "foreign_jobs", "reboot", "force", "power_on"))
    )
    opening = MORE if given["after_restart"] else OPENINGS.get(given["state"], Opening())
    has_claims = given["claims"] and SAME not in given["pass_over"]
    wanted = Wanted(
        plan=plan["bios"],
        name=plan["name"],
        reports=plan["reports"],
        pass_over=given["pass_over"],
        may=may,
        through_bmc=given["through_bmc"],
        dry=dry or given["state"] == "compared",
        back=given["back"],
        retries=given["job_retries"],
        delay=given["job_delay"],
        opening=opening,
        restarted=given["restarted"],
        uuid=given["uuid"],
        claims=Path(given["claims"]) if has_claims else None,
        host=given["name"],
        journals=Path(given["journals"]) if given["journals"] else None,
    )
    journal = Journal.of(Path(given["journal"]))
    return Run(Server(service, plan["bios"]), wanted, journal)


def _done(run: Run, given: Document) -> dict[str, Any]:
    run.identify()
    if given["state"] == "staged":
        run.apply(given["after_restart"])
    elif given["state"] == "restarted":
        run.restart(list(given["before"].get("awaited", [])))
    elif given["state"] == "waited":
        kept = given["before"]
        times = Times(*(str(kept.get("times", {}).get(name, "")) for name in ("reset", "applied", "boot")))
        before = Before(kept.get("own", {}), kept.get("once", []), kept.get("awaited", []), times)
        run.read()
        run.wait(before, proven=True)
    elif given["state"] == "once":
        return {"once": find_once(run, given["recorded"])}
    else:
        stage_once(run, given["records"])
    return {}


def _answered(run: Run) -> dict[str, Any]:
    """What is said of every run; of the server, if it was read."""
    said: dict[str, Any] = {"changed": run.changed, "told": [plain(sentence) for sentence in run.told]}
    said |= {"journal": str(run.journal.file), "kept": run.journal.exists}
    if run.diff:
        said["diff"] = run.diff
    sent = run.server.service.sent
    said["unsent"] = all(reply.outcome == "refused" for _, reply in sent)
    said |= {
        name: plain(run.server.system.get(key) or "") for name, key in (("uuid", "UUID"), ("model", "Model"))
    }
    if hasattr(run, "state"):
        state = run.state
        said |= {
            "waits": state.waits,
            "first": state.first_waiting,
            "running": bool(state.running_jobs),
            "once_waits": bool(state.once_pending) and not state.back,
            "once_pending": state.once_pending,
            "before": asdict(run.before()),
        }
    return said


def _compared(run: Run) -> dict[str, Any]:
    """The comparison with the plan. What keeps it from being made does not keep other layers from being compared."""
    try:
        run.identify()
        state = run.read()
    except StopError as stop:
        why = str(stop).removeprefix("Nothing was changed: ")
        return {**_unread(run.plan, why), "status": stop.status}
    notes = [*run.passed_over, *state.notes]
    version = plain(run.server.system.get("BiosVersion") or "")
    if run.journal.bios and version and version != run.journal.bios:
        notes.append(
            f"The BIOS was updated since the policy was rolled out: from {run.journal.bios} to {version}."
        )
    if note := other_firmware(run.plan, run.server.system):
        notes.append(f"{note}.")
    if state.otherwise:
        run.note_otherwise()
    results = state.results()
    if run.wanted.back:
        results = [{**row, "state": "rolled-back"} if row["state"] == "ok" else row for row in results]
        rest = {name: value for name, value in run.journal.changes.items() if name not in state.expected}
        results += [
            result(
                run.plan,
                name,
                value,
                state.current.get(name),
                None,
                "rolled-back",
                f"{name} was so before the policy",
            )
            for name, value in rest.items()
        ]
    return {"changed": False, "results": results, "notes": notes, "words": state.reasons}


def _unread(plan: Document, why: str) -> dict[str, Any]:
    """The comparison where nothing could be read."""
    expected = {**plan["first"], **plan["write"], **plan["fixed"]}
    results = [
        result(plan, name, value, None, None, "unreadable", f"{name}: {why}")
        for name, value in expected.items()
    ]
    return {"results": results, "notes": [], "words": f"{NOT_COMPARED}: {why}"}
