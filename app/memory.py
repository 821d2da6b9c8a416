"""How much memory this process has held at most."""

import resource
import sys
from pathlib import Path


def peak_mb() -> float:
    """The most memory this process has held, in MB. On Linux without what its parent held when it was started."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
