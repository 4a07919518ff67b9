"""Whether a controller is that of the server which is meant: its kind, and the server itself.

The kind is the product name, the processor and the number of processors. The server itself is its UUID, which the host shows as well, and
which no other host has.

A processor is told by family, model and stepping. Services show them in `ProcessorId`, each in its own way: as numbers, as those of the SMBIOS
table, as the registers of CPUID in the order of some processor or other. What makes no sense, or two different processors, tells nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from setpoint.targets._client.server import part
from setpoint.targets._client.wire import OTHER_SERVER, Document, StopError, plain

SAME = "server"
"""The check whether the controller is that of the host."""

CHECKS = {
    "product": "set setpoint_check_product to false",
    "processor": "set setpoint_check_processor to false",
    "sockets": "set setpoint_check_sockets to false",
    SAME: "set setpoint_check_server to false",
}
"""What of a server is compared, and how each is passed over."""


MOST_FAMILY = 63
"""The families of CPUID are numbers up to 26; what is beyond this is the number of a family in the table of SMBIOS."""


def require_kind(
    system: Document,
    reports: Document,
    so_far: str,
    pass_over: Collection[str] = (),
    processors: Iterable[Document] = (),
) -> list[str]:
    """Require a server that reports the product, the processor and the sockets that the plan is for, as far as it has them.

    Returns what differs and is passed over, in words, and that the processor is not shown.
    """
    told = []
    for kind in ("product", "processor", "sockets"):
        wanted = reports.get(kind)
        if wanted is None:
            continue
        reported = _processor(processors) if kind == "processor" else _of_system(kind, system)
        if kind == "processor" and not reported:
            told.append("The processor was not compared: the BMC shows no family and model of it")
            continue
        if _is_accepted(reported, wanted["accepted"]):
            continue
        if wanted["accepted"]:
            because, right = _unlike(kind, reported, wanted)
            advice = f". Is this the right server? Then state {right} and compile again, or"
        else:
            because = f"no source shows which {kind} {wanted['fact']} {wanted['value']} reports, so that nothing can be compared"
            advice = ": make sure yourself that this is one, and"
        told.append(_stopped(kind, because, advice, so_far, pass_over))
    return told


def _of_system(kind: str, system: Document) -> str:
    if kind == "product":
        return plain(system.get("Model") or "").strip()
    count = part(system, "ProcessorSummary", "Count")
    return plain("no" if count is None else count)


def _processor(processors: Iterable[Document]) -> str:
    """The first processor that is told: `GenuineIntel family 6 model 85 stepping 7`, without the vendor where that is no word of CPUID."""
    for processor in processors:
        shown = part(processor, "ProcessorId")
        if processor.get("ProcessorType") not in (None, "CPU") or not isinstance(shown, dict):
            continue
        stated = [_number(shown.get(name)) for name in ("EffectiveFamily", "EffectiveModel", "Step")]
        told = _of_registers(str(shown.get("IdentificationRegisters") or ""))
        if None not in stated and (stated[0] or 0) <= MOST_FAMILY:
            told.add(tuple(stated))
        if len(told) == 1:
            family, model, stepping = told.pop()
            vendor = shown.get("VendorId")
            known = isinstance(vendor, str) and re.fullmatch("[A-Za-z]{12}", vendor)
            return f"{f'{vendor} ' if known else ''}family {family} model {model} stepping {stepping}"
    return ""


def _number(text: object) -> int | None:
    """A number in decimal digits, or in hexadecimal ones behind `0x`."""
    if not isinstance(text, str) or not re.fullmatch("0x[0-9A-Fa-f]{1,4}|[0-9]{1,4}", text):
        return None
    return int(text, 16 if text.startswith("0x") else 10)


def _of_registers(text: str) -> set[tuple[int | None, ...]]:
    """Family, model and stepping in the registers of CPUID (leaf 1): EAX alone, or EAX and EDX in any order, by double words, words or bytes.

    EDX makes no signature, since the highest bits of one are 0.
    """
    digits = re.sub("^0x|[ :-]", "", text.lower())
    if not re.fullmatch("[0-9a-f]{8}([0-9a-f]{8})?", digits):
        return set()
    halves = [digits[start : start + 8] for start in range(0, len(digits), 8)]
    turned = [half[4:] + half[:4] for half in halves]
    swapped = ["".join(re.findall("..", half)[::-1]) for half in halves]
    return set(filter(None, (_signature(int(half, 16)) for half in (*halves, *turned, *swapped))))


def _signature(register: int) -> tuple[int, ...] | None:
    """Family, model and stepping of a signature; None if it cannot be one."""
    family, model, more = register >> 8 & 15, register >> 4 & 15, register >> 20 & 255
    if register >> 28 or register >> 12 & 15 or family < 6 or (more and family != 15):
        return None
    wide = model | (register >> 16 & 15) << 4 if family in (6, 15) else model
    return family + more, wide, register & 15


def _is_accepted(reported: str, accepted: list[str]) -> bool:
    """Whether it is one of these names: one that ends with `*` may be continued, and numbers may be within a range."""
    return any(
        reported.startswith(name[:-1])
        if name.endswith("*")
        else reported == name or _is_within(reported.split(), name.split())
        for name in accepted
    )


def _is_within(reported: list[str], accepted: list[str]) -> bool:
    """Whether each number of a processor is the accepted one, or within its range; one without a vendor is compared without it."""
    if "family" not in accepted:
        return False
    wanted = accepted[accepted.index("family") :] if reported[:1] == ["family"] else accepted
    return len(reported) >= len(wanted) and all(map(_fits, reported, wanted))


def _fits(word: str, accepted: str) -> bool:
    first, _, last = accepted.partition("-")
    if first.isdecimal() and word.isdecimal():
        return int(first) <= int(word) <= int(last or first)
    return word == accepted


def _unlike(kind: str, reported: str, wanted: Document) -> tuple[str, str]:
    """What is reported and what the policy has, in words, and what would be right."""
    if kind == "sockets":
        noun = "socket" if reported == "1" else "sockets"
        because = f"this server reports {reported} processor {noun}, and the policy {wanted['verb']} {wanted['value']}"
        return because, f'"{wanted["fact"]} {reported}"'
    shown = f"the {kind} {reported}" if reported else f"no {kind}"
    policy = f"{wanted['verb']} {wanted['fact']} {wanted['value']} ({' or '.join(wanted['accepted'])})"
    return f"this server reports {shown}, and the policy {policy}", f"the right {wanted['fact']}"


def _stopped(check: str, because: str, advice: str, so_far: str, pass_over: Collection[str]) -> str:
    """What is said of a check that is passed over. Raises StopError of any other."""
    if check in pass_over:
        return f"Passed over: {because}."
    raise StopError(f"{so_far}: {because}{advice} {CHECKS[check]}", OTHER_SERVER)


def require_same(shown: str, host: str, so_far: str, pass_over: Collection[str] = ()) -> list[str]:
    """Require that the UUID that the controller shows is the host's own, in either byte order; one that says nothing is not compared.

    Returns what differs and is passed over, in words.
    """
    own, theirs = uuids(host), uuids(shown)
    if not own or not theirs or own & theirs:
        return []
    because = f"the BMC is that of another server: it shows the UUID {shown}, and the host has {plain(host)}"
    return [_stopped(SAME, because, ". Correct setpoint_bmc_host, or", so_far, pass_over)]


def claim(shown: str, folder: Path, host: str, so_far: str, dry: bool) -> None:
    """Require that no other host has the server, and note in a folder that this host has it."""
    identities = uuids(shown)
    if not identities:
        return
    place = folder / min(identities)
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
    match = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text.lower())
    digits = match[0].replace("-", "") if match else ""
    if len(set(digits)) < 4 or digits == "03000200040005000006000700080009":
        return set()
    fields = (digits[:8], digits[8:12], digits[12:16])
    turned = "".join("".join(re.findall("..", field)[::-1]) for field in fields)
    return {digits, turned + digits[16:]}
