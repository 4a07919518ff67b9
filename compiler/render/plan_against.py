"""What a plan does to captured servers, for people and for machines: text, Markdown and JSON.

Of one server a row is a setting, with its three readings side by side. Of many it is a cause: the servers that have the
same are said once, with their number. Columns that have nothing in any row of a table are left out.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.render.escape import code, head, prose, row
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import json_text, visible
from setpoint.compiler.render.words import count
from setpoint.compiler.verification.boot import ABSENT
from setpoint.compiler.verification.changes import (
    CHANGES,
    FOREIGN,
    LEFT_OVER,
    RIGHT,
    UNKNOWN,
    WAITS,
    ChangesOfServers,
    FoundOnServers,
    FoundValue,
)
from setpoint.compiler.verification.firmware import FIRMWARE
from setpoint.compiler.verification.system import KERNEL, LINE, SYSTEM

SCHEMA = "setpoint.plan-against/1"

MOST_NAMED = 4
"""How many servers of a row the text names."""

MANY = 4
"""So many policies are counted, and not named."""

GROUPS = (
    (CHANGES, True, "changes, and needs a restart"),
    (CHANGES, False, "changes at once"),
    (WAITS, None, "waits for a restart"),
    (FOREIGN, None, "staged by somebody else, and not wanted"),
    (LEFT_OVER, None, "left over, or not as the plan assumes; nothing writes it"),
    (UNKNOWN, None, "not known"),
    (RIGHT, None, "right already"),
)
"""The groups of rows, each with a kind, whether it needs a restart (None: it does not matter), and its heading."""

COUNTED = (
    "changed with a restart",
    "changed at once",
    "pending",
    "foreign",
    "left over",
    "not known",
    "right already",
)
"""What the number of each group is of."""

HEADS = ("setting", "configured", "pending", "in effect", "planned", "")


def changes_text(changes: ChangesOfServers, width: int, everything: bool) -> str:
    """The rows in groups. What is right already is counted, and listed with `everything`."""
    if not changes.hosts:
        return "no server was compared\n"
    parts = [paragraph(visible(_summary(changes)), width, 0)]
    is_one = len(changes.hosts) == 1
    for kind, restart, title in GROUPS:
        rows = changes.of(kind, restart)
        if not rows or (kind == RIGHT and not everything):
            continue
        parts.append(f"\n{title}\n")
        if is_one:
            parts.append(table(_narrowed([HEADS, *(_cells(entry.value) for entry in rows)]), width))
        else:
            parts += [
                paragraph(visible(f"{_sentence(entry.value)}{_on(entry, changes)}"), width) for entry in rows
            ]
    if changes.notes:
        parts.append("\nbeside the settings\n")
        for note, hosts in changes.notes.items():
            on = "" if is_one else f" ({_named(hosts, changes)})"
            parts.append(paragraph(visible(f"{note}{on}"), width))
    return "".join(parts)


def _summary(changes: ChangesOfServers) -> str:
    """Which servers these are, and how many have something of each group; of one server, how many settings."""
    groups = [changes.of(kind, restart) for kind, restart, _ in GROUPS]
    if len(changes.hosts) == 1:
        ((host, policy),) = changes.hosts.items()
        counts = [f"{len(rows)} {what}" for rows, what in zip(groups, COUNTED, strict=True) if rows]
        return f"{policy} on {host}: {', '.join(counts) or 'nothing to compare'}"
    policies = sorted({policy for policy, _ in changes.classes})
    head = " and ".join(policies) if len(policies) < MANY else f"{len(policies):,} policies"
    head += f" on {count(len(changes.hosts), 'server')} in {count(len(changes.classes), 'class', 'classes')}"
    parts = [
        (changes.number(CHANGES, restart=True), "with changes that need a restart"),
        (changes.number(CHANGES, restart=False), "with changes at once"),
        (changes.number(WAITS), "with changes that wait for a restart"),
        (changes.number(FOREIGN), "with staged values that are not wanted"),
        (changes.number(LEFT_OVER), "with something left over"),
    ]
    return (
        f"{head}: {', '.join(f'{number:,} {what}' for number, what in parts if number) or 'nothing changes'}"
    )


def _narrowed(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The rows without the columns that are empty in all of them; the first row has the heads."""
    kept = [i for i, head in enumerate(rows[0]) if not head or any(row[i] for row in rows[1:])]
    return [tuple(row[i] for i in kept) for row in rows]


