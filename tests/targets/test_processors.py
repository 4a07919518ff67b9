"""Is this the right processor? Each generation by its numbers: in the shells, in the client, in captures.

The processors are computers that were seen: their names, vendors and numbers are those of LsCPU (linuxhw/LsCPU at
b0dfbec), and of the threads that stdlib/hardware/processors.tune names.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from consumers.requirement import require
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import accepted_reports, is_processor
from setpoint.compiler.lowering.target import emission_of
from setpoint.targets._client.identity import require_kind
from setpoint.targets._client.wire import OTHER_SERVER, StopError
from setpoint.targets._shared.identity import Check, Identification
from support.host import PROGRAM, identity, run_host
from support.limits import PATIENCE
from support.plans import planned
from support.servers import server

SEEN = """
harpertown        | GenuineIntel 6 23 6    | Xeon E5472
core-i7-965       | GenuineIntel 6 26 4    | Core i7 965
nehalem           | GenuineIntel 6 26 5    | Xeon X5560
westmere          | GenuineIntel 6 44 2    | Xeon X5670
e7                | GenuineIntel 6 47 2    | Xeon E7-L8867
sandy-bridge      | GenuineIntel 6 45 6    | Xeon E5-2670
sandy-bridge      | GenuineIntel 6 45 7    | Xeon E5-2690
ivy-bridge        | GenuineIntel 6 62 4    | Xeon E5-2650 v2
haswell           | GenuineIntel 6 63 2    | Xeon E5-2650 v3
broadwell         | GenuineIntel 6 79 1    | Xeon E5-2650 v4
skylake           | GenuineIntel 6 85 4    | Xeon Gold 6148
cascade-lake      | GenuineIntel 6 85 6    | Xeon Gold 5218
cascade-lake      | GenuineIntel 6 85 7    | Xeon Gold 6248
ice-lake          | GenuineIntel 6 106 6   | Xeon Gold 6354
epyc-naples       | AuthenticAMD 23 1 2    | EPYC 7601
epyc-rome         | AuthenticAMD 23 49 0   | EPYC 7742
epyc-milan        | AuthenticAMD 25 1 1    | EPYC 7453
epyc-genoa        | AuthenticAMD 25 17 1   | EPYC 9654P
epyc-turin        | AuthenticAMD 26 2 1    | EPYC 9555
-                 | GenuineIntel 6 85 11   | Xeon Gold 5318H (Cooper Lake)
-                 | AuthenticAMD 16 9 1    | Opteron 6174
-                 | AuthenticAMD 6 85 7    | no processor: another vendor with these numbers
"""

ROWS = [tuple(cell.strip() for cell in row.split("|")[:2]) for row in SEEN.strip().splitlines()]

SAME_NUMBERS = {
    "core-i7-965": {"nehalem"},
    "nehalem": {"core-i7-965"},
    "sandy-bridge": {"e5-1600"},
    "ivy-bridge": {"other-ivy-bridge"},
    "haswell": {"other-haswell"},
    "broadwell": {"other-broadwell"},
}
"""Processors of one generation for other sockets, which have the same numbers."""


def report(processor: str) -> str:
    """What is compared of a processor."""
    return "{} family {} model {} stepping {}".format(*processor.split())


def is_right(knowledge: Knowledge, value: str, own: str) -> bool:
    """Whether a server with a processor of its own generation is one of a value."""
    variable = knowledge.variables["cpu"]
    alike = {own, *SAME_NUMBERS.get(own, ())}
    return any(variable.below(value) & variable.below(name) for name in alike if name != "-")


def generations(knowledge: Knowledge) -> dict[str, tuple[str, ...]]:
    """What each generation, and each group of generations, accepts."""
    variable, values = knowledge.variables["cpu"], knowledge.values["cpu"]
    accepted = {name: accepted_reports(variable, values, name, "processor").names for name in values}
    return {
        name: names
        for name, names in accepted.items()
        if names and (values[name].one_of or any(r.kind == "processor" for r in values[name].reported))
    }


def test_each_processor_is_of_its_own_generation(knowledge: Knowledge) -> None:
    accepted = generations(knowledge)
    assert len(accepted) == 33
    for own, processor in ROWS:
        for value, names in accepted.items():
            found = any(is_processor(name, report(processor)) for name in names)
            assert found == is_right(knowledge, value, own), (value, processor)


def test_a_model_is_compared_as_its_generation(knowledge: Knowledge) -> None:
    variable, values = knowledge.variables["cpu"], knowledge.values["cpu"]
    found = accepted_reports(variable, values, "xeon-gold-6248", "processor").names
    assert found == ("GenuineIntel family 6 model 85 stepping 5-7",)


ASKED = """
while IFS= read -r reported; do
    if must_report_it >/dev/null 2>&1; then printf '%s\\n' "$reported"; fi
