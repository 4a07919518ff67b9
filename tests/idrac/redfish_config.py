"""Ansible's own module for BIOS attributes, run against a controller of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from consumers.ansible_run import module, programs
from idrac import PASSWORD, USER, Controller


def redfish_config(bmc: Controller, folder: Path, attributes: dict[str, str]) -> dict[str, Any]:
    """What community.general.redfish_config answers."""
    programs()
    given: dict[str, object] = {
        "category": "Systems",
        "command": ["SetBiosAttributes"],
        "baseuri": bmc.address,
    }
    given |= {"username": USER, "password": PASSWORD, "ca_path": str(bmc.ca), "validate_certs": True}
    return module("community.general.redfish_config", folder, **given, bios_attributes=attributes)
