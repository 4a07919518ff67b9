"""The verdicts on settings of the kernel's boot line and of the running operating system.

An argument on the boot line is a request: the kernel drops a processor that does not exist, and a driver that cannot
work leaves its place to another. So where the system shows the effect, that counts, and the line says only whether it
was asked for.
"""

from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.verification.blame import Authors
from setpoint.compiler.verification.boot import ABSENT, differing, found_on
from setpoint.compiler.verification.firmware import RESTART, access
from setpoint.compiler.verification.host import BOOT_LINE, NEXT_BOOT, Host
from setpoint.compiler.verification.live import InEffect, why_text
from setpoint.compiler.verification.model import (
    CONFIGURED,
    DIFFERS,
    INCONSISTENT,
    NOT_APPLICABLE,
    OK,
    OVERRIDDEN,
    PENDING,
    PENDING_READING,
    UNREADABLE,
    UNRESOLVED,
    SettingVerdict,
    VerdictReading,
)
from setpoint.compiler.verification.questions import SettingQuestion
from setpoint.compiler.verification.texts import LiveFile

KERNEL, LINE, SYSTEM = "kernel", "boot line", "operating system"
"""What decides values above the firmware."""

NO_EFFECT = "the boot line has it, and the kernel took it without effect"
LEFT_OVER = "left over: the plan leaves it at the kernel's default"


def boot_verdict(question: SettingQuestion, host: Host, seen: InEffect) -> SettingVerdict:
    """The verdict on a setting of the boot line."""
    line, next_line = host.boot_line, host.next_line
    verdict = question.verdict(UNREADABLE)
    if line is None:
        reason = why_text(BOOT_LINE, host.why_unread(BOOT_LINE))
        return verdict._replace(reason=reason, readings=seen.readings, change=access(reason))
    now = " ".join(found_on(line, word) for word in question.words)
    readings = [VerdictReading(CONFIGURED, BOOT_LINE, now)]
    is_asked = not differing(line, question.words)
    after = None
    if next_line is not None:
        after = " ".join(found_on(next_line, word) for word in question.words)
        readings.append(VerdictReading(PENDING_READING, NEXT_BOOT, after))
    stays = is_asked if next_line is None else not differing(next_line, question.words)
    state, reason, decided = _boot_state(question, is_asked, stays, seen)
    return verdict._replace(
        found=now if not (is_asked and seen.found) else f"{now} ({seen.found})",
        pending=after if after != now else None,
        state=state,
        reason=reason,
        readings=(*readings, *seen.readings),
        decided=decided,
        change=_boot_change(question, state, seen),
    )


def _boot_state(
    question: SettingQuestion, is_asked: bool, stays: bool, seen: InEffect
) -> tuple[str, str, str]:
    """The state, what explains it, and what decided the value."""
    if not is_asked:
        if stays:
            return PENDING, "the next boot entry has it", LINE
        by_chance = "the planned value is in effect by chance" if seen.state == OK and seen.readings else ""
        return DIFFERS, LEFT_OVER if question.is_leftover else by_chance, LINE
    if not stays:
        return DIFFERS, "the next boot entry has another value", LINE
    if seen.state == INCONSISTENT:
        return INCONSISTENT, seen.why, KERNEL
    if seen.state == DIFFERS:
        if question.is_leftover or all(word.is_absent for word in question.words):
            return DIFFERS, seen.why, KERNEL
        return OVERRIDDEN, "; ".join(filter(None, (NO_EFFECT, seen.why))), KERNEL
    if seen.state in (UNRESOLVED, UNREADABLE):
        return OK, f"the boot line has it; {seen.why}", LINE
    return OK, "", KERNEL if seen.readings else LINE


def _boot_change(question: SettingQuestion, state: str, seen: InEffect) -> str:
    if state == PENDING:
        return RESTART
    if state in (DIFFERS, INCONSISTENT):
        gone = [word.name for word in question.words if word.is_absent]
        added = [word.wanted for word in question.words if word.wanted != ABSENT]
        parts = [f"add {' '.join(added)} to the boot line"] if added else []
        parts += [f"remove {' '.join(gone)} from the boot line"] if gone else []
        return f"{' and '.join(parts)}, then {RESTART}"
    if state == OVERRIDDEN:
        return f"find out why the kernel does not follow it: {seen.why or seen.found or ''}".rstrip(": ")
    return ""


def unseen_verdict(question: SettingQuestion) -> SettingVerdict:
    """The verdict on a setting of the running system that nothing shows which is read."""
    reason = question.observed.unseen or "nothing that is read shows it"
    return question.verdict(UNRESOLVED, reason)._replace(change="check it by hand")


def system_verdict(question: SettingQuestion, authors: Authors, seen: InEffect) -> SettingVerdict:
    """The verdict on a setting of the running system."""
    state, reason, decided = seen.state, seen.why, SYSTEM if seen.readings else ""
    if state == DIFFERS:
        texts = {reading.text for reading in seen.readings}
        files = [file for way in question.ways for file in way]
        author = authors.of(files, texts)
        if author.found_in:
            decided = author.found_in
        if author.wanted_in:
            state = OVERRIDDEN
            reason = "; ".join(filter(None, (f"{author.wanted_in} has the planned value", reason)))
            decided = author.found_in or "a program that wrote it later"
    return question.verdict(state, reason)._replace(
        found=seen.found,
        readings=seen.readings,
        decided=decided,
        change=_system_change(question, state, decided, seen),
    )


def _system_change(question: SettingQuestion, state: str, decided: str, seen: InEffect) -> str:
    if state == OVERRIDDEN:
        return f"keep this from writing it: {decided}"
    if state in (DIFFERS, INCONSISTENT):
        what = _write(question.ways)
        return f"{what} ({decided} has {seen.found})" if decided != SYSTEM else what
    if state in (UNREADABLE, UNRESOLVED):
        return access(seen.why)
    return "" if state in (OK, NOT_APPLICABLE) else "capture the host as well"


def _write(ways: tuple[tuple[LiveFile, ...], ...]) -> str:
    """What to write where: by the interface that takes the very text, else by the last, in whose words it is."""
    if not ways:
        return "apply the artifacts of the operating system"
    way = next((files for files in ways if not any(file.comparison for file in files)), ways[-1])
    names, texts = (
        ", ".join(dict.fromkeys(column)) for column in zip(*((f.name, f.text) for f in way), strict=True)
    )
    if any(file.comparison for file in way):
        return f"set {names} to {texts} as {INTERFACES[way[0].interface].title}"
    return f"write {texts} to {names}"
