"""What a host and a group can be called: the one rule for policies and inventories.

A name gets into artifacts, where it is a key of YAML, a word of commands, and for Ansible a pattern that selects hosts.
So hosts have few characters, and nothing has a name that is taken: those for all hosts, for the machine that rolls out,
and for our own groups. A host is not called like a group either: it hides the group from Ansible, which then acts on
this host alone.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from setpoint.compiler.diagnostics import Label, SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.language.syntax import Scope

CHARACTERS = r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?"
"""The characters of a name."""

ORDINARY = rf"(?i:(?!all\b|ungrouped\b|setpoint_|ip6-lo|localhost|[0-9]){CHARACTERS}(?<!\.localhost))"
"""Names that nothing else is called, except for some that `why_no_host` has to look at. Of a million hosts, nearly all
are these."""

GROUPS = ("all", "ungrouped")
"""What Ansible calls the group of all hosts, and that of those in no other."""

OURS = "setpoint_"
"""How the groups of artifacts begin."""

IS_GROUP = "its name is that of a group, too"
"""Why a host is not called like a group."""

NO_NAME = "its name is not that of a host"
"""Why a host has none but those characters."""

HELP = {
    NO_NAME: "names of hosts have letters, digits, `.`, `_` and `-`, begin and end with a letter, a digit or `_`, and have 254 characters at most",
    IS_GROUP: "rename one of them: where a play names the group, Ansible would act on this host alone",
}
"""What to do about a name that something cannot have."""

MEANS_OTHERS = (
    "choose another name: Ansible or Puppet would take this one for other servers than the policy means"
)
"""What to do about all others."""

LOOPBACK = r"(?i:(ip6-)?localhost[46]?(\.localdomain[46]?)?|ip6-loopback|.*\.localhost)"
"""What systems call themselves."""

ADDRESS = r"(?i:[0-9][0-9a-fx.]*)"
"""The characters of an IPv4 address, in any of the forms that systems take."""


def why_no_host(name: str) -> str:
    """Why nothing can be a host of this name; "" if it can."""
    if not name:
        return "it has no name"
    return why_taken(name) if re.fullmatch(CHARACTERS, name) else NO_NAME


def why_taken(name: str) -> str:
    """Why nothing, neither a host nor a group, can have this name; "" if something can."""
    plain = name.casefold()
    if plain in GROUPS:
        return "its name is that of a group of Ansible"
    if plain.startswith(OURS):
        return "its name begins like those of groups in artifacts"
    if re.fullmatch(LOOPBACK, name) or (re.fullmatch(ADDRESS, name) and _is_here(name)):
        return "its name means the machine that rolls out"
    return ""


def _is_here(address: str) -> bool:
    """Whether systems take a text for an address of their own: 127.0.0.1, 127.1, 0."""
    from socket import inet_aton  # few inventories have addresses in place of names

    try:
        number = inet_aton(address)
    except OSError:
        return False
    return number[0] == 127 or number == bytes(4)


def spelled_twice(names: Collection[str]) -> Iterator[tuple[str, ...]]:
    """The names that differ only in the case of letters: for DNS, Puppet and blocks of policies these are one."""
    lower = {name.lower(): [name] for name in names if name != name.lower()}
    if not lower:
        return
    for name in names:
        if (spellings := lower.get(name.lower())) and name not in spellings:
            spellings.append(name)
    yield from (tuple(spellings) for spellings in lower.values() if len(spellings) > 1)


def check_scope(block: Scope, groups: Mapping[str, Sequence[Scope]]) -> None:
    """Raises SetpointError (E0616) if a group or a host has a name that means other servers in an artifact."""
    kind, name = block.kind.text, block.name.text
    namesakes = groups.get(name, ()) if kind == "host" else ()
    why = why_no_host(name) if kind == "host" else why_taken(name)
    why = why or (IS_GROUP if namesakes else "")
    if why:
        raise SetpointError.of(
            "E0616",
            f"`{name}` cannot be a {kind}: {why}",
            block.name.span,
            f"not the name of a {kind}",
            tuple(Label(namesake.name.span, "the group") for namesake in namesakes[:1]),
            help=(HELP.get(why, MEANS_OTHERS),),
        )


def check_case(named: Iterable[tuple[str, Span]]) -> None:
    """Raises SetpointError (E0211) if two of these names, each with its place, differ only in case."""
    known: dict[str, tuple[str, Span]] = {}
    for name, span in named:
        other, at = known.setdefault(name.casefold(), (name, span))
        if other != name:
            raise differ_only_in_case(name, span, other, at)


def differ_only_in_case(name: str, span: Span, other: str, at: Span) -> SetpointError:
    """The error (E0211) about a name that is spelled `other` elsewhere."""
    return SetpointError.of(
        "E0211",
        f"`{name}` and `{other}` differ only in case",
        span,
        "one spelling",
        (Label(at, "another"),),
        help=(
            "use one spelling, or another name: file systems, inventories and Puppet may take both for one",
        ),
    )
