"""The reports of verify.yml: form setpoint.verify/1, a result for each value of each layer, whatever could be read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.ansible_run import Run, play, programs
from consumers.redfish_service import certificate
from idrac import Behaviour, Controller, controllers
from setpoint.compiler.lowering.target import emission_of, identifier
from setpoint.compiler.render.verification import Report, Result
from support import ansible_hosts, fault_matrix
from support.ansible import R710, R750, expected, role_of
from support.ansible_hosts import Book, restart_el6
from support.machines import R750 as R750_SERVER
from support.plans import planned

POLICY = "policy web { goal performance; platform r750; sockets 2; }"
WANTED = expected(POLICY)
FAIL = "Report what was found"
BROKEN = {"ansible_connection": "broken"}


def report(ansible: Path, host: str = "host") -> Report:
    """The report of a host, as the models of the form read it."""
    (file,) = (ansible / "reports" / host).glob("*.json")
    read = Report.model_validate_json(file.read_text(encoding="ascii"))
    assert read.host == host
    return read


def bios_results(ansible: Path, host: str) -> list[Result]:
    """The results of the BIOS, where no other layer was chosen."""
    results = report(ansible, host).results
    assert {r.state for r in results if r.layer != "firmware"} == {"not-compared"}
    return [r for r in results if r.layer == "firmware"]


def of_role(ansible: Path) -> tuple[Result, ...]:
    """The results, without those of settings that the role does not set, which are there as well."""
    results = report(ansible).results
    return tuple(r for r in results if not r.reason.startswith("the role does not set it"))


def states(results: tuple[Result, ...]) -> dict[str, set[str]]:
    """The states of a report's results by layer."""
    return {layer: {r.state for r in results if r.layer == layer} for layer in ("firmware", "boot", "os")}


# ------------------------------------------------------------------------------------------------- the BIOS, by Redfish


class Verified(NamedTuple):
    """The folder of the role, the servers, and the run."""

    ansible: Path
    bmcs: dict[str, Controller]
    run: Run

    def result(self, host: str, attribute: str) -> Result:
        """The result for the setting of an attribute, the only one that is not ok."""
        (found,) = (r for r in bios_results(self.ansible, host) if r.state != "ok")
        assert attribute in found.reason
        return found


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verified]:
    programs()
    folder = tmp_path_factory.mktemp("report")
    ansible = role_of(POLICY, folder)
    standing = {**R750_SERVER.registry().current, **WANTED}
    without = {name: value for name, value in standing.items() if name != "NodeInterleave"}
    behaviours = {
        "ok": Behaviour(standing),
        "pending": Behaviour({**standing, "LogicalProc": "Disabled"}, staged={"LogicalProc": "Enabled"}, committed=True),
        "coming": Behaviour(
            {**standing, "SysProfile": "PerfPerWattOptimizedDapc", "ProcC1E": "Enabled"},
            staged={"SysProfile": WANTED["SysProfile"]},
            committed=True,
        ),
        "orphaned": Behaviour({**standing, "LogicalProc": "Disabled"}, staged={"LogicalProc": "Enabled"}),
        "differs": Behaviour({**standing, "LogicalProc": "Disabled"}),
        "locked": Behaviour({**standing, "ProcC1E": "Enabled"}),
        "foreign": Behaviour(standing, staged={"LogicalProc": "Disabled"}),
        "beside": Behaviour(standing, staged={"BootMode": "Bios"}),
        "lacking": Behaviour(without),
        "another": Behaviour(standing, model="PowerEdge R640"),
        "refusing": Behaviour(standing),
    }  # fmt: skip
    with ExitStack() as stack:
        bmcs = stack.enter_context(controllers(behaviours, *certificate(folder)))
        hosts = {
            name: fault_matrix.account(bmc, f"setpoint_{identifier('web')}") for name, bmc in bmcs.items()
        }
        hosts["refusing"]["setpoint_bmc_password"] = "not the password"
        run = play(ansible / "verify.yml", hosts, folder / "home", "--tags", "firmware")
        yield Verified(ansible, bmcs, run)


def test_a_verification_writes_nothing_to_the_servers(verified: Verified) -> None:
    assert not any(bmc.writes for bmc in verified.bmcs.values())


def test_what_is_in_effect_is_ok(verified: Verified) -> None:
    plan = planned(POLICY)
    found = report(verified.ansible, "ok")
    assert (found.policy, found.notes, verified.run.failed("ok")) == ("web", (fault_matrix.NO_PROCESSOR,), "")
    assert {(r.reason, r.wanted, r.found, r.pending) for r in bios_results(verified.ansible, "ok")} == {
        (name, value, value, None) for name, value in WANTED.items()
    }
    assert {r.setting for r in bios_results(verified.ansible, "ok")} <= {
        d.setting for d in plan.settings if d.layer == "firmware"
    }


