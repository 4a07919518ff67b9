"""Nothing of an inventory is run, and no other file is read through it: whoever proposes a change can have written all
of it.

Each way in which Ansible runs code is laid out in one checkout. With `--complete` the plain `ansible-inventory` shows
that each of them works: it writes the canary, or prints the token.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.ansible_run import programs
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.inventory.read import read_inventory
from setpoint.compiler.inventory.table import InventoryTable, table
from setpoint.compiler.knowledge.model import Knowledge

TOKEN = "token-9f2c51"
CANARY = "canary"

HOSTS = """all:
  children:
    web: {hosts: {c1: {model: PowerEdge R740}}}
"""
POLICY = "goal latency; cpu skylake;"

PYTHON = "import os; open(os.environ['CANARY'], 'w').write(os.environ.get('TOKEN', ''))\n"
"""What a plugin does as soon as it is loaded."""

SHELL = (
    '#!/bin/sh\nprintenv TOKEN >"$CANARY"\necho \'{"_meta": {"hostvars": {}}, "web": {"hosts": ["c1"]}}\'\n'
)
"""What a script does."""

JINJA = "{{ lookup('pipe', 'printenv TOKEN >$CANARY') }}"
"""What a template does if it is expanded."""


class Way(NamedTuple):
    """A way to have code run: the files of the checkout, executable if they begin as a script, and the environment of
    the command."""

    files: Mapping[str, str]
    env: Mapping[str, str] = {}
    inventory: str = "hosts.yml"
    runs: bool = True
    """Whether Ansible runs it by default."""


COLLECTION = "collections/ansible_collections/ours/tools"
INVENTORY_PLUGIN = f"{PYTHON}from ansible.plugins.inventory.yaml import InventoryModule\n"
VARS_PLUGIN = (
    f"{PYTHON}from ansible.plugins.vars import BaseVarsPlugin\nclass VarsModule(BaseVarsPlugin): pass\n"
)

WAYS = {
    "configuration here": Way(
        {"ansible.cfg": "[defaults]\nvars_plugins=plugins\n", "plugins/ours.py": VARS_PLUGIN}
    ),
    "configuration at home": Way(
        {".ansible.cfg": "[defaults]\nvars_plugins=~/plugins\n", "plugins/ours.py": VARS_PLUGIN}
    ),
    "configuration named": Way(
        {"own.cfg": "[defaults]\nvars_plugins=plugins\n", "plugins/ours.py": VARS_PLUGIN},
        {"ANSIBLE_CONFIG": "own.cfg"},
    ),
    "plugins at home": Way({".ansible/plugins/vars/ours.py": VARS_PLUGIN}),
    "plugins beside a playbook": Way({"vars_plugins/ours.py": VARS_PLUGIN}, {"ANSIBLE_PLAYBOOK_DIR": "."}),
    "plugins of the environment": Way({"plugins/ours.py": VARS_PLUGIN}, {"ANSIBLE_VARS_PLUGINS": "plugins"}),
    "a plugin in place of Ansible's own": Way(
        {"plugins/yaml.py": INVENTORY_PLUGIN}, {"ANSIBLE_INVENTORY_PLUGINS": "plugins"}
    ),
    "plugins of a collection": Way(
        {
            f"{COLLECTION}/plugins/inventory/ours.py": INVENTORY_PLUGIN,
            f"{COLLECTION}/galaxy.yml": "namespace: ours\n",
            "inventory.yml": "plugin: ours.tools.ours\n",
        },
        {"ANSIBLE_COLLECTIONS_PATH": "collections"},
        "inventory.yml",
    ),
    "a plugin that expands templates": Way(
        {
            "inventory.yml": f'plugin: ansible.builtin.generator\nlayers: {{a: [c]}}\nhosts: {{name: "{JINJA}", parents: []}}\n'
        },
        inventory="inventory.yml",
    ),
    "a plugin in a folder": Way(
        {
            "inventory/hosts.yml": HOSTS,
            "inventory/z.yml": 'plugin: ansible.builtin.constructed\ncompose:\n  x: "lookup(\'pipe\', \'printenv TOKEN >$CANARY\')"\n',
        },
        inventory="inventory",
    ),
    "a script": Way({"hosts.sh": SHELL}, inventory="hosts.sh"),
    "a script in a folder": Way({"inventory/hosts.yml": HOSTS, "inventory/z.sh": SHELL}, inventory="inventory"),
    "a script called like data": Way({"hosts.csv": SHELL}, inventory="hosts.csv"),
    "the password of a vault": Way({"vault.sh": SHELL}, {"ANSIBLE_VAULT_PASSWORD_FILE": "vault.sh"}),
    "a module of Python": Way({"lib/sitecustomize.py": PYTHON}, {"PYTHONPATH": "lib"}),
    "another program": Way({"ansible-inventory": SHELL}),
    "variables with templates": Way({"group_vars/all.yml": f'x: "{JINJA}"\n'}, runs=False),
}  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of somebody's change, where a command runs as in CI: with a token, and with the real
    `ansible-inventory`."""
    made = tmp_path / "checkout"
    (made / ".git").mkdir(parents=True)
    put(made, {"hosts.yml": HOSTS, ".git/config": f"{TOKEN}:\n"})
    monkeypatch.chdir(made)
    env = {
        "PATH": f"{programs()}{os.pathsep}{os.defpath}",
        "LC_ALL": "C.UTF-8",
        "TOKEN": TOKEN,
        "CANARY": str(tmp_path / CANARY),
        "HOME": str(made),
    }
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    return made


