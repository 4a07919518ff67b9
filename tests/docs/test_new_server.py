"""The guide for a new server is true from its controller to the bundle: each command of that section is run, in its
order.

The controller is a service on this machine that answers reads of those who log in, under the name that the guide gives
it. `curl` finds it there by an option, and is the real one. First the controller has the guide's own server. Then it
has servers of three makers that the library does not have, with the registries of captured ones: the guide's commands
lead there as well, with the addresses, the names and an integer of these servers.
"""

from __future__ import annotations

import base64
import json
import re
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from consumers.redfish_service import certificate
from consumers.requirement import require
from registries import document
from support.command import ROOT
from support.console import Shell, steps
from support.fences import Fence, fences
from support.proven import library_memory

PAGE = ROOT / "docs/guides/registries.md"
HOST = "bmc.example.com"
USER, PASSWORD = "reader", "not-a-secret"
REGISTRIES = "/redfish/v1/Registries"
BY_HAND = "cat > "


@pytest.fixture(scope="module", autouse=True)
def proven() -> None:
    """The library is in the user's cache, as after a first check."""
    library_memory()


def section() -> list[Fence]:
    """The blocks of the section that adds a server."""
    text = PAGE.read_text(encoding="utf-8")
    first, last = "## Add a new server", "## Measure how much the library knows"
    return fences(text[text.index(first) : text.index(last)])


def by_hand() -> dict[str, Any]:
    """The resources that the guide writes by hand, by file."""
    found = {}
    for fence in section():
        for command, _ in steps(fence.text) if fence.info == ("console",) else ():
            if command.startswith(BY_HAND):
                head, *lines = command.splitlines()
                found[head.removeprefix(BY_HAND).partition(" ")[0]] = json.loads("\n".join(lines[:-1]))
    return found


# ------------------------------------------------------------------------------------------ the controller


class Controller(NamedTuple):
    """A controller's three resources, and where it has the system, the values and the registry."""

    system: Mapping[str, Any]
    bios: Mapping[str, Any]
    registry: Mapping[str, Any]
    at: str
    bios_at: str
    registry_at: str

    @property
    def settings_at(self) -> str:
        """Where it takes settings."""
        found: str = self.bios["@Redfish.Settings"]["SettingsObject"]["@odata.id"]
        return found

    @property
    def resources(self) -> dict[str, Any]:
        """What it answers, by address."""
        name = self.bios["AttributeRegistry"]
        return {
            "/redfish/v1/Systems": {"Members": [{"@odata.id": self.at}]},
            self.at: self.system,
            self.bios_at: self.bios,
            f"{REGISTRIES}/{name}": {"Location": [{"Language": "en", "Uri": self.registry_at}]},
            self.registry_at: self.registry,
        }


