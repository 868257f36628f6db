"""A network with nothing in it but this machine itself, for a process and what it starts (Linux)."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import struct
import subprocess

_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1


def prefix() -> list[str] | None:
    """The command in front of one that shall have no network; None where this machine does not allow it."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return None
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    # Also the processes are apart: what an agent leaves running ends with the run.
    command = [unshare, *as_root, "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    return command if subprocess.run([*command, "true"], check=False, capture_output=True).returncode == 0 else None


def bring_up_loopback() -> None:
    """In a new network namespace loopback is down; the same as `ip link set lo up`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh", b"lo", 0)
        (flags,) = struct.unpack("16xh", fcntl.ioctl(any_socket, _GET_FLAGS, request)[:18])
        if not flags & _UP:
            fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh", b"lo", flags | _UP))
