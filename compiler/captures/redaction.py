"""Replace in captures what identifies servers, people and networks, or opens them: serial numbers, addresses, names,
keys.

What is found gets a pseudonym, the same wherever it occurs in the captures of a run, so that what belonged together
still does: a UUID joins a host and its controller as before, in either of the two orders of its bytes. Pseudonyms are
counted, so a run on the same captures has the same ones. Those of UUIDs depend on the first capture of the run, since
those of two runs must not be taken for the same server. What a text means to a kernel stays: numbers, words, versions,
models, names of devices.
"""

import hashlib
import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any

from setpoint.compiler.captures.model import Capture, Controller, Reading, Readings

SECRET, SERIAL, HOST, USER, ID = "secret", "serial", "host", "user", "id"
"""Kinds of what is replaced, which their pseudonyms begin with; others have the form of what they stand for."""

KINDS = (
    (SECRET, re.compile(r"passw|passphrase|secret|token|privatekey|credential|psk$|salt$")),
    (
        SERIAL,
        re.compile(r"serialnum|productserial|servicetag|servicecode|assettag|^sku$|_serial$|_asset_tag$"),
    ),
    (HOST, re.compile(r"hostname|servername|fqdn|systemname|domainname|dnsname|^domain$")),
    (
        USER,
        re.compile(
            r"username|adminname|contact|phone|email|^owner$|postaladdress|street|building|^room$|rack$"
        ),
    ),
    (ID, re.compile(r"^wwn|wwpn|wwnn|worldwide|guid$|durablename|initiatorname|targetname|uniqueid")),
)
"""Kinds by the name of a field in small letters without separators, or by that of a file."""

COMMON = re.compile(
    r"\W*|0+|none|unknown|unspecified|not .*|n/?a|default( string)?|to be filled .*|enabled?|disabled?|auto|yes|no|on|off|true|false|"
    r"(un)?locked|null|set|unset|root|localhost(\.localdomain)?|admin(istrator)?",
    re.IGNORECASE,
)
"""Texts that identify nobody, whatever their field is called."""

FIELDS = r"Serial Number|Asset Tag|Service Tag|Chassis Serial|Board Serial|Node Name|Machine ID|Boot ID"
"""Names of fields in the texts of programs whose values are serial numbers."""

WORDS = r"password|passwd|passphrase|pass|pw|secret|token|apikey|key|psk|credentials?|auth|cookie"
"""Parts of names whose values open something."""

DOMAINS = (
    r"(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|mil|int|info|biz|cloud|local|lan|internal|intranet|corp|home|test|example|invalid|arpa)|"
    r"(?:[a-z0-9-]+\.){2,}[a-z]{2}"
)
"""Names of hosts with their domains; those of countries have three parts, since programs have such ends, too."""

FORMS = {
    "pem": r"-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----",
    "hash": r"(?:grub\.pbkdf2\.|\$(?:1|2[aby]?|5|6|7|y|gy|apr1)\$)[^\s\"']+",
    "token": r"\b(?:eyJ[\w-]{10,}\.[\w-]+\.[\w-]*|AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{10,})",
    "assigned": rf"(?<![\w.-])(?:[\w-]+[._-])*(?:{WORDS})[ \t]*=[ \t]*(?:\"[^\"]*\"|'[^']*'|[^\s\"']+)",
    "menu": r"\b(?:password(?:_pbkdf2)?[ \t]+|superusers=\"?)[^\s\"]+",
    "field": rf"^[ \t]*(?:{FIELDS})[ \t]*:[ \t]*[^\n]+$",
    "interface": r"(?<![\w.])ip=[^\s:\[\]]*:[^\s\"]*",
    "url": r"\b[a-z][a-z0-9+.-]*://[^\s\"'<>]+",
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "name": r"\b(?:iqn|nqn)\.\d{4}-\d\d\.[^\s,\"']+",
    "wwn": r"(?<![a-z0-9])(?:wwn-|naa\.|eui\.)?0x[1235][0-9a-f]{15}(?![0-9a-f])|(?:naa\.|eui\.)[0-9a-f]{16,32}",
    "disk": r"(?<=/by-id/)[^\s\"',/]+|(?<=UUID=)[^\s\"',;]+|(?<=/by-uuid/)[^\s\"',/]+",
    "uuid": r"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])",
    "mac": r"(?<![0-9a-z.-])(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4,18}[0-9a-f]{2}(?![0-9a-f:])|(?<![a-z])enx[0-9a-f]{12}\b",
    "digest": r"(?<![0-9a-z])[0-9a-f]{32,}(?![0-9a-z])",
    "ipv6": r"(?<![0-9a-z:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![0-9a-z:])",
    "ipv4": r"(?<![0-9a-z.])(?:\d{1,3}\.){3}\d{1,3}(?![0-9a-z]|\.\d)",
    "account": r"(?<=/home/)[^/\s\"':,]+",
    "domain": rf"(?<![\w./-])(?:{DOMAINS})(?![\w-]|\.\w|\s*=)",
}
"""What is replaced wherever it occurs, the first form that fits a place."""

