"""From the profiles to files. The bodies have the XML on one line, as Dell's scripts send it."""

import json
from typing import Any
from xml.etree import ElementTree

import setpoint.targets.scp as package
from setpoint.compiler.lowering.target import Artifact, Procedure
from setpoint.targets._shared.forms import Form
from setpoint.targets._shared.templates import render
from setpoint.targets.scp.lower import Import, ServerProfile, ServerProfiles, Share


def artifacts(profiles: ServerProfiles) -> tuple[Artifact, ...]:
    """The files of the bundle, in the order of their use."""
    first = _files("-first", profiles.first) if profiles.first else ()
    page = render(package, "page.md.j2", m=profiles)
    return (Artifact("scp/README.md", page), *first, *_files("", profiles.settings))


def procedure(files: tuple[Artifact, ...]) -> Procedure:
    """How the profiles are used: what must be compared first needs words, which the page among them has."""
    del files  # the same for all
    return Procedure(
        "where racadm or Redfish reaches the controller, as `scp/README.md` says",
        caution="an imported profile compares nothing with the server",
    )


def _files(which: str, profile: ServerProfile) -> tuple[Artifact, ...]:
    text = ElementTree.tostring(_xml(profile), encoding="unicode")
    every, bios = Share(target=("ALL",)), Share(target=("BIOS",))
    return (
        Artifact(f"scp/settings{which}.xml", _indented(profile)),
        Artifact(f"scp/preview{which}.json", _json(Import(text=text, share=every))),
        Artifact(f"scp/import{which}.json", _json(Import(text=text, share=bios, shutdown="NoReboot"))),
    )


def _xml(profile: ServerProfile) -> Any:
    root = ElementTree.Element("SystemConfiguration")
    component = ElementTree.SubElement(root, "Component", FQDD="BIOS.Setup.1-1")
    for name, value in profile.attributes.items():
        ElementTree.SubElement(component, "Attribute", Name=name).text = value
    return root


def _indented(profile: ServerProfile) -> str:
    """The XML for people. Exports have no declaration either."""
    root = _xml(profile)
    ElementTree.indent(root, "")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _json(form: Form) -> str:
    document = form.document()
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
