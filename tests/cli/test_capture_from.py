"""`setpoint capture --from` and `--redfish`: captures of what carries them already, and of controllers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from captures.archive import SOS, SOS_LINKS, SUPPORTCONFIG, pack, unpack
from captures.test_carriers import TREE, mockup

from consumers.redfish_service import PASSWORD, USER
from consumers.redfish_stand_in import stand_in
from setpoint.compiler.cli import OUTSIDE
from setpoint.compiler.cli.capture import run
from support.command import setpoint


def test_reports_and_trees(tmp_path: Path) -> None:
    """Of each server of all that is named, a document in the folder. Of a report, the places that the knowledge asks
    for."""
    pack(tmp_path / "sosreport.tar.xz", SOS, SOS_LINKS)
    unpack(tmp_path / "all/bmc1", mockup())
    pack(tmp_path / "all/scc.txz", SUPPORTCONFIG)
    ran = setpoint("capture", "--from", "sosreport.tar.xz", "all", "-o", "out", "--no-redact", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.split() == ["out/web1.example.org.json", "out/bmc1.json", "out/db1.json"]
    host = json.loads((tmp_path / "out/web1.example.org.json").read_text(encoding="utf-8"))["host"]
    governor = host["read"]["/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"]
    assert governor == {"performance": "0-1", "powersave": "2"}


def test_what_is_no_capture_does_not_stop_the_rest(tmp_path: Path) -> None:
    unpack(tmp_path / "all", {"a/os-release": "ID=debian\n", "b/picture": "\0", "c.json": "{"})
    ran = setpoint("capture", "--from", "all", "-o", "out", cwd=tmp_path)
    assert ran.status == 2
    assert ran.out == "out/a.json\n"
    assert ran.err.count("error[E0620]") == 2


def test_a_controller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is called as its address; the password is nowhere."""
    documents = {f"/redfish/v1{path}": data for path, data in TREE.items()}
    with stand_in(tmp_path, documents) as bmc:
        env = {"SETPOINT_REDFISH_USER": USER, "SETPOINT_REDFISH_PASSWORD": PASSWORD}
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        ran = setpoint(
            "capture",
            "--redfish",
            f"https://{bmc.address}",
            "--ca-file",
            str(bmc.ca),
            "-o",
            "out",
            cwd=tmp_path,
        )
        assert (ran.status, ran.err, ran.out) == (0, "", "out/127.0.0.1.json\n")
        text = (tmp_path / "out/127.0.0.1.json").read_text(encoding="utf-8")
        assert len(json.loads(text)["controller"]["read"]) == len(TREE)
        assert PASSWORD not in text and bmc.sessions == []
        ran = setpoint("capture", "--redfish", f"https://{bmc.address}", cwd=tmp_path)
    assert ran.status == 2 and "error[E0623]" in ran.err and PASSWORD not in ran.err


def test_without_the_library(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The error says how to install it."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert run(["--redfish", "https://bmc1.example.org"]) == OUTSIDE
    assert "pipx install '.[redfish]'" in capsys.readouterr().err
