"""The boot line of the next start, from what a capture has of the boot loader.

grubby says it itself. Without grubby or the rights that it needs, the default entry is looked up as GRUB does: the
variables of its environment block name it, and entries are files of the Boot Loader Specification
(uapi-group.org/specifications/specs/boot_loader_specification, type 1) or menu entries of `grub.cfg` (GNU GRUB manual
2.12, 13.1 "grub.cfg" and 15.2 "default"). Where the default is not stated there, or is an entry of a submenu, nothing
is guessed.
"""

import re

from setpoint.compiler.captures.model import Readings

GRUBBY = "run grubby --info=DEFAULT"
ENVIRONMENTS = ("/boot/grub2/grubenv", "/boot/grub/grubenv")
MENUS = ("/boot/grub2/grub.cfg", "/boot/grub/grub.cfg")
ENTRIES = "/boot/loader/entries/*.conf"

NEXT, SAVED = "next_entry", "saved_entry"
"""Variables of GRUB's environment block: the entry of the next start alone, and the default."""

DEFAULT = re.compile(r"^[^\S\n]*set default=\"?([^\"\n]*?)\"?[^\S\n]*$", re.MULTILINE)
ENTRY = re.compile(r"^menuentry\s+(?P<quote>['\"])(?P<title>.*?)(?P=quote)(?P<rest>.*)$", re.MULTILINE)
ID = re.compile(r"\$menuentry_id_option\s+['\"]([^'\"]+)['\"]")
KERNEL = re.compile(r"^[^\S\n]+linux(?:16|efi)?[^\S\n]+\S+[ \t]*(.*)$", re.MULTILINE)
VARIABLE = re.compile(r"\$\{?(\w+)\}?")


def next_boot_line(readings: Readings) -> str | None:
    """The arguments that the kernel gets at the next start; None if the capture does not tell."""
    environment = _environment(readings)
    line = _of_grubby(readings.text(GRUBBY) or "")
    if line is None:
        line = _of_entries(readings, environment)
    if line is None:
        line = _of_menu(next(filter(None, map(readings.text, MENUS)), ""), environment)
    if line is None:
        return None
    return " ".join(VARIABLE.sub(lambda match: environment.get(match[1], ""), line).split())


def _environment(readings: Readings) -> dict[str, str]:
    """The variables of GRUB's environment block, which is filled up with `#`."""
    text = next(filter(None, map(readings.text, ENVIRONMENTS)), "")
    pairs = (line.partition("=") for line in text.splitlines() if not line.startswith("#"))
    return {name: value for name, sign, value in pairs if sign}


def _of_grubby(text: str) -> str | None:
    """The arguments of the entry that `grubby --info=DEFAULT` prints, with the root that it prints apart."""
    fields = dict(re.findall(r"^(args|root)=\"(.*)\"$", text, re.MULTILINE))
    if "args" not in fields:
        return None
    return f"root={fields['root']} {fields['args']}" if fields.get("root") else str(fields["args"])


def _of_entries(readings: Readings, environment: dict[str, str]) -> str | None:
    """The options of the entry that the environment names, or of the only one."""
    texts = {
        name: reading.text for reading in readings.read.get(ENTRIES, ()) for name in reading.where.split()
    }
    named = environment.get(NEXT) or environment.get(SAVED) or ""
    entry = texts.get(named) or (next(iter(texts.values())) if len(texts) == 1 and not named else "")
    return " ".join(re.findall(r"^options[ \t]+(.*)$", entry, re.MULTILINE)) or None


def _of_menu(text: str, environment: dict[str, str]) -> str | None:
    """The arguments of the default entry of a `grub.cfg`: by number, title or identifier, in the topmost menu."""
    stated = [default for default in DEFAULT.findall(text) if NEXT not in default]
    default = environment.get(NEXT) or (stated[-1] if stated else "")
    if SAVED in default:
        default = environment.get(SAVED, "")
    # Entries of submenus are indented, and so are not among these.
    entries = list(ENTRY.finditer(text))
    for number, entry in enumerate(entries):
        if default in (str(number), entry["title"], *ID.findall(entry["rest"])):
            following = text[entry.end() :].partition("\n}")[0]
            kernel = KERNEL.search(following)
            return kernel[1] if kernel else None
    return None
