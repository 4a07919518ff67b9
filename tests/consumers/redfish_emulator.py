"""The configuration of sushy-emulator that makes it an iDRAC with the BIOS of a captured server.

    BMC_CAPTURE=NAME BMC_FOLDER=FOLDER BMC_PORT=PORT sushy-emulator --config redfish_emulator.py --fake …

sushy-emulator runs its configuration as Python, so a configuration can add to it. Stock, it takes any attribute with
any value and puts it in effect at once. From here come a BIOS that judges a request by the captured registry, keeps
what is staged apart from what is in effect, and takes it over at a restart; and the jobs without which an iDRAC would
not. HTTP, TLS and the rest of the service are the emulator's own; the documents around the BIOS are those of the
capture.

As written in Dell's messages and seen in public threads: while a BIOS job waits, nothing more can be staged; what was
staged without an apply time waits for a job that is posted; posting a second one is an error (SYS011); where the
service lists no apply times, it takes none; what is staged can be cleared unless a job waits for it
(`setpoint.compiler.twin` has the sources). In `$BMC_FOLDER` it keeps `state.json` for the tests to read, and reads
`faults.json`, which orders what a test needs:

    {"drop": ["NAME"]}       report success for these attributes and forget them
    {"lose-job": true}       report success for staging with an apply time, and make no job
    {"fail-job": true}       end the job in an error at the restart, with nothing changed
    {"no-reset": true}       offer no way to restart
    {"no-end": true}         leave the job open at the restart, with nothing changed
    {"no-expand": true}      ignore $expand
    {"away": 4}              after a restart answer nothing to so many readings: hang up and answer 503, in turn
"""

import json
import os
import socket
from pathlib import Path
from typing import Any

import flask
from flask import Response
from sushy_tools import error
from sushy_tools.emulator import main as emulator

from consumers.registry import Registry
from registries import document
from setpoint.compiler.twin.rules import APPLY_TIME, check

Document = dict[str, Any]

CAPTURE = os.environ["BMC_CAPTURE"]
FOLDER = Path(os.environ["BMC_FOLDER"])
LOCKDOWN = bool(os.environ.get("BMC_LOCKDOWN"))
ACCOUNT = ("setpoint", "pass:word'$HOME \\")

SUSHY_EMULATOR_LISTEN_IP = "127.0.0.1"
SUSHY_EMULATOR_LISTEN_PORT = int(os.environ["BMC_PORT"])
SUSHY_EMULATOR_STATE_DIR = str(FOLDER)

SYSTEM = "/redfish/v1/Systems/System.Embedded.1"
app = emulator.app


CLEAR = next(iter(document(CAPTURE, "Settings")["Actions"]["Oem"].values()))["target"]
JOBS = next(iter(document(CAPTURE, "Settings")["Oem"].values()))["Jobs"]["@odata.id"]


