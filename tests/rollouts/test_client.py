"""The client for controllers, in this process: what it does to a controller, and what it tells where something goes
wrong.

The controllers are those of `tests/idrac` and `tests/controllers`, and a service that answers badly
(`redfish_stand_in`). The role, which carries the client as a module, is run in the other modules of this folder.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from controllers import AMI, HPE, LENOVO, SUPERMICRO, Setup, bare_controllers, server
from hypothesis import given, settings
from hypothesis import strategies as st

from consumers.redfish_service import PASSWORD, USER, certificate
from consumers.redfish_stand_in import Fault as Bad
from consumers.redfish_stand_in import StandIn, stand_in
from idrac import PASSWORD as CONTROLLER_PASSWORD
from idrac import USER as CONTROLLER_USER
from idrac import Behaviour, Controller, Fault, controllers
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.twin.dialects import dialects
from setpoint.targets._client import client
from setpoint.targets._client.identity import claim, require_same
from setpoint.targets._client.program import ARGUMENTS, answer
from setpoint.targets._client.server import Server
from setpoint.targets._client.wire import Account, Answer, Service, StopError, said
from support.effort import examples
from support.limits import PATIENCE

AT_FIRST = {"Smt": "Enabled", "Turbo": "Enabled", "Other": "x"}
WANTED = {"Smt": "Disabled", "Turbo": "Disabled"}
DIALECTS = {"hpe": HPE, "lenovo": LENOVO, "supermicro": SUPERMICRO, "ami": AMI}
SETTINGS = {"Smt": "smt", "Turbo": "turbo"}


@cache
def reported() -> dict[str, str]:
    """The words that only some services say, with their meanings, as the library states them and plans have them."""
    said = (report for one in standard().services for report in one.reported)
    return {word: each.kind for each in said for word in each.names}


def plan(**more: Any) -> dict[str, Any]:
    """The data of a plan that wants two values."""
    names: dict[str, Any] = {
        "first": {},
        "write": WANTED,
        "fixed": {},
        "assumed": {},
        "settings": SETTINGS,
        "settings_uri": "",
        "system_uri": "",
    }
    lists: dict[str, Any] = {name: [] for name in ("along", "opens", "locks", "once")}
    return {
        "name": "web",
        "reports": {},
        "bios": {**names, **lists, "jobs_uri": "", "reported": reported(), **more},
    }


class Bench:
    """A controller and its journal; what the client answers when it is asked for something."""

    def __init__(self, bmc: Controller, folder: Path, **more: Any) -> None:
        self.bmc = bmc
        self.folder = folder
        self.more = more

    def ask(self, state: str, dry: bool = False, **more: Any) -> dict[str, Any]:
        """Ask the client, which waits for nothing."""
        options: dict[str, Any] = {name: one.get("default") for name, one in ARGUMENTS.items()}
        options |= {
            "host": self.bmc.address,
            "user": CONTROLLER_USER,
            "password": CONTROLLER_PASSWORD,
            "ca": str(self.bmc.ca),
        }
        options |= {"name": "c1", "plan": plan(), "journal": str(self.folder / "journal.json")}
        options |= {
            "read_delay": 0,
            "job_delay": 0,
            "job_retries": 6,
            "read_retries": 2,
            "reboot": True,
            "force": True,
        }
        return answer({**options, "state": state, **self.more, **more}, dry)

    def whole(self) -> dict[str, Any]:
        """Stage, restart, compare; what it said last."""
        for state in ("staged", "restarted", "compared"):
            came = self.ask(state)
            if came.get("failed"):
                return came
        return came


@contextmanager
def bench(setup: Setup | Behaviour, folder: Path, **more: Any) -> Iterator[Bench]:
    """A controller of this kind."""
    keys = certificate(folder)
    if isinstance(setup, Setup):
        with bare_controllers({"one": setup}, *keys) as bare:
            yield Bench(bare["one"], folder, **more)
    else:
        with controllers({"one": setup}, *keys) as idracs:
            yield Bench(idracs["one"], folder, **more)


def states(came: dict[str, Any]) -> dict[str, str]:
    """The state of each setting."""
    return {one["setting"]: one["state"] for one in came["results"]}


KINDS: dict[str, Setup | Behaviour] = {
    **{name: server(dialect, AT_FIRST) for name, dialect in DIALECTS.items()},
    "idrac": Behaviour(AT_FIRST),
}


@pytest.mark.parametrize("name", KINDS)
def test_values_are_staged_proven_compared_and_put_back(name: str, tmp_path: Path) -> None:
    with bench(KINDS[name], tmp_path) as one:
        checked = one.ask("staged", dry=True)
        assert (checked["changed"], one.bmc.writes) == (True, [])
        assert checked["diff"] == {
            "before": "Smt: Enabled\nTurbo: Enabled\n",
            "after": "Smt: Disabled\nTurbo: Disabled\n",
        }
        assert states(one.whole()) == {"smt": "ok", "turbo": "ok"}
        assert one.bmc.machine.current == {**AT_FIRST, **WANTED}
        sent = list(one.bmc.writes)
        assert one.ask("staged")["changed"] is False
        assert one.bmc.writes == sent, "a second run sends nothing"
        one.more["back"] = True
        assert states(one.whole()) == {"smt": "rolled-back", "turbo": "rolled-back"}
        assert one.bmc.machine.current == AT_FIRST


# --------------------------------------------------------------------------------- services without a settings resource


@pytest.mark.parametrize("address", ["none", "of settings", "of Bios"])
@pytest.mark.parametrize("name", ["cisco-cimc", "supermicro-x11"])
def test_a_service_without_a_settings_resource_takes_values_in_bios(
    name: str, address: str, tmp_path: Path
) -> None:
    """What it has staged is shown nowhere: it is pending until a restart shows it."""
    dialect = dialects()[name]
    stated = {"none": "", "of settings": f"{dialect.bios}/SD", "of Bios": dialect.bios}[address]
    with bench(server(dialect, AT_FIRST), tmp_path, plan=plan(settings_uri=stated)) as one:
        came = one.ask("staged")
        assert (came["changed"], came["waits"]) == (True, True)
        assert came["told"][-1].startswith("This service shows nowhere what it has staged")
        assert states(one.ask("compared")) == {"smt": "pending", "turbo": "pending"}
        sent = list(one.bmc.writes)
        assert one.ask("staged")["changed"] is False
        assert one.bmc.writes == sent, "a second run sends nothing"
        assert states(one.whole()) == {"smt": "ok", "turbo": "ok"}
        one.more["back"] = True
        one.whole()
        assert one.bmc.machine.current == AT_FIRST


def test_what_such_a_service_has_not_taken_differs_after_the_restart(tmp_path: Path) -> None:
    with bench(server(dialects()["cisco-cimc"], AT_FIRST), tmp_path) as one:
        one.ask("staged")
        one.bmc.machine.staged.pop("Smt")
        assert states(one.ask("compared")) == {"smt": "pending", "turbo": "pending"}, "nobody can know yet"
        came = one.ask("restarted")
        assert not came.get("failed"), came
        assert states(one.ask("compared")) == {"smt": "differs", "turbo": "ok"}


def test_without_proof_of_a_restart_such_values_stay_pending_until_somebody_says_so(tmp_path: Path) -> None:
    with bench(server(dialects()["cisco-cimc"], AT_FIRST), tmp_path) as one:
        one.ask("staged")
        one.bmc.machine.staged.clear()
        assert states(one.ask("compared")) == {"smt": "pending", "turbo": "pending"}
        assert states(one.ask("compared", restarted=True)) == {"smt": "differs", "turbo": "differs"}


# ------------------------------------------------------------------------------------------------- staged, or in effect


EARLY = SUPERMICRO._replace(early=True, equal="stays")
"""A service that shows staged values in `Bios` at once (dsx-ai-factory/libredfish, pull request 25)."""


def test_what_a_service_without_jobs_shows_at_once_is_pending_until_a_restart_is_proven(
    tmp_path: Path,
) -> None:
    setup = server(EARLY._replace(outcome="time"), AT_FIRST)
    with bench(setup, tmp_path) as one:
        assert one.ask("staged")["waits"]
        assert states(one.ask("compared")) == {"smt": "pending", "turbo": "pending"}
        assert one.ask("staged")["waits"], "nor does another run take it for being in effect"
        machine = one.bmc.machine
        machine.reset("GracefulRestart")
        machine.tick()
        machine.tick()
        assert states(one.ask("compared")) == {"smt": "ok", "turbo": "ok"}


def test_where_no_time_is_shown_the_operator_says_that_the_server_was_restarted(tmp_path: Path) -> None:
    setup = server(EARLY, AT_FIRST)
    with bench(setup, tmp_path) as one:
        one.ask("staged")
        one.bmc.machine.reset("GracefulRestart")
        one.bmc.machine.tick()
        one.bmc.machine.tick()
        assert states(one.ask("compared")) == {"smt": "pending", "turbo": "pending"}
        assert states(one.ask("compared", restarted=True)) == {"smt": "ok", "turbo": "ok"}


def test_a_value_that_a_restart_did_not_take_is_named_soon(tmp_path: Path) -> None:
    """This service shows no times: what is not staged any more proves the restart."""
    with bench(server(SUPERMICRO, AT_FIRST, rejects=("Smt",)), tmp_path, job_retries=1000) as one:
        came = one.whole()
        assert states(came) == {"smt": "differs", "turbo": "ok"}
        assert "Smt: Enabled, wanted Disabled" in came["words"]
        assert len(one.bmc.requests) < 60


def test_of_a_request_that_is_taken_in_part_both_parts_are_told(tmp_path: Path) -> None:
    with bench(server(HPE, AT_FIRST, drops=("Smt",)), tmp_path) as one:
        came = one.ask("staged")
        assert came["msg"].startswith(
            "The BMC reported success and dropped Smt: Enabled -> Disabled. It said: "
        )
        assert came["msg"].endswith(
            " The rest is staged, and in effect after a restart: Turbo = Disabled. To take it back, run rollback.yml"
        )
        assert (came["failed"], came["changed"]) == (True, True)


# ------------------------------------------------------------------------------------------------------------- readings


@pytest.mark.parametrize("kind", ["dropped", "html"])
@pytest.mark.parametrize("name", ["idrac"])
def test_a_reading_that_fails_once_is_repeated(name: str, kind: Any, tmp_path: Path) -> None:
    with bench(KINDS[name], tmp_path) as clean:
        clean.whole()
        methods = [request.method for request in clean.bmc.requests]
    for number in [number for number, method in enumerate(methods) if method == "GET"]:
        folder = tmp_path / str(number)
        folder.mkdir()
        for each in ("certificate.pem", "key.pem"):
            (folder / each).symlink_to(tmp_path / each)
        with bench(KINDS[name], folder) as one:
            one.bmc.fault = Fault(number, kind)
            came = one.whole()
            assert not came.get("failed"), (number, came)
            assert states(came) == {"smt": "ok", "turbo": "ok"}, number


def test_what_cannot_be_read_of_the_ways_to_restart_is_not_told_as_none(tmp_path: Path) -> None:
    with bench(server(SUPERMICRO, AT_FIRST), tmp_path) as one:
        assert not one.ask("staged", reboot=False).get("failed")
        one.bmc.fault = Fault(len(one.bmc.requests) + 5, "away")
        said_so = one.ask("restarted")["msg"]
        assert said_so.startswith(
            "The staged values wait for a restart: the BMC does not show how it can restart the server in"
            " /redfish/v1/Systems/1/ResetActionInfo (HTTP 503): "
        )


def test_a_server_that_is_starting_is_waited_for(tmp_path: Path) -> None:
    """An iLO refuses changes then, with a message that has no words."""
    with bench(server(HPE._replace(during_post="refuses"), AT_FIRST, seconds=2), tmp_path) as one:
        one.bmc.machine.reset("ForceRestart")
        assert "UnableToModifyDuringSystemPOST" in one.ask("staged", read_retries=0)["msg"]
        assert not one.ask("staged", read_retries=40, read_delay=0.1).get("failed")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[tuple[StandIn, Service]]:
    """A service that answers as ordered, and the client's connection to it, which repeats a reading once."""
    system = {
        "Bios": {"@odata.id": "/redfish/v1/Systems/1/Bios"},
        "Actions": {"#ComputerSystem.Reset": {"target": "/r"}},
    }
    documents = {
        "/redfish/v1/": {"Systems": {"@odata.id": "/redfish/v1/Systems"}},
        "/redfish/v1/Systems": {
            "Members": [{"@odata.id": f"/redfish/v1/Systems/{name}"} for name in ("1", "2")]
        },
        "/redfish/v1/Systems/1": system,
        "/redfish/v1/Systems/2": system,
        "/redfish/v1/Tasks/1": {
            "Id": "1",
            "TaskState": "Exception",
            "Messages": [{"MessageId": "Base.1.12.ActionNotSupported", "MessageArgs": ["Reset"]}],
        },
    }
    with stand_in(tmp_path, documents) as bmc:
        connection = Service(
            Account(bmc.address, USER, PASSWORD, str(bmc.ca), retries=1, delay=0), reported()
        )
        yield bmc, connection
        connection.close()


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (Bad(body=b'{"Systems": {}}', cut=True), "(HTTP 200): its answer was cut off."),
        (Bad(body=b"<html>Loading</html>", headers={"Content-Type": "text/html"}), "(HTTP 200): its answer is no JSON object (text/html, 20 bytes)."),
        (Bad(body=b""), "(HTTP 200): its answer is empty."),
        (Bad(body=b"[" * 100_000), "(HTTP 200): its answer is no JSON object (of no stated type, 100000 bytes)."),
        (Bad(hang_up=True), "(no answer): it closed the connection."),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_asked_for_again_and_told_as_such(
    service: tuple[StandIn, Service], bad: Bad, told: str
) -> None:
    bmc, connection = service
    bmc.faults["/redfish/v1"] = [bad]
    assert connection.read("/redfish/v1/").good
    connection.close()
    bmc.faults["/redfish/v1"] = [bad, bad]
    assert connection.read("/redfish/v1/").reply == told


