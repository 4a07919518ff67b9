"""A node whose system is an image in memory: Linux in QEMU starts with the files of the guide, and nothing is left of
the time before.

The tree is that of docs/guides/stateless.md, which the tests of the manual lay out as well.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from consumers.systemd_boot import started
from setpoint.compiler.lowering.target import emission_of
from support.command import ROOT
from support.host import PROGRAM
from support.plans import planned
from support.shell import run, shellcheck

FOLDER = ROOT / "examples/fleet/stateless"
SCRIPT = (FOLDER / "setpoint-boot").read_text(encoding="utf-8")
PLAN = planned("policy web { goal latency; cpu skylake; os debian 12; tuned unused; }")
PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"
LOOK = f"""
systemctl is-active setpoint.service
systemctl show --property=ExecMainStatus --value setpoint.service
cat /proc/sys/vm/swappiness {PAGES}
export SETPOINT_IGNORE="product sockets system distribution kernel"
host="sh /opt/setpoint/setpoint-host"
$host next /opt/setpoint/kernel-args/kernel-args.plan >/dev/null 2>&1; echo "next $?"
$host verify /opt/setpoint/systemd/systemd.plan --state /run/setpoint >/dev/null; echo "verify $?"
$host undo /opt/setpoint/systemd/systemd.plan --state /run/setpoint >/dev/null; echo "undo $?"
cat /proc/sys/vm/swappiness {PAGES}
[ -d /var/lib/setpoint ] || echo "nothing is kept"
"""
DROP_IN = '[Service]\nEnvironment="SETPOINT_IGNORE=product sockets system distribution kernel"\n'


def artifact(target: str, path: str) -> str:
    """The text of a file of the bundle."""
    emission = emission_of(target, PLAN)
    assert emission is not None
    return next(each.text for each in emission.artifacts if each.path == path)


def tree() -> dict[str, tuple[str, int]]:
    """The files of the image."""
    unit = (FOLDER / "setpoint.service").read_text(encoding="utf-8")
    return {
        "/opt/setpoint/setpoint-boot": (SCRIPT, 0o755),
        "/opt/setpoint/setpoint-host": (PROGRAM, 0o755),
        "/opt/setpoint/systemd/systemd.plan": (artifact("systemd", "systemd/systemd.plan"), 0o644),
        "/opt/setpoint/kernel-args/kernel-args.plan": (
            artifact("kernel-args", "kernel-args/kernel-args.plan"),
            0o644,
        ),
        "/etc/systemd/system/setpoint.service": (unit, 0o644),
        "/etc/systemd/system/setpoint.service.d/any-server.conf": (DROP_IN, 0o644),
        "/etc/systemd/system/tried.service.d/after.conf": (
            "[Unit]\nWants=setpoint.service\nAfter=setpoint.service\n",
            0o644,
        ),
    }


def test_a_node_has_its_plan_from_its_start_on_and_gives_it_back(tmp_path: Path) -> None:
    words = artifact("kernel-args", "kernel-args/cmdline").strip()
    lines = started(tmp_path, tree(), LOOK, words=words)
    assert lines[-10:] == [
        "active",
        "0",
        "10",
        "always madvise [never]",
        "next 4",  # there is no boot loader here
        "verify 0",
        "undo 0",
        "60",
        "[always] madvise never",
        "nothing is kept",
    ]


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
def test_each_plan_is_applied_but_that_of_the_boot_loader(tmp_path: Path, shell: str) -> None:
    """Whatever fails, the others are brought about; the exit status says so."""
    assert shellcheck(SCRIPT) == ""
    calls = tmp_path / "calls"
    (tmp_path / "setpoint-boot").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "setpoint-host").write_text(
        f'echo "$1 ${{2##*/}} $3 $4" >>{calls}\ncase $2 in *cpuspeed*) exit 4 ;; esac\n', encoding="utf-8"
    )
    for part in ("cpuspeed", "kernel-args", "tuned"):
        (tmp_path / part).mkdir()
        (tmp_path / part / f"{part}.plan").write_text("", encoding="utf-8")
    done = run(f"{shell} {tmp_path}/setpoint-boot", SETPOINT_STATE="/s")
    assert done.status == 4
    assert calls.read_text(encoding="utf-8").splitlines() == [
        "apply cpuspeed.plan --state /s",
        "verify kernel-args.plan --state /s",
        "apply tuned.plan --state /s",
    ]
