"""Which commands a command runs by its own words: one level, told from tables of programs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rulez_py.analysis.programs.wrappers.spec import Spec
    from rulez_py.analysis.values import Inner, Word

__all__ = ["PROGRAMS", "environment", "inner"]

# Which module describes a program. A module is loaded for the first program of its own.
HOMES: dict[str, str] = {
    "git": "git",
    "shells": "sh bash rbash zsh dash ash ksh ksh93 mksh oksh yash posh csh tcsh fish nu elvish xonsh eval source . "
    "trap su runuser at batch pwsh pwsh-preview powershell cmd",
    "inputs": "xargs gxargs find gfind fd fdfind entr parallel sem concurrently hyperfine",
    "plain": "sudo sudo-rs doas dzdo pkexec run0 systemd-run gosu su-exec setuidgid chpst setpriv runcon env genv "
    "nohup timeout gtimeout nice ionice chrt taskset numactl cpulimit prlimit choom softlimit stdbuf time "
    "gtime setsid setarch arch linux32 linux64 i386 x86_64 unshare nsenter cgexec firejail bwrap proot "
    "sandbox-exec proxychains proxychains4 torsocks torify tsocks strace ltrace valgrind perf rr "
    "heaptrack script unbuffer rlwrap dbus-run-session dbus-launch xvfb-run caffeinate chroot arch-chroot "
    "fakeroot fakechroot schroot flock lockf watch gwatch viddy watchexec ssh-agent sshpass sg nocorrect "
    "noglob command builtin exec chronic ifne dumb-init tini daemonize daemon setlock busybox toybox rtk "
    "direnv dotenv dotenvx dotenv-cli env-cmd cross-env cross-env-shell op aws-vault doppler infisical "
    "chamber teller sops poetry pipenv pdm hatch rye pipx bundle tox opam stack cabal rustup fnm nvm "
    "volta npx pnpx bunx uvx npm pnpm yarn nix-shell nix guix conda mamba micromamba mise asdf rbenv "
    "pyenv nodenv goenv jenv zellij systemd-inhibit systemd-cat gnome-session-inhibit",
    "remote": "ssh autossh slogin docker podman nerdctl docker-compose podman-compose ansible salt salt-call tmux "
    "byobu screen mosh kubectl oc k3s microk8s minikube lxc incus lxc-attach vagrant gcloud az heroku fly "
    "flyctl adb multipass limactl lima colima orb distrobox distrobox-enter toolbox machinectl "
    "systemd-nspawn pssh parallel-ssh pdsh clush dsh devcontainer ddev wsl",
    "tools": "rsync tar gtar bsdtar scp sftp socat ncat nc netcat nc.traditional vim vi nvim ex view vimdiff gvim "
    "mvim gdb lldb man psql sqlite3 sqlite litecli mysql mariadb sed gsed uv bun cargo start-stop-daemon "
    "nodemon zip capsh",
    "jobs": "crontab make gmake",
    "interpreters": "python pypy pythonw ipython micropython py jython bpython node nodejs electron tsx ts-node esno "
    "ts-node-esm deno perl ruby jruby truffleruby php php-cli lua luajit texlua awk gawk mawk nawk goawk "
    "original-awk rscript r littler osascript tclsh wish jimsh expect julia elixir groovy raku guile "
    "emacs",
}
PROGRAMS = {program: home for home, programs in HOMES.items() for program in programs.split()}
"""Every program that is known to run another, or code, and the module that describes it."""


def inner(program: str, words: Sequence[Word]) -> tuple[Inner, ...]:
    """What `program` runs by its own words, `words[0]` being the program as it was written.

    `program` is its name without directory and `.exe`, in lower case. Empty for one that runs no other. Where words
    are not known, everything that may be run is among it.
    """
    if not words:
        return ()
    home = PROGRAMS.get(program, "interpreters")
    if home == "interpreters":
        if PROGRAMS.get(versionless(program)) != home:
            return ()
        from rulez_py.analysis.programs.wrappers.interpreters import interpret

        return interpret(versionless(program), words)
    if home in ("plain", "remote"):
        specs = _specs(home)
        if program in specs:
            from rulez_py.analysis.programs.wrappers.spec import read

            return read(specs[program], words)
    return _kinds(home)[program](words)


def versionless(program: str) -> str:
    """The name of an interpreter without its version (`python3.12`, `lua5.4`, `ruby3.2`)."""
    if program in PROGRAMS:
        return program
    name = program.rstrip("0123456789.-")
    # A single letter and a number is another program (r2).
    return name if len(name) > 1 else program


# Imports that a frozen program's builder can see.


def _specs(home: str) -> Mapping[str, Spec]:
    if home == "plain":
        from rulez_py.analysis.programs.wrappers.plain import PLAIN

        return PLAIN
    from rulez_py.analysis.programs.wrappers.remote import SPECS

    return SPECS


def _kinds(home: str) -> Mapping[str, Callable[[Sequence[Word]], tuple[Inner, ...]]]:
    if home == "git":
        from rulez_py.analysis.programs.wrappers.git import KINDS
    elif home == "shells":
        from rulez_py.analysis.programs.wrappers.shells import KINDS
    elif home == "inputs":
        from rulez_py.analysis.programs.wrappers.inputs import KINDS
    elif home == "remote":
        from rulez_py.analysis.programs.wrappers.remote import KINDS
    elif home == "jobs":
        from rulez_py.analysis.programs.wrappers.jobs import KINDS
    else:
        from rulez_py.analysis.programs.wrappers.tools import KINDS
    return KINDS


def may_command(program: str, variable: str) -> bool:
    """Whether `program` may run something because of this variable."""
    from rulez_py.analysis.programs.wrappers.variables import concerns

    return concerns(program, variable)


def environment(program: str, words: Sequence[Word], variables: Mapping[str, Word]) -> tuple[Inner, ...]:
    """What `program` runs because of variables set for it (GIT_SSH_COMMAND, BASH_ENV, ...)."""
    if not variables:
        return ()
    from rulez_py.analysis.programs.wrappers.variables import commands

    return commands(program, words, variables)