def test_a_refusal_during_the_start_of_a_server_is_waited_for(service: tuple[StandIn, Service]) -> None:
    bmc, connection = service
    body = json.dumps(
        {"error": {"@Message.ExtendedInfo": [{"MessageId": "iLO.2.14.UnableToModifyDuringSystemPOST"}]}}
    )
    bmc.faults["/x"] = [Bad(status=400, body=body.encode()), Bad(status=204, body=b"")]
    assert connection.change("stage", "POST", "/x", {}).outcome == "done"


@pytest.mark.parametrize("key", ["Base.1.12.ResourceInUse", "iLO.2.14.UnableToModifyDuringSystemPOSTs"])
def test_a_service_says_not_now_by_messages_of_the_base_registry_and_of_the_plan_alone(
    tmp_path: Path, key: str
) -> None:
    body = json.dumps({"error": {"@Message.ExtendedInfo": [{"MessageId": key}]}}).encode()
    with stand_in(tmp_path, {"/x": {}}) as bmc:
        connection = Service(Account(bmc.address, USER, PASSWORD, str(bmc.ca), retries=1, delay=0))
        bmc.faults["/x"] = [Bad(status=400, body=body), Bad(status=204, body=b"")]
        assert connection.change("stage", "POST", "/x", {}).outcome == (
            "done" if key.startswith("Base") else "refused"
        )
        connection.close()


