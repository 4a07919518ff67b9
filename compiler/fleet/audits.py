"""Files of settings checked for the hosts of an inventory: once for each class, since hosts with equal facts have equal
findings.

A finding is there once, with its hosts. Classes of which everything else is equal as well are one row of the result:
what most servers have in common is said once, and what is different is seen.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from setpoint.compiler.audit.check import Audit, audit
from setpoint.compiler.audit.summary import beside, document, files_read
from setpoint.compiler.binding.levels import Candidate
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.fleet.classes import Classes, Excluded, HostClass
from setpoint.compiler.fleet.registries import NO_REGISTRIES, Registries
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.plan.as_json import diagnostics_json
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.render.hosts import named_hosts
from setpoint.compiler.render.table import paragraph
from setpoint.compiler.render.visible import json_text, visible_lines

SCHEMA = "setpoint.fleet-audit/1"

OF_FILES = "E09"
"""How the codes of errors begin that are in the files, whatever the server is."""


class AuditOfHosts(NamedTuple):
    """What was found for classes, each with its hosts, of which everything but their facts is equal; those with most
    hosts first."""

    classes: tuple[tuple[HostClass, Sequence[str]], ...]
    audit: Audit

    @property
    def hosts(self) -> list[str]:
        """All their hosts, sorted by name."""
        return sorted(host for _, hosts in self.classes for host in hosts)


class AuditedFleet(NamedTuple):
    """What was found for the hosts of an inventory; those of most hosts first. `excluded` are the hosts for which
    nothing can be said."""

    audits: tuple[AuditOfHosts, ...]
    excluded: tuple[Excluded, ...]

    @property
    def findings(self) -> Iterator[Diagnostic]:
        """The findings, each with its hosts."""
        hosts: dict[Diagnostic, list[str]] = {}
        for each in self.audits:
            for finding in each.audit.findings:
                hosts.setdefault(finding, []).extend(each.hosts)
        for finding, its in hosts.items():
            yield finding._replace(notes=(*finding.notes, named_hosts(its)))


def audit_fleet(
    knowledge: Knowledge,
    candidate: Candidate,
    found: Classes,
    sources: Sequence[SourceText],
    form: str = "",
    today: str = "",
    registries: Registries = NO_REGISTRIES,
) -> AuditedFleet:
    """Check files for each class, with its registry if it has one. Raises SetpointError (E0901) for a file that is not
    one of settings."""
    excluded = list(found.excluded)
    alike: dict[str, list[tuple[HostClass, Sequence[str]]]] = {}
    audits: dict[str, Audit] = {}
    for each, hosts in found.members.items():
        subject = candidate.narrowed(each.group, each.block)
        try:
            server = registries.servers[each.registry] if each.registry else None
            done = audit(knowledge, subject, sources, form, today, server, each.found)
        except SetpointError as error:
            if any(finding.code.startswith(OF_FILES) for finding in error.diagnostics):
                raise
            excluded.append(Excluded((*hosts,), tuple(error.diagnostics)))
            continue
        key = json.dumps({**document(done), "facts": None})
        audits.setdefault(key, done)
        alike.setdefault(key, []).append((each, hosts))
    made = [AuditOfHosts(_most_first(its), audits[key]) for key, its in alike.items()]
    made.sort(key=lambda each: (-len(each.hosts), each.classes[0][0].name))
    return AuditedFleet(tuple(made), tuple(excluded))


def _most_first(
    classes: list[tuple[HostClass, Sequence[str]]],
) -> tuple[tuple[HostClass, Sequence[str]], ...]:
    return tuple(sorted(classes, key=lambda each: (-len(each[1]), each[0].name)))


def audits_text(found: AuditedFleet, width: int) -> str:
    """What was read, and which goal it serves on which hosts, for a terminal."""
    parts = []
    for each in found.audits:
        facts = ", ".join(" ".join(fact) for fact in _common(each))
        head = paragraph(f"{named_hosts(each.hosts)}{f' ({facts})' if facts else ''}", width, 0)
        parts.append(visible_lines(f"{head}{files_read(each.audit)}{beside(each.audit, width)}"))
    return "\n".join(parts)


def _common(each: AuditOfHosts) -> list[tuple[str, str]]:
    """The facts that all of the classes have."""
    (first, _), *others = each.classes
    return [fact for fact in first.facts if all(fact in other.facts for other, _ in others)]


def audits_json(found: AuditedFleet, findings: Diagnostics) -> str:
    """Everything for programs: an audit for each set of classes, which are named with their hosts; and all `findings`,
    with the number of hosts."""
    return json_text(
        {
            "schema": SCHEMA,
            "audits": [{"classes": _classes(each), **_without_facts(each.audit)} for each in found.audits],
            "diagnostics": diagnostics_json(findings),
            "left_out": [
                {
                    "host": host,
                    "codes": [d.code for d in each.why],
                    "reason": "; ".join(d.message for d in each.why),
                }
                for each in found.excluded
                for host in each.hosts
            ],
        }
    )


def _classes(each: AuditOfHosts) -> dict[str, Any]:
    return {
        its.name: {"group": its.group, "facts": dict(its.facts), "hosts": list(hosts)}
        for its, hosts in each.classes
    }


def _without_facts(its: Audit) -> dict[str, Any]:
    """An audit without the facts, which the classes have."""
    data = document(its)
    del data["facts"]
    return data
