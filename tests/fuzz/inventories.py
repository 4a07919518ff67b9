"""Reads inventories of hosts, and tables of facts: in every form, with names, groups, links and programs that somebody
else chose.

A token lies beside the folder and in the environment. It is never printed, and nothing that the inventory brings is
run.
"""

import csv
import json
import os
import shutil
from copy import deepcopy
from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import DefectError, command

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"
TABLE = f"""host,group,model,processor,sockets,os
c1,compute,PowerEdge R740,{GOLD},2,rhel 9.4
"c2","compute, web",PowerEdge R720,,1,debian 12
"""
ANSIBLE = {
    "_meta": {
        "hostvars": {"c1": {"ansible_product_name": "PowerEdge R740", "ansible_processor": ["0", "x", GOLD]}}
    },
    "all": {"children": ["compute"]},
    "compute": {"hosts": ["c1", "c2"], "children": []},
}
FACTER = {
    "dmi": {"product": {"name": "PowerEdge R740"}},
    "processors": {"models": [GOLD, GOLD], "physicalcount": 2},
    "os": {"name": "RedHat", "release": {"full": "9.4"}},
    "networking": {"fqdn": "c1.example.org"},
}
PUPPETDB = [
    {"certname": "c1", "facts": FACTER, "trusted": {"extensions": {"pp_role": "compute"}}},
    {"certname": "c2", "name": "productname", "value": "PowerEdge R740"},
    {"certname": "c3", "facts": {"data": [{"name": "processors", "value": {"physicalcount": 2}}]}},
]
CAPTURES = {
    "hosts/c1/System.json": {"Model": "PowerEdge R740", "ProcessorSummary": {"Count": 2, "Model": GOLD}},
    "hosts/c1/lscpu": {
        "lscpu": [{"field": "Model name:", "data": GOLD}, {"field": "Socket(s):", "data": "2"}]
    },
}
TEXTS = {
    "hosts/c2/dmidecode": f"Handle 0x1\nSystem Information\n\tProduct Name: PowerEdge R740\n\nProcessor Information\n\tVersion: {GOLD}\n",
    "hosts/c2/os-release": 'ID="debian"\nVERSION_ID="12"\n',
}
FACTS = '[hosts]\ngroups = ["role"]\n[facts]\nplatform = ["model"]\n[values.platform]\n"KVM" = ""\n'
POLICY = 'goal latency; for group compute { goal performance; } for host c2 { set turbo off because "hot"; }'
DAMAGED_TABLES = 0.3
"""How often the table of facts is damaged."""

VERBS = (
    ("fleet", "-o", "out"),
    ("plan", "--host", "c1"),
    ("plan", "--host", "c2", "--format", "json"),
    ("plan",),
    ("plan", "--all"),
    ("plan", "--format", "json"),
    ("check", "site.tune", "--format", "sarif"),
    ("audit", "boot"),
    ("audit", "boot", "--format", "json"),
)
BESIDE = {"site.tune": POLICY.encode(), "boot": b"intel_pstate=passive isolcpu=1-3 nosmt\n"}

TOKEN = "token-51c0ffee"
CANARY = "canary"
PROGRAMS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "setpoint-tests/ansible/bin")
"""Where the real Ansible is (tests/install-consumers). Without it, its inventories are refused."""

NAMES = (
    "all", "ungrouped", "localhost", "LOCALHOST", "127.1", "0", "setpoint_site", "C1", "..", "../../../token", "/etc/hostname", ".git", "$HOME",
    "~", "=cmd|'/C calc'!A0", "a;=1", "c[1:99999999]", "c[01:03]", "c1:22", "host_vars", "_meta", "plugin", "{{ lookup('env', 'TOKEN') }}",
)  # fmt: skip
"""What hosts and groups are called that are none."""

CODE = f"import os\nopen({CANARY!r}, 'w')\n"
FOLDER = {
    "hosts/main.yml": f"all:\n  vars: {{os: rhel 9.4}}\n  children:\n    compute:\n      hosts:\n        c1: {{model: PowerEdge R740, processor: '{GOLD}'}}\n        c2:\n",
    "hosts/more.ini": "[web]\nc3 model='PowerEdge R720'\n[web:vars]\nsockets=1\n[compute:children]\nweb\n",
    "hosts/last.toml": '[rack.hosts]\nc4 = {model = "PowerEdge R740"}\n',
    "hosts/group_vars/compute.yml": "sockets: 2\nnote: \"{{ lookup('pipe', 'touch " + CANARY + "') }}\"\n",
    "hosts/host_vars/c1.json": '{"interconnect": "infiniband"}',
}
"""An inventory of Ansible."""

CONFIGURATION = {
    "ansible.cfg": "[defaults]\nvars_plugins = plugins\ninventory_plugins = plugins\nvault_password_file = hosts.sh\n[inventory]\nenable_plugins = script, auto, yaml, ini\n",
    "plugins/ours.py": CODE,
    "plugins/yaml.py": CODE,
    "vars_plugins/ours.py": CODE,
}
"""What makes Ansible run code, wherever it lies in a checkout."""

