"""`python -m setpoint.compiler` is the command `setpoint`."""

from setpoint.compiler.cli import main

raise SystemExit(main())