def test_what_is_shown_and_not_settled_is_read_again(service: tuple[StandIn, Service]) -> None:
    bmc, connection = service
    unsettled = Bad(
        body=json.dumps(
            {"@Message.ExtendedInfo": [{"MessageId": "ExtendedError.1.2.ResourceUnstable"}]}
        ).encode()
    )
    bmc.faults["/redfish/v1"] = [unsettled]
    assert "Systems" in connection.read("/redfish/v1/").document
    bmc.faults["/redfish/v1"] = [unsettled, unsettled]
    answer = connection.read("/redfish/v1/")
    assert not answer.good
    assert (
        answer.reply
        == "(HTTP 200): what it shows is not settled: Resource unstable (ExtendedError.1.2.ResourceUnstable)."
    )


def test_a_task_that_failed_says_why_in_its_own_words(service: tuple[StandIn, Service]) -> None:
    server = Server(service[1], plan()["bios"])
    accepted = Answer("/x", 202, headers={"location": "/redfish/v1/Tasks/1"})
    assert (
        server.task(accepted) == "1 is Exception: Action not supported: Reset (Base.1.12.ActionNotSupported)."
    )


def test_of_several_systems_none_is_guessed(service: tuple[StandIn, Service]) -> None:
    with pytest.raises(StopError) as stop:
        Server(service[1], plan()["bios"]).find("Nothing was changed")
    assert (
        str(stop.value)
        == "Nothing was changed: several systems have a BIOS (/redfish/v1/Systems/1, /redfish/v1/Systems/2)"
    )
    server = Server(service[1], plan(system_uri="/redfish/v1/Systems/2/")["bios"])
    server.find("Nothing was changed")
    assert server.path == "/redfish/v1/Systems/2"


