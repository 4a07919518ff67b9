"""A policy beside an inventory of servers of one model, which differ only in what matters to it: their groups and
operating systems."""

from collections.abc import Mapping
from pathlib import Path

GOLD = "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz"


def beside_hosts(folder: Path, policy: str, hosts: Mapping[str, str]) -> Path:
    """The folder, with the policy as `site.tune` and the inventory as `hosts.csv`: for each host its group and its
    system, `web,debian 12`."""
    (folder / "site.tune").write_text(policy, encoding="utf-8")
    lines = ["host,group,model,processor,sockets,os"]
    for name, group_and_system in hosts.items():
        group, system = group_and_system.split(",")
        lines.append(f"{name},{group},PowerEdge R740,{GOLD},2,{system}")
    (folder / "hosts.csv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder
