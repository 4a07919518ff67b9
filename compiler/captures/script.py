"""The collector: one readable POSIX shell script with the list of what to read, which prints a capture.

The script is the file `collector.sh` with three things put into it: the list, the version that made it, and how long it
may take. `kits` has what Ansible and Puppet need around it. They are no part of a bundle: the collector depends on the
library alone, so one copy serves all policies, and a bundle stays small.
"""

import re
from collections.abc import Iterable
from pathlib import Path

COLLECTOR = Path(__file__).with_name("collector.sh")

PLACE = re.compile(
    r"(list )?(/[A-Za-z0-9_*-][A-Za-z0-9_.:*-]*)+|msr 0x[0-9a-f]{1,8}|hsmp 0x[0-9a-f]{1,2}"
    r"|run [a-z0-9][a-z0-9-]*( [A-Za-z0-9_=.@:*-]+)*"
)
"""What a list contains, whoever has written the knowledge: nothing in it can end the list, or be a word of the
shell."""


def collector(places: Iterable[str], version: str) -> str:
    """The script that reads these places. Raises ValueError for what is no place."""
    listed = list(places)
    if wrong := [place for place in listed if not PLACE.fullmatch(place)]:
        raise ValueError(f"not a place that a script can read: {wrong[0]!r}")
    text = COLLECTOR.read_text(encoding="utf-8")
    return text.replace("@VERSION@", version).replace("@PLACES@", "\n".join(listed))


KITS = Path(__file__).with_name("kits")

SCRIPTS = {
    "role": "roles/setpoint_capture/files/collector.sh",
    "module": "setpoint_capture/tasks/collect.sh",
}
"""Where each kit has the collector."""


def kit(name: str, script: str, version: str) -> dict[str, str]:
    """The files by which an engine runs the collector on its hosts, by path: the kit's own, and the collector."""
    top = KITS / name
    files = {
        path.relative_to(top).as_posix(): path.read_text(encoding="utf-8").replace("@VERSION@", version)
        for path in sorted(top.rglob("*"))
        if path.is_file()
    }
    return {**files, SCRIPTS[name]: script}