def test_messages_without_words_are_put_into_words() -> None:
    refused = {"error": {"code": "iLO.0.10.ExtendedInfo", "message": "See @Message.ExtendedInfo for more information.", "@Message.ExtendedInfo": [
        {"MessageId": "iLO.2.14.UnableToModifyDuringSystemPOST", "MessageArgs": ["ProcSMT"]}
    ]}}  # fmt: skip
    assert (
        said(refused)
        == "Unable to modify during system POST: ProcSMT (iLO.2.14.UnableToModifyDuringSystemPOST)"
    )
    annotated = {"Smt@Message.ExtendedInfo": [{"Message": "Not\x1b[2J writable"}]}
    assert said(annotated) == "Not [2J writable"


# ------------------------------------------------------------------------------------------------------- which server


def test_a_controller_of_another_server_is_found_out_in_either_byte_order() -> None:
    redfish = "005CB4E7-0989-EB11-8000-3CECEF000001"
    require_same(redfish, "e7b45c00-8909-11eb-8000-3cecef000001", "")
    require_same("00000000-0000-0000-0000-000000000000", redfish, "")
    with pytest.raises(StopError, match="the BMC is that of another server"):
        require_same(redfish, "e7b45c00-8909-11eb-8000-3cecef000002", "Nothing was changed")


