"""An emulated iDRAC, written from public documents alone: of the product it imports the twin, which is, too.

    with controllers(folder, {"plain": Behaviour(current), "off": Behaviour(current, power="Off")}) as bmcs:
        ...                                          # speak to https://bmcs["off"].address, trusting bmcs["off"].ca
        assert bmcs["off"].resets == []

`consumers.redfish_emulator` is a whole service with the BIOS of a captured server. This one is for what a client must get
right beside the values: services that differ in what they show and offer, that are busy, lose an answer, or do not do what
they accepted. It takes any value, unless it is given `Rules` of a captured registry. Each `Behaviour` names the document
that describes it:

* DSP0266: DMTF, Redfish Specification, 1.8.1 (clause numbers are of that edition)
* Redfish schemas: DMTF/Redfish-Publications at 26c9496, folder json-schema
* Dell's scripts: dell/iDRAC-Redfish-Scripting at e7ba763, and the maintainer's answers in its issues
* sushy: OpenStack's client, for the states of Dell's jobs (sushy.oem.dell.resources.taskservice.constants)
* issue threads of others, where only users have described it

`Fault` is what a single request of a run meets: a busy service, an error, a lost answer (`faults`).

All controllers of a test run in threads of its process, each on a port of its own on 127.0.0.1.
"""

from idrac.faults import Fault
from idrac.machine import Behaviour, Machine
from idrac.service import Controller, controllers
from setpoint.compiler.twin.rules import FirmwareRules as Rules

__all__ = ["Behaviour", "Controller", "Fault", "Machine", "Rules", "controllers"]