PROGRAM = f"#!/bin/sh\ntouch {CANARY}\necho '{{}}'\n"


def once(random: Random, folder: Path) -> None:
    """Damage an inventory or a table of facts, and plan a policy with it, or check settings."""
    files: dict[str, bytes] = {"facts.toml": FACTS.encode()}
    if random.random() < DAMAGED_TABLES:
        files["facts.toml"] = spoil.data(random, FACTS.encode())
    form = random.choice(("csv", "json", "captures", "nested", "ansible", "ansible", "program"))
    if form == "csv":
        name = "hosts.csv"
        files[name] = spoil.data(random, TABLE.encode())
    elif form == "json":
        name = "hosts.json"
        files[name] = spoil.json_text(random, deepcopy(random.choice((ANSIBLE, FACTER, PUPPETDB))))
    elif form == "nested":
        name = "hosts.json"
        files[name] = json.dumps(_nested(random)).encode()
    elif form == "program":
        name = random.choice(("hosts.sh", "hosts.csv", "hosts.json", "hosts"))
        files[name] = (
            spoil.data(random, PROGRAM.encode()) if random.random() < DAMAGED_TABLES else PROGRAM.encode()
        )
    elif form == "ansible":
        name = random.choice(("hosts", "hosts", "hosts/main.yml", "hosts/more.ini", "hosts/last.toml"))
        files |= {path: _renamed(random, text) for path, text in (FOLDER | CONFIGURATION).items()}
    else:
        name = "hosts"
        files |= {path: spoil.json_text(random, deepcopy(data)) for path, data in CAPTURES.items()}
        files |= {path: spoil.data(random, text.encode()) for path, text in TEXTS.items()}
        files["hosts/c3.json"] = json.dumps(FACTER).encode()
    corpus.put(files | BESIDE, folder)
    (folder.parent / "token").write_text(f"{TOKEN}: x\n", encoding="ascii")
    for path in files:
        if random.random() < DAMAGED_TABLES:
            (folder / path).chmod(0o755)
    if random.random() < DAMAGED_TABLES:
        _linked(random, folder, sorted(files.keys() - {"facts.toml"}))
    verb = random.choice(VERBS)
    env = {
        "TOKEN": TOKEN,
        "LC_ALL": "C.UTF-8",
        "PATH": f".{os.pathsep}{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
    }
    policy = () if verb[0] == "check" else ("-e", POLICY)
    words = (verb[0], *policy, "--inventory", name, "--facts", "facts.toml", *verb[1:])
    ran = command(*words, folder=folder, **env)
    if TOKEN in ran.out + ran.err:
        raise DefectError(f"printed the token: {ran}")
    if (folder / CANARY).exists():
        raise DefectError(f"ran what the inventory brings: {ran}")
    left_out = folder / "out/left-out.csv"
    if left_out.exists() and (found := _formulas(left_out.read_text(encoding="utf-8"))):
        raise DefectError(f"wrote formulas: {found}")


def _formulas(table: str) -> list[str]:
    """The cells of a table that a spreadsheet takes for formulas, wherever it divides lines."""
    rows = (row for delimiter in ",;\t" for row in csv.reader(table.splitlines(), delimiter=delimiter))
    return [cell for row in rows for cell in row if cell.strip().startswith(("=", "+", "-", "@"))]


def _nested(random: Random) -> dict[str, object]:
    """Groups within groups, in a chain, a circle or without order, with hosts called like anything."""
    number = random.choice((3, 50, 3_000))
    groups = [f"g{each}" for each in range(number)]
    following = {group: [groups[each + 1]] for each, group in enumerate(groups[:-1])}
    for _ in range(random.choice((0, 1, 20))):
        following.setdefault(random.choice(groups), []).append(random.choice((*groups, *NAMES)))
    hosts = {
        random.choice(groups): [random.choice(("c1", "c2", *NAMES, spoil.odd(random)))] for _ in range(20)
    }
    data = {group: {"children": following.get(group, []), "hosts": hosts.get(group, [])} for group in groups}
    return {"_meta": {"hostvars": {}}, **data}


def _renamed(random: Random, text: str) -> bytes:
    """A text in which a host is called like something else, or which is damaged otherwise."""
    for _ in range(random.choice((0, 0, 1, 2))):
        text = text.replace(random.choice(("c1", "c2", "c3", "compute", "web")), random.choice(NAMES))
    return spoil.data(random, text.encode()) if random.random() < DAMAGED_TABLES else text.encode()


def _linked(random: Random, folder: Path, files: list[str]) -> None:
    """Put a link that leads elsewhere in the place of a file, or of the folder that it is in."""
    path = folder / random.choice(files)
    path = path if path.parent == folder or random.random() < 0.5 else path.parent
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    path.symlink_to(
        random.choice(
            (folder / "../../../token", folder / "..", "/proc/self/environ", "/proc/self", path.name, ".")
        )
    )
