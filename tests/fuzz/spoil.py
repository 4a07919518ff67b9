"""Ways to damage the input of a reader: bytes, texts of the language, JSON. All use one seeded random source."""

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[A-Za-z0-9_.+-]+|\s+|.', re.DOTALL)
"""What the language is made of, as far as it takes to cut it where something begins."""

ODD = [
    "", " ", "\t", "\n", "\r", "\r\n", "\0", "\x1b[31m", "\x7f", "\x85", "\u00a0", "\u00ad", "\u0130", "\u200b", "\u2028", "\u202e",
    "\ufeff", "\ufffe", "\U000e0001", "²", "٣", "é", "\ud800", "\udcff", "“", "`", "'", '"', "\\", "#", "{", "}", ";", ",", "-", "--",
    "..", "...", "/", "~", "*", "%", "$", "@", ":", "=", "|", "&", "<", ">", "0", "-1", "1e999", "NaN", "9" * 5_000, "0x10", "1.2.3",
    "2027-02-30", "0000-00-00", "9999-12-31", "none", "null", "x" * 2_000, "a-" * 500, "1." * 500, "{" * 500, "[" * 500, "not",
]  # fmt: skip
"""Pieces that something somewhere may not expect."""


def word(random: Random) -> str:
    """An odd word for a command line, as the system passes it."""
    return odd(random).replace("\0", "").encode(errors="surrogatepass").decode(errors="surrogateescape")


def pick(random: Random, *ways: tuple[int, str]) -> str:
    """One of some ways, each as often as its weight says."""
    return random.choices([way for _, way in ways], [weight for weight, _ in ways])[0]


def odd(random: Random) -> str:
    """An odd piece of text; any character now and then."""
    return random.choice(ODD) if random.random() < 0.9 else chr(random.randrange(0x110000))


def data(random: Random, content: bytes) -> bytes:
    """Some bytes changed, dropped, inserted, or repeated."""
    spoilt = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 5, 20))):
        at = random.randrange(len(spoilt) + 1)
        length = random.choice((1, 1, 4, 64, 1024))
        match random.randrange(5):
            case 0 if spoilt:
                spoilt[at % len(spoilt)] ^= 1 << random.randrange(8)
            case 1:
                del spoilt[at : at + length]
            case 2:
                spoilt[at:at] = random.randbytes(length)
            case 3:
                spoilt[at:at] = spoilt[max(0, at - length) : at]
            case _:
                spoilt[at : at + length] = odd(random).encode(errors="surrogatepass")
    return bytes(spoilt)


def text(random: Random, source: str, words: Sequence[str], other: str = "") -> str:
    """Some tokens of a text dropped, moved, repeated, or replaced by other words."""
    tokens = TOKEN.findall(source)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        at = random.randrange(len(tokens) + 1)
        length = random.choice((1, 1, 2, 5, 20))
        match pick(
            random,
            (4, "word"),
            (2, "drop"),
            (2, "move"),
            (1, "repeat"),
            (1, "odd"),
            (1, "splice"),
            (1, "cut"),
        ):
            case "word":
                tokens[at : at + random.randrange(2)] = [random.choice(words)]
            case "drop":
                del tokens[at : at + length]
            case "move":
                moved = tokens[at : at + length]
                del tokens[at : at + length]
                to = random.randrange(len(tokens) + 1)
                tokens[to:to] = [" ", *moved, " "]
            case "repeat":
                tokens[at:at] = tokens[max(0, at - length) : at] * random.choice((1, 2, 40))
            case "odd":
                tokens[at : at + random.randrange(2)] = [odd(random)]
            case "splice" if other:
                others = TOKEN.findall(other)
                start = random.randrange(len(others))
                tokens[at:at] = [" ", *others[start : start + random.choice((2, 10, 60))], " "]
            case _:
                if random.random() < 0.2:
                    del tokens[at:]
    return "".join(tokens)


def value(random: Random, whole: Any) -> Any:
    """JSON with some part replaced by another kind, removed, repeated, or nested more deeply."""
    path: list[tuple[Any, Any]] = []
    here = whole
    while isinstance(here, dict | list) and here and (not path or random.random() < 0.8):
        key = random.choice(list(here)) if isinstance(here, dict) else random.randrange(len(here))
        path.append((here, key))
        here = here[key]
    if not path:
        return leaf(random)
    holder, key = path[-1]
    match pick(random, (4, "leaf"), (2, "drop"), (1, "deep"), (1, "other"), (1, "more"), (1, "text")):
        case "leaf":
            holder[key] = leaf(random)
        case "drop":
            del holder[key]
        case "deep":
            holder[key] = nested(random, holder[key])
        case "other":
            holder[key] = random.choice(path)[0] if random.random() < 0.5 else json.loads(json.dumps(whole))
            return json.loads(_without_circles(whole))
        case "more" if isinstance(holder, list):
            holder[key:key] = [holder[key]] * random.choice((1, 3, 300))
        case "more":
            holder[odd(random)] = leaf(random)
        case _:
            holder[key] = f"{holder[key]}{odd(random)}"
    return whole


def _without_circles(whole: Any) -> str:
    try:
        return json.dumps(whole)
    except (ValueError, RecursionError):
        return "[]"


def leaf(random: Random) -> Any:
    """Something small of any kind."""
    return random.choice(
        (
            None,
            True,
            False,
            0,
            1,
            -1,
            1.0,
            1e300,
            10**30,
            "",
            [],
            {},
            [[]],
            {"": None},
            odd(random),
            [odd(random)],
            {odd(random): 0},
        )
    )


def nested(random: Random, inner: Any) -> Any:
    """Something within lists or objects, perhaps deeper than Python can call."""
    for _ in range(random.choice((1, 5, 90, 200))):
        inner = [inner] if random.random() < 0.5 else {"x": inner}
    return inner


def json_text(random: Random, whole: Any, times: int = 3) -> bytes:
    """JSON damaged as data, sometimes also as bytes, and sometimes nested too deeply for any reader."""
    for _ in range(random.randrange(times + 1)):
        whole = value(random, whole)
    try:
        content = json.dumps(whole, ensure_ascii=random.random() < 0.5).encode(errors="surrogatepass")
    except RecursionError:
        content = b"[" * 100_000
    chance = random.random()
    if chance < 0.05:
        return b'{"schema": "setpoint.plan/2", "x": ' + random.choice((b"[", b'{"x":')) * 50_000
    return data(random, content) if chance < 0.25 else content
