"""Management controllers that apply staged BIOS settings at the next restart, without jobs: those of HPE, Lenovo,
Supermicro, AMI.

They are the twin that users rehearse with (`setpoint.compiler.twin`); the table of its controllers has the sources of
what each does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from idrac import Controller, served
from setpoint.compiler.twin.dialects import ControllerDialect as Dialect
from setpoint.compiler.twin.dialects import dialects
from setpoint.compiler.twin.machine import Machine as Server
from setpoint.compiler.twin.machine import Setup

__all__ = ["AMI", "HPE", "LENOVO", "SUPERMICRO", "Dialect", "Server", "Setup", "bare_controllers", "server"]

HPE, LENOVO, SUPERMICRO, AMI = (
    dialects()[name] for name in ("hpe-ilo5", "lenovo-xcc", "supermicro-x13", "ami-megarac")
)


def server(dialect: Dialect, current: Mapping[str, Any], model: str = "Example", **more: Any) -> Setup:
    """A server of a model, as it is at first."""
    shown = {"Model": model, "Manufacturer": more.pop("manufacturer", "Example")}
    return Setup(dialect, current, system=shown, **more)


@contextmanager
def bare_controllers(
    setups: Mapping[str, Setup], certificate: Path, key: Path
) -> Iterator[dict[str, Controller]]:
    """Run a controller for each server, by its name."""
    with served({name: Server(one) for name, one in setups.items()}, certificate, key) as found:
        yield found