def test_what_a_job_will_carry_out_is_pending(verified: Verified) -> None:
    found = verified.result("pending", "LogicalProc")
    assert (found.setting, found.state, found.wanted) == ("smt", "pending", "Enabled")
    assert (found.found, found.pending) == (None, "Enabled")
    assert found.reason == (
        "LogicalProc is staged; JID_000000000001 is Scheduled: Task successfully scheduled."
    )
    unshown, note = report(verified.ansible, "pending").notes
    assert unshown == fault_matrix.NO_PROCESSOR
    assert note.startswith("BIOS jobs that are open: JID_000000000001")


def test_what_comes_with_its_governor_is_pending(verified: Verified) -> None:
    """It is never staged itself: the firmware sets it along."""
    found = {r.reason.partition(" ")[0]: r for r in bios_results(verified.ansible, "coming")}
    fixed = found["ProcC1E"]
    assert (fixed.state, fixed.wanted, fixed.found, fixed.pending) == (
        "pending",
        "Disabled",
        "Enabled",
        "Disabled",
    )
    assert fixed.reason.startswith(
        "ProcC1E comes with SysProfile, which is staged; JID_000000000001 is Scheduled"
    )
    assert {name for name, each in found.items() if each.state != "ok"} == {"SysProfile", "ProcC1E"}


def test_what_no_job_will_carry_out_is_told_so(verified: Verified) -> None:
    found = verified.result("orphaned", "LogicalProc")
    assert (found.state, found.pending) == ("pending", "Enabled")
    assert found.reason == "LogicalProc is staged; no job waits to carry it out"


def test_what_differs_is_shown_as_it_is(verified: Verified) -> None:
    found = verified.result("differs", "LogicalProc")
    assert (found.state, found.wanted, found.found, found.pending) == ("differs", "Enabled", "Disabled", None)
    assert "LogicalProc: Disabled, wanted Enabled" in verified.run.failed("differs")


def test_what_its_governor_fixes_is_locked(verified: Verified) -> None:
    found = verified.result("locked", "ProcC1E")
    assert (found.state, found.wanted, found.found, found.pending) == ("locked", "Disabled", "Enabled", None)
    assert found.reason == "ProcC1E is fixed by SysProfile"


def test_what_somebody_else_has_staged_differs_and_is_noted(verified: Verified) -> None:
    found = verified.result("foreign", "LogicalProc")
    assert (found.state, found.wanted, found.pending) == ("differs", "Enabled", "Disabled")
    assert found.reason == "LogicalProc: somebody else has staged Disabled"
    assert report(verified.ansible, "foreign").notes == (
        fault_matrix.NO_PROCESSOR,
        "Staged by somebody else: LogicalProc = Disabled.",
    )


def test_what_is_staged_beside_the_policy_is_a_note_alone(verified: Verified) -> None:
    found = report(verified.ansible, "beside")
    assert {r.state for r in bios_results(verified.ansible, "beside")} == {"ok"}
    assert found.notes == (fault_matrix.NO_PROCESSOR, "Staged by somebody else: BootMode = Bios.")
    assert "BootMode = Bios" in verified.run.failed("beside")


def test_an_attribute_that_the_server_lacks_differs(verified: Verified) -> None:
    found = verified.result("lacking", "NodeInterleave")
    assert (found.state, found.found) == ("differs", None)
    assert found.reason == "this server's BIOS has no NodeInterleave"


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("another", "this server reports the product PowerEdge R640"),
        ("refusing", "the BMC does not show /redfish/v1/Systems (HTTP 401)"),
    ],
)
def test_what_cannot_be_compared_is_unreadable(verified: Verified, host: str, reason: str) -> None:
    found = bios_results(verified.ansible, host)
    assert {(r.state, r.found, r.pending) for r in found} == {("unreadable", None, None)}
    assert {r.wanted for r in found} == set(WANTED.values())
    assert all(reason in r.reason for r in found)
    assert reason in verified.run.failed(host) or reason in verified.run.told(host, FAIL)


# --------------------------------------------------------------------------------------------------------- all layers


