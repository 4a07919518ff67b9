"""What a captured server shows of its settings, as files that an audit reads: its BIOS attributes, boot line, files of
sysctls and tuned profile.

They lie beneath the files that are audited. Of two that set one thing, the one that counts on the server comes first:
of sysctls that of the file that is read last, and sysctls before a profile, which applies those of the system again
after its own (tuned-main.conf, reapply_sysctl).
"""

import json
from collections.abc import Iterator

from setpoint.compiler.captures.model import Capture
from setpoint.compiler.captures.profiles import is_comment
from setpoint.compiler.captures.resources import managed_servers
from setpoint.compiler.diagnostics.source import SourceText, lines_of
from setpoint.compiler.entries.read import ARGUMENTS, BIOS, SYSCTL, TUNED
from setpoint.compiler.fitting.server import scalars
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.blame import (
    ACTIVE_PROFILE,
    SITE_SYSCTL_FOLDERS,
    captured_texts,
    profile_file,
    sysctl_files,
)
from setpoint.compiler.verification.host import BOOT_LINE, Host


class CapturedFile(NamedTuple):
    """A text of a captured server, named by the server and the place, and what it is: one of `read.FORMS`."""

    source: SourceText
    form: str


def captured_files(capture: Capture) -> tuple[CapturedFile, ...]:
    """The texts of a server that set something; () if it shows none."""
    host = Host(capture.host) if capture.host else None
    texts = [*_attributes(capture), *(_of_host(host) if host else ())]
    return tuple(
        CapturedFile(SourceText(f"{capture.name}:{place}", text), form)
        for place, text, form in texts
        if any(line.strip() and not is_comment(line) for line in lines_of(text))
    )


def _attributes(capture: Capture) -> Iterator[tuple[str, str, str]]:
    """The current attributes that are texts, numbers or truth values, as the controller names them."""
    for server in managed_servers(capture.controller)[:1] if capture.controller else ():
        plain = {name: value for name, value in scalars(server.bios.get("Attributes")).items() if value != ""}
        if plain:
            yield str(server.bios.get("@odata.id") or "Bios")[:80], json.dumps(plain, indent=1), BIOS


def _of_host(host: Host) -> Iterator[tuple[str, str, str]]:
    yield BOOT_LINE, host.text(BOOT_LINE) or "", ARGUMENTS
    texts = captured_texts(host)
    for place in reversed(sysctl_files(texts, SITE_SYSCTL_FOLDERS)):
        yield place, texts.get(place, ""), SYSCTL
    for profile in (host.text(ACTIVE_PROFILE) or "").split():
        place = profile_file(texts, profile)
        # The files of profiles that tuned ships are not captured; what these set is known.
        yield (
            (place, texts[place], TUNED) if place else (ACTIVE_PROFILE, f"[main]\ninclude={profile}\n", TUNED)
        )
