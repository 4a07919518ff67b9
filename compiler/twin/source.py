"""What a twin is made from: the documents of a captured controller, or a registry alone.

A capture shows addresses, apply times, reset types and values; they count before those of the dialect. Of a registry
alone there are none, so the dialect's addresses are taken, and values that the registry calls current or the default;
what its dependencies force is set.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from setpoint.compiler.twin.dialects import ControllerDialect, dialect_of
from setpoint.compiler.twin.entries import Value
from setpoint.compiler.twin.machine import Setup
from setpoint.compiler.twin.resources import ROOT
from setpoint.compiler.twin.rules import FirmwareRules, TwinRegistry

Documents = Mapping[str, Any]


class SourceError(Exception):
    """No twin can be made from these documents; the argument says why."""


def setup_of_registry(
    registry: Mapping[str, Any], current: Mapping[str, Any], dialect: ControllerDialect | None = None
) -> Setup:
    """The setup for a registry with known values. Raises SourceError if it cannot be executed."""
    row = dialect or dialect_of([str(registry.get("OwningEntity", ""))])
    rules = _rules(registry, {"Attributes": current or values_of(registry)})
    settled = dict(rules.registry.whole().current) if current else _settled(rules, values_of(registry))
    systems = registry.get("SupportedSystems") or [{}]
    named = {"Model": systems[0].get("ProductName"), "BiosVersion": systems[0].get("FirmwareVersion")}
    system = {name: text for name, text in named.items() if text}
    return Setup(
        row,
        settled,
        rules,
        {row.registry: registry},
        system={"Manufacturer": registry.get("OwningEntity"), **system},
    )


def setup_of_documents(documents: Documents, dialect: ControllerDialect | None = None) -> Setup:
    """The setup for a captured controller. Raises SourceError if it shows no BIOS that can be executed."""
    system_at, system = _system(documents)
    bios_at = _target(system.get("Bios"))
    bios = documents.get(bios_at.rstrip("/"))
    if not isinstance(bios, Mapping) or not isinstance(bios.get("Attributes"), Mapping):
        raise SourceError(f"`{bios_at}` shows no attributes")
    registry_at, registry = _registry(documents)
    row = dialect or dialect_of(_makers(documents, system, registry))
    row = _as_captured(row, documents, system_at, system, bios_at, bios)
    if registry:
        row = row._replace(registry=registry_at)
    rules = _rules(registry, bios) if registry else None
    current = dict(rules.registry.whole().current if rules else bios["Attributes"])
    staged = _staged(documents, row, current)
    return Setup(row, current, rules, documents, staged=staged, power=str(system.get("PowerState") or "On"))


def values_of(registry: Mapping[str, Any]) -> dict[str, Value]:
    """A value for each attribute: the registry's current one, its default, or the first that it may have."""
    values: dict[str, Value] = {}
    for entry in registry["RegistryEntries"]["Attributes"]:
        known = [entry.get("CurrentValue"), entry.get("DefaultValue")]
        value = next((value for value in known if value is not None), None)
        if value is None and entry.get("Value"):
            value = entry["Value"][0].get("ValueName")
        elif value is None and entry["Type"] == "Boolean":
            value = False
        elif value is None and entry["Type"] == "Integer":
            value = entry.get("LowerBound") or 0
        elif value is None and entry["Type"] == "String":
            value = ""
        values[entry["AttributeName"]] = value
    return values


def _rules(registry: Mapping[str, Any], bios: Mapping[str, Any]) -> FirmwareRules:
    """A registry's rules. In lockdown, a server marks what could be written as read-only, which then means nothing. It
    is told by the share that can be written: 46 % of the captured server in lockdown, and 95 % or more of seven others.
    """
    try:
        executed = TwinRegistry.of(registry, bios)
    except ValueError as error:
        raise SourceError(f"a twin cannot execute its registry: {error}") from None
    choices = [
        name
        for name, attribute in executed.attributes.items()
        if attribute.is_choice and not attribute.hidden
    ]
    locked = sum(map(executed.writable, choices)) * 2 < len(choices)
    return FirmwareRules.of(executed, lockdown=locked)


def _settled(rules: FirmwareRules, values: Mapping[str, Value]) -> dict[str, Value]:
    try:
        return rules.after_restart(values, {})
    except ValueError as error:
        raise SourceError(str(error)) from None


