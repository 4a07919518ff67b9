"""A profile of tuned as data, so that Hiera can hold its options one by one."""

from setpoint.targets._tuned.model import TunedProfile
from setpoint.targets.puppet.model import Option, Section


def sections(profile: TunedProfile) -> tuple[Section, ...]:
    """The sections of a profile, its summary first; each option has the reason of the setting that it is for."""
    summary = Option(name="summary", value=profile.summary, reason="")
    found = [Section(name="main", options=(summary,))]
    for name, options in profile.sections:
        lines = (
            Option(name=each, value=option.value, reason=option.reason)
            for option in options
            for each in option.names
        )
        found.append(Section(name=name, options=tuple(lines)))
    return tuple(found)
