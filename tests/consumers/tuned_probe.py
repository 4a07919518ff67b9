"""Load tuned profiles with the tuned of this system, and say what it made of each: run as a program, by its Python.

    /usr/bin/python3 tuned_probe.py

Each line of standard input is a JSON list of a folder, which holds profile folders as /etc/tuned does, and the name of
a profile. The answer is a line of JSON. tuned is loaded once, and each profile in a process of its own that is forked
from this one. This file alone runs outside of the project's environment, since tuned is a module of the distribution's
Python and of no other.
"""

from __future__ import annotations

import configparser
import importlib
import inspect
import json
import os
import pkgutil
import sys
import traceback
from typing import Any

SHIPPED = ("/usr/lib/tuned", "/usr/lib/tuned/profiles")
"""Where tuned's own profiles lie; the second from 2.23 on."""


def load(folder: str, name: str) -> dict[str, Any]:
    """The profile `name` merged with what it includes; what tuned's plugins know; keys that are there twice."""
    profiles = importlib.import_module("tuned.profiles")
    variables = profiles.variables.Variables()
    locator = profiles.Locator([*filter(os.path.isdir, SHIPPED), folder])
    loader = profiles.Loader(locator, profiles.Factory(), profiles.Merger(), None, variables)
    profile = loader.load(name)
    units = {
        unit.name: {
            "type": unit.type,
            "enabled": unit.enabled,
            "options": {key: variables.expand(value) for key, value in unit.options.items()},
        }
        for unit in profile.units.values()
    }
    return {
        "main": dict(profile.options),
        "units": units,
        "plugins": {kind: plugin(kind) for kind in sorted({unit["type"] for unit in units.values()})},
        "twice": twice(os.path.join(folder, name, "tuned.conf")),
        "version": importlib.import_module("tuned.version").TUNED_VERSION_STR,
    }


def plugin(kind: str) -> dict[str, Any] | None:
    """The options that the plugin `kind` knows, and whether it takes any other; None where there is no such plugin."""
    plugins = importlib.import_module("tuned.plugins")
    base = importlib.import_module("tuned.utils.plugin_loader").PluginLoader
    # The repository's own constructor wants a running daemon; its base's, which loads classes, does not.
    repository = plugins.Repository.__new__(plugins.Repository)
    base.__init__(repository)
    try:
        found = repository.load_plugin(kind)
    except ImportError:
        return None
    takes_any = "_has_dynamic_options = True" in inspect.getsource(found)
    return {"options": sorted(found._get_config_options()), "takes_any": takes_any}


def twice(path: str) -> str | None:
    """The first section or key that is in the file twice: tuned takes the last without a word."""
    strict = configparser.ConfigParser(delimiters=("=",), inline_comment_prefixes=("#",), strict=True)
    strict.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        with open(path, encoding="utf-8") as file:
            strict.read_file(file)
    except (configparser.DuplicateOptionError, configparser.DuplicateSectionError) as error:
        return str(error).rsplit(": ", 1)[-1]
    return None


def answer(folder: str, name: str) -> dict[str, Any]:
    """What `load` says, or the reason why tuned would not load the profile."""
    try:
        return load(folder, name)
    except importlib.import_module("tuned.profiles.exceptions").InvalidProfileException as error:
        return {"error": " ".join(str(part) for part in error.args)}


def main() -> None:
    """Answer until standard input ends."""
    plugins = importlib.import_module("tuned.plugins")
    for module in pkgutil.iter_modules(plugins.__path__):
        if module.name.startswith("plugin_"):
            plugin(module.name.removeprefix("plugin_"))
    for line in sys.stdin:
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            continue
        try:
            said = answer(*json.loads(line))
        except Exception:
            said = {"failure": traceback.format_exc()}
        sys.stdout.write(f"{json.dumps(said)}\n")
        sys.stdout.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
