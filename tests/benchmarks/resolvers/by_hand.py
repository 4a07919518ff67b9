"""Plain Python: `python by_hand.py EXTRACT HOSTS` prints the settings of every host as JSON."""

import json
import sys
from pathlib import Path
from typing import Any


def holds(condition: dict[str, list[str]], state: dict[str, str]) -> bool:
    return all(state.get(name, "") in values for name, values in condition.items())


def decide(setting: dict[str, Any], state: dict[str, str]) -> str:
    possible: list[str] = setting["values"]
    for limit in setting["limits"]:
        if holds(limit["when"], state):
            possible = [value for value in possible if value in limit["allowed"]]
    default: str = setting["default"]
    for advice in setting["advice"]:
        value: str = advice["value"]
        if (
            value in possible
            and not (advice["weak"] and default in possible)
            and holds(advice["when"], state)
            and not any(holds(condition, state) for condition in advice["unless"])
        ):
            return value
    return default if default in possible else possible[0]


def resolve(extract: dict[str, Any], host: dict[str, dict[str, str]]) -> dict[str, str]:
    decided = dict(host["sets"])
    for names in extract["passes"]:
        state = host["facts"] | decided
        for name in names:
            if name not in decided:
                decided[name] = decide(extract["settings"][name], state)
    return decided


def main() -> None:
    extract = json.loads(Path(sys.argv[1]).read_text("utf-8"))["extract"]
    hosts = json.loads(Path(sys.argv[2]).read_text("utf-8"))["hosts"]
    json.dump({name: resolve(extract, host) for name, host in hosts.items()}, sys.stdout)


if __name__ == "__main__":
    main()
