"""`setpoint twin` as a program: what it prints, who is let in, what a signal ends, and what it does not serve."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from registries import document
from support.command import ROOT, at_home, setpoint
from support.limits import PATIENCE

ACCOUNT = {"SETPOINT_REDFISH_USER": "operator", "SETPOINT_REDFISH_PASSWORD": "pass:word"}
HPE = "hpe-gen10plusv2-DL385-A42-2.60-amd"


@contextmanager
def started(folder: Path, *arguments: str, account: dict[str, str] = ACCOUNT) -> Iterator[list[str]]:
    """The program, and the lines that it has printed when it listens."""
    command = [sys.executable, "-m", "setpoint.compiler", "twin", *arguments]
    environment = {"PATH": "/usr/bin:/bin", **at_home(folder), "PYTHONPATH": str(ROOT / ".dev"), **account}
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith("password:" if not account else "user:"):
            break
    try:
        yield lines
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM


def test_a_registry_is_served_captured_and_served_again(tmp_path: Path) -> None:
    """`setpoint capture` reads a twin like a controller, and its capture makes the same twin."""
    (tmp_path / "registry.json").write_text(json.dumps(document(HPE, "BiosRegistry")), encoding="utf-8")
    (tmp_path / "bios.json").write_text(json.dumps(document(HPE, "Bios")), encoding="utf-8")
    with started(
        tmp_path,
        *("registry.json", "--current", "bios.json"),
        *("--sockets", "1", "--model", "ProLiant DL385 Gen10 Plus v2", "-o", "twins"),
    ) as lines:
        assert re.fullmatch(r"HPE iLO 5, 61 attributes: https://127\.0\.0\.1:\d+", lines[0])
        assert lines[1:] == ["certificate: twins/certificate.pem", "user: operator"], "the password is known"
        url = lines[0].partition(": ")[2]
        ran = setpoint(
            "capture",
            "--redfish",
            url,
            "--ca-file",
            "twins/certificate.pem",
            "--no-redact",
            cwd=tmp_path,
            env=ACCOUNT,
        )
        assert (ran.status, ran.err) == (0, "")
    (tmp_path / "bmc1.json").write_text(ran.out, encoding="utf-8")
    read = json.loads(ran.out)["controller"]["read"]
    assert read["/redfish/v1/systems/1/bios"]["Attributes"] == document(HPE, "Bios")["Attributes"]
    assert any("RegistryEntries" in each for each in read.values())
    assert read["/redfish/v1/Systems/1"]["ProcessorSummary"]["Count"] == 1
    assert read["/redfish/v1/Systems/1"]["Model"] == "ProLiant DL385 Gen10 Plus v2"
    with started(tmp_path, "bmc1.json", "--plain-http", account={}) as lines:
        assert re.fullmatch(r"HPE iLO 5, 61 attributes: http://127\.0\.0\.1:\d+", lines[0])
        assert [line.partition(":")[0] for line in lines[1:]] == ["user", "password"]


def test_what_is_not_served(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text("{", encoding="utf-8")
    (tmp_path / "other.json").write_text('{"Attributes": {"Turbo": "On"}}', encoding="utf-8")
    (tmp_path / "empty.json").write_text(
        '{"schema": "setpoint.capture/1", "controller": {"read": {"/redfish/v1": {}}}}', encoding="utf-8"
    )
    for name, code in (("none.json", "E0630"), ("other.json", "E0609"), ("empty.json", "E0630")):
        ran = setpoint("twin", name, cwd=tmp_path)
        assert (ran.status, ran.out, f"error[{code}]" in ran.err) == (2, "", True), ran
    assert setpoint("twin", "none.json", "--port", "high", cwd=tmp_path).status == 2
    assert setpoint("twin", "none.json", "--sockets", "0", cwd=tmp_path).status == 2
    ran = setpoint("twin", "none.json", "--controller", "hpe-ilo4", cwd=tmp_path)
    assert (ran.status, ran.err) == (2, "setpoint: unknown kind of controller `hpe-ilo4`\n")
