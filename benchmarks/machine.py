"""Which machine this is, for the report."""

from __future__ import annotations

import os
import platform
import sysconfig
from pathlib import Path

from dev.build_python import ABOUT, optimised

ROOT = Path(__file__).parent.parent


def description() -> dict[str, str]:
    """Return what a reader needs in order to judge the numbers."""
    return {
        "CPU": f"{_cpu()}, {os.cpu_count()} cores",
        "system": f"{_system()}, {platform.system()} {platform.release()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}, {_built()}",
        **({"Python of the frozen program": frozen} if (frozen := _frozen()) else {}),
    }


def _built() -> str:
    """Return how Python was compiled: optimised by a profile of its own runs (PGO) or not, which is worth a sixth."""
    return (
        optimised(sysconfig.get_config_var("CONFIG_ARGS") or "", sysconfig.get_config_var("prefix")) or "not optimised"
    )


def _frozen() -> str:
    """Return which Python is in dist/rulez; "" where that was not built."""
    try:
        return (ROOT / "build" / "python" / ABOUT).read_text("utf-8").strip()
    except OSError:
        return ""


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return " ".join(platform.mac_ver()[:1]) or "unknown system"
