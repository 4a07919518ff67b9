"""Where an inventory has a host: for findings about hosts, which people and code scanners look up there.

The readers of inventories keep no lines, since Ansible and the forms of JSON have none. So the name is searched for in
the text. A host that is not named there, as one of a range, is placed at the beginning. Lines of an inventory are never
shown, since they can have passwords.
"""

import os
import re
from collections.abc import Iterator

from setpoint.compiler.diagnostics.source import NOWHERE, Span, lines_of, place_of
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.inventory.files import limit_of

MOST_FILES = 1_000
"""How many files of a folder are searched."""


class HostPlaces:
    """Finds hosts in the files of an inventory, which are read when the first one is looked for."""

    def __init__(self, inventory: str) -> None:
        self._inventory = inventory
        self._texts: dict[str, str] | None = None

    def of_line(self, line: int, host: str) -> Span:
        """The place of a line, if the inventory is a file and the line is known, else that of the host."""
        if not line or os.path.isdir(self._inventory):
            return self.of_host(host)
        lines = lines_of(self._read().get(self._inventory, ""))
        end = len(lines[line - 1]) + 1 if line <= len(lines) else 1
        return Span(self._inventory, line, 1, line, max(2, end))

    def of_host(self, host: str) -> Span:
        """The place of the name of a host, or of a file that is named after it."""
        texts = self._read()
        name = re.compile(rf"(?<![\w.-]){re.escape(host)}(?![\w-])(?!\.\w)") if host else re.compile(r"\Z")
        for path, text in texts.items():
            if match := host and name.search(text):
                line, column = place_of(text, match.start())
                return Span(path, line, column, line, column + len(host))
        named = [path for path in texts if host and name.search(os.path.relpath(path, self._inventory))]
        for path in (*named, *texts):
            return Span(path, 1, 1, 1, 2)
        return NOWHERE

    def _read(self) -> dict[str, str]:
        """The texts of the files of the inventory, by their names; what is no text, or cannot be read, is left out."""
        if self._texts is None:
            self._texts = {}
            for path in self._files():
                try:
                    self._texts[path] = read_text(path, limit_of(os.path.dirname(path)))
                except (OSError, ValueError):
                    continue
        return self._texts

    def _files(self) -> Iterator[str]:
        if not os.path.isdir(self._inventory):
            yield self._inventory
            return
        number = 0
        for folder, folders, files in os.walk(self._inventory):
            folders[:] = sorted(subfolder for subfolder in folders if not subfolder.startswith("."))
            for name in sorted(file for file in files if not file.startswith(".")):
                number += 1
                if number > MOST_FILES:
                    return
                yield os.path.join(folder, name)