WITHOUT_NAMES = ("/proc/sys/", "/proc/cpuinfo", "/proc/meminfo", "/sys/", "/etc/os-release", "run uname")
"""Places of numbers and words, in which what looks like the name of a host is something else."""

LEAST_NAME = 4
"""The length from which on a name or a serial number is looked for everywhere: shorter ones are in many words."""

HOST_FIELD = 4
"""The field of `ip=` with the name of the host, behind four with addresses."""

WITH_TYPE = re.compile(r"[0-9a-fA-F]{2}(-[0-9a-fA-F]{2}){6}")
"""A MAC address behind the type of its network, as boot loaders pass it on."""

UUID = re.compile(rf"(?:{FORMS['uuid']})", re.IGNORECASE)
PATTERN = re.compile(
    "|".join(
        f"(?P<{name}>{form})".replace(r"\1", f"(?P={name}_)").replace("([:-])", f"(?P<{name}_>[:-])")
        for name, form in FORMS.items()
    ),
    re.IGNORECASE | re.MULTILINE,
)


class Redactor:
    """Redacts the captures of a run, with the same pseudonyms in all."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}
        self._counts: dict[str, int] = {}
        self._words: dict[str, str] = {}
        self._key = b""

    def redacted(self, capture: Capture) -> Capture:
        """The capture with pseudonyms. Its own name stays: it is that of its file."""
        self._key = self._key or hashlib.sha256(repr(capture).encode(errors="backslashreplace")).digest()
        self._words = {}
        self._learn_name(capture.name)
        self._learn(capture)
        return Capture(
            capture.name,
            self._of_host(capture.host) if capture.host else None,
            self._of_controller(capture.controller) if capture.controller else None,
        )

    # ------------------------------------------------------------------------------------- the parts

    def _of_host(self, host: Readings) -> Readings:
        read = {}
        for place, readings in host.read.items():
            if not place.startswith("msr "):
                readings = tuple(
                    Reading(self._of_place(place, reading.text), self._where(reading.where))
                    for reading in readings
                )
            read[place] = readings
        return Readings(read, dict(host.unread))

    def _of_place(self, place: str, text: str) -> str:
        file = place.rpartition("/")[2]
        kind = _kind_of(file) if place.startswith("/") else ""
        if kind and "*" not in file:
            return self._of_kind(kind, text)
        is_version = file.endswith("_version")
        return text if is_version else self._of_text(text, has_names=not place.startswith(WITHOUT_NAMES))

    def _where(self, where: str) -> str:
        return where if not where or re.fullmatch(r"[0-9,-]+", where) else self._of_text(where)

    def _of_controller(self, controller: Controller) -> Controller:
        return Controller(
            {self._of_text(path): self._of_data(data) for path, data in controller.read.items()},
            {self._of_text(path): why for path, why in controller.unread.items()},
        )

    def _of_data(self, data: Any, key: str = "") -> Any:
        if isinstance(data, dict):
            return {name: self._of_data(value, name) for name, value in data.items()}
        if isinstance(data, list):
            return [self._of_data(part, key) for part in data]
        if not isinstance(data, str):
            return data
        if "version" in key.lower():
            return data
        return self._of_kind(kind, data) if (kind := _kind_of(key)) else self._of_text(data)

    # ---------------------------------------------------------------------------- what is known of a capture

    def _learn(self, capture: Capture) -> None:
        """Note names and serial numbers, which can occur elsewhere in the capture as well."""
        for place, readings in capture.host.read.items() if capture.host else ():
            kind = _kind_of(place.rpartition("/")[2]) if place.startswith("/") else ""
            if kind in (SERIAL, HOST) and "*" not in place:
                self._learn_word(kind, readings[0].text.strip())
        for data in capture.controller.read.values() if capture.controller else ():
            self._learn_data(data)

    def _learn_data(self, data: Any, key: str = "") -> None:
        for name, value in data.items() if isinstance(data, dict) else ((key, part) for part in data):
            if isinstance(value, dict | list):
                self._learn_data(value, name)
            elif isinstance(value, str) and (kind := _kind_of(name)) in (SERIAL, HOST):
                self._learn_word(kind, value.strip())

    def _learn_word(self, kind: str, word: str) -> None:
        if kind == HOST:
            self._learn_name(word)
        elif len(word) >= LEAST_NAME and not COMMON.fullmatch(word):
            self._words[word.lower()] = self._of_kind(kind, word)

    def _learn_name(self, name: str) -> None:
        """Note the name of a host, with and without its domain."""
        first = name.partition(".")[0]
        for word in (name, first):
            if len(word) >= LEAST_NAME and not COMMON.fullmatch(word) and not _is_address(word):
                self._words[word.lower()] = self._domain(word)

    # -------------------------------------------------------------------------------------- texts

    def _of_kind(self, kind: str, text: str) -> str:
        """The pseudonym of a text that is of a kind as a whole; texts that identify nobody stay."""
        if COMMON.fullmatch(text.strip()):
            return text
        if UUID.fullmatch(text.strip()):
            return self._uuid(text.strip())
        return self._domain(text) if kind == HOST else self._pseudonym(kind, text.strip())

    def _of_text(self, text: str, has_names: bool = True) -> str:
        """A text with pseudonyms for what has one of the forms; those of some places have no names of hosts."""
        redacted = PATTERN.sub(self._of_match, text) if len(text) >= LEAST_NAME else text
        if not has_names or not self._words:
            return redacted
        words = "|".join(map(re.escape, sorted(self._words, key=lambda word: (-len(word), word))))
        pattern = re.compile(rf"(?<![a-z0-9])(?:{words})(?![a-z0-9])", re.IGNORECASE)
        return pattern.sub(lambda match: self._words[match[0].lower()], redacted)

    def _of_match(self, match: re.Match[str]) -> str:
        form, text = str(match.lastgroup), match[0]
        handled = getattr(self, f"_{form}", None)
        return (
            str(handled(text))
            if handled
            else self._pseudonym(ID if form in ("wwn", "name", "digest") else SECRET, text)
        )

    def _assigned(self, text: str) -> str:
        name, sign, value = text.partition("=")
        inner = value.strip().strip("\"'")
        return (
            text
            if COMMON.fullmatch(inner)
            else f"{name}{sign}{value.replace(inner, self._pseudonym(SECRET, inner))}"
        )

    def _menu(self, text: str) -> str:
        match = re.fullmatch(r"(.*?[ \t=\"])([^\s\"]+)", text)
        if match is None or COMMON.fullmatch(match[2]) or match[2].startswith("--"):
            return text
        return f"{match[1]}{self._pseudonym(USER, match[2])}"

    def _field(self, text: str) -> str:
        name, value = text.split(":", 1)
        inner = value.strip()
        return text if COMMON.fullmatch(inner) else f"{name}: {self._of_kind(SERIAL, inner)}"

    def _interface(self, text: str) -> str:
        """The addresses in `ip=CLIENT:SERVER:GATEWAY:MASK:HOST:…`, and the host's name."""
        bracketed = re.split(r":(?![^\[]*\])", text.removeprefix("ip="))
        parts = [PATTERN.sub(self._of_match, part) for part in bracketed]
        if len(parts) > HOST_FIELD and not COMMON.fullmatch(parts[HOST_FIELD]):
            parts[HOST_FIELD] = self._domain(bracketed[HOST_FIELD])
        return f"ip={':'.join(parts)}"

    def _url(self, text: str) -> str:
        scheme, _, rest = text.partition("://")
        place, slash, path = rest.partition("/")
        user, at, host = place.rpartition("@")
        shown = ":".join(
            self._pseudonym(kind, part)
            for kind, part in zip((USER, SECRET), user.split(":", 1), strict=False)
            if part
        )
        name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
        inner = PATTERN.sub(self._of_match, name)
        host = inner if inner != name or COMMON.fullmatch(name) else self._domain(name)
        return f"{scheme}://{shown}{at}{host}{colon}{port}{slash}{PATTERN.sub(self._of_match, path)}"

    def _email(self, text: str) -> str:
        return f"{self._pseudonym(USER, text)}@example.org"

    def _disk(self, text: str) -> str:
        return self._uuid(text) if UUID.fullmatch(text) else self._pseudonym(ID, text)

    def _account(self, text: str) -> str:
        return self._pseudonym(USER, text)

    def _domain(self, text: str) -> str:
        """The pseudonym of a name of a host: its domain has one of its own, which others share."""
        first, dot, rest = text.strip().lower().partition(".")
        if COMMON.fullmatch(text) or text.lower().endswith(".example"):
            return text
        return self._pseudonym(HOST, first) + (f".{self._pseudonym('domain', rest)}.example" if dot else "")

    def _mac(self, text: str) -> str:
        prefix = "enx" if text.lower().startswith("enx") else ""
        if WITH_TYPE.fullmatch(text):
            return f"{text[:3]}{self._mac(text[3:])}"
        digits = re.sub(r"[:-]", "", text.lower().removeprefix("enx"))
        if len(set(digits)) == 1:
            return text
        # Of a local administrator, so that it is no maker's.
        pseudonym = f"02{self._number('mac', digits):0{len(digits) - 2}x}"
        separator = "" if prefix else text[2]
        return prefix + separator.join(pseudonym[at : at + 2] for at in range(0, len(pseudonym), 2))

    def _uuid(self, text: str) -> str:
        """A pseudonym in the form of a UUID, with the other order of bytes for a UUID in the other order."""
        given = text.lower()
        if len(set(given) - {"-"}) == 1:
            return text
        first = min(given, _swapped(given))
        digits = hashlib.sha256(self._key + first.encode()).hexdigest()[:32]
        pseudonym = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        return pseudonym if first == given else _swapped(pseudonym)

    def _ipv4(self, text: str) -> str:
        if not _is_address(text) or text.startswith(("127.", "255.", "0.")):
            return text
        return str(IPv4Address("198.18.0.0") + self._number("ipv4", text))

    def _ipv6(self, text: str) -> str:
        try:
            address = IPv6Address(text)
        except AddressValueError:
            return text
        return (
            text if int(address) <= 1 else str(IPv6Address("2001:db8::") + self._number("ipv6", str(address)))
        )

    # -------------------------------------------------------------------------------------- pseudonyms

    def _pseudonym(self, kind: str, text: str) -> str:
        return f"{kind}-{self._number(kind, text)}"

    def _number(self, kind: str, text: str) -> int:
        number = self._known.get((kind, text))
        if number is None:
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            self._known[kind, text] = number
        return number


def _kind_of(name: str) -> str:
    """The kind of what a field or file of this name has; "" for none."""
    plain = name.lower() if "_" in name else re.sub(r"[^a-z0-9]", "", name.lower())
    return next((kind for kind, names in KINDS if names.search(plain)), "")


def _is_address(text: str) -> bool:
    try:
        return bool(IPv4Address(text))
    except AddressValueError:
        return False


def _swapped(uuid: str) -> str:
    """A UUID with the bytes of its first three parts in the other order, as firmware stores them."""
    first, second, third, *rest = uuid.split("-")
    return "-".join((*("".join(reversed(re.findall("..", part))) for part in (first, second, third)), *rest))
