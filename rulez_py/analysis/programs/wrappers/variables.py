"""Environment variables whose value is a command for the program they are set for (from the programs' manuals)."""

from __future__ import annotations

from rulez_py.analysis.programs.wrappers import parts
from rulez_py.analysis.values import INTERPRETER, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PAGERS = (
    "git",
    "man",
    "psql",
    "mysql",
    "systemctl",
    "journalctl",
    "gh",
    "aws",
    "bat",
    "less",
    "glab",
    "delta",
    "apropos",
)
EDITORS = (
    *(
        "git",
        "crontab",
        "sudoedit",
        "visudo",
        "vipw",
        "edquota",
        "systemctl",
        "gh",
        "kubectl",
        "less",
        "psql",
        "svn",
        "hg",
    ),
    *("ansible-vault", "sops", "fc", "man", "virsh", "pass", "chezmoi", "jj"),
)
# Variable -> the programs that run its value as shell code.
CODE: dict[str, tuple[str, ...]] = {
    "GIT_SSH_COMMAND": ("git",),
    "GIT_SSH": ("git",),
    "GIT_EDITOR": ("git",),
    "GIT_SEQUENCE_EDITOR": ("git",),
    "GIT_PAGER": ("git",),
    "GIT_EXTERNAL_DIFF": ("git",),
    "GIT_PROXY_COMMAND": ("git",),
    "GIT_ASKPASS": ("git",),
    "SSH_ASKPASS": ("git", "ssh", "ssh-add", "scp", "sftp"),
    "SUDO_ASKPASS": ("sudo",),
    "SUDO_EDITOR": ("sudo", "sudoedit"),
    "PAGER": PAGERS,
    "MANPAGER": ("man",),
    "PSQL_PAGER": ("psql",),
    "PSQL_EDITOR": ("psql",),
    "SYSTEMD_PAGER": ("systemctl", "journalctl"),
    "GH_PAGER": ("gh",),
    "AWS_PAGER": ("aws",),
    "BAT_PAGER": ("bat",),
    "EDITOR": EDITORS,
    "VISUAL": EDITORS,
    "GH_EDITOR": ("gh",),
    "KUBE_EDITOR": ("kubectl", "oc"),
    "KUBECTL_EXTERNAL_DIFF": ("kubectl",),
    "SVN_SSH": ("svn",),
    "SVN_EDITOR": ("svn",),
    "HGEDITOR": ("hg",),
    "CVS_RSH": ("cvs",),
    "RSYNC_RSH": ("rsync",),
    "RSYNC_CONNECT_PROG": ("rsync",),
    "RSH": ("tar",),
    "FZF_DEFAULT_COMMAND": ("fzf",),
    "RUSTC_WRAPPER": ("cargo",),
    "RUSTC_WORKSPACE_WRAPPER": ("cargo",),
    "RUSTC": ("cargo",),
    "BROWSER": ("xdg-open", "man", "gh", "python"),
    "PROMPT_COMMAND": ("bash",),
    "CARGO_BUILD_RUSTC_WRAPPER": ("cargo",),
}
# Variable -> the programs that run the file it names before anything else.
FILES: dict[str, tuple[str, ...]] = {
    "BASH_ENV": ("bash", "sh", "rbash"),
    "ENV": ("sh", "dash", "ash", "ksh", "mksh", "bash", "busybox"),
}
FUNCTIONS = ("bash", "sh", "rbash")
"""The shells that take functions from the environment."""
GIT_CONFIGS = 64
"""How many settings are read from GIT_CONFIG_KEY_n."""


_OTHERS = ("LESSOPEN", "LESSCLOSE", "TAR_OPTIONS", "NODE_OPTIONS", "PYTHONSTARTUP")


def concerns(program: str, variable: str) -> bool:
    """Whether `commands` may make anything of a variable for a program."""
    return (
        program in CODE.get(variable, ())
        or program in FILES.get(variable, ())
        or variable in _OTHERS
        or variable.startswith(("BASH_FUNC_", "GIT_CONFIG"))
    )


def commands(program: str, words: Sequence[Word], variables: Mapping[str, Word]) -> tuple[Inner, ...]:
    """What `program` runs because of variables set for it."""
    found: list[Inner] = []
    for name, value in variables.items():
        if not value.text:
            continue
        if program in CODE.get(name, ()):
            found.append(Inner(code=value, via=SHELL))
        elif program in FILES.get(name, ()):
            found.append(Inner(file=value, via=SHELL))
        elif name in ("LESSOPEN", "LESSCLOSE") and program in ("less", "man", "zless", "git"):
            found += _less(value)
        elif name == "TAR_OPTIONS" and program in ("tar", "gtar"):
            from rulez_py.analysis.programs.wrappers.tools import tar

            found += tar((words[0] if words else value, *parts.split(value)))
        elif name == "NODE_OPTIONS" and program in ("node", "nodejs", "npm", "npx", "yarn", "pnpm", "tsx", "ts-node"):
            found += _node(value)
        elif name == "PYTHONSTARTUP" and program.startswith("python"):
            found.append(Inner(file=value, language="python", via=INTERPRETER))
        elif name.startswith("BASH_FUNC_") and program in FUNCTIONS:
            _, brace, body = value.text.partition("{")
            found.append(Inner(code=parts.with_text(value, brace + body) if brace else value, via=SHELL))
    if program == "git":
        settings = [*_git_parameters(variables.get("GIT_CONFIG_PARAMETERS")), *_git_settings(variables)]
        if settings and words:
            from rulez_py.analysis.programs.wrappers.git import configured

            found += configured(settings, words[0], _subcommand(words))
    return tuple(found)


def _subcommand(words: Sequence[Word]) -> tuple[Word, ...]:
    """git's words from the subcommand on."""
    from rulez_py.analysis.programs.wrappers.git import GIT
    from rulez_py.analysis.programs.wrappers.spec import scan

    own = scan(GIT, words)
    return tuple(words[own.starts[-1] :]) if own.starts else ()


def _less(value: Word) -> list[Inner]:
    """`|-command %s`, `||command`, or a plain command that prints the name of a file."""
    text = value.text.lstrip("|-")
    return [
        Inner(code=parts.cut(value, len(value.text) - len(text)), via=SHELL, placeholder="%s" if "%s" in text else "")
    ]


def _node(value: Word) -> list[Inner]:
    """The files that --require, -r, --import and --loader name."""
    given = parts.split(value)
    found: list[Inner] = []
    for word, behind in zip(given, (*given[1:], None), strict=True):
        name, equals, _ = word.text.partition("=")
        if name in ("--require", "-r", "--import", "--loader", "--experimental-loader"):
            file = parts.cut(word, len(name) + 1) if equals else behind
            if file is not None:
                found.append(Inner(file=file, language="javascript", via=INTERPRETER))
    return found


def _git_parameters(value: Word | None) -> list[tuple[str, Word]]:
    """`'name=value' 'name'='value'`, as git hands -c on to those it starts."""
    if value is None:
        return []
    found = []
    for word in parts.split(value):
        name, equals, _ = word.text.partition("=")
        if equals:
            found.append((name, parts.cut(word, len(name) + 1)))
    return found


def _git_settings(variables: Mapping[str, Word]) -> list[tuple[str, Word]]:
    """GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n; the count is not needed to see them."""
    found = []
    for number in range(GIT_CONFIGS if "GIT_CONFIG_COUNT" in variables else 0):
        key, value = variables.get(f"GIT_CONFIG_KEY_{number}"), variables.get(f"GIT_CONFIG_VALUE_{number}")
        if key is not None and value is not None:
            found.append((key.text, value))
    return found
