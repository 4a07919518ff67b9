"""From a plan to files: what a target is, and the bundle of what all of them make."""