def put(folder: Path, files: Mapping[str, str]) -> None:
    """Write files; scripts are executable."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755 if text.startswith("#!") else 0o644)


@pytest.fixture
def places(knowledge: Knowledge) -> InventoryTable:
    """Where inventories have what."""
    return table(knowledge)


def read(inventory: str, places: InventoryTable, may_run: bool = False) -> dict[str, str]:
    """The hosts of an inventory, with their groups."""
    return {name: profile[0] for name, profile in read_inventory(inventory, places, may_run).rows}


def refusal(inventory: str, places: InventoryTable) -> Diagnostic:
    """Why an inventory is refused. The reason says nothing that only other files have."""
    with pytest.raises(SetpointError) as caught:
        read(inventory, places)
    (finding,) = caught.value.diagnostics
    assert TOKEN not in str(finding)
    return finding


def test_nothing_is_run_and_the_hosts_are_read(
    checkout: Path, places: InventoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an inventory in YAML, with all around it that makes Ansible run code."""
    path = f".{os.pathsep}{os.environ['PATH']}"
    for way in WAYS.values():
        if way.inventory == "hosts.yml":
            put(checkout, way.files)
            for name, value in way.env.items():
                monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", path)
    assert read("hosts.yml", places) == {"c1": "web"}
    assert not (checkout.parent / CANARY).exists()


REFUSED = {
    "plugins of a collection": "E0611",
    "a plugin that expands templates": "E0611",
    "a plugin in a folder": "E0611",
    "a script": "E0613",
    "a script in a folder": "E0613",
    "a script called like data": "E0613",
}
"""The inventories that are code themselves."""


@pytest.mark.parametrize("name", REFUSED)
def test_an_inventory_that_is_code_is_refused_with_what_to_do(
    name: str, checkout: Path, places: InventoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = WAYS[name]
    put(checkout, way.files)
    for variable, value in way.env.items():
        monkeypatch.setenv(variable, value)
    finding = refusal(way.inventory, places)
    assert finding.code == REFUSED[name]
    assert f"`ansible-inventory -i {way.inventory} --list > hosts.json`" in finding.help[0]
    assert "`--run-inventory`" in finding.help[1]
    assert not (checkout.parent / CANARY).exists()


@pytest.mark.repeated
@pytest.mark.parametrize("name", WAYS)
def test_each_way_is_one(name: str, checkout: Path) -> None:
    """Ansible itself runs what is in the checkout, with the token, unless the way says that it does not."""
    way = WAYS[name]
    put(checkout, way.files)
    path = f".{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["env", "ansible-inventory", "-i", way.inventory, "--list"],
        cwd=checkout, env={**os.environ, "PATH": path, **way.env}, stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    canary = checkout.parent / CANARY
    assert canary.exists() == way.runs
    assert not way.runs or canary.read_text().strip() == TOKEN


def test_what_may_be_run_gets_no_secrets(checkout: Path, places: InventoryTable) -> None:
    put(checkout, {"hosts.sh": SHELL.replace("$CANARY", str(checkout.parent / CANARY))})
    assert read("hosts.sh", places, may_run=True) == {"c1": "web"}
    assert (checkout.parent / CANARY).read_text() == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hosts.csv", "host,group\nc1,web\n"),
        ("hosts", '{"_meta": {"hostvars": {"c1": {}}}, "web": {"hosts": ["c1"]}}'),
        ("hosts.yml", HOSTS),
        ("hosts.ini", "[web]\nc1\n"),
    ],
)
def test_data_that_is_executable_is_read(
    name: str, text: str, checkout: Path, places: InventoryTable
) -> None:
    """On some file systems all files are executable."""
    put(checkout, {name: text})
    (checkout / name).chmod(0o755)
    assert read(name, places) == {"c1": "web"}


def test_a_folder_of_executable_data_is_read(checkout: Path, places: InventoryTable) -> None:
    put(checkout, {"inventory/hosts.yml": HOSTS, "inventory/group_vars/web.yml": "rack: a\n"})
    for path in (checkout / "inventory").rglob("*.yml"):
        path.chmod(0o755)
    assert read("inventory", places) == {"c1": "web"}