def test_two_hosts_do_not_share_a_controller(tmp_path: Path) -> None:
    uuid = "4c4c4544-0035-3410-8050-c6c04f314733"
    for host in ("c1", "c1"):
        claim(uuid, tmp_path, host, "Nothing was changed", dry=False)
    for dry in (True, False):
        with pytest.raises(StopError, match="the BMC is that of host c1, too"):
            claim(uuid.upper(), tmp_path, "c2", "Nothing was changed", dry=dry)


def test_a_bios_that_was_updated_since_the_roll_out_is_noted(tmp_path: Path) -> None:
    with bench(KINDS["idrac"], tmp_path) as one:
        one.whole()
        journal = tmp_path / "journal.json"
        kept = json.loads(journal.read_text(encoding="utf-8"))
        assert kept["attributes"] == {name: AT_FIRST[name] for name in WANTED}
        journal.write_text(json.dumps({**kept, "bios": "0.1"}), encoding="utf-8")
        (note,) = one.ask("compared")["notes"]
        assert note.startswith("The BIOS was updated since the policy was rolled out: from 0.1 to ")


# ---------------------------------------------------------------------------------------------------- foreign documents

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=6)  # fmt: skip
TREE: dict[str, Any] = {
    "/redfish/v1/": {"Systems": {"@odata.id": "/s"}},
    "/s": {"Members": [{"@odata.id": "/s/1"}]},
    "/s/1": {
        "Bios": {"@odata.id": "/b"},
        "PowerState": "On",
        "LastResetTime": "1",
        "Actions": {
            "#ComputerSystem.Reset": {
                "target": "/r",
                "ResetType@Redfish.AllowableValues": ["GracefulRestart"],
            }
        },
    },
    "/b": {
        "Attributes": AT_FIRST,
        "@Redfish.Settings": {"SettingsObject": {"@odata.id": "/b/s"}, "Messages": []},
    },
    "/b/s": {"Attributes": {}, "Oem": {"Any": {"Jobs": {"@odata.id": "/j"}}}, "Actions": {"Oem": {}}},
    "/j": {
        "Members": [{"@odata.id": "/j/1", "Id": "1", "JobType": "BIOSConfiguration", "JobState": "Completed"}]
    },
}


