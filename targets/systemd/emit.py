"""From the files of a plan to their text: where each goes on a server, and the plan, which has all of them in it."""

from collections.abc import Iterator
from itertools import groupby

import setpoint.targets.systemd as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.record import NamedTuple
from setpoint.targets._host import columns, file_lines, plan_text, program
from setpoint.targets._linux import part
from setpoint.targets._linux.live import live_lines
from setpoint.targets._shared.templates import render
from setpoint.targets.systemd.model import DropIn, SystemFiles


class SystemFile(NamedTuple):
    """A file: its path on the server, its text, "" if the plan has nothing for it, and its mode."""

    path: str
    text: str
    mode: str


def artifacts(model: SystemFiles) -> tuple[Artifact, ...]:
    """The program for hosts, its plan, which has the files in it, and the files by the names that they have on a
    server."""
    files = system_files(model)
    plan = plan_text(
        "systemd",
        model.policy,
        "Files for sysctl.d, udev and systemd",
        model.identification,
        list(_plan_lines(model, files)),
    )
    return (
        program(),
        Artifact("systemd/systemd.plan", plan),
        *(Artifact(f"systemd/files{f.path}", f.text, int(f.mode, 8)) for f in files if f.text),
    )


def _plan_lines(model: SystemFiles, files: tuple[SystemFile, ...]) -> Iterator[str]:
    yield f"name {model.name}"
    yield from (f"trigger {subsystem}" for subsystem in model.subsystems)
    yield from live_lines(model.compared, model.cards, model.masks)
    yield from columns(
        [
            ("drop-in", line.setting, line.of, line.option, f"= {line.value}", line.reason)
            for line in model.drop_ins
        ]
    )
    for file in files:
        yield ""
        yield from file_lines(file.path, file.text, file.mode) if file.text else [f"absent {file.path}"]


def system_files(model: SystemFiles) -> tuple[SystemFile, ...]:
    """The files that a plan can have on a server. Those that this one does not have must not be there, from an earlier
    plan."""
    name = model.name

    def system_file(path: str, template: str, is_used: object, mode: str = "644") -> SystemFile:
        return SystemFile(path, render(package, template, m=model, part=part) if is_used else "", mode)

    return (
        system_file(f"/etc/sysctl.d/90-{name}.conf", "sysctl.conf.j2", model.sysctls),
        system_file(f"/etc/udev/rules.d/90-{name}.rules", "devices.rules.j2", model.subsystems),
        system_file(f"/usr/local/sbin/{name}", "values.sh.j2", model.values, "755"),
        system_file(f"/etc/systemd/system/{name}.service", "unit.service.j2", model.values),
        *_drop_ins(model),
    )


def _drop_ins(model: SystemFiles) -> list[SystemFile]:
    """A drop-in for systemd, and one for each service and slice."""
    lines = sorted(model.drop_ins, key=lambda line: (line.of, line.section))
    drop_ins = {of: tuple(group) for of, group in groupby(lines, key=lambda line: line.of)}
    drop_ins.setdefault("system.conf", ())
    return [
        SystemFile(_folder_of(of) + f"/90-{model.name}.conf", _drop_in(model, group), "644")
        for of, group in sorted(drop_ins.items())
    ]


def _folder_of(of: str) -> str:
    return f"/etc/systemd/{of}.d" if of == "system.conf" else f"/etc/systemd/system/{of}.d"


def _drop_in(model: SystemFiles, lines: tuple[DropIn, ...]) -> str:
    return render(package, "drop-in.conf.j2", m=model, lines=lines) if lines else ""
