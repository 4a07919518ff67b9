"""What a real Linux makes of an argument line: Debian's kernel, booted in QEMU by pure emulation.

Two depths. `early` starts the kernel only until it has parsed its arguments (half a second) and says which it did
not know. `boot` goes on to user space (two seconds) and reads what came of them. Neither needs rights or KVM.

What the kernel does not say, measured on 6.1: it never names an unknown argument with a dot (`intel_idle.max_cstat=2`),
which it takes for a parameter of a module that may come later; and it takes many a bad value without a word. For those
the effect is the test: the parameter read back from /sys/module.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from consumers.kernel_image import require_initramfs, require_kernel, with_file
from consumers.requirement import require
from support.limits import PATIENCE

LONGEST = 2047
"""The longest command line of x86 Linux (COMMAND_LINE_SIZE less its end); a longer one hung the guest."""

SPOKEN_FOR = frozenset(
    {
        "nopti",
        "nospec_store_bypass_disable",
        "nospectre_v2",
        "pti",
        "spec_store_bypass_disable",
        "spectre_v2",
        "spectre_v2_user",
    }
)
"""Arguments that 6.1 reports as unknown although it obeys them: arch/x86 looks for them in the line by itself."""

ON_ANY_HOST = "panic=-1 no_timer_check"
"""Arguments of each boot: end on a panic, and start the timer unchecked, since on a busy host its first ticks may be
late, which is a panic."""

TWO_NODES = [
    word
    for node in (0, 1)
    for word in (
        "-object",
        f"memory-backend-ram,id=node{node},size=128M",
        "-numa",
        f"node,memdev=node{node},cpus={node}",
    )
]
"""Options of QEMU for a NUMA node of each processor."""

_UNKNOWN = re.compile(r'Unknown kernel command line parameters "(.*)", will be passed to user space')
_MALFORMED = re.compile(
    r"(Malformed early option .*"
    r"|.* invalid for parameter .*"
    r"|.*(?:unsupported (?:default_)?hugepagesz=|specified twice, ignoring|does not follow a valid hugepagesz).*"
    r"|.*(?:incorrect CPU range|Skipped unknown flag|cannot parse, ignored|argument .* ignored).*)"
)
_STAMP = re.compile(r"^(?:<\d+>)?\[ *\d+\.\d+\] ")
_PARSED = re.compile(r"Calibrating delay loop")
"""The first line after the point where Linux panics if there were too many unknown arguments."""

_PANIC = re.compile(r"Kernel panic - not syncing: (.*)")


class BootError(AssertionError):
    """The kernel did not get where it was to get: it panicked, hung, or was not started at all."""


@dataclass(frozen=True)
class Boot:
    """What one boot said.

    Attributes:
        unknown: The arguments that it did not know and passes on to user space.
        malformed: What it said of arguments that it knew and whose value it would not take.
        log: The kernel's log, without time stamps.
        facts: Path and content of files of /proc and /sys, when it got that far (`boot`). A file of several lines has
            its last.
        written: What was written to which file of /proc or /sys, and what the file had afterwards: `refused` if the
            kernel did not take it, `missing` if there is no such file.
    """

    unknown: tuple[str, ...]
    malformed: tuple[str, ...]
    log: str
    facts: Mapping[str, str]
    written: tuple[tuple[str, str, str], ...] = ()

    def parameter(self, dotted: str) -> str | None:
        """A module parameter as the kernel holds it: `intel_idle.max_cstate`."""
        module, name = dotted.split(".", 1)
        return self.facts.get(f"/sys/module/{module}/parameters/{name}")

    @property
    def cmdline(self) -> str | None:
        """The command line as user space sees it."""
        return self.facts.get("/proc/cmdline")

    @property
    def smt(self) -> str | None:
        """`on`, `off`, `forceoff`, `notsupported`."""
        return self.facts.get("/sys/devices/system/cpu/smt/control")

    @property
    def online(self) -> str | None:
        """The processors that are online, as a list of ranges."""
        return self.facts.get("/sys/devices/system/cpu/online")

    @property
    def cpuidle_driver(self) -> str | None:
        """`intel_idle`, `acpi_idle`, `none`; None where cpuidle is off altogether."""
        return self.facts.get("/sys/devices/system/cpu/cpuidle/current_driver")


def early(args: str, *, cpus: int = 1, cpu: str = "Westmere", timeout: float = PATIENCE) -> Boot:
    """Start the kernel with `args`, until it has parsed them.

    Args:
        args: The argument line. An early console and `panic=-1` are added.
        cpus: How many processors there are: a list of CPUs that are not there is malformed (`isolcpus`, `nohz_full`).
        cpu: A processor model of QEMU.
        timeout: Seconds.

    Raises:
        BootError: It panicked (as it does of more than 32 unknown arguments), or was not done in `timeout` seconds.
    """
    line = f"earlyprintk=serial,ttyS0,115200 console=ttyS0 {ON_ANY_HOST} {args}"
    output = emulate(["-smp", str(cpus), "-m", "128"], line, timeout, cpu=cpu, until=_PARSED)
    if not _PARSED.search(output):
        raise _failure("did not finish to parse its arguments", output)
    return _boot(output.splitlines(), {})


def boot(
    args: str = "",
    *,
    smt: bool = True,
    cpu: str = "Westmere",
    writes: Iterable[tuple[str, str]] = (),
    nodes: bool = False,
    timeout: float = PATIENCE,
) -> Boot:
    """Boot with `args` into user space and read what came of them.

    Args:
        args: The argument line. The console, `quiet` and `panic=-1` are added.
        smt: Whether the two processors are threads of one core, as Hyper-Threading makes them, or cores.
        cpu: A processor model of QEMU (`Nehalem`, `Westmere`, `SandyBridge`, `Skylake-Server` …), with features to add
            or take
            away: `Westmere,-monitor` is Monitor/Mwait switched off in the BIOS.
        writes: Files of /proc and /sys and what to write to them, one after the other.
        nodes: Whether each of the two processors is a NUMA node with half of the memory.
        timeout: Seconds.

    Raises:
        BootError: It panicked, or was not done in `timeout` seconds.
    """
    threads = "cores=1,threads=2" if smt else "cores=2,threads=1"
    asked = tuple(writes)
    line = f"console=ttyS0 quiet {ON_ANY_HOST} {args}"
    with tempfile.TemporaryDirectory() as scratch:
        text = "".join(f"{path} {value}\n" for path, value in asked)
        initramfs = with_file(require_initramfs(), "writes", text, Path(scratch))
        machine = ["-smp", f"2,sockets=1,{threads}", "-m", "256", "-initrd", str(initramfs)]
        output = emulate(machine + (TWO_NODES if nodes else []), line, timeout, cpu=cpu)
    told = re.search(
        r"^== facts\n(.*)^== writes\n(.*)^== log\n(.*)^== end$", output, re.MULTILINE | re.DOTALL
    )
    if not told:
        raise _failure("did not reach the end of user space", output)
    facts = dict(fact.split(":", 1) for fact in told[1].splitlines() if fact.startswith("/") and ":" in fact)
    after = [line.split(" ", 1) for line in told[2].splitlines()]
    if [path for path, *_ in after] != [path for path, _ in asked]:
        raise _failure("did not say what became of each file", told[2])
    written = tuple((*one, had) for one, (_, had) in zip(asked, after, strict=True))
    return _boot(told[3].splitlines(), facts, written)


def _boot(
    lines: Iterable[str], facts: Mapping[str, str], written: tuple[tuple[str, str, str], ...] = ()
) -> Boot:
    said = [_STAMP.sub("", line) for line in lines]
    unknown = [word for line in said for match in _UNKNOWN.finditer(line) for word in match[1].split()]
    return Boot(
        unknown=tuple(word for word in unknown if word.split("=")[0] not in SPOKEN_FOR),
        malformed=tuple(line for line in said if _MALFORMED.match(line)),
        log="\n".join(said),
        facts=facts,
        written=written,
    )


def emulate(
    machine: list[str],
    line: str,
    timeout: float,
    *,
    cpu: str = "Westmere",
    until: re.Pattern[str] | None = None,
) -> str:
    """Everything that QEMU printed, until `until` was seen, or the machine went off, or the time was up."""
    if len(line) > LONGEST:
        raise BootError(f"a command line of {len(line)} bytes: the kernel takes {LONGEST}")
    # One thread for all processors: on a busy machine, two that wait for each other can do so for ever.
    command = [
        str(require("qemu-system-x86_64")),
        *(
            "-accel",
            "tcg,thread=single",
            "-M",
            "q35",
            "-cpu",
            cpu,
            "-nographic",
            "-nodefaults",
            "-serial",
            "stdio",
            "-no-reboot",
        ),
        *("-kernel", str(require_kernel()), "-append", line),
        *machine,
    ]
    deadline = time.monotonic() + timeout
    output = b""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as qemu:
        assert qemu.stdout is not None
        assert qemu.stderr is not None
        try:
            while (left := deadline - time.monotonic()) > 0:
                if not select.select([qemu.stdout], [], [], left)[0]:
                    break
                chunk = os.read(qemu.stdout.fileno(), 65536)
                if not chunk:
                    break
                output += chunk
                # The last line may still be coming.
                if until and until.search(output.rpartition(b"\n")[0].decode(errors="replace")):
                    break
        finally:
            qemu.kill()
        complaint = b"" if output else qemu.stderr.read()
    return (output + complaint).decode(errors="replace").replace("\r", "")


def _failure(what: str, output: str) -> BootError:
    panic = _PANIC.search(output)
    reason = f"panicked: {panic[1]}" if panic else what
    return BootError(f"the kernel {reason}; the end of what it said:\n{output[-2000:]}")
