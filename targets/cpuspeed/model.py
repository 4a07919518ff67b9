"""The state of the service in the plan."""

from setpoint.targets._shared.forms import Form, Reason
from setpoint.targets._shared.identity import Identification


class Service(Form):
    """On or off, both now and at the next start."""

    policy: str
    identification: Identification = Identification()
    on: bool
    reason: Reason
