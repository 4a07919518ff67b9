"""What sushy reads of a service, without changing anything. It runs with the Python of the Redfish clients
(`redfish_clients`).

python redfish_sushy_reading.py ADDRESS USER PASSWORD
"""

from __future__ import annotations

import json
import os
import sys

import sushy
from sushy import auth


def read(address: str, user: str, password: str) -> dict[str, object]:
    """The first server with a BIOS: its attributes, and what is staged."""
    session = auth.SessionOrBasicAuth(username=user, password=password)
    root = sushy.Sushy(f"https://{address}", auth=session, verify=os.environ["REQUESTS_CA_BUNDLE"])
    systems = [root.get_system(path) for path in root.get_system_collection().members_identities]
    system = next(each for each in systems if "Bios" in each.json)
    return {
        "current": dict(system.bios.attributes),
        "pending": dict(system.bios.pending_attributes or {}),
    }


if __name__ == "__main__":
    print(json.dumps(read(*sys.argv[1:])))
