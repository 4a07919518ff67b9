"""Whether a controller is that of the server which is meant: its kind, and the server itself.

The kind is the product name and the number of processors. The server itself is its UUID, which the host shows as well, and which no
other host has.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from setpoint.targets._client.server import part
from setpoint.targets._client.wire import OTHER_SERVER, Document, StopError, plain


def require_kind(system: Document, reports: Document, so_far: str) -> None:
    """Require a server that reports the product and the sockets that the plan is for, as far as it has them."""
    wanted = reports.get("product")
    if wanted:
        _require_product(plain(system.get("Model") or "").strip(), wanted, so_far)
    wanted = reports.get("sockets")
    count = part(system, "ProcessorSummary", "Count")
    reported = plain("no" if count is None else count)
    if wanted and reported not in wanted["accepted"]:
        raise StopError(
            f"{so_far}: this server reports {reported} processor {'socket' if reported == '1' else 'sockets'}, and the policy"
            f' {wanted["verb"]} {wanted["value"]}. Is this the right server? Then state "{wanted["fact"]} {reported}" and compile again,'
            " or set setpoint_check_sockets to false",
            OTHER_SERVER,
        )


def _require_product(reported: str, wanted: Document, so_far: str) -> None:
    accepted = wanted["accepted"]
    if not accepted:
        raise StopError(
            f"{so_far}: no source shows which product {wanted['fact']} {wanted['value']} reports, so that nothing can be"
            " compared: make sure yourself that this is one, and set setpoint_check_product to false",
            OTHER_SERVER,
        )
    patterns = (re.escape(name[:-1]) + ".*" if name.endswith("*") else re.escape(name) for name in accepted)
    if not any(re.fullmatch(one, reported) for one in patterns):
        raise StopError(
            f"{so_far}: this server reports {f'the product {reported}' if reported else 'no product'}, and the policy {wanted['verb']} {wanted['fact']}"
            f" {wanted['value']} ({' or '.join(accepted)}). Is this the right server? Then state the right {wanted['fact']} and compile"
            " again, or set setpoint_check_product to false",
            OTHER_SERVER,
        )


def require_same(shown: str, host: str, so_far: str) -> None:
    """Require that the UUID that the controller shows is the host's own, in either byte order; one that says nothing is passed over."""
    own, found = uuids(host), uuids(shown)
    if own and found and not own & found:
        raise StopError(
            f"{so_far}: the BMC is that of another server: it shows the UUID {shown}, and the host has {plain(host)}. Correct"
            " setpoint_bmc_host, or set setpoint_check_server to false",
            OTHER_SERVER,
        )


def claim(shown: str, folder: Path, host: str, so_far: str, dry: bool) -> None:
    """Require that no other host has the server, and note in a folder that this host has it."""
    found = uuids(shown)
    if not found:
        return
    place = folder / min(found)
    if not dry:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = place.with_name(f"{place.name}.{os.getpid()}")
        new.write_text(host, encoding="utf-8")
        try:
            os.link(new, place)  # whole, or not at all, and one of several hosts alone
        except FileExistsError:
            pass
        finally:
            new.unlink()
    other = place.read_text(encoding="utf-8") if place.exists() else host
    if other != host:
        raise StopError(
            f"{so_far}: the BMC is that of host {plain(other)}, too: both have the server with the UUID {shown}. Correct"
            f" setpoint_bmc_host; if the server has a new name, remove {place}",
            OTHER_SERVER,
        )


def other_firmware(plan: Document, system: Document) -> str:
    """That the server's BIOS has another version than the registry that the plan was made with; "" if it has not, or none was used."""
    made_with, has = plain(plan.get("firmware") or ""), plain(system.get("BiosVersion") or "")
    if not made_with or not has or made_with == has:
        return ""
    return (
        f"The plan was made with the attribute registry of BIOS {made_with}, and this server has BIOS {has}: compile it again with a"
        " registry of that, which can offer other attributes and values"
    )


def uuids(text: str) -> set[str]:
    """A UUID in both byte orders of its first three fields, which tools show differently; empty for none, or for one of many servers.

    SMBIOS 2.6 made them little-endian, and not every service followed (metal-stack/go-hal, issue 57).
    """
    found = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text.lower())
    digits = found[0].replace("-", "") if found else ""
    if len(set(digits)) < 4 or digits == "03000200040005000006000700080009":
        return set()
    fields = (digits[:8], digits[8:12], digits[12:16])
    turned = "".join("".join(re.findall("..", one)[::-1]) for one in fields)
    return {digits, turned + digits[16:]}
