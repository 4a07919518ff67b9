"""From the role to files: a template for each, in `role/`, and the other targets' files as they are.

The templates are full of Ansible's own braces, so theirs are others: `<< … >>` for a value, `<% … %>` for a choice.
"""

import textwrap
from collections.abc import Callable
from functools import cache

from jinja2 import Environment

import setpoint.targets.ansible as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.compiler.render.escape import escape, prose, row
from setpoint.targets._linux import identity
from setpoint.targets._shared.templates import environment, render
from setpoint.targets.ansible.model import Role

WIDTH = 116
"""Of comments. yamllint, as ansible-lint sets it, takes 160 for a whole line."""

LINE = 150
"""Of a folded scalar, where the name of a long policy is in each variable."""

FILES: tuple[tuple[str, Callable[[Role], object]], ...] = (
    ("README.md", lambda role: True),
    ("defaults/main.yml", lambda role: True),
    ("meta/argument_specs.yml", lambda role: True),
    ("meta/main.yml", lambda role: True),
    ("tasks/main.yml", lambda role: True),
    ("tasks/verify.yml", lambda role: True),
    ("tasks/identify.yml", lambda role: role.host_tags),
    ("tasks/bios_identify.yml", lambda role: role.bios),
    ("tasks/bios.yml", lambda role: role.bios),
    ("tasks/bios_read.yml", lambda role: role.bios),
    ("tasks/bios_jobs.yml", lambda role: role.bios),
    ("tasks/bios_jobs_next.yml", lambda role: role.bios),
    ("tasks/bios_system.yml", lambda role: role.bios),
    ("tasks/bios_rest.yml", lambda role: role.bios and role.bios.first),
    ("tasks/bios_stage.yml", lambda role: role.bios),
    ("tasks/bios_staged.yml", lambda role: role.bios),
    ("tasks/bios_job.yml", lambda role: role.bios),
    ("tasks/bios_restart.yml", lambda role: role.bios),
    ("tasks/bios_wait.yml", lambda role: role.bios),
    ("tasks/bios_proof.yml", lambda role: role.bios),
    ("tasks/bios_verify.yml", lambda role: role.bios),
    ("tasks/syscfg.yml", lambda role: role.syscfg),
    ("tasks/boot.yml", lambda role: role.boot),
    ("tasks/boot_grubby.yml", lambda role: role.boot and role.boot.grubby),
    ("tasks/boot_dropin.yml", lambda role: role.boot and role.boot.dropin),
    ("tasks/tuned.yml", lambda role: role.tuned and not role.tuned.ktune),
    ("tasks/ktune.yml", lambda role: role.tuned and role.tuned.ktune),
    ("tasks/cpuspeed.yml", lambda role: role.cpuspeed),
    ("tasks/restart.yml", lambda role: role.restarts),
    ("tasks/restart_and_verify.yml", lambda role: role.restarts),
    ("vars/main.yml", lambda role: True),
)
"""The files of the role, and which roles have them."""


def artifacts(role: Role) -> tuple[Artifact, ...]:
    """The role, and beside it the playbooks that call it."""
    home = f"ansible/roles/{role.name}"
    made = [Artifact(f"ansible/{name}.yml", _text(f"{name}.yml", role)) for name in ("playbook", "verify")]
    made += [Artifact(f"{home}/{name}", _text(f"role/{name}", role)) for name, has in FILES if has(role)]
    if role.host_tags:
        script = render(package, "identify.sh.j2", role=role, identity=identity(role.identification))
        made.append(Artifact(f"{home}/files/identity/identify.sh", script, 0o755))
    made += [a._replace(path=f"{home}/files/{a.path}") for a in role.files]
    return tuple(made)


def _text(name: str, role: Role) -> str:
    text = _environment().get_template(f"{name}.j2").render(role=role, p=role.name)
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
    """A text as a comment of YAML, in lines that are not too long. The text is one line; none of it can end a comment."""
    lines = textwrap.wrap(text, WIDTH - indent) or [""]
    return "\n".join(f"{' ' * indent}# {line}".rstrip() for line in lines)


@cache
def _environment() -> Environment:
    made = environment(
        package,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
    )
    made.filters |= {
        "comment": comment,
        "escape": escape,
        "prose": prose,
        "row": lambda cells: row(*cells),
    }
    return made