def places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values in a document."""
    yield path
    steps = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    for step, inner in steps:
        yield from places(inner, (*path, step))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with another value at a place."""
    if not path:
        return value
    copied = dict(document) if isinstance(document, dict) else list(document)
    copied[path[0]] = changed(document[path[0]], path[1:], value)
    return copied


@settings(deadline=None, max_examples=examples(40))
@given(st.sampled_from(list(places(TREE))), JSON, st.sampled_from(["staged", "restarted", "compared"]))
def test_whatever_a_service_shows_a_run_ends_with_a_reason(
    path: tuple[Any, ...], value: Any, state: str
) -> None:
    tree = changed(TREE, path, value)

    class Said(Service):
        """A service that shows these documents."""

        def _ask(self, method: str, path: str, *rest: Any) -> Answer:
            found = tree.get(path.partition("?")[0]) if isinstance(tree, dict) and method == "GET" else {}
            return Answer(path, 200, found) if isinstance(found, dict) else Answer(path, 404)

    options: dict[str, Any] = {name: one.get("default") for name, one in ARGUMENTS.items()}
    options |= {
        "host": "x",
        "user": "x",
        "password": "x",
        "name": "x",
        "plan": plan(),
        "journal": "/nonexistent/j",
        "state": state,
    }
    options |= {"read_delay": 0, "job_delay": 0, "job_retries": 1, "read_retries": 0, "reboot": True}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("setpoint.targets._client.program.Service", Said)
        came = answer(options, state != "restarted")
    assert json.dumps(came)
    assert came.get("msg", "a reason")


# --------------------------------------------------------------------------------------------------------- one file


def test_the_client_is_one_file_of_the_standard_library_alone(tmp_path: Path) -> None:
    tree = ast.parse(client().text)
    tops = [node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
    tops += [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    assert [name for name, count in Counter(tops).items() if count > 1] == []
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in modules} <= sys.stdlib_module_names
    program = tmp_path / "program.py"
    program.write_text(client().text + "\nprint(said({'error': {'message': 'whole'}}))\n", encoding="utf-8")
    source = program.read_text(encoding="utf-8").replace(
        "    sys.exit(command(sys.argv[1:]))\n", "    pass\n"
    )
    program.write_text(source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(program)], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout == "whole\n"


def test_no_two_modules_of_the_client_give_one_name_to_two_things() -> None:
    """The program is all modules in one: a name of one would be another's."""
    found: Counter[str] = Counter()
    for path in (Path(__file__).parents[2] / "targets" / "_client").glob("[a-z]*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else ()
            assigned = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
            named = {node.name} if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else set()
            found.update(assigned | named)
    assert [name for name, times in found.items() if times > 1] == []
