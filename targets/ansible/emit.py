"""From the role to files: a template for each, in `role/`, and the other targets' files as they are.

The templates are full of Ansible's own braces, so theirs are others: `<< … >>` for a value, `<% … %>` for a choice.

Ansible takes a text in a variable for a template, unless it has the tag `!unsafe`. So names and texts of attributes
that could be templates have this tag. So have keys, which are templates wherever they become values.
"""

import json
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from jinja2 import Environment

import setpoint.targets.ansible as package
from setpoint.compiler.knowledge.interfaces import TypedValue
from setpoint.compiler.lowering.target import Artifact, Procedure
from setpoint.compiler.render.escape import prose, row
from setpoint.targets._client import NAME, client
from setpoint.targets._host import program
from setpoint.targets._shared.data import folder
from setpoint.targets._shared.identity import LABELS
from setpoint.targets._shared.target import KEPT_ON_SERVER
from setpoint.targets._shared.templates import environment, filled
from setpoint.targets.ansible.model import Planned, Role

KEPT_HERE = "`snapshots/` beside the playbook"
"""Where the role keeps something on Ansible's machine."""

LINE = 150
"""Of comments, lists and folded scalars."""

MOST = 160
"""What yamllint takes for a line, as ansible-lint sets it."""

FILES: tuple[tuple[str, Callable[[Role], object]], ...] = (
    ("README.md", lambda role: True),
    ("defaults/main.yml", lambda role: True),
    ("meta/argument_specs.yml", lambda role: True),
    ("meta/main.yml", lambda role: True),
    ("tasks/main.yml", lambda role: True),
    ("tasks/verify.yml", lambda role: True),
    ("tasks/rollback.yml", lambda role: True),
    ("tasks/plan.yml", lambda role: True),
    ("tasks/identify.yml", lambda role: role.runs_program),
    ("tasks/bios.yml", lambda role: role.bios),
    ("tasks/finish.yml", lambda role: role.waits),
    ("tasks/bios_first.yml", lambda role: role.bios),
    ("tasks/bios_once.yml", lambda role: role.once),
    ("tasks/bios_perform.yml", lambda role: role.once),
    ("tasks/bios_record.yml", lambda role: role.once),
    ("tasks/bios_restart.yml", lambda role: role.bios),
    ("tasks/restart.yml", lambda role: role.restarts),
    ("tasks/restart_and_verify.yml", lambda role: role.restarts),
    ("tasks/compare.yml", lambda role: True),
    ("tasks/left.yml", lambda role: True),
    ("tasks/look.yml", lambda role: role.bios),
    ("vars/main.yml", lambda role: True),
)
"""The files of the role, and which roles have them."""

PLAYBOOKS = ("site.yml", "verify.yml", "rollback.yml", "servers.yml")
"""The playbooks, which are beside the role. The others begin with the last."""

KEYS = {
    "syscfg": "syscfg",
    "kernel-args": "boot",
    "cpuspeed": "cpuspeed",
    "tuned": "tuned",
    "systemd": "systemd",
}
"""What the data of a plan calls what each of these targets made."""

EXAMPLE = "inventory.example.yml"
"""An inventory to begin with, unless there is one with all hosts."""


def artifacts(role: Role) -> tuple[Artifact, ...]:
    """The role, beside it the playbooks that call it and an inventory to begin with, and what it runs: programs and
    plans that the bundle has once.
    """
    home = f"ansible/roles/{role.name}"
    beside = PLAYBOOKS if role.is_listed else (*PLAYBOOKS, EXAMPLE)
    files = [Artifact(f"ansible/{name}", _text(name, role)) for name in beside]
    files += [Artifact(f"{home}/{name}", _text(f"role/{name}", role)) for name, has in FILES if has(role)]
    plugins = {
        "action_plugins/setpoint_rollout": True,
        "action_plugins/setpoint_host": role.runs_program,
        f"action_plugins/{NAME}": role.bios,
        "module_utils/setpoint_bundle": role.runs_program or role.bios,
    }
    files += [Artifact(f"{home}/{path}.py", plugin(path)) for path, has in plugins.items() if has]
    files += [program()] if role.runs_program else []
    files += [client()] if role.bios else []
    for plan in role.served:
        files.append(Artifact(f"{home}/vars/plans/{plan.name}.yml", _text("plan.yml", role, plan)))
        files += plan.files
    return tuple(files)


@cache
def plugin(path: str) -> str:
    """What the role has Ansible do in its own process: an action plugin or what several share, the same in every
    bundle."""
    with open(os.path.join(folder(package), f"{path}.py"), encoding="utf-8") as file:
        return file.read()


def _text(name: str, role: Role, plan: Planned | None = None) -> str:
    template = _environment().get_template(f"{name}.j2")
    text = template.render(role=role, p=role.name, plan=plan, labels=LABELS, keys=KEYS)
    return fold(text) if name.endswith(".yml") else text


