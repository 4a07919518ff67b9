"""What is kept of a server: a file on the machine that this runs on. It has the values from before the plan, for an exact way back,
and what a run has staged until a restart is proven.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from setpoint.targets._client.server import Times, without
from setpoint.targets._client.wire import Document, StopError


@dataclass
class Journal:
    """What is kept of a server.

    Attributes:
        file: Where.
        plan: The name of the plan.
        changes: The end state of that plan.
        attributes: The values from before it, of what it changes.
        opened: What it writes only to be able to write the rest.
        early: What a run has staged that `Bios` showed at once, before any restart.
        back: How far an undo has brought them back: "" while none has, or not all of them, "staged", or "in effect".
        again: What of these an undo sets in a restart of its own, each with the values that let it be written.
        unseen: What a run has staged at a service that shows nowhere what is.
        times: When the server had last restarted when that was staged.
        bios: The version of its BIOS at that time.
    """

    file: Path
    plan: str = ""
    changes: Document = field(default_factory=dict)
    attributes: Document = field(default_factory=dict)
    back: str = ""
    opened: Document = field(default_factory=dict)
    early: Document = field(default_factory=dict)
    again: Document = field(default_factory=dict)
    unseen: Document = field(default_factory=dict)
    times: Times = field(default_factory=Times)
    bios: str = ""
    exists: bool = False

    @classmethod
    def of(cls, file: Path) -> Journal:
        """The journal in a file; an empty one where there is none."""
        journal = cls(file)
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return journal
        except (OSError, ValueError) as error:
            raise StopError(f"Nothing was changed: the journal {file} cannot be read: {error}") from None
        if not isinstance(kept, dict):
            raise StopError(f"Nothing was changed: {file} is no journal")
        for name in ("plan", "changes", "attributes", "back", "opened", "early", "again", "unseen", "bios"):
            if isinstance(kept.get(name), type(getattr(journal, name))):
                setattr(journal, name, kept[name])
        times = kept.get("times")
        if isinstance(times, dict):
            journal.times = Times(*(str(times.get(name, "")) for name in ("reset", "applied", "boot")))
        journal.exists = True
        return journal

    def of_server(self, folder: Path, uuid: str, dry: bool) -> Journal:
        """The journal of a server, however its controller was called.

        One that an earlier run has kept by that name alone is renamed unless the run is `dry`: left behind, it would be taken for that of the
        next server at the address.
        """
        journal = Journal.of(folder / f"{uuid}.json")
        if journal.exists or not self.exists:
            return journal
        if dry:
            return self
        self.file.replace(journal.file)
        return replace(self, file=journal.file)

    def keep(self) -> None:
        """Write it, so that it is whole whatever happens meanwhile."""
        kept = {**asdict(self), "file": None, "exists": None}
        text = json.dumps({name: value for name, value in kept.items() if value is not None}, indent=4)
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self.file.with_name(f"{self.file.name}.new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text + "\n")
            opened.flush()
            os.fsync(opened.fileno())
        new.replace(self.file)
        self.exists = True

    def note_back(self, state: str) -> None:
        """Note how far an undo has come, unless that is noted."""
        if self.exists and state not in ("", self.back):
            self.back = state
            self.keep()

    def note_unseen(self, asked: Document, before: Document, times: Times) -> str:
        """Note what was staged at a service that shows it nowhere, beside what was in effect before; what to say of that."""
        rest = {name: value for name, value in self.unseen.items() if name not in asked}
        self.unseen, self.times = {**rest, **without(asked, before)}, times
        self.keep()
        return "This service shows nowhere what it has staged: only a restart shows whether it has taken the values"

    def note_seen(self, shown: Document) -> None:
        """Forget what was staged unseen once a value of it is in effect: the server has restarted, and what differs now was not taken, or was
        changed since. A comparison notes that, too, where it can."""
        if self.unseen and len(without(self.unseen, shown)) < len(self.unseen):
            self.unseen = {}
            with suppress(OSError):
                self.keep()
