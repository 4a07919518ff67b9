"""Neovim without a screen, driven by keys, as one who has copied the project's Vim package uses it."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pynvim

from consumers.requirement import require
from support.command import ROOT
from support.limits import PATIENCE

PACKAGE = ROOT / "docs/editors/vim"

Found = TypeVar("Found")


class Neovim:
    """A running Neovim that edits a file of a folder."""

    def __init__(self, folder: Path) -> None:
        place = folder / "pack/setpoint/start"
        place.mkdir(parents=True)
        (place / "setpoint").symlink_to(PACKAGE)
        options = ["-u", "NONE", "-i", "NONE", "-n", "--cmd", f"set packpath^={folder}"]
        options += ["--cmd", f"cd {folder}", "--cmd", "filetype plugin on"]
        self._nvim = pynvim.attach("child", argv=[str(require("nvim")), "--embed", "--headless", *options])

    @property
    def text(self) -> str:
        return "\n".join(self._nvim.current.buffer[:]) + "\n"

    def command(self, command: str) -> str:
        """Run a command; what it prints."""
        return str(self._nvim.command_output(command))

    def keys(self, keys: str) -> None:
        self._nvim.input(keys)

    def lua(self, code: str) -> Any:
        return self._nvim.exec_lua(code)

    def until(self, shown: Callable[[], Found]) -> Found:
        """Wait until something is true: Neovim speaks to the server while one types on."""
        end = time.monotonic() + PATIENCE
        while not (result := shown()):
            assert time.monotonic() < end, f"{self.text}\n{self.command('messages')}"
            time.sleep(0.02)
        return result

    def close(self) -> None:
        self._nvim.close()
