"""The part of the command line that the plan decides.

INVARIANT: every word is an argument and nothing else, so that no form needs quoting; no name is both added and removed,
nor added twice; the added words fit on the OS's command line.
"""

from collections.abc import Iterable
from typing import Annotated, Literal

from setpoint.targets._shared.forms import Form, KernelPath, Reason, matching
from setpoint.targets._shared.identity import Identification

ArgumentText = Annotated[str, matching(r"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(=[A-Za-z0-9_.,:+-]+)?$")]
"""`processor.max_cstate=1`, or a name alone."""

Content = Annotated[str, matching(r"^[A-Za-z0-9_.,:+-]+$")]


FormName = Literal["cmdline", "plan", "grub-legacy", "default-grub", "kargs-d"]
"""The names of the files for the command line, here and in other targets; `spelling.toml` has the files."""

WayName = Literal["grubby", "drop-in", "pbl", "bls", "rpm-ostree"]
"""How the program for hosts tells the boot loader."""


class ShownContent(Form):
    """What the running kernel shows in `file`: the text `content`, or anything else (`same` is False)."""

    file: KernelPath
    content: Content
    same: bool


class KernelArgument(Form):
    """An argument of one setting: required on the line (`wanted`), or to be removed from it."""

    setting: str
    argument: ArgumentText
    wanted: bool
    shows: tuple[ShownContent, ...] = ()
    reason: Reason

    @property
    def name(self) -> str:
        """The argument without its value."""
        return self.argument.partition("=")[0]


def excess(words: Iterable[KernelArgument], longest: int, most: int) -> str:
    """Why a command line cannot have the words, in a sentence; "" if it can.

    Args:
        words: The words of a plan, of which those that are wanted are on the line.
        longest: The bytes that the line takes.
        most: The unknown arguments that Linux takes.
    """
    added = [word.argument for word in words if word.wanted]
    size = len(" ".join(added))
    if size > longest:
        return f"the arguments of this plan are {size} bytes, and the command line takes {longest}"
    if len(added) > most:
        return f"this plan has {len(added)} arguments, and with more than {most} unknown ones Linux panics"
    return ""


class KernelArguments(Form):
    """All words of a plan, in the order of its decisions, and the files to put them in."""

    policy: str
    forms: tuple[FormName, ...]
    ways: tuple[WayName, ...] = ()
    words: tuple[KernelArgument, ...]
    longest: int
    most: int
    identification: Identification = Identification()
    menu: str

    @property
    def wanted(self) -> tuple[KernelArgument, ...]:
        """The arguments that the line must have."""
        return tuple(w for w in self.words if w.wanted)

    @property
    def gone(self) -> tuple[KernelArgument, ...]:
        """The arguments that it must not have."""
        return tuple(w for w in self.words if not w.wanted)

    @property
    def line(self) -> str:
        """The part of the command line that the plan adds."""
        return " ".join(w.argument for w in self.wanted)

    def check(self) -> None:
        """One word for each name, since grubby before BLS first adds and then removes by name; and not too many."""
        names = [w.name for w in self.words]
        if len(names) != len(set(names)):
            raise ValueError(f"an argument occurs twice:  {' '.join(names)}")
        if why := excess(self.words, self.longest, self.most):
            raise ValueError(why)
