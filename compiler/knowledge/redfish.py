"""How servers take BIOS settings over Redfish: the addresses of a service, and how it applies what was staged.

Redfish names the resources of a BIOS and leaves their addresses to the service (DSP0266, 6.4): a client follows the
links. Artifacts that people read, and send with other tools, need the addresses beforehand, so a `service` block states
those that the services of some servers announce. It also states what Redfish leaves open: whether staged settings wait
for a job, for an apply time in the request, or for no more than the next restart.
"""

import re

from setpoint.compiler.diagnostics.source import Placed
from setpoint.compiler.knowledge.boxes import Box
from setpoint.compiler.knowledge.citation import Citation, ServerReport
from setpoint.compiler.knowledge.interfaces import Expression

ADDRESS = re.compile(r"/redfish/v1(/[A-Za-z0-9_.-]+)+/?")
"""The form of an address on the service: a path, without a query."""

SYSTEM, BIOS, SETTINGS, JOBS, CLEAR = "system", "bios", "settings", "jobs", "clear"

ADDRESSES = (SYSTEM, BIOS, SETTINGS, JOBS, CLEAR)
"""The resources that have addresses.

The computer system; its BIOS; the settings resource of the BIOS, which takes what is to be staged; the collection that
takes new jobs; the action that clears what is staged.
"""

JOB, ON_RESET, RESTART = "job", "on-reset", "restart"

WAYS = (JOB, ON_RESET, RESTART)
"""How staged settings take effect: `job`, by a job that has to be made; `on-reset`, at the restart if the request to
stage them asks for it, and if the service lists this apply time; `restart`, at the restart without anything else.
"""


BUSY, KIND, BIOS_JOB, PARTLY, FAILED, TARGET = "busy", "kind", "job", "partly", "failed", "target"

REPORTED = (BUSY, KIND, BIOS_JOB, PARTLY, FAILED, TARGET, CLEAR)
"""What a word means that only some services say, beside what DMTF's Base registry and schemas have.

A message: not now, so that what was asked for is to be asked for again later. The property of a job that says what the
job sets, and what it says if that is the BIOS. The state of a job that is over, and has set a part; that has set
nothing. The property of a request for a job that has the address of the settings. The action that clears what is
staged.
"""

REPORTED_WORD = Expression(r"[A-Za-z][A-Za-z0-9]{0,79}")
"""The key of a message in its registry, which is the last part of `MessageId` (DSP0266, 9.5.11.2), or a name of a
property or a value."""


class Service(Placed):
    """What the Redfish services of some servers offer for BIOS settings; `because` if they offer nothing.

    `addresses` has the address of each resource by its name, and `ways` how settings take effect, each with a firmware
    that was seen to do so ("" if none is named). `reported` are words that only they say. `closed` is `when` with
    everything that follows from it. One that offers nothing and gives no reason only says words, for all services where
    it applies.
    """

    name: str
    title: str
    addresses: tuple[tuple[str, str], ...]
    ways: tuple[tuple[str, str], ...]
    because: str
    reported: tuple[ServerReport, ...]
    when: Box
    closed: Box
    citation: Citation

    @property
    def is_offered(self) -> bool:
        """Whether it says what servers offer, or why they offer nothing."""
        return bool(self.addresses or self.because)
