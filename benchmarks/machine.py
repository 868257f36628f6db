"""Which machine this is, for the report."""

from __future__ import annotations

import os
import platform
import sysconfig
from pathlib import Path


def description() -> dict[str, str]:
    """Return what a reader needs in order to judge the numbers."""
    return {
        "CPU": f"{_cpu()}, {os.cpu_count()} cores",
        "system": f"{_system()}, {platform.system()} {platform.release()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}, {_built()}",
    }


def _built() -> str:
    """Return how Python was compiled: optimised by a profile of its own runs (PGO) or not, which is worth a sixth."""
    if "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or ""):
        return "optimised (PGO)"
    # Debian's rules build it so without saying it to `configure`.
    if sysconfig.get_config_var("prefix") == "/usr" and "--with-dtrace" in sysconfig.get_config_var("CONFIG_ARGS"):
        return "optimised (PGO and LTO, by the distribution)"
    return "not optimised"


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