class Bios:
    """The BIOS of the server and what its iDRAC knows of it."""

    def __init__(self) -> None:
        registry = Registry.load(CAPTURE)
        explained = {one.attribute for one in registry.dependencies if one.prop == "ReadOnly"}
        # A flag that dependencies explain is theirs to set: those of the capture are of the state that it was in.
        attributes = {
            name: one._replace(read_only=one.read_only and name not in explained)
            for name, one in registry.attributes.items()
        }
        given = json.loads(os.environ.get("BMC_CURRENT", "{}"))
        current = registry.settle({**registry.current, **given})
        self.registry = registry._replace(attributes=attributes, current=current)
        self.staged: Document = {}
        self.jobs: list[Document] = []
        self.requests: list[str] = []
        self.power, self.restarts = "On", 0
        self.away = 0
        self.save()

    def save(self) -> None:
        state = {
            "current": dict(self.registry.current),
            "staged": self.staged,
            "jobs": self.jobs,
            "restarts": self.restarts,
            "requests": self.requests,
        }
        (FOLDER / "state.new").write_text(json.dumps(state), encoding="utf-8")
        (FOLDER / "state.new").replace(FOLDER / "state.json")

    @property
    def open_jobs(self) -> list[Document]:
        return [job for job in self.jobs if job["JobState"] == "Scheduled"]

    def stage(self, body: Document) -> str | None:
        if self.open_jobs:
            raise error.BadRequest("BIOS006: a BIOS job waits; nothing can be staged until it has run")
        unknown = body.keys() - {"Attributes", APPLY_TIME}
        if unknown or (APPLY_TIME in body and not self.registry.apply_times):
            raise error.BadRequest(f"SYS405: not taken: {', '.join(sorted(unknown)) or APPLY_TIME}")
        verdict = check(
            self.registry,
            {**body, "Attributes": {**self.staged, **body["Attributes"]}},
            ignore_lockdown=LOCKDOWN,
        )
        if refused := (*verdict.refused, *verdict.immutable):
            raise error.BadRequest(
                "SYS409: " + "; ".join(f"{one.attribute}: {one.reason}" for one in refused)
            )
        dropped = faults().get("drop", [])
        wanted = {name: value for name, value in body["Attributes"].items() if name not in dropped}
        self.staged.update(
            {name: value for name, value in wanted.items() if self.registry.current[name] != value}
        )
        if APPLY_TIME not in body or faults().get("lose-job"):
            return None
        return self.make_job()

    def clear(self) -> None:
        if self.open_jobs:
            raise error.BadRequest("SYS011: a BIOS job waits; what is staged is the job's")
        if not self.staged:
            raise error.BadRequest("RAC1035: nothing is staged")
        self.staged = {}

    def make_job(self) -> str:
        if self.open_jobs or not self.staged:
            raise error.BadRequest("SYS011: nothing is staged that has no job yet")
        job = f"JID_{len(self.jobs) + 1:012d}"
        self.jobs.append(
            {
                "@odata.id": f"{JOBS}/{job}",
                "@odata.type": "#DellJob.v1_4_0.DellJob",
                "Id": job,
                "JobState": "Scheduled",
                "JobType": "BIOSConfiguration",
                "Message": "Task successfully scheduled.",
                "Name": "Configure: BIOS.Setup.1-1",
                "PercentComplete": 0,
            }
        )
        return f"{JOBS}/{job}"

    def restart(self) -> None:
        self.restarts += 1
        self.away = faults().get("away", 0)
        failed = bool(faults().get("fail-job"))
        if faults().get("no-end"):
            return
        for job in self.open_jobs:
            if not failed:
                settled = self.registry.settle({**self.registry.current, **self.staged})
                self.registry = self.registry._replace(current=settled)
            self.staged = {}
            message = "Job failed." if failed else "Job completed successfully."
            job.update(JobState="Failed" if failed else "Completed", Message=message, PercentComplete=100)