def fold(text: str) -> str:
    """Break lines of YAML's folded scalars (`>-`) that are too long, which changes nothing of what they say."""
    lines: list[str] = []
    scalar = -1
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if line and indent <= scalar:
            scalar = -1
        if scalar >= 0 and len(line) > LINE:
            words = textwrap.TextWrapper(
                LINE, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
            )
            lines += words.wrap(line)
        else:
            lines.append(line)
        if line.endswith(">-"):
            scalar = indent
    return "\n".join(lines) + "\n"


def comment(text: str, indent: int = 0) -> str:
    """A text as a comment of YAML, in lines that are not too long. The text is one line; none of it can end a
    comment."""
    lines = textwrap.wrap(text, LINE - 2 - indent, break_on_hyphens=False) or [""]
    return "\n".join(f"{' ' * indent}# {line}".rstrip() for line in lines)


_NAME = re.compile(r"(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Za-z][A-Za-z0-9_-]*", re.IGNORECASE)
"""A text that YAML reads as itself without quotes."""

_TEMPLATE = re.compile("[{#]")
"""What every template has. Only such texts have the tag: with it, Ansible reads `-1` and `~` as if they had no
quotes."""


def name(text: str) -> str:
    """A name as a key or a value of YAML, which Ansible does not take for a template."""
    return text if _NAME.fullmatch(text) else scalar(text)


def key(group_or_host: str) -> str:
    """The name of a group or a host as a key of YAML. It has nothing that quotes do not protect."""
    return group_or_host if _NAME.fullmatch(group_or_host) else f"'{group_or_host}'"


def scalar(value: TypedValue) -> str:
    """The value of an attribute as one of YAML, which Ansible does not take for a template."""
    is_template = isinstance(value, str) and _TEMPLATE.search(value)
    return f"{'!unsafe ' if is_template else ''}{json.dumps(value, ensure_ascii=False)}"


def listed(items: Iterable[str], indent: int) -> str:
    """Items as a list of YAML, on a line, or on several that are not too long, between brackets at the indentation of
    the key."""
    return f"[{filled(items, indent)}]"


def pairs(values: Mapping[str, TypedValue], indent: int) -> str:
    """Names with values as a mapping of YAML, as `listed` has items."""
    return "{{{}}}".format(
        filled((f"{name(attribute)}: {scalar(value)}" for attribute, value in values.items()), indent)
    )


def option(name: str, description: str, **keys: str) -> str:
    """A variable for the argument specs: on a line, or on several if that would be too long. `keys` are as YAML has
    them."""
    pairs = [f"{key}: {value}" for key, value in {**keys, "description": json.dumps(description)}.items()]
    line = f"      {name}: {{{', '.join(pairs)}}}"
    return line if len(line) <= MOST else f"      {name}:" + "".join(f"\n        {pair}" for pair in pairs)


@cache
def _environment() -> Environment:
    templates = environment(
        package,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
    )
    templates.globals["option"] = option
    templates.filters |= {
        "comment": comment,
        "key": key,
        "name": name,
        "scalar": scalar,
        "listed": listed,
        "pairs": pairs,
        "folder": lambda path: f"`{path}/`",
        "variable": lambda kind: f"`setpoint_check_{kind}`",
        "prose": prose,
        "row": lambda cells: row(*cells),
        "capitalize_first": lambda text: text[:1].upper() + text[1:],
    }
    return templates


def procedure(policy: str, paths: frozenset[str]) -> Procedure:
    """How the role is used; `policy` is its identifier, `paths` are the files of the bundle."""
    run, role = "ansible-playbook -i inventory ansible/{}.yml".format, f"ansible/roles/setpoint_{policy}"
    through_bmc = f"{role}/tasks/bios.yml" in paths
    account = ", with the account of each controller" if through_bmc else ""
    return Procedure(
        "on the machine that Ansible runs on, in this folder",
        f"{run('site')} --check",
        run("site"),
        run("verify"),
        run("rollback"),
        f"first `cp ansible/inventory.example.yml inventory`, and write your servers into it{account}; `{role}/README.md` says what else the role needs, and how it reaches old hosts. "
        "A good run has `failed=0` for the server in the recap at the end, and says before what waits for a restart. Where the recap has no line for `SERVER`, it is not in the inventory, and nothing was done, whatever the exit status",
        keeps=f"{KEPT_HERE} for the BIOS, and in {KEPT_ON_SERVER} for the rest"
        if through_bmc
        else f"{KEPT_ON_SERVER}, and the name of their roll-out in {KEPT_HERE}",
        restart="""-e '{"setpoint_reboot": true}'""" if f"{role}/tasks/restart.yml" in paths else "",
        on_first=" --limit SERVER",
    )