def test_an_executable_without_a_shebang_that_is_no_text_is_refused(
    checkout: Path, places: InventoryTable
) -> None:
    (checkout / "hosts").write_bytes(b"\x7fELF\2\1\1\0")
    (checkout / "hosts").chmod(0o755)
    assert refusal("hosts", places).code == "E0613"


# ------------------------------------------------------------------------------------ other files

SECRET = f"{TOKEN}: x\n"


@pytest.mark.parametrize(
    ("link", "to", "inventory"),
    [
        ("hosts.csv", "{outside}", "hosts.csv"),
        ("hosts.csv", "/proc/self/environ", "hosts.csv"),
        ("hosts.csv", ".git/config", "hosts.csv"),
        ("inventory/hosts.ini", "{outside}", "inventory"),
        ("inventory/sub/hosts.ini", "/proc/self/environ", "inventory"),
        ("inventory/group_vars", "{outside}/..", "inventory"),
        ("inventory/group_vars/all.yml", "{outside}", "inventory"),
        ("group_vars/all.yml", "{outside}", "hosts.yml"),
        ("host_vars", "{outside}/..", "hosts.yml"),
        ("host_vars/c1", ".git", "hosts.yml"),
        ("host_vars/c1", ".git/config", "hosts.yml"),
        ("captures/c1/facts.json", "{outside}", "captures"),
    ],
)
def test_a_link_leads_nowhere_else(
    link: str, to: str, inventory: str, checkout: Path, places: InventoryTable
) -> None:
    """Not out of the checkout, nor to what git keeps in it."""
    outside = checkout.parent / "secrets/token"
    put(checkout.parent, {"secrets/token": SECRET})
    put(checkout, {"inventory/hosts.yml": HOSTS, "captures/c2/facts.json": '{"ansible_product_name": "x"}'})
    (checkout / link).parent.mkdir(parents=True, exist_ok=True)
    leads_to = to.format(outside=outside)
    (checkout / link).symlink_to(checkout / leads_to if leads_to.startswith(".git") else leads_to)
    finding = refusal(inventory, places)
    assert finding.code == ("E0615" if leads_to.startswith(".git") else "E0603")
    assert f"`{link}`" in finding.message


def test_links_within_a_repository_are_followed(checkout: Path, places: InventoryTable) -> None:
    """Variables that several inventories share are often linked."""
    put(checkout, {"common/web.yml": "rack: a\n", "prod/hosts.yml": HOSTS})
    (checkout / "prod/group_vars").symlink_to("../common")
    (checkout / "now").symlink_to("prod")
    assert read("prod", places) == read("now", places) == {"c1": "web"}


@pytest.mark.parametrize("name", ["../../secrets/token", "/etc/hostname", "..", ".hidden"])
def test_a_name_is_not_a_path(name: str, checkout: Path, places: InventoryTable) -> None:
    """Ansible opens `host_vars/NAME`."""
    put(checkout.parent, {"secrets/token": SECRET})
    put(checkout, {"inventory/hosts.ini": f"[web]\n{name}\n", "inventory/host_vars/c1.yml": "x: 1\n"})
    finding = refusal("inventory", places)
    assert finding.code == "E0603"
    assert f"`{name}`" in finding.message


def test_a_pipe_in_a_folder_is_refused(checkout: Path, places: InventoryTable) -> None:
    """Nobody writes into it: Ansible would wait for ever."""
    put(checkout, {"inventory/hosts.yml": HOSTS, "inventory/group_vars/web.yml": "rack: a\n"})
    os.mkfifo(checkout / "inventory/group_vars/all.yml")
    finding = refusal("inventory", places)
    assert (finding.code, finding.message) == (
        "E0601",
        "cannot read `inventory/group_vars/all.yml`: not a regular file",
    )


def test_what_goes_on_and_on_is_ended(
    checkout: Path, places: InventoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that leaves another one running; hosts without number."""
    monkeypatch.setattr("setpoint.compiler.inventory.ansible.MOST_SECONDS", 3)
    put(checkout, {"hosts.sh": "#!/bin/sh\nsleep 600 &\nsleep 600\n"})
    with pytest.raises(SetpointError, match="took more than 3 seconds"):
        read("hosts.sh", places, may_run=True)
    monkeypatch.setattr("setpoint.compiler.inventory.ansible.MOST_MEMORY", 300 << 20)
    monkeypatch.setattr("setpoint.compiler.inventory.ansible.MOST_SECONDS", 60)
    put(checkout, {"hosts.ini": "c[00000001:99999999]\n"})
    assert refusal("hosts.ini", places).code == "E0611"
