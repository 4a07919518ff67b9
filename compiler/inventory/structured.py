"""Inventories as JSON: of Ansible, facter and PuppetDB, and what captures are made into.

Each of them is first brought into one form: for each host its name, its groups and its data. Places then lead into the
data.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from setpoint.compiler.inventory.model import Broken, FactPlace, Row, Rows, not_an_inventory
from setpoint.compiler.inventory.table import InventoryTable, Place

HostData = tuple[str, tuple[str, ...], Mapping[str, Any]]
"""A host: its name, its groups, and its data."""

META, HOST_VARIABLES, ALL = "_meta", "hostvars", "all"
"""What Ansible calls the variables of hosts, and the group of all."""

MOST_STEPS = 20_000_000
"""How many groups the hosts of an inventory can be in, where hosts of the same groups count once: a chain of groups
within groups puts each host into all before it.
"""

POSITION = re.compile("[0-9]{1,9}")
"""A place in a list."""

CERTNAME, NAME, VALUE, NODE_FACTS, DATA, TRUSTED = "certname", "name", "value", "facts", "data", "trusted"
"""What PuppetDB calls a node, a fact and its value, and all facts of a node."""


def rows_of(
    form: str, hosts: Iterable[HostData], table: InventoryTable, broken: list[Broken] | None = None
) -> Rows:
    """The rows of hosts; `broken` grows while the hosts are read."""
    places = tuple(FactPlace(fact, place) for fact, places in table.facts.items() for place in places)
    unread: dict[str, None] = {}
    rows = _rows(hosts, [fact_place.place for fact_place in places], table, unread)
    return Rows(form, places, rows, [] if broken is None else broken, ignored=unread)


def _rows(
    hosts: Iterable[HostData], places: list[Place], table: InventoryTable, unread: dict[str, None]
) -> Iterator[Row]:
    """The rows of hosts. The fields in which no place lies are added to `unread`."""
    paths = [*(path for place in places for path in place), *table.names, *table.groups]
    read = {name for path in paths for name in (path, path.partition(".")[0])}
    for name, groups, data in hosts:
        own = (text for place in table.groups if (text := text_at(data, (place,))))
        unread.update(dict.fromkeys(field for field in data if field not in read))
        yield name, (" ".join([*groups, *own]), *(text_at(data, place) for place in places))


def hosts_of_json(path: str, data: Any, table: InventoryTable) -> tuple[str, Iterable[HostData]]:
    """The form of an inventory in JSON, and its hosts. Raises SetpointError (E0610) if it is none of those known."""
    if isinstance(data, dict) and META in data:
        return "Ansible inventory", hosts_of_ansible(path, data)
    if isinstance(data, list) and all(
        isinstance(entry, dict) and isinstance(entry.get(CERTNAME), str) for entry in data
    ):
        return "PuppetDB facts", _hosts_of_puppetdb(data)
    if isinstance(data, dict):
        for place in table.names:
            if name := text_at(data, (place,)):
                return "facts of one host", [(name, (), data)]
    raise not_an_inventory(
        path,
        "its JSON has no hosts in a form that is known",
        "known are the output of `ansible-inventory --list` and of `facter --json`, and PuppetDB's facts, factsets and inventory",
    )


def hosts_of_ansible(path: str, data: Mapping[str, Any]) -> Iterator[HostData]:
    """The hosts of `ansible-inventory --list`, each with all groups that it is in. Raises SetpointError (E0610)."""
    meta = data.get(META)
    variables = meta.get(HOST_VARIABLES, {}) if isinstance(meta, dict) else None
    if not isinstance(variables, dict):
        raise not_an_inventory(path, f"`{META}` has no `{HOST_VARIABLES}`")
    around: dict[str, list[str]] = {}
    direct: dict[str, list[str]] = {}
    for group in sorted(data.keys() - {META, ALL}):
        for child in _members(data, group, "children"):
            around.setdefault(child, []).append(group)
        for host in _members(data, group, "hosts"):
            direct.setdefault(host, []).append(group)
    groups_of = _Groups(path, around)
    for host in dict.fromkeys([*variables, *sorted(direct), *sorted(_members(data, ALL, "hosts"))]):
        own = variables.get(host)
        yield host, groups_of.all_of(tuple(direct.get(host, ()))), own if isinstance(own, dict) else {}


class _Groups:
    """Finds all groups around some; `around` has those that each is directly in, which can be circular.

    Hosts in the same groups are in the same ones around these, which are looked for once.
    """

    def __init__(self, path: str, around: Mapping[str, list[str]]) -> None:
        self._path = path
        self._around = around
        self._steps = 0
        self.all_of = cache(self._find)

    def _find(self, direct: tuple[str, ...]) -> tuple[str, ...]:
        """These groups and all around them, sorted. Raises SetpointError (E0610) if the inventory has far too many."""
        groups = set(direct)
        waiting = list(direct)
        self._count(len(direct))
        while waiting:
            around = self._around.get(waiting.pop(), ())
            self._count(len(around))
            waiting += [group for group in around if group not in groups]
            groups.update(around)
        return tuple(sorted(groups))

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise not_an_inventory(self._path, f"its hosts are in more than {MOST_STEPS:,} groups together")


def _members(data: Mapping[str, Any], group: str, kind: str) -> list[str]:
    """The hosts of a group, or the groups in it, each once."""
    entry = data.get(group)
    return list(dict.fromkeys(_texts(entry.get(kind)))) if isinstance(entry, dict) else []


def _texts(entry: Any) -> list[str]:
    return [text for text in entry if isinstance(text, str)] if isinstance(entry, list) else []


def _hosts_of_puppetdb(data: list[dict[str, Any]]) -> Iterator[HostData]:
    """The nodes of a query: for facts (one entry for each fact), for factsets, or for the inventory."""
    by_node: dict[str, dict[str, Any]] = {}
    for entry in data:
        node = by_node.setdefault(entry[CERTNAME], {})
        node_facts = entry.get(NODE_FACTS)
        if NAME in entry and VALUE in entry:
            node[str(entry[NAME])] = entry[VALUE]
        elif isinstance(node_facts, dict) and isinstance(node_facts.get(DATA), list):
            node |= {
                str(fact.get(NAME)): fact.get(VALUE) for fact in node_facts[DATA] if isinstance(fact, dict)
            }
        elif isinstance(node_facts, dict):
            node |= node_facts
        if isinstance(entry.get(TRUSTED), dict):
            node[TRUSTED] = entry[TRUSTED]
    for name, facts in by_node.items():
        yield name, (), facts


# ----------------------------------------------------------------------------------------- places


def text_at(data: Mapping[str, Any], place: Place) -> str:
    """The text at a place, its parts joined by a space; "" if a part is missing."""
    texts = [_text(_find(data, path)) for path in place]
    return " ".join(texts) if all(texts) else ""


def _find(data: Any, path: str) -> Any:
    """What a path leads to; None if there is nothing. A name may contain dots itself."""
    while True:
        head, dot, rest = path.partition(".")
        if isinstance(data, Mapping):
            if path in data:
                return data[path]
            if not dot or head not in data:
                return None
            data = data[head]
        elif isinstance(data, list) and POSITION.fullmatch(head) and int(head) < len(data):
            data = data[int(head)]
            if not dot:
                return data
        else:
            return None
        path = rest


def _text(data: Any) -> str:
    """A text, a number or a truth value as a text; of a list all of its entries that differ, also of lists in it."""
    texts: dict[str, None] = {}
    waiting = [data]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, list):
            waiting += reversed(entry)
        elif isinstance(entry, bool):
            texts["true" if entry else "false"] = None
        elif isinstance(entry, str | int):
            texts[str(entry).strip()] = None
    return " / ".join(filter(None, texts))
