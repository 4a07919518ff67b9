"""Inventories as JSON: of Ansible, facter and PuppetDB, and what captures are made into.

Each of them is first brought into one form: for each host its name, its groups and its data. Places then lead into the data.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from setpoint.compiler.inventory.model import Broken, FactPlace, Row, Rows, not_an_inventory
from setpoint.compiler.inventory.table import Place, Table

HostData = tuple[str, tuple[str, ...], Mapping[str, Any]]
"""A host: its name, its groups, and its data."""

META, HOST_VARIABLES, ALL = "_meta", "hostvars", "all"
"""What Ansible calls the variables of hosts, and the group of all."""

CERTNAME, NAME, VALUE, NODE_FACTS, DATA, TRUSTED = "certname", "name", "value", "facts", "data", "trusted"
"""What PuppetDB calls a node, a fact and its value, and all facts of a node."""


def rows_of(form: str, hosts: Iterable[HostData], table: Table, broken: list[Broken] | None = None) -> Rows:
    """The rows of hosts; `broken` grows while the hosts are read."""
    places = tuple(FactPlace(fact, place) for fact, places in table.facts.items() for place in places)
    return Rows(
        form, places, _rows(hosts, [each.place for each in places], table), [] if broken is None else broken
    )


def _rows(hosts: Iterable[HostData], places: list[Place], table: Table) -> Iterator[Row]:
    for name, groups, data in hosts:
        own = (text for place in table.groups if (text := text_at(data, (place,))))
        yield name, (" ".join([*groups, *own]), *(text_at(data, place) for place in places))


def hosts_of_json(path: str, data: Any, table: Table) -> tuple[str, Iterable[HostData]]:
    """The form of an inventory in JSON, and its hosts. Raises SetpointError (E0610) if it is none of those known."""
    if isinstance(data, dict) and META in data:
        return "Ansible inventory", hosts_of_ansible(path, data)
    if isinstance(data, list) and all(
        isinstance(each, dict) and isinstance(each.get(CERTNAME), str) for each in data
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
    meta = data[META]
    variables = meta.get(HOST_VARIABLES, {}) if isinstance(meta, dict) else None
    if not isinstance(variables, dict):
        raise not_an_inventory(path, f"`{META}` has no `{HOST_VARIABLES}`")
    groups: dict[str, list[str]] = {}
    for group in sorted(data.keys() - {META, ALL}):
        for host in sorted(_hosts_below(data, group, set())):
            groups.setdefault(host, []).append(group)
    every = dict.fromkeys([*variables, *sorted(groups), *sorted(_hosts_below(data, ALL, set()))])
    for host in every:
        own = variables.get(host)
        yield host, tuple(groups.get(host, ())), own if isinstance(own, dict) else {}


def _hosts_below(data: Mapping[str, Any], group: str, seen: set[str]) -> set[str]:
    """The hosts of a group and of the groups in it. A group that contains itself is followed once."""
    if group in seen:
        return set()
    seen.add(group)
    entry = data.get(group)
    lists = entry if isinstance(entry, dict) else {}
    found = set(_texts(lists.get("hosts")))
    for child in _texts(lists.get("children")):
        found |= _hosts_below(data, child, seen)
    return found


def _texts(entry: Any) -> list[str]:
    return [each for each in entry if isinstance(each, str)] if isinstance(entry, list) else []


def _hosts_of_puppetdb(data: list[dict[str, Any]]) -> Iterator[HostData]:
    """The nodes of a query: for facts (one entry for each fact), for factsets, or for the inventory."""
    by_node: dict[str, dict[str, Any]] = {}
    for entry in data:
        node = by_node.setdefault(entry[CERTNAME], {})
        found = entry.get(NODE_FACTS)
        if NAME in entry and VALUE in entry:
            node[str(entry[NAME])] = entry[VALUE]
        elif isinstance(found, dict) and isinstance(found.get(DATA), list):
            node |= {str(each.get(NAME)): each.get(VALUE) for each in found[DATA] if isinstance(each, dict)}
        elif isinstance(found, dict):
            node |= found
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
    if isinstance(data, Mapping):
        if path in data:
            return data[path]
        head, dot, rest = path.partition(".")
        return _find(data[head], rest) if dot and head in data else None
    if isinstance(data, list):
        head, dot, rest = path.partition(".")
        if head.isascii() and head.isdigit() and int(head) < len(data):
            return _find(data[int(head)], rest) if dot else data[int(head)]
    return None


def _text(found: Any) -> str:
    """A text, a number or a truth value as a text; a list if all of its entries are the same, else all of them."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, str | int):
        return str(found).strip()
    if isinstance(found, list):
        texts = dict.fromkeys(filter(None, map(_text, found)))
        return " / ".join(texts)
    return ""