@contextmanager
def listening(controller: Controller, folder: Path) -> Iterator[str]:
    """The program `curl`, as a script, that finds the controller under the guide's name."""
    folder.mkdir()
    chain, key = certificate(folder, f"DNS:{HOST}")
    allowed = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    resources = controller.resources

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.headers["Authorization"] == allowed
            found = resources.get(self.path)
            self.send_response(401 if not known else 404 if found is None else 200)
            self.end_headers()
            if known and found is not None:
                self.wfile.write(json.dumps(found).encode())

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Nothing."""

    service = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    service.socket = context.wrap_socket(service.socket, server_side=True)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    try:
        there = f"{HOST}:443:127.0.0.1:{service.server_port}"
        yield f'#!/bin/sh\nexec {require("curl")} --fail --connect-to {there} --cacert {chain} "$@"\n'
    finally:
        service.shutdown()
        service.server_close()


def shell_of(folder: Path, curl: str) -> Shell:
    """A shell in a folder, of somebody who has an account on the controller."""
    folder.mkdir()
    shell = Shell(folder, {"curl": curl})
    netrc = folder.parent / f"{folder.name}-home" / ".netrc"
    netrc.write_text(f"machine {HOST} login {USER} password {PASSWORD}\n", encoding="utf-8")
    netrc.chmod(0o600)
    return shell


# ----------------------------------------------------------------------------------------- the guide's own


def test_the_guide_leads_from_a_controller_to_a_bundle(tmp_path: Path) -> None:
    require("jq")
    written = by_hand()
    assert list(written) == ["System.json", "Bios.json", "registry.json"]
    own = Controller(
        written["System.json"],
        written["Bios.json"],
        written["registry.json"],
        "/redfish/v1/Systems/1",
        "/redfish/v1/Systems/1/Bios",
        f"{REGISTRIES}/BiosAttributeRegistry.v1_0_0/registry.json",
    )
    with listening(own, tmp_path / "controller") as curl:
        shell = shell_of(tmp_path / "work", curl)
        for fence in section():
            if fence.file:
                (shell.folder / fence.file).write_text(fence.text, encoding="utf-8")
            elif fence.text.startswith(f"$ {BY_HAND}"):
                fetched = {name: json.loads((shell.folder / name).read_text()) for name in written}
                assert fetched == written
            else:
                assert fence.text == shell.session(fence.text), f"line {fence.line} of the section"


# -------------------------------------------------------------------------------------------- other makers


class Case(NamedTuple):
    """A captured server under another name, and an integer of its BIOS with a value."""

    capture: str
    maker: str
    product: str
    platform: str
    setting: str
    attribute: str
    value: int


CASES = (
    Case(
        "hpe-gen10plusv2-DL385-A42-2.60-amd",
        "HPE",
        "ProLiant DL1 Sample",
        "dl1-sample",
        "minimum-sev-asid",
        "MinimumSevAsid",
        100,
    ),
    Case(
        "lenovo-SR670V2",
        "Lenovo",
        "ThinkSystem SR3 Sample",
        "sr3-sample",
        "pxe-boot-wait-time",
        "NetworkStackSettings_PXEbootwaittime",
        3,
    ),
    Case(
        "supermicro-SYS-821GE-TNHR",
        "Example",
        "Example R1 Gen2",
        "r1-gen2",
        "leaky-bucket-low-bit",
        "LeakyBucketLowBit_3C3A",
        12,
    ),
)
"""The third is of a maker whose controllers the library does not know."""


def renamed(case: Case) -> Controller:
    """The controller of a captured server that the library does not have."""
    registry, bios = document(case.capture, "BiosRegistry"), document(case.capture, "Bios")
    at = document(case.capture, "System")["Bios"]["@odata.id"].rpartition("/")[0]
    return Controller(
        {**document(case.capture, "System"), "@odata.id": at, "Model": case.product},
        bios,
        {**registry, "OwningEntity": case.maker, "SupportedSystems": []},
        at,
        bios["@odata.id"],
        f"/redfish/v1/RegistryStore/{bios['AttributeRegistry']}.json",
    )


def adapted(text: str, case: Case, controller: Controller) -> str:
    """A block of the guide with the addresses and names of another server, and its integer instead of the guide's."""
    name = controller.bios["AttributeRegistry"]
    text = re.sub(r"(?m)^set (?:server-profile|turbo) .*\n", "", text)
    for ours, theirs in (
        (f"{REGISTRIES}/BiosAttributeRegistry.v1_0_0/registry.json", controller.registry_at),
        ("/redfish/v1/Systems/1/Bios/Settings", controller.settings_at),
        ("/redfish/v1/Systems/1/Bios", controller.bios_at),
        ("/redfish/v1/Systems/1", controller.at),
        (f"{REGISTRIES}/BiosAttributeRegistry.v1_0_0", f"{REGISTRIES}/{name}"),
        ("r1-gen2", case.platform),
        ("set fan-offset 20", f"set {case.setting} {case.value}"),
        ("FanOffset", case.attribute),
        ("fan-offset", case.setting),
        ("'Fan Offset'", f"'set `{case.setting}` here'"),
    ):
        text = text.replace(ours, theirs)
    return text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.platform)
def test_the_same_steps_add_a_server_of_another_maker(case: Case, tmp_path: Path, complete: bool) -> None:
    require("jq")
    controller = renamed(case)
    known = case.maker != "Example"
    printed: list[str] = []
    with listening(controller, tmp_path / "controller") as curl:
        shell = shell_of(tmp_path / "work", curl)
        for fence in section():
            text = adapted(fence.text, case, controller)
            if fence.file:
                (shell.folder / fence.file).write_text(text, encoding="utf-8")
            elif not text.startswith(f"$ {BY_HAND}"):
                for step in steps(text):
                    if "kb check" not in step.command or complete:
                        printed += shell.run(step.command)
        assert shell.folder == tmp_path / "work"
    (summary,) = [line for line in printed if line.startswith("server.tune: ") and "mapped to" in line]
    assert int(re.findall(r"(\d+) mapped", summary)[0]) > 50
    assert not [line for line in printed if line.startswith("error")]
    assert ("does not know its controller" in "\n".join(printed)) is not known
    bundle = tmp_path / "work/out/quiet"
    body = json.loads((bundle / "redfish/settings.json").read_text(encoding="utf-8"))
    assert body["Attributes"][case.attribute] == case.value
    apply = json.loads((bundle / "redfish/apply.json").read_text(encoding="utf-8"))
    assert apply["ways"][0]["requests"][0]["uri"] == controller.settings_at
    assert "lab_packets.cpus=2-15,34-47" in printed
    assert "| kernel.sched_schedstats=1" in printed
    assert "./kernel-args/kernel-args.plan" in printed
    assert "./tuned/tuned.plan" in printed
    assert f'"{case.attribute}": {case.value}' in [line.strip(" ,") for line in printed]
    assert [line for line in printed if f"`{case.setting}` here" in line]
