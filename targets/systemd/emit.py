"""From the files of a plan to their text: where each goes on a server, and `apply.sh`, which has all of them in it."""

from itertools import groupby

import setpoint.targets.systemd as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.record import NamedTuple, distinct
from setpoint.targets._linux import identity, part
from setpoint.targets._shared.templates import render
from setpoint.targets.systemd.model import DropIn, SystemFiles


@distinct
class SystemFile(NamedTuple):
    """A file: its path on the server, its text, "" if the plan has nothing for it, and its mode."""

    path: str
    text: str
    mode: str


def artifacts(model: SystemFiles) -> tuple[Artifact, ...]:
    """apply.sh, and the files by the names that they have on a server."""
    files = system_files(model)
    script = render(
        package, "apply.sh.j2", m=model, files=files, identity=identity(model.identification), part=part
    )
    return (
        Artifact("systemd/apply.sh", script, 0o755),
        *(Artifact(f"systemd/files{f.path}", f.text, int(f.mode, 8)) for f in files if f.text),
    )


def system_files(model: SystemFiles) -> tuple[SystemFile, ...]:
    """The files that a plan can have on a server. Those that this one does not have must not be there, from an earlier plan."""
    name = model.name

    def made(path: str, template: str, is_used: object, mode: str = "644") -> SystemFile:
        return SystemFile(path, render(package, template, m=model, part=part) if is_used else "", mode)

    return (
        made(f"/etc/sysctl.d/90-{name}.conf", "sysctl.conf.j2", model.sysctls),
        made(f"/etc/udev/rules.d/90-{name}.rules", "devices.rules.j2", model.subsystems),
        made(f"/usr/local/sbin/{name}", "values.sh.j2", model.values, "755"),
        made(f"/etc/systemd/system/{name}.service", "unit.service.j2", model.values),
        *_drop_ins(model),
    )


def _drop_ins(model: SystemFiles) -> list[SystemFile]:
    """A drop-in for systemd, and one for each service and slice."""
    lines = sorted(model.drop_ins, key=lambda line: (line.of, line.section))
    found = {of: tuple(each) for of, each in groupby(lines, key=lambda line: line.of)}
    found.setdefault("system.conf", ())
    return [
        SystemFile(_folder_of(of) + f"/90-{model.name}.conf", _drop_in(model, each), "644")
        for of, each in sorted(found.items())
    ]


def _folder_of(of: str) -> str:
    return f"/etc/systemd/{of}.d" if of == "system.conf" else f"/etc/systemd/system/{of}.d"


def _drop_in(model: SystemFiles, lines: tuple[DropIn, ...]) -> str:
    return render(package, "drop-in.conf.j2", m=model, lines=lines) if lines else ""
