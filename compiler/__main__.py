"""`python -m setpoint.compiler` is the command `setpoint`.

Python puts the folder in which it is run before all others where it looks for modules. Whoever works in a repository
that has a folder called `setpoint` would run what is in it, so that folder is left out here, as it is for the command.
Only `python -P` keeps Python itself from a folder `setpoint` that is a package with a `compiler` of its own.
"""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from setpoint.compiler.cli import main

raise SystemExit(main())
