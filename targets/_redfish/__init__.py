"""Redfish requests as several targets have need of them: what is sent to a service, in which order, and what must come of it.

    Plan --lower--> Update

`services.toml` has how the services of each generation differ. Target `redfish` makes files of the requests; a role that
sends them itself takes them from here.
"""