def _system(documents: Documents) -> tuple[str, Mapping[str, Any]]:
    """The system that has a Bios, first one that can be restarted: modules of a server can be systems of their own."""
    systems = [
        (path, document)
        for path, document in documents.items()
        if isinstance(document, Mapping)
        and _target(document.get("Bios")).rstrip("/") in documents
        and _target(document.get("Bios"))
    ]
    if not systems:
        raise SourceError("no system in it has a Bios resource")
    return min(systems, key=lambda system: (not _action(system[1]), system[0]))


def _registry(documents: Documents) -> tuple[str, Mapping[str, Any]]:
    for path, document in documents.items():
        entries = document.get("RegistryEntries") if isinstance(document, Mapping) else None
        if isinstance(entries, Mapping) and isinstance(entries.get("Attributes"), list):
            return path, document
    return "", {}


def _makers(documents: Documents, system: Mapping[str, Any], registry: Mapping[str, Any]) -> Iterator[str]:
    """Whom the service root, the server and the registry name as their maker."""
    root = documents.get(ROOT, {})
    extensions = root.get("Oem")
    yield str(root.get("Vendor") or "")
    yield from extensions if isinstance(extensions, Mapping) else ()
    yield str(system.get("Manufacturer") or "")
    yield str(registry.get("OwningEntity") or "")


def _as_captured(
    row: ControllerDialect,
    documents: Documents,
    system_at: str,
    system: Mapping[str, Any],
    bios_at: str,
    bios: Mapping[str, Any],
) -> ControllerDialect:
    """The dialect with what the documents show by themselves."""
    annotation = bios.get("@Redfish.Settings")
    stated = annotation if isinstance(annotation, Mapping) else {}
    settings_at = _target(stated.get("SettingsObject"))
    settings = documents.get(settings_at.rstrip("/"), {})
    action = _action(system)
    inline = action.get("ResetType@Redfish.AllowableValues")
    info = documents.get(str(action.get("@Redfish.ActionInfo", "")).rstrip("/"), {})
    apart = next((parameter.get("AllowableValues") for parameter in info.get("Parameters") or ()), None)
    managers = [
        path
        for path, document in documents.items()
        if str(document.get("@odata.type")).startswith("#Manager.")
    ]
    return row._replace(
        system=system_at,
        bios=bios_at,
        settings=settings_at or (row.settings and _beside(row, bios_at)),
        manager=managers[0] if managers else row.manager,
        apply_times=tuple(map(str, stated.get("SupportedApplyTimes") or ())),
        resets=tuple(map(str, inline or apart or row.resets)),
        resets_inline=bool(inline),
        resets_apart=bool(apart),
        reset_time="LastResetTime" in system,
        boot_progress="BootProgress" in system,
        clear=_clear(settings, row.clear) or (row.clear if not settings else ""),
        jobs=_jobs(settings) or row.jobs,
    )


def _beside(row: ControllerDialect, bios_at: str) -> str:
    """The address of settings that a capture does not name: below its Bios, as the dialect has it."""
    return f"{bios_at.rstrip('/')}/{row.settings.rstrip('/').rpartition('/')[2]}"


def _jobs(settings: Mapping[str, Any]) -> str:
    extensions = settings.get("Oem")
    for extension in extensions.values() if isinstance(extensions, Mapping) else ():
        if isinstance(extension, Mapping) and (target := _target(extension.get("Jobs"))):
            return target
    return ""


def _clear(settings: Mapping[str, Any], known: str) -> str:
    """The name that a capture has for the action that is known of the dialect."""
    actions = settings.get("Actions")
    extensions = actions.get("Oem") if isinstance(actions, Mapping) else None
    action = known.rpartition(".")[2]
    return next((str(name) for name in extensions or () if action and str(name).endswith(action)), "")


def _staged(documents: Documents, row: ControllerDialect, current: Mapping[str, Value]) -> dict[str, Value]:
    """What was staged when the controller was captured."""
    shown = documents.get(row.settings.rstrip("/"), {}).get("Attributes")
    given = shown if isinstance(shown, Mapping) and row.settings else {}
    return {name: value for name, value in given.items() if name in current and current[name] != value}


def _target(link: object) -> str:
    target = link.get("@odata.id") if isinstance(link, Mapping) else link
    return target if isinstance(target, str) and target.startswith("/") else ""


def _action(system: Mapping[str, Any]) -> Mapping[str, Any]:
    actions = system.get("Actions")
    action = actions.get("#ComputerSystem.Reset") if isinstance(actions, Mapping) else None
    return action if isinstance(action, Mapping) else {}
