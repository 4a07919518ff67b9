"""The variables and built-in functions of tuned profiles, as far as a file alone decides them.

A variable is `${name}`, a function `${f:NAME:ARGUMENT:…}`. What depends on the server (its CPUs, a command's output)
stays as it is written, so that nothing is said about it. The functions are those of tuned/profiles/functions in TuneD
2.28.0-rc.1.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

VARIABLE = "$"
"""What begins a variable or a function."""

NAME = re.compile(r"\w+")
REFERENCE = re.compile(r"(?<!\\)\$\{(\w+)\}")
FUNCTION = re.compile(r"\$\{f:(\w+)((?::[^${}]*)?)\}")
"""A function without another one in its arguments."""
BY_MACHINE = re.compile(r"\$\{f:virt_check:([^:${}]*):([^:${}]*)\}")
"""The function with one result in a virtual machine, and another one elsewhere."""
COLON = re.compile(r"(?<!\\):")

MOST_CPUS = 4_096
"""The highest number of a CPU that a list has here; Linux has at most twice as many."""

MOST_TEXT = 10_000
"""How long a text may become; one that is longer stays as it is."""

QUANTIFIERS = re.compile(r"[*+{?|(]")
"""What makes an expression slow if it is there more than once."""


def values_of(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The values of variables, each of which can have those before it."""
    values: dict[str, str] = {}
    for name, text in pairs:
        if NAME.fullmatch(name) and name != "include":
            values[name] = expanded(text, values)
    return values


def expanded(text: str, values: Mapping[str, str]) -> str:
    """A text with its variables and functions replaced, where they are known."""
    if VARIABLE not in text:
        return text
    if len(text) + sum(len(values.get(name, "")) for name in REFERENCE.findall(text)) > MOST_TEXT:
        return text
    text = REFERENCE.sub(lambda reference: values.get(reference[1], reference[0]), text)
    while True:
        replaced = FUNCTION.sub(_result, text)
        if replaced == text:
            return text
        text = replaced


def for_machine(text: str, is_guest: bool) -> str:
    """A text on a virtual machine, or on one that is none."""
    return BY_MACHINE.sub(lambda match: match[1] if is_guest else match[2], text)


def _result(match: re.Match[str]) -> str:
    """What a function returns; itself if that depends on the server."""
    name, arguments = match[1], [part.replace(r"\:", ":") for part in COLON.split(match[2])[1:]]
    result: str | None = None
    if name in FUNCTIONS:
        result = FUNCTIONS[name](arguments)
    elif name in OF_CPUS and (cpus := _cpus(arguments)) is not None:
        result = OF_CPUS[name](cpus)
    elif name in OF_NUMBERS and re.fullmatch(r"\d{1,15}", ":".join(arguments)):
        result = str(OF_NUMBERS[name](int(":".join(arguments))))
    return match[0] if result is None else result


def _cpus(arguments: Sequence[str]) -> list[int] | None:
    """The CPUs of a list such as `0-3,^2` or `0xf`, in order; None if it is no list."""
    kept: set[int] = set()
    without: set[int] = set()
    for part in (part.strip("'\" ") for part in ",".join(arguments).split(",")):
        if not part:
            continue
        if re.fullmatch(r"0[xX][0-9a-fA-F]{1,1024}", part):
            kept |= _of_mask(int(part, 16))
            continue
        match = re.fullmatch(r"([\^!]?)(\d{1,5})(?:-(\d{1,5}))?", part)
        if match is None or int(match[3] or match[2]) > MOST_CPUS:
            return None
        (without if match[1] else kept).update(range(int(match[2]), int(match[3] or match[2]) + 1))
    return sorted(kept - without)


def _of_mask(mask: int) -> set[int]:
    return {cpu for cpu in range(mask.bit_length()) if mask >> cpu & 1}


def _packed(cpus: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for cpu in cpus:
        if runs and runs[-1][-1] == cpu - 1:
            runs[-1].append(cpu)
        else:
            runs.append([cpu])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _mask(cpus: Sequence[int]) -> str:
    digits = f"{sum(1 << cpu for cpu in cpus):x}"
    digits = digits.zfill(-(-len(digits) // 8) * 8)
    return ",".join(digits[start : start + 8] for start in range(0, len(digits), 8))


def _from_mask(arguments: Sequence[str]) -> str | None:
    digits = "".join(arguments).replace(",", "")
    match = re.fullmatch(r"(?:0x)?([0-9a-fA-F]{1,1024})", digits)
    return ",".join(map(str, sorted(_of_mask(int(match[1], 16))))) if match else None


def _ternary(arguments: Sequence[str]) -> str | None:
    """The third or the fourth argument, if the expression is one that no text makes slow."""
    if len(arguments) != 4 or VARIABLE in arguments[0] or len(QUANTIFIERS.findall(arguments[1])) > 1:
        return None
    try:
        return arguments[2] if re.search(arguments[1], arguments[0]) else arguments[3]
    except re.error:
        return None


OF_CPUS: dict[str, Callable[[Sequence[int]], str]] = {
    "cpulist_unpack": lambda cpus: ",".join(map(str, cpus)),
    "cpulist_pack": _packed,
    "cpulist2hex": _mask,
    "cpulist2devs": lambda cpus: ",".join(f"cpu{cpu}" for cpu in cpus),
}
OF_NUMBERS: dict[str, Callable[[int], int]] = {
    "kb2s": lambda size: size * 2,
    "s2kb": lambda size: round(size / 2),
}
FUNCTIONS: dict[str, Callable[[Sequence[str]], str | None]] = {
    "hex2cpulist": _from_mask,
    "regex_search_ternary": _ternary,
    "strip": lambda arguments: "".join(arguments).strip(),
    "log": "".join,
}
"""The functions that need nothing but their arguments: a list of CPUs, a number, or any texts."""
