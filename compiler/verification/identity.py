"""Whether a capture is of a server that a plan is for: what it reports is compared as the program for hosts compares
it, and what is recognized of it, as in an inventory, with the facts of the plan.

What was not read contradicts nothing. A plan for another model would call every value wrong, so a contradiction is an
error, not a verdict.
"""

import re
from collections.abc import Iterator, Mapping

from setpoint.compiler.binding.facts import related
from setpoint.compiler.captures.model import Capture
from setpoint.compiler.captures.texts import CPUINFO_PLACE, processor_fields
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import DISTRIBUTION, PROCESSOR, PRODUCT, is_processor, is_product
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.plan.server import Identity
from setpoint.compiler.verification.derived import packages
from setpoint.compiler.verification.host import Host

PRODUCT_NAME = "/sys/class/dmi/id/product_name"
RELEASE = "/etc/os-release"
KERNEL = "run uname -r"
HYPERVISOR = "hypervisor"
"""The flag of a virtual machine, whose processor is what its hypervisor makes of it."""

SYSTEM = "Linux"
"""What `uname -s` prints where there is a /proc/cpuinfo."""

STATES = "states"
VERBS = {"assumed": "assumes", "implied": "implies"}
"""What a policy does with a fact, by its origin."""

OS_FIELD = re.compile(r"^(ID|VERSION_ID)=[\"']?([^\"'\n]*)", re.MULTILINE)


def contradictions(
    plan: Plan, reported: Mapping[str, str], facts: Mapping[str, str], knowledge: Knowledge
) -> tuple[str, ...]:
    """What a capture reports that a server of the plan does not, as sentences; () if it can be such a server.

    `reported` is what `reports` found in it, and `facts` are those that are recognized of it, each with its value.
    """
    compared = tuple(
        f"it reports the {identity.kind} `{reported[identity.kind]}`; the policy {VERBS.get(identity.origin, STATES)} {identity.fact} {identity.value}, "
        f"which is `{identity.accepted}`"
        for identity in plan.identity
        if identity.is_compared
        and identity.kind in reported
        and not _accepts(identity, reported[identity.kind])
    )
    return compared or tuple(
        f"its {fact.name} is {facts[fact.name]}; the policy {VERBS.get(fact.origin, STATES)} {fact.name} {fact.value}"
        for fact in plan.facts
        if fact.name in facts and not related(knowledge, fact.name, facts[fact.name], fact.value)
    )


def reports(capture: Capture) -> dict[str, str]:
    """What a capture reports, by kind."""
    return dict(_reports(Host(capture.host) if capture.host else None, capture))


def _reports(host: Host | None, capture: Capture) -> Iterator[tuple[str, str]]:
    product = host.text(PRODUCT_NAME) if host else None
    product = product or _model(capture)
    if product and product.strip():
        yield PRODUCT, product.strip()
    if host is None:
        return
    info = "\n".join(reading.text for reading in host.at(CPUINFO_PLACE))
    if info:
        yield "system", SYSTEM
    if processor := _processor(info):
        yield PROCESSOR, processor
    if sockets := packages(host):
        yield "sockets", str(sockets)
    release = dict(OS_FIELD.findall(host.text(RELEASE) or ""))
    if "ID" in release:
        yield DISTRIBUTION, " ".join(filter(None, (release["ID"], release.get("VERSION_ID", ""))))
    if kernel := host.text(KERNEL):
        yield "kernel", kernel.strip()


def _processor(info: str) -> str:
    """What /proc/cpuinfo says of the first processor: family, model, stepping; "" without them, or in a guest."""
    fields: dict[str, str] = {}
    for name, text in processor_fields(info):
        fields.setdefault(name, text)
    known = [fields.get(name, "") for name in ("vendor_id", "cpu family", "model")]
    if not all(known) or HYPERVISOR in fields.get("flags", "").split():
        return ""
    stepping = fields.get("stepping", "")
    return "{} family {} model {}".format(*known) + (f" stepping {stepping}" if stepping.isdecimal() else "")


def _model(capture: Capture) -> str:
    """The model that a controller reports; "" if it does not."""
    for path, data in sorted(capture.controller.read.items()) if capture.controller else ():
        if path.rstrip("/").rpartition("/")[0].endswith("/Systems") and isinstance(data, dict):
            model = data.get("Model")
            return model if isinstance(model, str) else ""
    return ""


def _accepts(identity: Identity, reported: str) -> bool:
    """Whether a report is one of those of an identity: a release and a kernel may go on, and so may an open product."""
    if any(_is_report(identity.kind, name, reported) for name in identity.names):
        return True
    return any(_is_since(reported, version) for version in identity.since)


def _is_report(kind: str, name: str, reported: str) -> bool:
    if kind == PRODUCT:
        return is_product(name, reported)
    if kind == PROCESSOR:
        return is_processor(name, reported)
    if kind in (DISTRIBUTION, "kernel"):
        return reported == name or reported.startswith(
            (f"{name}.", f"{name}{'-' if kind == 'kernel' else ' '}")
        )
    return reported == name


def _is_since(reported: str, version: str) -> bool:
    """Whether a version is this one or a later one, number by number."""
    numbers = [int(number) for number in re.findall(r"\d{1,9}", re.match(r"[\d.]*", reported)[0])]  # type: ignore[index]
    least = [int(number) for number in version.split(".")]
    return numbers + [0] * (len(least) - len(numbers)) >= least
