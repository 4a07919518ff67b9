"""DMTF's validator without its report in Excel's format, which nobody reads here and which takes nine tenths of its
time.

python redfish_validator.py OPTIONS...    what `rf_service_validator OPTIONS...` does, with the Python of these clients
"""

import sys

from redfish_service_validator import report
from redfish_service_validator.console_scripts import main

report.xlsx_report = lambda *_: "none"

if __name__ == "__main__":
    sys.exit(main())
