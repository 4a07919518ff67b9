"""Reads inventories of hosts, and tables of facts."""

import json
from copy import deepcopy
from pathlib import Path
from random import Random

from fuzz import corpus, spoil
from fuzz.property import command

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

VERBS = (("fleet", "-o", "out"), ("plan", "--host", "c1"), ("plan", "--host", "c2", "--format", "json"))


def once(random: Random, folder: Path) -> None:
    """Damage an inventory or a table of facts, and plan a policy with it."""
    files: dict[str, bytes] = {"facts.toml": FACTS.encode()}
    if random.random() < DAMAGED_TABLES:
        files["facts.toml"] = spoil.data(random, FACTS.encode())
    form = random.choice(("csv", "json", "captures"))
    if form == "csv":
        name = "hosts.csv"
        files[name] = spoil.data(random, TABLE.encode())
    elif form == "json":
        name = "hosts.json"
        files[name] = spoil.json_text(random, deepcopy(random.choice((ANSIBLE, FACTER, PUPPETDB))))
    else:
        name = "hosts"
        files |= {path: spoil.json_text(random, deepcopy(data)) for path, data in CAPTURES.items()}
        files |= {path: spoil.data(random, text.encode()) for path, text in TEXTS.items()}
        files["hosts/c3.json"] = json.dumps(FACTER).encode()
    corpus.put(files, folder)
    verb = random.choice(VERBS)
    command(verb[0], "-e", POLICY, "--inventory", name, "--facts", "facts.toml", *verb[1:], folder=folder)
