"""Carry out a bundle on one server or a handful: its firmware through the controller, the rest on the host.

    bundles   what of a bundle is carried out, and whether it is as it was compiled
    hosts     the program for hosts, run here or by ssh, with the plans of a bundle
    servers   a server with its controller and its host: read, changed, compared, put back

INVARIANT: nothing of a bundle is run. Its plans are data for two programs that are this compiler's own, unless the user
names the bundle's. Which server is which is known of all servers before the first of them is changed. Fleets have
Ansible and Puppet.
"""
