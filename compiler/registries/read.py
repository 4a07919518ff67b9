"""Read a registry and the current values of a server.

The one stage that meets foreign data: a file becomes the typed form of `model`, or an error that names the file and the
place in it. Two things differ between services and are found in the data: which of a value's two names the service uses
itself, and whether the path of a menu contains its own name.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.files.reading import parse_json
from setpoint.compiler.language.program import read
from setpoint.compiler.registries.document import (
    AttributeDocument,
    BiosDocument,
    ComputerSystemDocument,
    DependencyDocument,
    EntriesDocument,
    MenuDocument,
    RegistryDocument,
)
from setpoint.compiler.registries.expression import postfix
from setpoint.compiler.registries.model import (
    ENUMERATION,
    FLAGS,
    GRAY_OUT,
    READ_ONLY,
    VALUES,
    Attribute,
    AttributeComparison,
    BiosResource,
    Dependency,
    PossibleValue,
    Registry,
    Scalar,
    System,
)

Model = TypeVar("Model", bound=BaseModel)

MOST_FINDINGS = 5
"""The maximum number of errors that are reported for one file."""


def read_registry(path: str) -> Registry:
    """The registry in a file. Raises SetpointError (E0601, E0604, E0608; E0609 if it is not a registry)."""
    return registry_of(_json(path, "registry"), path)


def read_current(path: str) -> dict[str, Scalar]:
    """The current values in a file. Raises SetpointError, as `read_registry` does."""
    return dict(read_bios(path).values)


def read_bios(path: str) -> BiosResource:
    """The Bios resource in a file, or its `Attributes` alone. Raises SetpointError, as `read_registry` does."""
    what = "Bios resource with current values"
    data = _json(path, what)
    if isinstance(data, dict) and data and not any(isinstance(value, dict | list) for value in data.values()):
        data = {"Attributes": data}
    document = _validated(BiosDocument, data, path, what)
    settings = document.settings
    takes = settings.SettingsObject.address if "@Redfish.Settings" in data else document.address
    return BiosResource(document.Attributes, document.address, takes, settings.SupportedApplyTimes)


def read_system(path: str) -> System:
    """The server in a file: its ComputerSystem resource. Raises SetpointError, as `read_registry` does."""
    what = "ComputerSystem resource"
    document = _validated(ComputerSystemDocument, _json(path, what), path, what)
    processor = document.ProcessorSummary.Model.strip()
    return System(document.Model.strip(), "", document.BiosVersion.strip(), processor, document.address)


def registry_of(data: Any, name: str) -> Registry:
    """The registry in JSON data; `name` is that of its file. Services list an attribute again where it is in several
    menus: the first one counts."""
    document = _validated(RegistryDocument, data, name, "registry")
    entries = document.RegistryEntries
    declared: dict[str, AttributeDocument] = {}
    for place, attribute in enumerate(entries.Attributes):
        first = declared.setdefault(attribute.AttributeName, attribute)
        if first.meaning != attribute.meaning:
            at = f"RegistryEntries.Attributes.{place}.AttributeName"
            why = f"`{attribute.AttributeName}` is declared twice, in different ways"
            raise SetpointError(_not_a("registry", name, at, why))
    by_label = _uses_labels(entries)
    menus = _menus(entries.Menus)
    dependencies = tuple(_dependency(entry.Dependency, by_label) for entry in entries.Dependencies)
    return Registry(
        name=document.Id,
        owner=document.OwningEntity,
        version=document.RegistryVersion,
        systems=tuple(
            System(system.ProductName, system.SystemId, system.FirmwareVersion)
            for system in document.SupportedSystems
        ),
        attributes={
            attribute: _attribute(document, menus, by_label) for attribute, document in declared.items()
        },
        dependencies=dependencies,
        locks=READ_ONLY if any(dependency.changes == READ_ONLY for dependency in dependencies) else GRAY_OUT,
    )


# ------------------------------------------------------------------------------------------- boundary


def _json(path: str, what: str) -> Any:
    text = read(path)
    try:
        return parse_json(text)
    except ValueError as error:
        raise SetpointError(_not_a(what, path, "", str(error))) from None


def _validated(model: type[Model], data: Any, path: str, what: str) -> Model:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False)[:MOST_FINDINGS]
        other = _taken_for(model, data)
        raise SetpointError(
            *(
                _not_a(what, path, ".".join(map(str, fault["loc"])), fault["msg"][:200], other)
                for fault in faults
            )
        ) from None


def _taken_for(model: type[BaseModel], data: Any) -> str:
    """How to name the file if it is one of the others; "" if it is not."""
    if not isinstance(data, dict):
        return ""
    if model is RegistryDocument and isinstance(data.get("Attributes"), dict):
        return "it has current values: name it by `--current`"
    if model is BiosDocument and "RegistryEntries" in data:
        return "it is a registry, which has the possible values; the current ones are in Systems/…/Bios"
    return ""


def _not_a(what: str, path: str, at: str, why: str, other: str = "") -> Diagnostic:
    place = f" at {at}" if at else ""
    return Diagnostic(
        "E0609",
        f"`{path}` is not a {what}{place}: {why}",
        NOWHERE,
        help=(
            other
            or "a Redfish service has the registry in /redfish/v1/Registries, and the values in Systems/…/Bios",
        ),
        subject=path,
    )


# -------------------------------------------------------------------------------------- the typed form


def _uses_labels(entries: EntriesDocument) -> bool:
    """Whether the service calls values by their labels: those that defaults, current values and conditions have."""
    names, labels = 0, 0
    written: dict[str, list[Any]] = {}
    for dependency in entries.Dependencies:
        for condition in dependency.Dependency.MapFrom:
            written.setdefault(condition.MapFromAttribute, []).append(condition.MapFromValue)
    for attribute in entries.Attributes:
        texts = {value.ValueName for value in attribute.Value}
        shown = {value.ValueDisplayName for value in attribute.Value}
        for value in (
            attribute.DefaultValue,
            attribute.CurrentValue,
            *written.get(attribute.AttributeName, ()),
        ):
            names += value in texts and value not in shown
            labels += value in shown and value not in texts
    return labels > names


def _menus(menus: Iterable[MenuDocument]) -> dict[str, str]:
    """The label of each menu, by the path that its attributes have."""
    labels = {}
    for menu in menus:
        path = menu.MenuPath.rstrip("/")
        if path.rpartition("/")[2] != menu.MenuName:
            path = f"{path}/{menu.MenuName}"
        labels[path] = menu.DisplayName
    return labels


def _menu_labels(path: str, menus: Mapping[str, str]) -> Iterator[str]:
    """The labels of the menus along a path; the name of one that has no label. Repeated labels are given once."""
    last, above = "", ""
    for name in path.split("/"):
        above = f"{above}/{name}" if above else name
        label = menus.get(above, name).strip()
        if name not in ("", ".") and label and label != last:
            last = label
            yield label


def _attribute(given: AttributeDocument, menus: Mapping[str, str], by_label: bool) -> Attribute:
    return Attribute(
        name=given.AttributeName,
        type=given.Type,
        label=given.DisplayName.strip() or given.AttributeName,
        menu=tuple(_menu_labels(given.MenuPath, menus)),
        choices=tuple(
            dict.fromkeys(
                PossibleValue(
                    value.ValueDisplayName if by_label and value.ValueDisplayName else value.ValueName,
                    value.ValueDisplayName.strip() or value.ValueName,
                )
                for value in (given.Value if given.Type == ENUMERATION else ())
            )
        ),
        default=given.DefaultValue,
        current=given.CurrentValue,
        flags=frozenset(flag for flag in FLAGS if getattr(given, flag)),
        bounds=(given.LowerBound, given.UpperBound, given.ScalarIncrement),
        lengths=(given.MinLength, given.MaxLength),
        pattern=given.ValueExpression,
    )


def _dependency(given: DependencyDocument, by_label: bool) -> Dependency:
    to: Scalar | tuple[str, ...]
    if isinstance(given.MapToValue, tuple):
        to = tuple(
            (value.ValueDisplayName if by_label else "") or value.ValueName for value in given.MapToValue
        )
    else:
        to = given.MapToValue
        if given.MapToProperty == VALUES:
            to = (str(to),)
    return Dependency(
        attribute=given.MapToAttribute,
        changes=given.MapToProperty,
        to=to,
        expression=postfix(
            (
                AttributeComparison(
                    condition.MapFromAttribute,
                    condition.MapFromProperty,
                    condition.MapFromCondition,
                    condition.MapFromValue,
                ),
                tuple(filter(None, condition.MapTerms.split(","))),
            )
            for condition in given.MapFrom
        ),
    )
