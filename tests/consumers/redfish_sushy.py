"""What sushy sees of a service, and does to it. It runs with the Python of the Redfish clients (`redfish_clients`).

    python redfish_sushy.py ORDER    an order as JSON: the service, its job queue, attributes to set, how to restart

It opens a session, walks from the service root to the BIOS, sets the attributes, reads them back, restarts the server,
and reads the jobs through sushy's own extension for Dell's, and the tasks.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import sushy
from sushy import auth
from sushy.oem.dell.resources.manager.job_collection import DellJobCollection


def seen(order: dict[str, Any]) -> dict[str, Any]:
    """Carry out an order and report what sushy found."""
    authority = os.environ["REQUESTS_CA_BUNDLE"]
    session = auth.SessionOrBasicAuth(username=order["user"], password=order["password"])
    root = sushy.Sushy(f"https://{order['address']}", auth=session, verify=authority)
    system = root.get_system(root.get_system_collection().members_identities[0])
    bios = system.bios
    before = {name: bios.attributes[name] for name in order["attributes"]}
    times = bios.supported_apply_times or []
    late = sushy.ApplyTime.ON_RESET if sushy.ApplyTime.ON_RESET in times else None
    bios.set_attributes(order["attributes"], apply_time=late)
    pending = {name: bios.pending_attributes.get(name) for name in order["attributes"]}
    if late is None:
        root._conn.post(order["jobs"], data={"TargetSettingsURI": bios._settings.resource_uri})
    jobs = DellJobCollection(root._conn, order["jobs"], registries=root.lazy_registries)
    unfinished = jobs.get_unfinished_jobs()
    system.reset_system(sushy.ResetType(order["reset"]))
    service = root.get_task_service()
    tasks = service.tasks.get_members()
    for _ in range(5):
        for task in tasks:
            task.refresh(force=True)
    bios.refresh(force=True)
    return {
        "power": system.power_state.value,
        "before": before,
        "apply_times": [time.value for time in times],
        "pending": pending,
        "unfinished": unfinished,
        "tasks": {task.identity: task.task_state.value for task in tasks},
        "after": {name: bios.attributes[name] for name in order["attributes"]},
        "registry": len(bios.get_attribute_registry().registry_entries.attributes),
    }


if __name__ == "__main__":
    print(json.dumps(seen(json.loads(sys.argv[1]))))
