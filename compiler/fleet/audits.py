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
    """An audit of classes that differ in their facts only, each with its hosts, those with most hosts first."""

    classes: tuple[tuple[HostClass, Sequence[str]], ...]
    audit: Audit

    @property
    def hosts(self) -> list[str]:
        """All their hosts, sorted by name."""
        return sorted(host for _, hosts in self.classes for host in hosts)


class AuditedFleet(NamedTuple):
    """The audits of an inventory's hosts, those of most hosts first; `excluded` are the hosts without one."""

    audits: tuple[AuditOfHosts, ...]
    excluded: tuple[Excluded, ...]

    @property
    def findings(self) -> Iterator[Diagnostic]:
        """The findings, each with its hosts."""
        hosts: dict[Diagnostic, list[str]] = {}
        for row in self.audits:
            for finding in row.audit.findings:
                hosts.setdefault(finding, []).extend(row.hosts)
        for finding, names in hosts.items():
            yield finding._replace(notes=(*finding.notes, named_hosts(names)))


def audit_fleet(
    knowledge: Knowledge,
    candidate: Candidate,
    divided: Classes,
    sources: Sequence[SourceText],
    form: str = "",
    today: str = "",
    registries: Registries = NO_REGISTRIES,
) -> AuditedFleet:
    """Check files for each class, with its registry if any. Raises SetpointError (E0901) for other files."""
    excluded = list(divided.excluded)
    alike: dict[str, list[tuple[HostClass, Sequence[str]]]] = {}
    audits: dict[str, Audit] = {}
    for class_, hosts in divided.members.items():
        subject = candidate.narrowed(class_.group, class_.block)
        try:
            server = registries.servers[class_.registry] if class_.registry else None
            done = audit(knowledge, subject, sources, form, today, server, class_.stated)
        except SetpointError as error:
            if any(finding.code.startswith(OF_FILES) for finding in error.diagnostics):
                raise
            excluded.append(Excluded((*hosts,), tuple(error.diagnostics)))
            continue
        key = json.dumps({**document(done), "facts": None})
        audits.setdefault(key, done)
        alike.setdefault(key, []).append((class_, hosts))
    rows = [AuditOfHosts(_most_first(classes), audits[key]) for key, classes in alike.items()]
    rows.sort(key=lambda row: (-len(row.hosts), row.classes[0][0].name))
    return AuditedFleet(tuple(rows), tuple(excluded))


def _most_first(
    classes: list[tuple[HostClass, Sequence[str]]],
) -> tuple[tuple[HostClass, Sequence[str]], ...]:
    return tuple(sorted(classes, key=lambda pair: (-len(pair[1]), pair[0].name)))


def audits_text(fleet: AuditedFleet, width: int) -> str:
    """What was read, and which goal it serves on which hosts, for a terminal."""
    parts = []
    for row in fleet.audits:
        facts = ", ".join(" ".join(fact) for fact in _common(row))
        head = paragraph(f"{named_hosts(row.hosts)}{f' ({facts})' if facts else ''}", width, 0)
        parts.append(visible_lines(f"{head}{files_read(row.audit)}{beside(row.audit, width)}"))
    return "\n".join(parts)


def _common(row: AuditOfHosts) -> list[tuple[str, str]]:
    """The facts that all of the classes have."""
    (first, _), *others = row.classes
    return [fact for fact in first.facts if all(fact in other.facts for other, _ in others)]


def audits_json(fleet: AuditedFleet, findings: Diagnostics) -> str:
    """An audit for each set of classes, named with their hosts, and all `findings` with the number of hosts."""
    return json_text(
        {
            "schema": SCHEMA,
            "audits": [{"classes": _classes(row), **_without_facts(row.audit)} for row in fleet.audits],
            "diagnostics": diagnostics_json(findings),
            "left_out": [
                {
                    "host": host,
                    "codes": [d.code for d in excluded.why],
                    "reason": "; ".join(d.message for d in excluded.why),
                }
                for excluded in fleet.excluded
                for host in excluded.hosts
            ],
        }
    )


def _classes(row: AuditOfHosts) -> dict[str, Any]:
    return {
        class_.name: {"group": class_.group, "facts": dict(class_.facts), "hosts": list(hosts)}
        for class_, hosts in row.classes
    }


def _without_facts(done: Audit) -> dict[str, Any]:
    """An audit without the facts, which the classes have."""
    data = document(done)
    del data["facts"]
    return data
