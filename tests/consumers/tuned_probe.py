"""Load a tuned profile with the tuned of this system, and say what it made of it: run as a program, by its Python.

    /usr/bin/python3 tuned_probe.py FOLDER PROFILE

FOLDER holds profile folders, as /etc/tuned does. A JSON object goes to standard output. This file alone runs outside of
the project's environment, since tuned is a module of the distribution's Python and of no other.
"""

from __future__ import annotations

import configparser
import importlib
import inspect
import json
import os
import sys
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


def main() -> None:
    """Print the answer, or the reason why tuned would not load the profile."""
    try:
        answer = load(*sys.argv[1:])
    except importlib.import_module("tuned.profiles.exceptions").InvalidProfileException as error:
        answer = {"error": " ".join(str(part) for part in error.args)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