def _cells(value: FoundValue) -> tuple[str, ...]:
    cells = (
        _name(value), value.configured or "", value.pending or "", value.in_effect or "", value.wanted or "", _why(value),
    )  # fmt: skip
    return tuple(visible(cell) for cell in cells)


def _name(value: FoundValue) -> str:
    """What a row is about: the setting, or a name in the system with its setting."""
    return value.name if value.setting in ("", value.name) else f"{value.name} ({value.setting})"


def _why(value: FoundValue) -> str:
    """What explains a row, and the file or program that decided it, where that is not simply the layer."""
    if value.locked:
        return f"locked: {value.why}"
    decided = "" if value.decided_by in (FIRMWARE, KERNEL, LINE, SYSTEM) else value.decided_by
    return "; ".join(filter(None, (value.why, decided and f"decided by: {decided}")))


def _sentence(value: FoundValue) -> str:
    """A row in one sentence: `c-states: configured auto, planned disabled; restart`."""
    values = (
        ("configured", value.configured), ("pending", value.pending), ("in effect", value.in_effect), ("planned", value.wanted),
    )  # fmt: skip
    said = ", ".join(
        f"{what} {'nothing' if text == ABSENT else text}" for what, text in values if text is not None
    )
    tail = (*(("restart",) if value.restart else ()), *filter(None, (_why(value),)))
    return "; ".join((f"{_name(value)}: {said}", *tail))


def _on(entry: FoundOnServers, changes: ChangesOfServers) -> str:
    return f" ({_named(entry.hosts, changes)})"


def _named(hosts: tuple[str, ...], changes: ChangesOfServers) -> str:
    if len(hosts) == len(changes.hosts):
        return "all servers"
    more = f" and {len(hosts) - MOST_NAMED:,} more" if len(hosts) > MOST_NAMED else ""
    return f"{len(hosts):,} of {count(len(changes.hosts), 'server')}: {', '.join(hosts[:MOST_NAMED])}{more}"


# ---------------------------------------------------------------------------------------- Markdown


def changes_markdown(changes: ChangesOfServers) -> str:
    """The same as Markdown, for a change request: a table for each group."""
    parts = [f"# Plan against {count(len(changes.hosts), 'server')}\n\n{prose(_summary(changes))}\n"]
    for kind, restart, title in GROUPS:
        rows = changes.of(kind, restart)
        if not rows or kind == RIGHT:
            continue
        heads = ("servers", *HEADS[:-1], "why")
        cells = [(_servers(entry, changes), *_marked(entry.value)) for entry in rows]
        narrow = _narrowed([heads, *cells])
        body = "".join(row(*texts) for texts in narrow[1:])
        parts.append(f"## {title[0].upper()}{title[1:]}\n\n{head(*narrow[0])}{body}")
    if changes.notes:
        notes = "\n".join(
            f"- {prose(note)} ({prose(_named(hosts, changes))})" for note, hosts in changes.notes.items()
        )
        parts.append(f"## Beside the settings\n\n{notes}\n")
    return "\n".join(parts)


def _servers(entry: FoundOnServers, changes: ChangesOfServers) -> str:
    return prose(", ".join(entry.hosts) if len(changes.hosts) == 1 else _named(entry.hosts, changes))


def _marked(value: FoundValue) -> tuple[str, ...]:
    name, *values, why = _cells(value)
    return (prose(name), *(code(text) if text else "" for text in values), prose(why))


# -------------------------------------------------------------------------------------------- JSON


def changes_json(
    changes: ChangesOfServers, made_with: MadeWith | None, refused: Iterable[tuple[str, str]]
) -> str:
    """The same in form `setpoint.plan-against/1`; `refused` are the captures without a plan, each with the reason."""
    return json_text(
        {
            "schema": SCHEMA,
            **({"made_with": made_with.document} if made_with else {}),
            "hosts": [{"host": host, "policy": policy} for host, policy in changes.hosts.items()],
            "classes": [
                {"policy": policy, "facts": dict(facts), "hosts": list(hosts)}
                for (policy, facts), hosts in changes.classes.items()
            ],
            "results": [{**dict(_fields(entry.value)), "hosts": list(entry.hosts)} for entry in changes.rows],
            "notes": [{"text": note, "hosts": list(hosts)} for note, hosts in changes.notes.items()],
            "refused": [{"host": host, "reason": reason} for host, reason in refused],
        }
    )


def _fields(value: FoundValue) -> Iterator[tuple[str, Any]]:
    yield from zip(FoundValue._fields, value, strict=True)
