"""What the services of makers differ in: a table, `controllers.toml`, of which each row has its sources.

A service is told by who owns the registry, or who the service root or the server says its maker is. What a capture
shows by itself, such as addresses, apply times and reset types, comes from the capture; the row has the rest: what
cannot be read, but only tried.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from setpoint.compiler.record import NamedTuple

TABLE = Path(__file__).with_name("controllers.toml")
ANY = "any"
"""The row for a service of which nothing is known."""

NOTHING: Mapping[str, Any] = MappingProxyType({})
JOB_STATES = MappingProxyType(
    {
        "waiting": "Pending",
        "running": "Running",
        "done": "Completed",
        "partly": "Completed",
        "failed": "Exception",
    }
)
"""The states of a job where a maker has no words of its own (Job.v1_2_0.json, JobState)."""

BOOT_WORDS = MappingProxyType({"down": "None", "starting": "MemoryInitializationStarted", "up": "OSRunning"})
"""What BootProgress.LastState says of a server that is off, starting, and started (ComputerSystem.v1_13_0.json,
BootProgressTypes)."""


class TwinMessage(NamedTuple):
    """What a service says: the identity of a message, its text with places for arguments, and arguments that are the
    same, at the begin and the end."""

    id: str
    text: str = ""
    arguments: tuple[str, ...] = ()
    last: tuple[str, ...] = ()


class ControllerDialect(NamedTuple):
    """What a service has where, what it wants, and what it shows.

    Attributes:
        name: How the row is called.
        title: What it is.
        owners: Whom registries, service roots and servers of such a service name as their maker.
        system: The address of the computer system; `manager`, `bios` and `registry` are those of others.
        settings: The address of the settings resource; "" if the Bios resource takes settings itself.
        takes: The member of a request that has the attributes; "" if they are at the top level.
        shows: What the settings resource has: the `staged` attributes, the same but no member without any (`filled`),
            or `all`. With `missing` there is no such resource while nothing is staged.
        links_settings: Whether the Bios resource says where its settings are.
        etag: The form of the settings' version; "" for a service without.
        needs_version: Whether a PATCH without `If-Match` is refused.
        accepted: The status of the answer to a PATCH that is taken.
        answer: What it has: `message`, `error` (the message within an error object), `success` (an object of that
            name), or `resource` (with the message).
        words: Whether messages have texts, beside their identities and arguments.
        errors: Whether an error is an `error` object, or the annotation of a `property`; `code` and `summary` are in
            the first.
        unready: The status with which it says that it has not found its data yet.
        judges: Whether a wrong value is refused at `once`, or taken and not set at the next `start`.
        equal: What comes of a PATCH with a value that is in effect: it `clears` what was staged instead, `stays` as an
            entry, or is `ignored`.
        outcome: What `@Redfish.Settings` tells of the last application: `""`, its `time`, or its `messages` as well.
        apply_times: `SupportedApplyTimes`.
        jobs: The queue of jobs that apply what is staged; "" for a service without.
        job_name: The form of a job's name.
        job_states: The words for the states of a job.
        announces: What `Location` names after a PATCH with a job or task: a `job`, a `task`, or a `monitor`.
        tasks: Whether a PATCH makes a task, which ends with the next restart.
        reset_tasks: Whether a restart is a task.
        clear: The name of the action that forgets what is staged; "" for a service without.
        resets: The reset types.
        resets_apart: Whether they are in a resource of their own; with `resets_inline` in the action as well.
        reset_status: The status of the answer to a restart.
        versioned_actions: Whether an action is carried out that comes with `If-Match`.
        when_off: Whether a reset of a server that is off is taken as a start (`starts`), or `refuses`.
        during_post: Whether a PATCH while the server starts is taken (`takes`), or `refuses`.
        hides_locked: Whether the Bios resource does not show what a dependency locks or hides.
        early: Whether the Bios resource shows staged values before they are applied.
        reset_time: Whether the system has LastResetTime; `boot_progress`: BootProgress, with `boot_words` for off,
            starting and started.
        post: Where the system says whether it has started, and `post_words` the words for it; `reboots`: where it
            counts restarts.
        processor: What `ProcessorId` of a processor shows, with places for `vendor` and `maker`, `family`, `model` and
            `stepping`, `eax` (the register of CPUID that has them) and its words, `lower` and `upper`.
        names_registry: Whether the Bios resource names its registry.
        idle_seconds: How long a session may be idle; `sessions`: how many there may be, 0 for any number.
        packs: Whether registries are compressed, whatever the client takes.
        mirrors: Whether links end with a slash if the address that was asked for does, and only then.
        messages: What the service says, by what it means.
        shown: Members of its resources, beside those of DMTF's schemas.
    """

    name: str
    title: str
    owners: tuple[str, ...]
    system: str
    bios: str
    manager: str
    registry: str
    settings: str = ""
    takes: str = "Attributes"
    shows: str = "staged"
    links_settings: bool = True
    etag: str = ""
    needs_version: bool = False
    accepted: int = 200
    answer: str = "message"
    words: bool = True
    errors: str = "error"
    code: str = "Base.1.12.GeneralError"
    summary: str = "A general error has occurred. See ExtendedInfo for more information."
    unready: int = 503
    judges: str = "once"
    equal: str = "clears"
    outcome: str = ""
    apply_times: tuple[str, ...] = ()
    jobs: str = ""
    job_name: str = "{0}"
    job_states: Mapping[str, str] = JOB_STATES
    announces: str = "job"
    tasks: bool = False
    reset_tasks: bool = False
    clear: str = ""
    resets: tuple[str, ...] = ("On", "ForceOff", "ForceRestart")
    resets_apart: bool = False
    resets_inline: bool = False
    reset_status: int = 204
    versioned_actions: bool = True
    when_off: str = "starts"
    during_post: str = "takes"
    early: bool = False
    hides_locked: bool = False
    reset_time: bool = False
    boot_progress: bool = False
    boot_words: Mapping[str, str] = BOOT_WORDS
    post: tuple[str, ...] = ()
    post_words: Mapping[str, str] = NOTHING
    reboots: tuple[str, ...] = ()
    processor: Mapping[str, str] = NOTHING
    names_registry: bool = True
    idle_seconds: int = 1800
    sessions: int = 0
    packs: bool = False
    mirrors: bool = False
    messages: Mapping[str, TwinMessage] = NOTHING
    shown: Mapping[str, Any] = NOTHING

    @property
    def target(self) -> str:
        """Where settings are written to."""
        return self.settings or self.bios

    @property
    def reset_target(self) -> str:
        """The target of the action that restarts the server."""
        return f"{self.system}/Actions/ComputerSystem.Reset"

    @property
    def clear_target(self) -> str:
        """The target of the action that forgets what is staged."""
        return f"{self.settings}/Actions/Oem/{self.clear.rpartition('#')[2]}"

    @classmethod
    def of(cls, row: Mapping[str, Any], messages: Mapping[str, Any], processor: Mapping[str, str]) -> Self:
        """The dialect in a row of the table."""
        said = {name: _message(entry) for name, entry in {**messages, **row.get("messages", {})}.items()}
        known: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
        }
        known.pop("like", None)
        known.setdefault("processor", processor)
        known["messages"] = said
        return cls(**known)


def _message(entry: Mapping[str, Any]) -> TwinMessage:
    given = (tuple(entry.get(name, ())) for name in ("arguments", "last"))
    return TwinMessage(entry["id"], entry.get("text", ""), *given)


@cache
def dialects() -> dict[str, ControllerDialect]:
    """The dialects of the table, by name."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    rows = {row["name"]: row for row in table["controller"]}
    for name, row in rows.items():
        if base := row.get("like"):
            rows[name] = {**rows[base], **row}
    shared = table["messages"], table["processor"]
    return {name: ControllerDialect.of(row, *shared) for name, row in rows.items()}


@cache
def maker_of(vendor: str) -> str:
    """The maker of processors with a vendor of CPUID."""
    makers: dict[str, str] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["makers"]
    return makers.get(vendor, vendor)


def dialect_of(makers: Iterable[str]) -> ControllerDialect:
    """The first dialect of one of these makers, or of a service of which nothing is known."""
    named = {maker.strip().casefold() for maker in makers}
    for dialect in dialects().values():
        if named & {owner.casefold() for owner in dialect.owners}:
            return dialect
    return dialects()[ANY]