def faults() -> Document:
    try:
        found: Document = json.loads((FOLDER / "faults.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found


bios = Bios()


def answer(content: Document, status: int = 200, location: str | None = None) -> Response:
    headers = {"Content-Type": "application/json", **({"Location": location} if location else {})}
    return Response(json.dumps(content), status, headers)


@app.before_request
def be_away() -> Response | None:
    if not bios.away:
        return None
    bios.away -= 1
    if bios.away % 2:
        flask.request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    return answer({"error": {"message": "The service is starting"}}, 503)


@app.before_request
def authenticate() -> Response | None:
    given = flask.request.authorization
    path = flask.request.path.rstrip("/")
    if (
        flask.request.headers.get("X-Auth-Token") == "token"
        or path == "/redfish/v1"
        or path.endswith("/Sessions")
    ):
        return None
    if given is None or (given.username, given.password) != ACCOUNT:
        return answer({"error": {"message": "The authentication credentials are not right"}}, 401)
    return None


@app.after_request
def note(response: Response) -> Response:
    if flask.request.method != "GET":
        bios.requests.append(f"{flask.request.method} {flask.request.path} {response.status_code}")
        bios.save()
    return response


def get_system(identity: str) -> Response:
    system = document(CAPTURE, "System")
    if faults().get("no-reset"):
        del system["Actions"]["#ComputerSystem.Reset"]["ResetType@Redfish.AllowableValues"]
    if "LastResetTime" in system:
        system["LastResetTime"] = f"2026-01-05T08:{bios.restarts:02d}:00+00:00"
    return answer({**system, "PowerState": bios.power})


def get_bios(identity: str = "System.Embedded.1") -> Response:
    return answer({**document(CAPTURE, "Bios"), "Attributes": dict(bios.registry.current)})


def settings(identity: str = "System.Embedded.1") -> Response:
    if flask.request.method == "GET":
        return answer({**document(CAPTURE, "Settings"), "Attributes": bios.staged})
    job = bios.stage(flask.request.get_json(force=True))
    return answer({}, 202, job) if job or APPLY_TIME in flask.request.get_json(force=True) else answer({})


def clear() -> Response:
    bios.clear()
    return answer({})


def get_registry() -> Response:
    return answer(document(CAPTURE, "BiosRegistry"))


def jobs() -> Response:
    if flask.request.method == "POST":
        target = flask.request.get_json(force=True).get("TargetSettingsURI")
        if target != f"{SYSTEM}/Bios/Settings":
            raise error.BadRequest(f"SYS403: no settings at {target}")
        return answer({}, 200, bios.make_job())
    expand = "$expand" in flask.request.args and not faults().get("no-expand")
    # A queue has other jobs in it, too.
    other = {
        "@odata.id": f"{JOBS}/JID_RAID",
        "Id": "JID_RAID",
        "JobState": "Scheduled",
        "JobType": "RAIDConfiguration",
    }
    members = [other, *bios.jobs]
    return answer({"Members": members if expand else [{"@odata.id": one["@odata.id"]} for one in members]})


def job(identity: str) -> Response:
    if flask.request.method == "DELETE":
        bios.jobs = [one for one in bios.jobs if one["Id"] != identity]
        bios.staged = {}
        return answer({})
    return answer(next(one for one in bios.jobs if one["Id"] == identity))


def reset(identity: str) -> Response:
    kind = flask.request.get_json(force=True).get("ResetType")
    allowed = document(CAPTURE, "System")["Actions"]["#ComputerSystem.Reset"][
        "ResetType@Redfish.AllowableValues"
    ]
    if kind not in allowed:
        raise error.BadRequest(f"SYS426: {kind} is not among {', '.join(allowed)}")
    if "Restart" in kind or kind in ("On", "PowerCycle"):
        bios.restart()
    return Response("", 204)


def sessions() -> Response:
    response = answer({"Id": "1"}, 201, "/redfish/v1/SessionService/Sessions/1")
    response.headers["X-Auth-Token"] = "token"
    return response


def end_session() -> Response:
    return answer({})


def registry_file() -> Response:
    location = [{"Language": "en", "Uri": f"{SYSTEM}/Bios/BiosRegistry"}]
    return answer({"Id": document(CAPTURE, "BiosRegistry")["Id"], "Languages": ["en"], "Location": location})


app.add_url_rule(f"{SYSTEM}/Bios", view_func=get_bios)
app.add_url_rule(f"{SYSTEM}/Bios/Settings", view_func=settings, methods=["GET", "PATCH"])
app.add_url_rule(CLEAR, view_func=clear, methods=["POST"])
app.add_url_rule(f"{SYSTEM}/Bios/BiosRegistry", view_func=get_registry)
for queue in sorted({JOBS, "/redfish/v1/Managers/iDRAC.Embedded.1/Oem/Dell/Jobs"}):
    app.add_url_rule(queue, f"jobs {queue}", jobs, methods=["GET", "POST"])
    app.add_url_rule(f"{queue}/<identity>", f"job {queue}", job, methods=["GET", "DELETE"])
app.add_url_rule("/redfish/v1/SessionService/Sessions", view_func=sessions, methods=["POST"])
app.add_url_rule("/redfish/v1/SessionService/Sessions/1", view_func=end_session, methods=["DELETE"])
app.view_functions.update(
    system_resource=get_system,
    system_reset_action=reset,
    bios=get_bios,
    bios_settings=settings,
    bios_attribute_registry_file=registry_file,
)
