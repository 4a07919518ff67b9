"""What two services leave out of their registry or of the values that they show, as the captures have it.

* Supermicro's registry numbers the values (`ValueName`), while the values that the service shows, the defaults and the conditions
  of dependencies have their labels. A request has what the service shows.
* Supermicro's service shows no attribute that is greyed out or hidden. None of those with such a flag in the registry of the
  SYS-821GE-TNHR has a captured value; each has a default.
* The capture of a DL380a has all dependencies, and one attribute (`origins.toml`). Those that the dependencies name have captured
  values, and the values that are mentioned anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from consumers.registry_model import Attribute, Dependency, Value

Entries = Sequence[Mapping[str, Any]]
"""`RegistryEntries.Attributes`."""


def calls_values_by_labels(entries: Entries, current: Mapping[str, Value]) -> bool:
    """Whether the values that the service shows are the labels of the registry's, and not their names."""
    shown = [(one, current[one["AttributeName"]]) for one in entries if one["AttributeName"] in current]
    lists = [(one["Value"], value) for one, value in shown if one.get("Value")]
    labels = sum(value in {one["ValueDisplayName"] for one in values} for values, value in lists)
    names = sum(value in {one["ValueName"] for one in values} for values, value in lists)
    return labels > names


def unseen(entries: Entries, current: Mapping[str, Value]) -> dict[str, Value]:
    """The attributes that are locked and not shown, with their defaults."""
    return {
        one["AttributeName"]: one["DefaultValue"]
        for one in entries
        if one["AttributeName"] not in current and (one["GrayOut"] or one["Hidden"])
    }


def unlisted(
    listed: Mapping[str, Attribute], dependencies: Iterable[Dependency], current: Mapping[str, Value]
) -> dict[str, Attribute]:
    """The attributes with a captured value that dependencies name and the registry does not list."""
    mentioned: dict[str, dict[Value, None]] = {}
    for each in dependencies:
        named = [(each.attribute, each.to if each.prop == "CurrentValue" else None)]
        for name, value in (*named, *((one.attribute, one.value) for one in each.conditions)):
            if name in current and name not in listed:
                mentioned.setdefault(name, {current[name]: None})[value] = None
    return {name: _unlisted(name, tuple(values), current[name]) for name, values in mentioned.items()}


def _unlisted(name: str, mentioned: tuple[Value, ...], now: Value) -> Attribute:
    is_text = isinstance(now, str)
    values = tuple(value for value in mentioned if isinstance(value, str) and value) if is_text else ()
    return Attribute(
        name=name, kind="Enumeration" if is_text else "Integer", values=values,
        lower=None, upper=None, step=0, min_length=None, max_length=None,
        read_only=False, immutable=False, hidden=False,
    )  # fmt: skip
