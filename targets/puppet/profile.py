"""A profile of tuned as data, so that Hiera can hold its options one by one."""

from setpoint.targets.puppet.model import Option, Section


def sections(text: str) -> tuple[Section, ...]:
    """The sections of a tuned.conf, each option with the comment that stands before it.

    A comment holds for all options up to the next one, which is how target tuned writes a setting that needs several.
    What stands before the first section is about the file, and left out.
    """
    found: list[tuple[str, list[Option]]] = []
    comment = ""
    for line in text.splitlines():
        if line.startswith("["):
            found.append((line.strip("[]"), []))
            comment = ""
        elif line.startswith("#"):
            comment = line.removeprefix("#").strip()
        elif found and "=" in line:
            name, value = line.split("=", 1)
            found[-1][1].append(Option(name=name, value=value, reason=comment))
    return tuple(Section(name=name, options=tuple(options)) for name, options in found)
