"""Answers of a service, and the forms in which makers give errors, links and content."""

import gzip
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.twin.faults import PAGE, Kind
from setpoint.compiler.twin.machine import Machine, RefusedError
from setpoint.compiler.twin.resources import message

NO_HEADERS: Mapping[str, str] = MappingProxyType({})
LINK = "@odata.id"
ODD = {"error": {"code": "1", "message": {"lang": "en-us", "value": "failed: Request URI is invalid"}}}
"""What iDRACs before 2.50.50.50 call an error (dell/iDRAC-Redfish-Scripting, issue 7)."""


class TwinAnswer(NamedTuple):
    """An answer: status, document or None, headers."""

    status: int
    document: Any = None
    headers: Mapping[str, str] = NO_HEADERS


def error(
    machine: Machine, status: int, kind: str, *given: str, headers: Mapping[str, str] = NO_HEADERS
) -> TwinAnswer:
    """An error, by what it means."""
    return TwinAnswer(status, {"error": extended(machine, [message(machine, kind, *given)])}, headers)


def extended(machine: Machine, said: list[Any]) -> dict[str, Any]:
    """An error as DSP0266 has it (8.6), with the words in its extended information."""
    dialect = machine.dialect
    return {"code": dialect.code, "message": dialect.summary, "@Message.ExtendedInfo": said}


def refused(machine: Machine, refusal: RefusedError) -> TwinAnswer:
    """The answer to a request that is refused."""
    said = message(machine, refusal.kind, *refusal.arguments)
    if machine.dialect.errors == "property" and refusal.about:
        is_unknown = refusal.kind == "unknown" and machine.dialect.takes
        about = machine.dialect.takes if is_unknown else refusal.about
        return TwinAnswer(refusal.status, {f"{about}@Message.ExtendedInfo": [said]})
    return TwinAnswer(refusal.status, {"error": extended(machine, [said])})


def prevented(machine: Machine, met: Kind | None) -> TwinAnswer | None:
    """The answer to a request that is not carried out; None where there is none, or no fault."""
    wait = {"Retry-After": "1"}
    if met in ("busy", "away"):
        return error(machine, 503, "busy", headers=wait)
    if met == "crowded":
        return error(machine, 503, "crowded")
    if met == "unready":
        return error(machine, machine.dialect.unready, "unready")
    if met == "expired":
        return error(machine, 401, "denied", headers={"WWW-Authenticate": 'Basic realm="Redfish"'})
    if met == "throttled":
        return error(machine, 429, "throttled", headers=wait)
    if met == "odd":
        return TwinAnswer(400, ODD)
    if met == "lone":
        said = {"@Message.ExtendedInfo": message(machine, "internal")}
        return TwinAnswer(400, {"error": {**extended(machine, []), **said}})
    return error(machine, 500, "internal") if met == "error" else TwinAnswer(502) if met == "html" else None


def disturbed(machine: Machine, met: Kind | None, path: str, document: dict[str, Any]) -> dict[str, Any]:
    """What a reading shows of a document, by the fault that it meets."""
    if met == "unsettled":
        said = {"@Message.ExtendedInfo": [message(machine, "unsettled")]}
        is_bios = path == machine.dialect.bios.rstrip("/")
        return {**document, **({"Attributes": machine.before} if is_bios else {}), **said}
    return {**document, "Attributes": None} if met == "null" and "Attributes" in document else document


def content(
    machine: Machine, answer: TwinAnswer, path: str, met: Kind | None
) -> tuple[bytes, dict[str, str]]:
    """What is sent of an answer, and the headers that say what it is."""
    if met == "html":
        return PAGE, {"Content-Type": "text/html"}
    if answer.document is None:
        return b"", {}
    kind = {"Content-Type": "application/json;charset=utf-8"}
    if isinstance(answer.document, bytes):
        return answer.document, kind
    dialect, setup = machine.dialect, machine.setup
    has_slash = setup.slashes or path.endswith("/")
    document = linked(answer.document, has_slash) if dialect.mirrors or setup.slashes else answer.document
    text = json.dumps(document).encode()
    if dialect.packs and path.rstrip("/") == dialect.registry.rstrip("/"):
        return gzip.compress(text, mtime=0), {**kind, "Content-Encoding": "gzip"}
    return text, kind


def linked(document: Any, has_slash: bool) -> Any:
    """A document of which all links end with a slash, or none does."""
    if isinstance(document, list):
        return [linked(part, has_slash) for part in document]
    if not isinstance(document, dict):
        return document
    return {
        name: part.rstrip("/") + "/" * has_slash
        if name == LINK and isinstance(part, str)
        else linked(part, has_slash)
        for name, part in document.items()
    }
