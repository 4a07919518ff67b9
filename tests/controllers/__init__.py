"""Management controllers that apply staged BIOS settings at the next restart, without jobs: those of HPE, Lenovo, Supermicro, AMI.

Nothing in here comes from the role or from the targets: each behaviour is one that a captured service shows, or that a document
describes (`dialects`). The emulated iDRAC (`idrac`) has the transport, the accounts and the rules of a BIOS, which are the
same.

    dialects   how the services differ: addresses, what the settings resource shows, what a change needs
    machine    the server behind a controller: what is in effect, what is staged, its power and its restarts
    service    the resources, and what comes of a request
"""

from controllers.dialects import AMI, HPE, LENOVO, SUPERMICRO, Dialect
from controllers.machine import Server, Setup
from controllers.service import BareController, bare_controllers

__all__ = [
    "AMI",
    "HPE",
    "LENOVO",
    "SUPERMICRO",
    "BareController",
    "Dialect",
    "Server",
    "Setup",
    "bare_controllers",
]
