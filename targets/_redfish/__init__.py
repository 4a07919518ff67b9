"""The Redfish requests of a plan, shared by several targets: their content, their order, and the expected result.

    Plan --lower--> Update

`services.toml` lists how the services of the generations differ. Target `redfish` writes the requests to files; a role
that sends them itself uses them directly.
"""
