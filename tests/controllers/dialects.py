"""How the services of four vendors differ, as far as BIOS settings go.

Captures are the mockups of NVIDIA/libredfish at c094c9e (tests/mockups/VENDOR/redfish/v1), in short: `mockups`.

HPE iLO 5
    Addresses: mockups, Systems/1, Systems/1/Bios, Systems/1/Bios/settings/; the BIOS is below `systems` in lower case, with a slash at
    the end, without which an iLO 5 before 1.40 redirects (HewlettPackard/ilo-rest-api-docs at 3109b8d,
    source/includes/_ilo5_adaptation.md). Its settings resource has all attributes. A PATCH of it is answered with 200 and
    "One or more properties were changed and will not take effect until the system is reset"
    (developer.hpe.com/blog/setting-bios-and-storage-controller-properties-with-redfish). The settings are "validated and
    adopted" at the reset, and errors are then in `@Redfish.Settings` of the BIOS (_ilo5_exampleuse.md, _ilo5_adaptation.md). No
    `LastResetTime`; the reset types are in the action, with GracefulRestart in the mockups and not in the reference of iLO 5.
Lenovo XClarity Controller
    Addresses: mockups, Systems/1/Bios, Systems/1/Bios/Pending, which has all attributes. A PATCH of it is answered with 200, the
    message RebootRequired, and the content of a GET (pubs.lenovo.com/xcc-restapi, "PATCH – Update pending BIOS settings").
    Without `If-Match` it is refused with 428 (ansible/ansible, pull request 56150), and with another version than that
    of the resource with 412 (ansible-collections/community.general, issue 11261); Lenovo's examples have no such header, so
    older firmware differs. A value that is locked is taken, and not set at the restart, without a message
    (lenovo/python-redfish-lenovo, issue 174). `@Redfish.Settings` has a time, and no messages (mockups).
Supermicro
    Addresses: mockups, Systems/1/Bios, Systems/1/Bios/SD. The latter has no `Attributes` while nothing is staged
    (libredfish, src/supermicro.rs, `pending`), and then those that are staged. To stage what is in effect does not clear what was
    staged instead of it (the same, `clear_pending`). The reset types are in a resource of their own, to which the action leads by
    `@Redfish.ActionInfo` (mockups, Systems/1/ResetActionInfo).
AMI MegaRAC, in servers of several makers
    Addresses: /redfish/v1/Systems/Self/Bios/SD (ansible-collections/community.general, pull request 6434). The settings resource has
    all attributes, and the reset types, without a graceful restart, are in a resource of their own (mockups, nvidia_viking, which
    is AMI's by src/model/service_root.rs). A PATCH needs `If-Match`; without it the answer has the message
    PreconditionHeaderMissing (stmcginnis/gofish, issue 171; dsx-ai-factory/libredfish, pull request 34). The answer to one that
    is taken has no content (204: DSP0266, 8.2 "Success responses").

What a service answers to a request with an unknown name or a locked value is known of HPE and Lenovo alone. Of the others it is
assumed that they refuse it, with 400 (DSP0266, 8.6).
"""

from __future__ import annotations

from dataclasses import dataclass

RESETS = ("On", "ForceOff", "GracefulShutdown", "ForceRestart", "Nmi", "PushPowerButton", "GracefulRestart")


@dataclass(frozen=True)
class Dialect:
    """What a service has where, and what it wants.

    Attributes:
        system: The address of the computer system. A reading may have a slash at the end or not; a PATCH has it as here.
        bios: That of its BIOS.
        settings: That of the settings resource of the BIOS.
        shows_all: Whether this has all attributes, as they will be; otherwise it has those that are staged.
        needs_version: Whether a PATCH without `If-Match` is refused.
        refusal: The message of that refusal.
        accepted: The status of the answer to a PATCH that is taken.
        says: Its message; "" for none.
        resets: The reset types.
        lists_resets_apart: Whether they are in a resource of their own.
        tells_time: Whether `@Redfish.Settings` of the BIOS says when the last change was applied.
        tells_result: Whether it also says what came of it.
        judges_late: Whether a wrong change is taken, and not applied at the restart.
        clears: Whether what is staged is forgotten if the value in effect is staged instead.
    """

    system: str
    bios: str
    settings: str
    shows_all: bool = True
    needs_version: bool = False
    refusal: str = "Base.1.12.PreconditionRequired"
    accepted: int = 200
    says: str = ""
    resets: tuple[str, ...] = RESETS
    lists_resets_apart: bool = False
    tells_time: bool = False
    tells_result: bool = False
    judges_late: bool = False
    clears: bool = True


HPE = Dialect(
    system="/redfish/v1/Systems/1",
    bios="/redfish/v1/systems/1/bios",
    settings="/redfish/v1/systems/1/bios/settings/",
    says="iLO.2.14.SystemResetRequired",
    tells_time=True,
    tells_result=True,
    judges_late=True,
)
LENOVO = Dialect(
    system="/redfish/v1/Systems/1",
    bios="/redfish/v1/Systems/1/Bios",
    settings="/redfish/v1/Systems/1/Bios/Pending",
    needs_version=True,
    says="ExtendedError.1.2.RebootRequired",
    resets=("On", "Nmi", "GracefulShutdown", "GracefulRestart", "ForceOn", "ForceOff", "ForceRestart"),
    tells_time=True,
    judges_late=True,
)
SUPERMICRO = Dialect(
    system="/redfish/v1/Systems/1",
    bios="/redfish/v1/Systems/1/Bios",
    settings="/redfish/v1/Systems/1/Bios/SD",
    shows_all=False,
    resets=(
        "On",
        "ForceOff",
        "GracefulShutdown",
        "GracefulRestart",
        "ForceRestart",
        "Nmi",
        "ForceOn",
        "PowerCycle",
    ),
    lists_resets_apart=True,
    clears=False,
)
AMI = Dialect(
    system="/redfish/v1/Systems/Self",
    bios="/redfish/v1/Systems/Self/Bios",
    settings="/redfish/v1/Systems/Self/Bios/SD",
    needs_version=True,
    refusal="Ami.1.0.PreconditionHeaderMissing",
    accepted=204,
    resets=("On", "ForceOff", "ForceRestart", "GracefulShutdown"),
    lists_resets_apart=True,
)
