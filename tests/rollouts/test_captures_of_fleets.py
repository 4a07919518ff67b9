"""Captures that a site's own engines collect: by the role and the task that `setpoint capture` writes, and by the
prolog of the guide.

All hosts are this machine. The task runs as Bolt's documents say (docs/writing_tasks.md,
docs/bolt_command_reference.md): a file that is executed, whose standard output is a JSON object, which is the `value`
of the target's item in what `--format json` prints.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from consumers.ansible_run import lint, programs, settings
from consumers.requirement import require
from consumers.slurm import NODE, Cluster
from setpoint.compiler.captures.document import capture_of
from support.command import ROOT, setpoint

GUIDE = ROOT / "docs/guides/captures.md"


def collector() -> str:
    """What `setpoint capture --script` prints."""
    return setpoint("capture", "--script").out


def are_taken_by_verify_and_plan(folder: Path, hosts: list[str]) -> None:
    """Check that a folder of captures is an inventory of these hosts, and that verify compares each with its plan."""
    (folder.parent / "site.tune").write_text("goal latency;\n", encoding="utf-8")
    site = str(folder.parent / "site.tune")
    planned = setpoint("plan", site, "--inventory", str(folder))
    assert planned.out.startswith(f"Policy site on {len(hosts)} host"), planned.err
    verified = json.loads(setpoint("verify", site, "--against", str(folder), "--format", "json").out)
    assert [each["host"] for each in verified["hosts"]] == hosts
    assert verified["refused"] == []
    assert "ok" in verified["counts"]


def test_the_role_collects_the_captures_of_an_inventory(tmp_path: Path) -> None:
    written = setpoint("capture", "--role", str(tmp_path))
    role = tmp_path / "roles/setpoint_capture"
    assert str(role / "files/collector.sh") in written.out.splitlines()
    assert (role / "files/collector.sh").read_text(encoding="utf-8") == collector()
    (tmp_path / "hosts").write_text("web01 ansible_connection=local\nweb02 ansible_connection=local\n")
    environment = {**os.environ, **settings(tmp_path)}
    for options in (["--check"], []):  # a dry run keeps nothing
        assert not (tmp_path / "captures").exists()
        command = [str(programs() / "ansible-playbook"), "-i", "hosts", *options, "capture.yml"]
        command += ["-e", "setpoint_capture_become=false"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert {each.name: each.stat().st_mode & 0o777 for each in (tmp_path / "captures").iterdir()} == {
        "web01.json": 0o600,
        "web02.json": 0o600,
    }
    are_taken_by_verify_and_plan(tmp_path / "captures", ["web01", "web02"])


def test_the_role_is_as_ansible_lint_wants_it(tmp_path: Path) -> None:
    setpoint("capture", "--role", str(tmp_path))
    assert lint(tmp_path, tmp_path / "capture.yml", tmp_path / "roles/setpoint_capture") == ""


def test_the_task_of_the_module_has_the_capture_as_its_result(tmp_path: Path) -> None:
    require("jq")
    setpoint("capture", "--module", str(tmp_path))
    module = tmp_path / "setpoint_capture"
    metadata: dict[str, Any] = json.loads((module / "tasks/collect.json").read_text(encoding="utf-8"))
    assert (metadata["input_method"], metadata["parameters"]) == ("environment", {})
    task = tmp_path / "remote/collect.sh"
    task.parent.mkdir()
    task.write_text((module / "tasks/collect.sh").read_text(encoding="utf-8"), encoding="utf-8")
    task.chmod(0o700)
    given = {
        "PATH": os.environ["PATH"],
        "PT__task": "setpoint_capture::collect",
        "PT__installdir": str(tmp_path),
    }
    printed = subprocess.run([str(task)], env=given, capture_output=True, text=True, check=True).stdout
    capture_of(json.loads(printed), "web01.json")
    item = {"action": "task", "object": "setpoint_capture::collect"}
    items = [
        {**item, "target": "web01.example.org", "status": "success", "value": json.loads(printed)},
        {**item, "target": "web02", "status": "failure", "value": {"_error": {"kind": "puppetlabs.tasks/connect-error"}}},
    ]  # fmt: skip
    (tmp_path / "collected.json").write_text(
        json.dumps({"items": items, "target_count": 2, "elapsed_time": 3})
    )
    (tmp_path / "captures").mkdir()
    subprocess.run(["sh", "-ec", _after_bolt(module / "README.md")], cwd=tmp_path, check=True)
    assert os.listdir(tmp_path / "captures") == ["web01.example.org.json"]
    are_taken_by_verify_and_plan(tmp_path / "captures", ["web01.example.org"])


def _after_bolt(readme: Path) -> str:
    """The commands of the README that make files of what Bolt has printed."""
    lines = [each[4:] for each in readme.read_text(encoding="utf-8").splitlines() if each.startswith("    ")]
    assert lines[0].startswith("bolt task run setpoint_capture::collect ")
    return "\n".join(lines[1:])


def test_puppet_takes_the_module(tmp_path: Path) -> None:
    puppet = require("puppet")
    setpoint("capture", "--module", str(tmp_path))
    listed = subprocess.run(
        [str(puppet), "module", "list", "--modulepath", str(tmp_path)], capture_output=True, text=True
    )
    assert listed.returncode == 0, listed.stderr
    assert "setpoint-setpoint_capture" in listed.stdout


@pytest.fixture
def clusters() -> Iterator[list[Cluster]]:
    started: list[Cluster] = []
    yield started
    for each in started:
        each.close()


def test_the_prolog_of_the_guide_keeps_a_capture_a_day(tmp_path: Path, clusters: list[Cluster]) -> None:
    text = GUIDE.read_text(encoding="utf-8").partition("A prolog of Slurm")[2]
    prolog = text.partition("```sh\n")[2].partition("```")[0]
    shared = tmp_path / "shared"
    (shared / "captures").mkdir(parents=True)
    (shared / "collector.sh").write_text(collector(), encoding="utf-8")
    (shared / "prolog").write_text(prolog.replace("/shared/", f"{shared}/"), encoding="utf-8")
    (shared / "prolog").chmod(0o755)
    cluster = Cluster(tmp_path / "slurm", f"Prolog={shared}/prolog\nPrologFlags=Alloc")
    clusters.append(cluster)
    capture = shared / f"captures/{NODE}.json"
    taken = []
    for number in range(2):
        cluster.run("sbatch", "--wrap", f"touch {tmp_path}/ran{number}", "--output", "/dev/null")
        cluster.until((tmp_path / f"ran{number}").exists)
        taken.append(capture.stat().st_mtime_ns)
    assert taken[0] == taken[1]
    assert [each.name for each in capture.parent.iterdir()] == [f"{NODE}.json"]
    are_taken_by_verify_and_plan(capture.parent, [NODE])
