"""Inventories: the hosts of a site and what is known of each, from the files of the tools that it already runs."""
