"""The captured servers whose states are searched, and the policies for them.

Seven have a registry of their own that is read as it is. What the captures of the others lack is filled in
(`consumers.registry_gaps`):

* Supermicro's registry numbers the values that its service names by their labels, and its service does not show what is
  locked;
* the DL380a has all dependencies and the values of all attributes, and no list of the values that they can have;
* of the T630 there are values alone. It has the registry of the R630, of its generation, without the attributes that it
  does not have; no forced value differs (`test_every_start`).

The GB200 is in no library. Its policies set what `setpoint kb import` makes of its registry, every setting at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from registries.test_importing import A42, LENOVO, SUPERMICRO, U46, made, written
from registries.test_profiles_of_hpe import NAMES
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.registries.imported import ImportedSetting, numbers_of
from support.effort import is_complete
from support.machines import GOALS, R630, R720, R740, R750, Machine

U58, NVIDIA = "hpe-gen11-DL380a-U58-2.44", "nvidia-GB200-arm"

SERVICE = """
source lab { title "Redfish service of our servers"; publisher "Our lab"; }
service lab-bmc of lab at "Bios" {
    title "BMC";
    when platform nvidia-server;
    uri system "/redfish/v1/Systems/System_0";
    uri bios "/redfish/v1/Systems/System_0/Bios";
    uri settings "/redfish/v1/Systems/System_0/Bios/Settings";
    applies restart;
}
"""
"""What a site states about a controller that the library does not know, as the import asks for."""


@cache
def gb200() -> Machine:
    """The GB200, with the knowledge that is imported."""
    return Machine(NVIDIA, f"{written(NVIDIA)}{SERVICE}platform nvidia-server", "")


T630 = Machine("dell-13g-T630", "platform t630; sockets 2", "poweredge-13g", like=R630.capture)
DL360 = Machine(U46, "platform dl360-gen10-plus", "")
DL385 = Machine(A42, "platform dl385-gen10-plus-v2", "")
DL380A = Machine(U58, "platform dl380a-gen11", "")
SR670 = Machine(LENOVO, "platform sr670-v2", "")
SYS821 = Machine(SUPERMICRO, "platform sys-821ge-tnhr", "")
SERVERS = (R720, R630, T630, R740, R750, DL360, DL385, DL380A, SR670, SYS821)
"""The servers of the library."""

WORKLOADS = standard().variables["workload"].values
PROFILES = tuple(f'goal latency; set workload-profile {name} because "LAB-9"' for name in NAMES.values())
"""Policies that set a profile of HPE's."""


def policies(goal: str) -> Iterator[str]:
    """A goal alone, and with every workload; by default with one of them, another for each goal."""
    yield f"goal {goal}"
    sample = WORKLOADS if is_complete() else WORKLOADS[10 * GOALS.index(goal) :][:1]
    yield from (f"goal {goal}; workload {workload}" for workload in sample)


def of_everything(nth: int) -> str:
    """The policy that sets every setting of the GB200 to its value in this place, or to the last that it has; by
    default, every tenth."""
    settings = made(NVIDIA).settings[:: 1 if is_complete() else 10]
    values = {each.name: _values(each) for each in settings}
    chosen = {name: each[min(nth, len(each) - 1)] for name, each in values.items()}
    sets = (f'set {name} {value} because "LAB-9";' for name, value in chosen.items())
    return "goal latency; " + " ".join(sets)


def _values(setting: ImportedSetting) -> tuple[str, ...]:
    """The values of a setting; of numbers, the least and the greatest."""
    if setting.values:
        return tuple(each.name for each in setting.values)
    least, greatest, _ = numbers_of(setting.attribute)
    return str(least), str(greatest)
