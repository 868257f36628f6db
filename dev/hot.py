"""Which functions of ours everyday hook calls go through: run by itself, it prints `module qualified.name` of each.

The build (dev/rulez.spec) lets every call read the code of these, and of all others only where it is called. So what
rulez learns to know costs nothing in a call that does not ask for it. A function that is missing here costs a call some
microseconds more, nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parent.parent
LINES = (
    "git status",
    "ls -la src",
    "git push --force",
    'cd build && git push --dry-run origin "$(git branch --show-current)" && rm -rf out',
    "cd app && npm run test 2>&1 | tail -20",
    "grep -rn 'def main' src --include=*.py | head -5; echo \"$?\"",
    'python3 -m pytest -x -q tests/test_one.py > out.log 2>&1 || echo "failed: $HOME"',
    "git add -A && git commit -m 'Say what it does'",
)
"""What agents type all day, one to deny among it."""


def main() -> None:
    from benchmarks import policies
    from benchmarks.place import Place

    with tempfile.TemporaryDirectory(prefix="rulez-hot-") as directory:
        place = Place.make(Path(directory))
        place.write_user_policy(policies.policy(100))
        for out in (subprocess.DEVNULL, None):  # The first compiles the policy.
            command = [sys.executable, "-I", "-S", __file__, str(place.project), *sys.path]
            environ = {**place.environ(), "PYTHONHASHSEED": "0"}
            subprocess.run(command, cwd=place.project, env=environ, stdout=out, check=True)


def follow(project: Path) -> None:
    """Print what the calls go through, imports of modules included."""
    from benchmarks import payloads

    seen: set[tuple[str, str]] = set()

    def see(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            seen.add((frame.f_globals.get("__name__", ""), frame.f_code.co_qualname))

    calls = [(platform, payloads.shell(platform, line, project)) for platform in payloads.SHELL for line in LINES]
    calls.append(("claude", payloads.write("notes.txt", "x", project)))
    out, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    sys.setprofile(see)
    for platform, payload in calls:
        with tempfile.TemporaryFile() as file:
            file.write(payload)
            file.seek(0)
            os.dup2(file.fileno(), 0)
            _call(platform)
    sys.setprofile(None)
    names = sorted(f"{module} {name}\n" for module, name in seen if module.split(".")[0] == "rulez_py")
    os.write(out, "".join(names).encode())


def _call(platform: str) -> None:
    from rulez_py.hook.main import main as hook

    hook(["--platform", platform])


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.path.insert(0, str(ROOT))
        main()
    else:
        sys.path[:] = [str(ROOT), *sys.argv[2:]]
        follow(Path(sys.argv[1]))
