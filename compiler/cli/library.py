"""A library that the command line names in place of the installed one.

Nothing declares which compilers can read a library: its statements are read, and either all of them have a meaning here
or it is refused as a whole, with the first reasons. So an older or a newer library works as far as the language goes
back and forth.
"""

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.library import library_at, library_in
from setpoint.compiler.knowledge.load import standard

MOST_REASONS = 3
"""How many reasons are shown."""


def library_named(folder: str) -> str:
    """The folder of a library that can be read here; "" for the installed one. Raises SetpointError (E0618)."""
    if not folder:
        return ""
    library = library_in(folder)
    if not library:
        help_ = "name the folder `stdlib` of Setpoint, a checkout, or the folder of an installation"
        raise _unreadable(f"there is no library in `{folder}`", (), help_, folder)
    try:
        with library_at(library):
            standard()
    except SetpointError as error:
        notes = [f"{d.at.file}:{d.at.line}: {d.message}" for d in error.diagnostics][:MOST_REASONS]
        help_ = "compile with the Setpoint of that library, and compare with the bundle"
        raise _unreadable(
            f"this Setpoint cannot read the library in `{folder}`", tuple(notes), help_
        ) from None
    return library


def _unreadable(message: str, notes: tuple[str, ...], help_: str, subject: str = "") -> SetpointError:
    return SetpointError.of("E0618", message, notes=notes, help=(help_,), subject=subject)
