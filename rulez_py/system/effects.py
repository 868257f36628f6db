"""Side effects of rules as values: the policy asks for them, the hook carries them out.

`policy/judging/decide.py` gets an `Effects` as an argument and does no I/O of its own; tests hand in fakes.
"""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Effects(Protocol):
        """The world as the policy may see it."""

        def run(self, script: Script) -> ScriptResult:
            """Run one script to its end or its time limit; never raises."""

        def read_text(self, path: str, limit: int) -> str | None:
            """Return the first `limit` bytes of a file as text, None where it cannot be read; never raises."""

        def read_bytes(self, path: str, limit: int) -> bytes | None:
            """Return the first `limit` bytes of a file, None where it cannot be read; never raises."""

        def real_path(self, path: str) -> str:
            """Return an absolute path with symbolic links resolved as far as it exists; never raises."""

        def is_committed(self, path: str, data: bytes) -> bool:
            """Tell whether the last commit of the file's repository has it with this content; never raises."""

        def names(self, directory: str) -> list[str]:
            """Return the names in a directory, of very many some; none where it cannot be read; never raises."""


class Script(Value):
    """One program to run.

    `command` is the argument vector; with `shell` it is one shell line; with `inline` it is one element, the text of a
    script file to write and execute. `stdin` is the event as JSON; `timeout` is in seconds. `project_dir` is where the
    agent works, which need not be the script's own directory.
    """

    command: tuple[str, ...]
    shell: bool = False
    inline: bool = False
    cwd: str
    project_dir: str = ""
    timeout: float
    stdin: str = ""


class ScriptResult(Value):
    """The end of a script. `exit_code` is None where it did not end by itself; then `error` says why."""

    exit_code: int | None
    stdout: str = ""
    stderr: str = ""
    error: str = ""
