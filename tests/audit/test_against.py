"""`audit --against`: a captured server audited, and files laid over what it has."""

import json
from pathlib import Path
from typing import Any

import pytest
from verification.hosts import with_controller, with_places

from registries.test_compile_against import captured
from setpoint.compiler.captures.document import to_json
from setpoint.compiler.captures.model import Capture, Readings
from support.command import Ran, setpoint

R750 = {
    "/sys/class/dmi/id/product_name": "PowerEdge R750",
    "/etc/os-release": 'ID="rhel"\nVERSION_ID="9.4"\n',
}
LINE, SYSCTLS = "/proc/cmdline", "/etc/sysctl.d/*.conf"


def server(places: dict[str, Any], current: dict[str, Any] | None = None) -> Capture:
    """A server of Dell with these readings, and with these attributes if its controller was read."""
    capture = with_places(Capture("c042", Readings({}, {}), None), {**R750, **places})
    return with_controller(capture, current) if current else capture


def audit(tmp_path: Path, capture: Capture, *words: str, **files: str) -> Ran:
    """Audit a capture, or these files over it."""
    (tmp_path / "c042.json").write_text(json.dumps(to_json(capture)), encoding="utf-8")
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return setpoint("audit", *files, "--against", "c042.json", *words, "--format", "json", cwd=tmp_path)


def found(ran: Ran) -> list[tuple[str, str]]:
    """The codes of the findings, each with the file that it is about."""
    return [(each["code"], each["file"]) for each in json.loads(ran.out)["diagnostics"]]


def values(ran: Ran) -> dict[str, str]:
    """The settings that were found, with their values."""
    return {each["setting"]: each["value"] for each in json.loads(ran.out)["settings"]}


def test_a_capture_is_audited_where_its_settings_are(tmp_path: Path) -> None:
    capture = server(
        {
            LINE: "ro quiet skew_tikc=1 nosmt",  # misspelt
            SYSCTLS: {"vm.swappiness = 10\n": "50-site"},
            "/etc/tuned/active_profile": "throughput-performance",
        },
        {"ProcTurboMode": "Disabled", "SomethingElse": "x"},
    )
    ran = audit(tmp_path, capture)
    assert ("E0902", f"c042:{LINE}") in found(ran)
    assert not [each for each in found(ran) if "Bios" in each[1]]  # nobody has written a list of attributes
    seen = values(ran)
    assert seen["turbo"] == "off"  # an attribute
    assert seen["kernel-smt"] == "off"  # a word of the boot line
    assert seen["swappiness"] == "10"  # a file of sysctls
    assert seen["governor"] == "performance"  # what the profile is known to set
    facts = {each["name"]: each["value"] for each in json.loads(ran.out)["facts"]}
    assert (facts["platform"], facts["os"]) == ("r750", "rhel-9")


def test_of_two_files_of_sysctls_the_one_that_is_read_last_counts(tmp_path: Path) -> None:
    files = {"vm.swappiness = 10\n": "99-late", "vm.swappiness = 60\n": "10-early"}
    ran = audit(tmp_path, server({SYSCTLS: files}))
    assert values(ran)["swappiness"] == "10"
    assert "E0906" not in {code for code, _ in found(ran)}


def test_a_file_that_has_comments_alone_is_passed_over(tmp_path: Path) -> None:
    ran = audit(tmp_path, server({LINE: "ro nosmt", SYSCTLS: {"# nothing\n; here\n": "50-site"}}))
    assert (ran.status, values(ran)) == (0, {"kernel-smt": "off"})


def test_files_replace_what_the_server_has(tmp_path: Path) -> None:
    capture = server({LINE: "ro skew_tikc=1", SYSCTLS: {"vm.swappiness = 60\n": "50-site"}})
    ran = audit(tmp_path, capture, **{"new.conf": "vm.swappiness = 10\nvm.dirty_ratio = 10\n"})
    assert values(ran)["swappiness"] == "10"
    assert {file for _, file in found(ran)} <= {"new.conf"}  # what is wrong on the server is another question


@pytest.mark.parametrize(("profile", "is_locked"), [("PerfOptimized", True), ("Custom", False)])
def test_the_values_of_the_server_lock_those_of_a_file(tmp_path: Path, profile: str, is_locked: bool) -> None:
    capture = server({}, {"SysProfile": profile, "ProcTurboMode": "Enabled"})
    ran = audit(tmp_path, capture, **{"bios.txt": "ProcTurboMode = Disabled\n"})
    assert (("W0908", "bios.txt") in found(ran)) is is_locked


def test_the_registry_of_the_server_judges_names_and_values(tmp_path: Path) -> None:
    bios = "ProcTurboMode = Turbo9000\nLogicalProc = Enabled\n"
    ran = audit(tmp_path, captured(), "-e", "sockets 1; os rhel 9.4", **{"bios.txt": bios})
    assert ("E0907", "bios.txt") in found(ran)
    (finding,) = [each for each in json.loads(ran.out)["diagnostics"] if each["code"] == "E0907"]
    assert "source: c042, ProcTurboMode" in finding["notes"]


def test_what_the_capture_contradicts_is_an_error(tmp_path: Path) -> None:
    ran = audit(tmp_path, server({LINE: "ro"}), "-e", "platform r740")
    assert (ran.status, ran.err.partition(":")[0]) == (2, "error[E0624]")


def test_a_capture_without_settings_is_an_error(tmp_path: Path) -> None:
    ran = audit(tmp_path, server({}))
    assert (ran.status, ran.err.partition(":")[0]) == (2, "error[E0622]")


def test_neither_files_nor_a_capture_is_wrong_usage(tmp_path: Path) -> None:
    assert setpoint("audit", "-e", "goal latency", cwd=tmp_path).status == 2