def test_one_report_has_every_layer_also_where_one_cannot_be_read(tmp_path: Path) -> None:
    """On Enterprise Linux 6, where every layer is a script's."""
    el6 = ansible_hosts.el6(tmp_path)
    assert el6.run().failed("host") == ""
    settings = {d.setting for d in planned(R710).settings if d.written}

    assert el6.run(book="verify.yml").status != 0
    waiting = of_role(el6.ansible)
    everything = {d.setting for d in planned(R710).applied}
    assert {r.setting for r in report(el6.ansible).results} == everything, (
        "each setting of the plan is in the report"
    )
    assert states(waiting) == {"firmware": {"ok", "pending"}, "boot": {"ok", "pending"}, "os": {"ok"}}
    assert {r.setting for r in waiting} <= settings

    restart_el6(el6)
    verified = el6.run(book="verify.yml")
    whole = of_role(el6.ansible)
    assert (verified.failed("host"), states(whole)) == (
        "",
        {"firmware": {"ok"}, "boot": {"ok"}, "os": {"ok"}},
    )

    names = {layer: {r.setting for r in whole if r.layer == layer} for layer in ("firmware", "boot", "os")}
    el6.run(book="verify.yml", **{f"{ansible_hosts.ROLE_EL6}_syscfg": "/nowhere/syscfg"})
    found = of_role(el6.ansible)
    assert states(found) == {"firmware": {"unreadable"}, "boot": {"ok"}, "os": {"ok"}}
    assert {r.setting for r in found if r.layer == "firmware"} == names["firmware"]
    assert all("no syscfg at /nowhere/syscfg" in r.reason for r in found if r.layer == "firmware")

    el6.system.program("tuned-adm", "#!/bin/sh\necho 'No module named tuned' >&2\nexit 1\n")
    emission = emission_of("tuned", planned(R710))
    assert emission is not None
    assert el6.run(book="verify.yml").status != 0
    found = of_role(el6.ansible)
    assert {r.setting for r in found if r.state != "ok"} == emission.expressed
    assert {r.state for r in found if r.setting in emission.expressed} == {"unreadable"}
    assert all("No module named tuned" in r.reason for r in found if r.state != "ok")

    run = el6.run(book="verify.yml", **BROKEN)
    found = of_role(el6.ansible)
    assert states(found) == {layer: {"unreadable"} for layer in names}
    assert {layer: {r.setting for r in found if r.layer == layer} for layer in names} == names
    assert all("No route to host" in r.reason and r.found is None for r in found)
    assert run.status != 0


def test_a_rollback_that_fails_claims_no_layer_that_it_has_not_restored(tmp_path: Path) -> None:
    el6 = ansible_hosts.el6(tmp_path)
    assert el6.run().failed("host") == ""
    restart_el6(el6)

    run = el6.run(book="rollback.yml", **{f"{ansible_hosts.ROLE_EL6}_syscfg": "/nowhere/syscfg"})
    failure = run.failed("host")
    assert "no syscfg at /nowhere/syscfg" in failure
    assert "as the plan has it" not in run.said, "nothing was compared"
    found = of_role(el6.ansible)
    assert states(found) == {"firmware": {"unreadable"}, "boot": {"not-compared"}, "os": {"not-compared"}}
    assert all("no syscfg at /nowhere/syscfg" in r.reason for r in found if r.layer == "firmware")
    assert {r.reason for r in found if r.layer != "firmware"} == {
        "this layer was not chosen, or the run failed before it"
    }


@pytest.mark.parametrize("make", [ansible_hosts.fedora, ansible_hosts.debian], ids=["grubby", "update-grub"])
def test_a_bios_is_compared_where_its_host_cannot_be_reached(
    tmp_path: Path, make: Callable[[Path], Book]
) -> None:
    book = make(tmp_path)
    wanted = expected(R750)
    standing = {**R750_SERVER.registry().current, **wanted}
    with controllers({"host": Behaviour(standing)}, *certificate(tmp_path)) as bmcs:
        account = fault_matrix.account(bmcs["host"], f"setpoint_{identifier('r750-any')}")
        run = book.run(book="verify.yml", **account, **BROKEN)
        found = of_role(book.ansible)
        assert states(found) == {"firmware": {"ok"}, "boot": {"unreadable"}, "os": {"unreadable"}}
        assert all("No route to host" in r.reason for r in found if r.layer != "firmware")
        assert "unreadable" in run.told("host", FAIL)

        reached = book.run(book="verify.yml", **account)
        found = of_role(book.ansible)
        assert states(found)["firmware"] == {"ok"}
        assert "unreadable" not in states(found)["boot"] | states(found)["os"]
        assert reached.status != 0
    text = (book.ansible / "reports/host/setpoint_r750_any.json").read_text(encoding="ascii")
    assert json.loads(text)["schema"] == "setpoint.verify/1"
