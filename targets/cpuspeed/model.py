"""The service as the plan wants it."""

from setpoint.targets._shared.forms import Form, Reason


class Service(Form):
    """On or off, both now and at the next start."""

    policy: str
    on: bool
    reason: Reason
