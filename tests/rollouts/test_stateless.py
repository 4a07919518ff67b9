"""A node whose system is an image in memory: Linux in QEMU starts with the files of the guide, and nothing is left of
the time before.

The tree is that of docs/guides/stateless.md, which the tests of the manual lay out as well.
"""

from __future__ import annotations

import subprocess
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from consumers.requirement import require
from consumers.systemd_boot import started
from setpoint.compiler.lowering.target import emission_of
from support.command import ROOT
from support.host import PROGRAM
from support.limits import PATIENCE
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
export SETPOINT_IGNORE="product processor sockets system distribution kernel"
host="sh /usr/lib/setpoint/setpoint-host"
$host next /usr/lib/setpoint/kernel-args/kernel-args.plan >/dev/null 2>&1; echo "next $?"
$host verify /usr/lib/setpoint/systemd/systemd.plan --state /run/setpoint >/dev/null; echo "verify $?"
$host undo /usr/lib/setpoint/systemd/systemd.plan --state /run/setpoint >/dev/null; echo "undo $?"
cat /proc/sys/vm/swappiness {PAGES}
[ -d /var/lib/setpoint ] || echo "nothing is kept"
"""
PLACE = "/usr/lib/setpoint/"
DROP_IN = '[Service]\nEnvironment="SETPOINT_IGNORE=product processor sockets system distribution kernel"\n'


FETCH = "-l inf -nH -N -r --waitretry=10 --random-wait -e robots=off -T 60 --cut-dirs=2 --no-parent"
"""The options with which a node of xCAT 2.19 fetches `/install/postscripts`, of its `xcatdsklspost`; but `--reject` of
the lists of folders and two scripts of xCAT."""


class WithoutTypes(SimpleHTTPRequestHandler):
    """A web server that lists folders and states no type of a file, as Apache does of names without an ending."""

    def send_header(self, keyword: str, value: str) -> None:
        if keyword != "Content-type" or value.startswith("text/html"):
            super().send_header(keyword, value)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


def artifact(target: str, path: str) -> str:
    """The text of a file of the bundle."""
    emission = emission_of(target, PLAN)
    assert emission is not None
    return next(each.text for each in emission.artifacts if each.path == path)


def tree() -> dict[str, tuple[str, int]]:
    """The files of the image."""
    unit = (FOLDER / "setpoint.service").read_text(encoding="utf-8")
    return {
        "/usr/lib/setpoint/setpoint-boot": (SCRIPT, 0o755),
        "/usr/lib/setpoint/setpoint-host": (PROGRAM, 0o755),
        "/usr/lib/setpoint/systemd/systemd.plan": (artifact("systemd", "systemd/systemd.plan"), 0o644),
        "/usr/lib/setpoint/kernel-args/kernel-args.plan": (
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


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("", 0),
        # wget looks for links in a file without a type, and this one leads nowhere.
        ('grep "<a href=nowhere>"', 8),
    ],
)
def test_a_node_of_xcat_can_fetch_the_tree(tmp_path: Path, more: str, status: int) -> None:
    """A node without all of them has none: its script takes any other status for a failed download."""
    scripts = tmp_path / "install/postscripts/setpoint-web"
    files = {path: text for path, (text, _) in tree().items() if path.startswith(PLACE)}
    for path, text in files.items():
        file = scripts / path.removeprefix(PLACE)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (scripts / "more").write_text(more, encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(WithoutTypes, directory=str(tmp_path))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/install/postscripts/"
        words = [*FETCH.split(), "--reject=index.html*", "--quiet", address, "-P", "xcatpost"]
        fetched = subprocess.run([str(require("wget")), *words], cwd=tmp_path, timeout=PATIENCE, check=False)
        server.shutdown()
    assert fetched.returncode == status
    there = tmp_path / "xcatpost/setpoint-web"
    assert {path: (there / path.removeprefix(PLACE)).read_text(encoding="utf-8") for path in files} == files
