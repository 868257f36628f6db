"""Where a session happens: a throw-away home, a project, and a `rulez` on the PATH that keeps what goes through it."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rulez_py.platforms import part
from tests.platforms import PLATFORMS

ROOT = Path(__file__).parent.parent.parent
HOOKS = ROOT / "hooks"

FORMS: Mapping[str, Path] = {
    "frozen": ROOT / "dist" / "rulez" / "rulez",
    "console": ROOT / ".venv" / "bin" / "rulez",
}
"""The forms rulez is shipped in -> the program: what `make binary` builds, and the console script pip installs."""

INSTALLED = "install.txt"
"""The file of a session with what `rulez install` said."""

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"

_OVER_ETC = 'mount -t overlay over -o "lowerdir=/etc,upperdir=$0/etc,workdir=$0/over" /etc && exec "$@"'

MCP_COMMAND = (sys.executable, "-I", str(Path(__file__).parent / "mcp_server.py"))
_DISTURBER = (sys.executable, "-I", str(Path(__file__).parent / "disturber.py"))
_STREAM_TAP = (sys.executable, "-I", str(Path(__file__).parent / "stream_tap.py"))

# Every hook call leaves a directory with the arguments, what went in and what came out. Other commands of rulez are as
# they are: in an agent's terminal they would wait for what a person types.
_TAP = """\
#!/bin/sh
case "$1" in hook) ;; *) exec {program} "$@";; esac
case " $* " in *" --stream "*) exec {stream_tap} "$0" {calls} {program} "$@";; esac
call=$(mktemp -d {calls}/XXXXXX)
for argument; do printf '%s\\n' "$argument"; done > "$call/arguments"
cat > "$call/stdin"
{program} "$@" < "$call/stdin" > "$call/stdout" 2> "$call/stderr"
code=$?
cat "$call/stdout"
cat "$call/stderr" >&2
echo $code > "$call/exit"
exit $code
"""

# What can stand in the place of rulez once the model has been asked: shell scripts. None: there is no such program.
STAND_INS: Mapping[str, str | None] = {
    "missing": None,
    "hangs": "sleep 300",
    "crashes": "kill -SEGV $$",
    "passes": "echo '{neutral}'",
}


@dataclass(frozen=True)
class HookCall:
    """One call of the hook command. `payload` is None where stdin was no JSON, `exit_code` where it never ended."""

    arguments: tuple[str, ...]
    payload: Any
    stdout: str
    stderr: str
    exit_code: int | None


@dataclass(frozen=True)
class Place:
    """The directories of one session."""

    root: Path
    platform: str
    scope: str

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def outside(self) -> Path:
        """A directory that is not the project's."""
        return self.root / "outside"

    @property
    def bin(self) -> Path:
        return self.root / "bin"

    @property
    def etc(self) -> Path:
        """What the session has changed in the machine's own settings, where it is about these."""
        return self.root / "etc"

    @property
    def calls(self) -> Path:
        return self.root / "calls"

    @property
    def hook_file(self) -> Path:
        """Where the agent's hooks belong by hooks/README.md, and `rulez install` has to put them."""
        if self.scope == "managed":
            return Path(dict(part(self.platform, "settings").HOOKS.managed)["linux"])
        written = guide()[self.platform][1][self.scope]
        return self.home / written[2:] if written.startswith("~/") else self.project / written

    @property
    def apart(self) -> tuple[str, ...]:
        """What comes before a command that shall find the machine's own settings in `etc`, over those of /etc."""
        return ("unshare", "--mount", "sh", "-c", _OVER_ETC, str(self.root)) if self.scope == "managed" else ()

    def make(self) -> None:
        """Empty directories, with a git repository as the project."""
        shutil.rmtree(self.root, ignore_errors=True)
        for directory in (self.home, self.project, self.outside, self.bin, self.calls, self.etc, self.root / "over"):
            directory.mkdir(parents=True)
        # An environment of its own: this process changes its own between tests, and sessions run beside them.
        git = shutil.which("git") or "git"
        subprocess.run([git, "init", "--quiet", self.project], check=True, env={"PATH": SYSTEM_PATH})

    def put_lister(self) -> None:
        """A `rg` for agents that list a skill's files with ripgrep, and else fetch that from the network."""
        lister = self.bin / "rg"
        if not lister.exists():
            lister.write_text("#!/bin/sh\nexec find . -type f ! -name SKILL.md\n")
            lister.chmod(0o755)

    def write_for_agents(
        self, kind: str, path: str, text: str, *, platforms: list[str], scope: str = "project"
    ) -> None:
        """Have the built rulez write one thing of the project's: of a `kind` of rulez.agents.yaml, kept at `path`."""
        self.write(path, text)
        self.write("rulez.agents.yaml", f"platforms: {json.dumps(platforms)}\n{kind}: {json.dumps([path])}\n")
        environ = {"HOME": str(self.home), "PATH": SYSTEM_PATH, "LANG": "C.UTF-8"}
        command = [str(FORMS["frozen"]), "agents", "write", "--scope", scope]
        ended = subprocess.run(
            command,
            cwd=self.project,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert ended.returncode == 0, ended.stderr

    def filled(self, text: str, **more: str) -> str:
        """The text with {project}, {home}, {outside}, {hook}, {disturber} and what else is given replaced."""
        known: dict[str, object] = {
            "project": self.project,
            "home": self.home,
            "outside": self.outside,
            "hook": self.hook_file,
        }
        known["disturber"] = shlex.join(_DISTURBER)
        for name, value in {**known, **more}.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    def file(self, path: str) -> Path:
        """A file of the project (a path relative to it) or anywhere (an absolute one), with the names filled in."""
        return self.project / self.filled(path)

    def write(self, path: str, text: str) -> None:
        """Writes one of these files."""
        target = self.file(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def put_tools(self) -> None:
        """The programs agents need, on the session's PATH by name: not their directories, where a rulez may lie too."""
        for name in ("git", "node", "rg"):
            found = shutil.which(name)
            if found:
                (self.bin / name).symlink_to(found)

    def put_rulez(self, program: Path) -> None:
        """The `rulez` on the session's PATH: a program behind a tap."""
        target = self.bin / "rulez"
        target.write_text(
            _TAP.format(
                calls=shlex.quote(str(self.calls)),
                program=shlex.quote(str(program)),
                stream_tap=shlex.join(_STREAM_TAP),
            )
        )
        target.chmod(0o755)

    def replace_rulez(self, stand_in: str) -> None:
        """Puts one of STAND_INS in the place of rulez."""
        (self.bin / "rulez").unlink()
        script = STAND_INS[stand_in]
        if script is not None:
            target = self.root / stand_in
            neutral = PLATFORMS[self.platform].neutral
            target.write_text("#!/bin/sh\n" + script.replace("{neutral}", neutral) + "\n")
            target.chmod(0o755)
            self.put_rulez(target)

    def install_hook(self, program: Path, *, hasty: bool = False) -> None:
        """Sets rulez up as a user does, with `rulez install`; `hasty` cuts the time limits in settings to a fifth.

        What the agents call is the `rulez` behind the tap: by its full path where a person has it for themselves, by
        its name in a project, as it is without `--command`.
        """
        by_path = ["--command", shlex.quote(str(self.bin / "rulez"))] if self.scope != "project" else []
        ended = self.rulez(program, "install", self.platform, "--scope", self.scope, *by_path)
        (self.root / INSTALLED).write_text(ended.stdout + ended.stderr)
        if ended.returncode and " reads no settings with " not in ended.stderr:
            raise AssertionError(f"`rulez install` ended with {ended.returncode}: {ended.stderr}")
        if hasty and self.hook_file.suffix == ".json":
            self.hook_file.write_text(json.dumps(_hasty(json.loads(self.hook_file.read_text())), indent=2))
        elif hasty and self.hook_file.suffix == ".toml":
            self.hook_file.write_text(self.hook_file.read_text().replace("timeout = 30", "timeout = 6"))
        elif hasty and self.hook_file.suffix == ".yaml":
            text = self.hook_file.read_text().replace("timeout: 120", "timeout: 24")
            self.hook_file.write_text(text.replace("timeout -k 1 27)", "timeout -k 1 5)"))

    def uninstall_hook(self, program: Path) -> None:
        """Takes it out again."""
        self.rulez(program, "uninstall", self.platform, "--scope", self.scope).check_returncode()

    def rulez(self, program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of rulez as a person at home in this place gives it."""
        home = {"HOME": str(self.home), "PATH": f"{self.bin}:{SYSTEM_PATH}", "LANG": "C.UTF-8"}
        return subprocess.run(
            [*self.apart, program, *arguments], cwd=self.project, env=home, capture_output=True, text=True, check=False
        )


def hook_calls(calls: Path) -> list[HookCall]:
    """The calls the tap has kept in this directory, in the order they began."""
    directories = sorted(calls.iterdir(), key=lambda call: call.stat().st_ctime_ns)
    return [_hook_call(directory) for directory in directories]


def _hook_call(directory: Path) -> HookCall:
    def read(name: str) -> str:
        path = directory / name
        return path.read_text() if path.exists() else ""

    try:
        payload = json.loads(read("stdin"))
    except ValueError:
        payload = None
    code = read("exit").strip()
    return HookCall(
        arguments=tuple(read("arguments").splitlines()),
        payload=payload,
        stdout=read("stdout"),
        stderr=read("stderr"),
        exit_code=int(code) if code else None,
    )


def _hasty(value: Any) -> Any:
    """The settings with every time limit cut to a fifth."""
    if isinstance(value, list):
        return [_hasty(item) for item in value]
    if isinstance(value, str):
        return value.replace("timeout -k 1 27)", "timeout -k 1 5)")
    if not isinstance(value, dict):
        return value
    return {
        key: item // 5 if key in ("timeout", "timeoutSec") and isinstance(item, int) else _hasty(item)
        for key, item in value.items()
    }


@cache
def guide() -> dict[str, tuple[str, dict[str, str]]]:
    """What hooks/README.md tells who does it by hand: platform -> (file in hooks/, {scope: where it belongs})."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for line in (HOOKS / "README.md").read_text().splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and (HOOKS / cells[1]).is_file():
            places = {"user": cells[2], "project": cells[3]}
            found[cells[1].partition("/")[0]] = (
                cells[1],
                {key: place for key, place in places.items() if place != "none"},
            )
    return found