done
"""


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox"])
def test_the_shells_compare_as_the_compiler_does(shell: str, knowledge: Knowledge) -> None:
    reports = [report(processor) for _, processor in ROWS]
    for names in generations(knowledge).values():
        alternatives = " || ".join(f"accepts processor '{name}'" for name in names)
        check = f"{identity(Identification(checks=()))}must_report_it() {{ {alternatives}; }}\n"
        done = subprocess.run(
            [*shell_command(shell), f"set -fu\n{check}{ASKED}"],
            input="".join(f"{text}\n" for text in reports),
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        expected = [text for text in reports if any(is_processor(name, text) for name in names)]
        assert (done.stdout.splitlines(), done.stderr) == (expected, "")


def shell_command(shell: str) -> list[str]:
    return [str(require(shell)), *(["sh"] if shell == "busybox" else []), "-c"]


# -------------------------------------------------------------------------------------------------------------- a host

SKYLAKE = "goal latency; platform r740; cpu skylake; os debian 12"


def plan_of(policy: str) -> str:
    """The plan of its kernel arguments."""
    emission = emission_of("kernel-args", planned(policy))
    assert emission is not None
    return next(artifact.text for artifact in emission.artifacts if artifact.path.endswith(".plan"))


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
def test_another_generation_stops_before_the_first_write(tmp_path: Path, shell: str) -> None:
    """An R740 takes Skylake and Cascade Lake, which differ in the stepping alone."""
    root = server(tmp_path, processor="GenuineIntel 6 85 7")
    for verb in ("identify", "try", "apply", "verify", "next"):
        done = run_host(
            plan_of(SKYLAKE),
            verb,
            shell=shell,
            SETPOINT_ROOT=str(root),
            SETPOINT_IGNORE="",
            PATH="/usr/bin:/bin",
        )
        assert done.status == 5
        assert (
            "this server reports the processor GenuineIntel family 6 model 85 stepping 7, and the policy states cpu skylake (GenuineIntel"
            " family 6 model 85 stepping 3-4): state the right cpu and compile again\n"
            'Nothing was changed. If this is the server that was meant: SETPOINT_IGNORE="processor"\n'
        ) in done.said
    passed = run_host(
        plan_of(SKYLAKE), "identify", shell=shell, SETPOINT_ROOT=str(root), SETPOINT_IGNORE="processor"
    )
    assert (passed.status, "passed over: this server reports the processor" in passed.said) == (0, True)


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox sh"])
@pytest.mark.parametrize(
    ("cpuinfo", "because"),
    [
        ("", "/proc/cpuinfo shows no family and model"),
        # arch/arm64/kernel/cpuinfo.c
        (
            "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
            "/proc/cpuinfo shows no family and model",
        ),
        (
            "processor\t: 0\nvendor_id\t: $(x)\ncpu family\t: 6\nmodel\t\t: 85\n\n",
            "/proc/cpuinfo shows no family",
        ),
        ("GUEST", "a virtual machine shows what its hypervisor makes of it"),
    ],
)
def test_a_processor_that_is_not_told_stops_nothing_and_is_noted(
    tmp_path: Path, shell: str, cpuinfo: str, because: str
) -> None:
    guest = "GenuineIntel 6 85 7 hypervisor" if cpuinfo == "GUEST" else ""
    root = server(tmp_path, processor=guest)
    if cpuinfo and not guest:
        (root / "proc/cpuinfo").write_text(cpuinfo, encoding="utf-8")
    done = run_host(plan_of(SKYLAKE), "identify", shell=shell, SETPOINT_ROOT=str(root), SETPOINT_IGNORE="")
    assert done.status == 0
    assert f"the processor was not compared: {because}" in done.said


# ------------------------------------------------------------------------------------------------------- a controller

FORMS = """
GenuineIntel                 | 6                        | 106  | 6    | 0x000606A6          | ice-lake
Intel(R) Corporation         | 6                        | 79   | 1    |                     | broadwell
GenuineIntel                 | 0x06                     | 0x6a | 0x06 | 0x000606a6bfebfbff  | ice-lake
Advanced Micro Devices, Inc. | 107                      | 1    | 1    | 0x0f1100a0fbff178b  | epyc-milan
AuthenticAMD                 | AMD Zen Processor Family | 0x31 | 0x0  | 178bfbff00830f10    | epyc-rome
GenuineIntel                 | 0x6                      | 0x55 | 0x7  | 0xbfebfbff00050657  | cascade-lake
GenuineIntel                 | Xeon                     |      |      | F2 06 03 00 FF FB EB BF | haswell
GenuineIntel                 | 6                        | 85   | 4    | 0x00050657          | -
GenuineIntel                 | 0x42                     | 0x61 | 0x1  | 0x34AC34DC8901274A  | -
GenuineIntel                 | 179                      | 5    | 4    |                     | -
GenuineIntel                 |                          |      |      |                     | -
"""
"""How services show processors: Dell, Cisco, Lenovo, HPE, Gigabyte, Quanta, RackHD; the first, third and fourth are of
NVIDIA/libredfish at c094c9e. Then what tells nothing: two processors, DMTF's example, a family of SMBIOS, no number.
"""


@pytest.mark.parametrize("row", FORMS.strip().splitlines())
def test_a_controller_shows_the_processor_in_its_own_way(row: str, knowledge: Knowledge) -> None:
    vendor, family, model, step, registers, own = (cell.strip() for cell in row.split("|"))
    document = {
        "ProcessorType": "CPU",
        "ProcessorId": {
            "VendorId": vendor,
            "EffectiveFamily": family or None,
            "EffectiveModel": model or None,
            "Step": step or None,
            "IdentificationRegisters": registers or None,
        },
    }
    card = {"ProcessorType": "GPU", "ProcessorId": {"VendorId": "0x10de"}}
    for value, names in generations(knowledge).items():
        wanted = {"fact": "cpu", "value": value, "verb": "states", "accepted": list(names)}
        reports = {"processor": wanted}
        try:
            told = require_kind({}, reports, "Nothing was changed", (), iter([card, document]))
        except StopError as error:
            assert error.status == OTHER_SERVER
            assert "this server reports the processor" in str(error)
            assert not is_right(knowledge, value, own)
            assert own != "-"
        else:
            assert told == (
                ["The processor was not compared: the BMC shows no family and model of it"]
                if own == "-"
                else []
            )
            assert own == "-" or is_right(knowledge, value, own)


def test_a_check_of_a_processor_needs_no_quoting() -> None:
    check = Check(
        kind="processor",
        fact="cpu",
        value="skylake",
        verb="states",
        names=("GenuineIntel family 6 model 85 stepping 3-4",),
        since=(),
    )
    assert check.accepted == "GenuineIntel family 6 model 85 stepping 3-4"


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox"])
@pytest.mark.parametrize(
    ("shown", "reported"),
    [  # as registries have it of an R720, an R740 and an R7615
        ("06-2D-7", "family 6 model 45 stepping 7"),
        ("6-55-4", "family 6 model 85 stepping 4"),
        ("19-11-1", "family 25 model 17 stepping 1"),
        ("6-55", "the iDRAC shows no family and model of it"),
        ("$(x)-y-z", "the iDRAC shows no family and model of it"),
        ("", "the iDRAC shows no family and model of it"),
    ],
)
def test_an_idrac_shows_racadm_the_numbers_in_hexadecimal(shell: str, shown: str, reported: str) -> None:
    (asked,) = re.findall(r"^idrac_reports\(\) \{.*?^\}$", PROGRAM, re.MULTILINE | re.DOTALL)
    look_up = """look_up() { current=$SHOWN; [ -n "$current" ]; }"""
    script = f'set -fu\n{look_up}\n{asked}\nuntold=\nidrac_reports processor\nprintf %s "$reported$untold"\n'
    done = subprocess.run(
        [*shell_command(shell), script],
        env={"PATH": os.environ["PATH"], "SHOWN": shown},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.stdout, done.stderr) == (reported, "")
