"""The tap on `rulez hook --stream`: every line that is answered leaves a directory as a call of one process does.

usage: stream_tap.py TAP CALLS PROGRAM ARGUMENT...
TAP is the file that stands for rulez. As rulez does, this ends without an answer when that has been replaced.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main(tap: Path, calls: str, command: list[str]) -> None:
    before = _state_of(tap)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for line in sys.stdin.buffer:
            if _state_of(tap) != before:
                break
            call = Path(tempfile.mkdtemp(dir=calls))
            (call / "arguments").write_text("".join(f"{argument}\n" for argument in command[1:]))
            (call / "stdin").write_bytes(line)
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
            said = json.loads(answer or "{}")
            if "exit_code" not in said:
                break  # crashed, or something that knows no streams
            (call / "stdout").write_text(said["stdout"])
            (call / "stderr").write_text(said["stderr"])
            (call / "exit").write_text(str(said["exit_code"]))
            os.write(1, answer)
        process.stdin.close()


def _state_of(path: Path) -> tuple[int, int] | None:
    """What changes when a file is replaced; None where there is none."""
    if not path.exists():
        return None
    status = path.stat()
    return status.st_ino, status.st_mtime_ns


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
