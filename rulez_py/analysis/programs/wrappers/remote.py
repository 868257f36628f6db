"""Programs that run a command elsewhere: on another machine, in a container. And terminals kept by a server."""

from __future__ import annotations

from rulez_py.analysis.programs.wrappers import parts
from rulez_py.analysis.programs.wrappers.spec import CODE, ONE, Scan, Spec, below, each, read, scan, top
from rulez_py.analysis.values import REMOTE, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SSH = Spec(
    values="-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w",
    nothing="-V -Q -G -O -W -N",
    operands=1,
    exact=True,
)
# Options of ssh whose value is a command: whether it runs on the other side.
SSH_COMMANDS = {"proxycommand": False, "localcommand": False, "knownhostscommand": False, "remotecommand": True}


def ssh_options(values: Sequence[Word]) -> list[Inner]:
    """The commands among the values of ssh's -o: `ProxyCommand=code`, `RemoteCommand code`."""
    found: list[Inner] = []
    for word in values:
        end = next((place for place, char in enumerate(word.text) if char in "= \t"), 0)
        there = SSH_COMMANDS.get(word.text[:end].lower())
        if there is not None:
            start = end + len(word.text[end:]) - len(word.text[end:].lstrip("= \t"))
            if word.text[start:].lower() != "none":
                found.append(Inner(code=parts.cut(word, start), via=REMOTE if there else SHELL))
    return found


def ssh(words: Sequence[Word]) -> tuple[Inner, ...]:
    """ssh [options] destination [options] [words of shell code]; without words, standard input is the code."""
    spec = SSH.replace(values=f"{SSH.values} -M") if words[0].text.endswith("autossh") else SSH
    return each(spec, words, lambda own: _ssh(spec, own, words))


def _ssh(spec: Spec, own: Scan, words: Sequence[Word]) -> list[Inner]:
    found = ssh_options(own.every("-o"))
    if own.has(spec.nothing) or not own.operands:
        return found
    who = parts.user(own.value("-l")) if own.has("-l") else ""
    if not who and "@" in own.operands[0].text:
        who = parts.user(own.operands[0])
    for start in own.starts:
        found += [Inner(code=code, via=REMOTE, user=who) for code in parts.readings(words[start:])]
    if not own.starts and not any(one.via == REMOTE for one in found):
        found.append(Inner(stdin=True, via=REMOTE, user=who))
    return found


IN_CONTAINER = "-e --env"
EXEC = Spec(
    values="--env-file --detach-keys --index --preserve-fd --preserve-fds --cidfile",
    user="-u --user",
    cwd="-w --workdir",
    env=IN_CONTAINER,
    program="--entrypoint",
    operands=1,
    via=REMOTE,
    exact=True,
    strict=True,
)
RUN = EXEC.replace(
    values="-a --attach --add-host --annotation --arch --authfile --blkio-weight --blkio-weight-device --cap-add "
    "--cap-drop --cgroup-parent --cgroup-conf --cgroupns --cgroups --cidfile --conmon-pidfile "
    "--cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime -c --cpu-shares --cpus --cpuset-cpus "
    "--cpuset-mems --creds --decryption-key --detach-keys --device --device-cgroup-rule --device-read-bps "
    "--device-read-iops --device-write-bps --device-write-iops --dns --dns-option --dns-opt --dns-search "
    "--domainname --entrypoint --env-file --env-from-file --expose --gidmap --gpus --group-add "
    "--health-cmd --health-interval --health-retries --health-start-period --health-start-interval "
    "--health-timeout -h --hostname --hostuser --image-volume --init-ctr --init-path --ip --ip6 --ipc "
    "--isolation --kernel-memory -l --label --label-file --link --link-local-ip --log-driver --log-opt "
    "--mac-address -m --memory --memory-reservation --memory-swap --memory-swappiness --mount --name "
    "--net --network --network-alias --net-alias --oom-score-adj --os --passwd-entry --personality --pid "
    "--pids-limit --platform --pod --pod-id-file -p --publish --pull --requires --restart --runtime "
    "--secret --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --subgidname "
    "--subuidname --sysctl --systemd --timeout --tmpfs --tz --uidmap --ulimit --umask --userns --uts "
    "--variant -v --volume --volume-driver --volumes-from"
)
COMPOSE = Spec(
    values="-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress -H "
    "--host -c",
    below={"exec": EXEC, "run": RUN.replace(operands=1)},
    exact=True,
)
DOCKER = Spec(
    values="-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --connection "
    "--identity --url --root --runroot --storage-driver --storage-opt --cgroup-manager -n --namespace "
    "--address -a --snapshotter --data-root",
    below={
        "exec": EXEC,
        "run": RUN,
        "create": RUN,
        "container": Spec(below={"exec": EXEC, "run": RUN, "create": RUN}, exact=True),
        "compose": COMPOSE,
        "unshare": Spec(exact=True),
        "machine": Spec(below={"ssh": Spec(operands=1, form=CODE, via=REMOTE, exact=True)}, exact=True),
    },
    exact=True,
)


def docker(words: Sequence[Word]) -> tuple[Inner, ...]:
    """docker, podman, nerdctl (and compose): exec and run; --entrypoint names the program of what follows."""
    compose = parts.name(words[0]).endswith("compose")
    return read(COMPOSE if compose else DOCKER, words, level=top(words[0].replace(text="docker")) if compose else None)


def _innermost(spec: Spec, words: Sequence[Word]) -> Scan | None:
    """The words of the subcommand that runs something; None where there is none for certain."""
    first, level = 1, top(words[0])
    while spec.below is not None:
        outer = scan(spec, words, first, level)
        name = words[outer.starts[0]].text if len(outer.starts) == 1 else ""
        if name not in spec.below:
            return None
        spec, first, level = spec.below[name], outer.starts[0] + 1, below(level, name)
    return scan(spec, words, first, level)


def mounts(words: Sequence[Word]) -> list[tuple[str, Word, bool]]:
    """The places of this machine that `docker run` shows in the container: where, which, and whether only to be read.

    Volumes that have a name are none.
    """
    found = []
    own = _innermost(DOCKER, words) or Scan()
    for word in own.every("-v --volume"):
        text = word.text
        start = 2 if text[:1].isalpha() and text[1:3] in (":\\", ":/") else 0
        end = text.find(":", start)
        if end > 0 and (start or text.startswith(("/", ".", "~", "$"))):
            place, _, options = text[end + 1 :].partition(":")
            only_read = not {"ro", "readonly"}.isdisjoint(options.split(","))
            found.append((place, parts.with_text(word, text[:end]), only_read))
    for word in own.every("--mount"):
        fields = {part.partition("=")[0]: part.partition("=")[2] for part in word.text.split(",")}
        source = fields.get("source") or fields.get("src")
        place = fields.get("target") or fields.get("destination") or fields.get("dst") or ""
        if source and fields.get("type") == "bind":
            only_read = any(fields.get(name, "false") in ("", "true", "1") for name in ("ro", "readonly"))
            found.append((place, parts.with_text(word, source), only_read))
    return found


KUBE = (
    "-n --namespace --context --kubeconfig --cluster --user --token --as --as-group --as-uid -s --server "
    "--certificate-authority --client-certificate --client-key --request-timeout --tls-server-name "
    "--username --password --cache-dir --profile --profile-output -v --v --vmodule --log-flush-frequency"
)
KUBE_EXEC = Spec(
    values=f"{KUBE} -c --container -f --filename --pod-running-timeout", operands=1, via=REMOTE, exact=True
)
KUBE_RUN = Spec(
    values=f"{KUBE} --image --env --labels -l --overrides --override-type --port --restart --annotations "
    "--image-pull-policy -f --filename --field-manager --grace-period --timeout -o --output "
    "--dry-run-strategy --target --copy-to --set-image --profile --custom --share-processes-of -c "
    "--container --requests --limits --serviceaccount",
    operands=-1,
    behind=True,
    via=REMOTE,
    exact=True,
)
KUBECTL = Spec(
    values=KUBE,
    below={"exec": KUBE_EXEC, "run": KUBE_RUN, "debug": KUBE_RUN, "rsh": KUBE_EXEC.replace(empty=True)},
    exact=True,
)
INSTANCE = Spec(values="--group --mode", user="--user", cwd="--cwd", env="--env", operands=1, via=REMOTE, exact=True)
LXC = Spec(values="--project --config", below={"exec": INSTANCE}, exact=True)
NAMED = Spec(
    values="-n --name -H --host -r --root -d --distro -c --container -a --additional-flags -M --machine",
    user="--uid",
    cwd="--working-directory --workdir",
    env="-E --setenv",
    operands=1,
    via=REMOTE,
    empty=True,
    exact=True,
)
MANY_HOSTS = Spec(
    flags="-i --inline -A --askpass -v --verbose -I --send-input -P --print -L -N",
    values="-h --hosts -H --host -l --user -p --par -o --outdir -e --errdir -t --timeout -O --option -x "
    "--extra-arg -X --extra-args -w -g -f --fanout -B -b -S",
    form=CODE,
    via=REMOTE,
    exact=True,
)
FLY = Spec(
    below={
        "ssh": Spec(
            below={
                "console": Spec(
                    values="-a --app -c --config -g --process-group -o --org -r --region --address --container "
                    "--machine",
                    user="-u --user",
                    remote="-C --command",
                    exact=True,
                )
            },
            exact=True,
        )
    },
    exact=True,
)
TMUX_CODE = Spec(
    values="-F -l -n -p -s -t -x -y",
    flags="-a -A -b -d -D -E -f -h -I -k -P -S -v -X -Z",
    cwd="-c",
    env="-e",
    form=ONE,
    exact=True,
)
TMUX_POPUP = Spec(
    values="-b -c -h -s -S -t -T -w -x -y", flags="-B -C -E -EE -k -N", cwd="-d", env="-e", form=ONE, exact=True
)
WSL = Spec(
    values="-d --distribution --distribution-id --shell-type",
    user="-u --user",
    cwd="--cd",
    switch="-e --exec",
    nothing="-l --list --install --shutdown --status --update --version --help -t --terminate --unregister "
    "--export --import --set-default -s --set-default-version --set-version --mount --unmount --manage "
    "--uninstall",
    form=CODE,
    empty=True,
    exact=True,
)

SPECS: dict[str, Spec] = {
    "mosh": Spec(
        values="--server --predict -p --port --family --experimental-remote-ip --bind-server",
        code="--ssh --client",
        operands=1,
        via=REMOTE,
        flags="--predict-overwrite",
    ),
    "kubectl": KUBECTL,
    "oc": KUBECTL,
    "k3s": Spec(below={"kubectl": KUBECTL}, exact=True),
    "microk8s": Spec(below={"kubectl": KUBECTL}, exact=True),
    "minikube": Spec(
        below={
            "ssh": Spec(values="-n --node -p --profile", form=CODE, via=REMOTE, empty=True, exact=True),
            "kubectl": KUBECTL,
        },
        values="-p --profile",
        exact=True,
    ),
    "lxc": LXC,
    "incus": LXC,
    "lxc-attach": Spec(values="-n --name -P --lxcpath -e -s -u -g -R", via=REMOTE, empty=True),
    "vagrant": Spec(
        below={"ssh": Spec(remote="-c --command", operands=-1, behind=True, form=CODE, via=REMOTE, exact=True)},
        values="--machine-readable",
        exact=True,
    ),
    "gcloud": Spec(
        below={
            name: Spec(
                values="--project --zone --account", below={"ssh": Spec(remote="--command", operands=-1, behind=True)}
            )
            for name in ("compute", "alpha", "beta")
        },
        values="--project --account --configuration",
    ),
    "az": Spec(
        below={"vm": Spec(below={"run-command": Spec(below={"invoke": Spec(remote="--scripts", operands=-1)})})}
    ),
    "heroku": Spec(
        below={
            "run": Spec(values="-a --app -r --remote -s --size --type -e --env", form=CODE, via=REMOTE, exact=True),
            "run:detached": Spec(
                values="-a --app -r --remote -s --size --type -e --env", form=CODE, via=REMOTE, exact=True
            ),
        },
        exact=True,
    ),
    "fly": FLY,
    "flyctl": FLY,
    "adb": Spec(
        values="-s -t -H -P -L",
        flags="-a -d -e",
        below={"shell": Spec(values="-e", flags="-n -t -tt -T -x", form=CODE, via=REMOTE, empty=True, exact=True)},
        exact=True,
    ),
    "multipass": Spec(
        below={"exec": Spec(cwd="-d --working-directory", operands=1, via=REMOTE), "shell": NAMED}, exact=True
    ),
    "limactl": Spec(
        below={"shell": Spec(cwd="--workdir", values="--shell", operands=1, via=REMOTE, empty=True)},
        values="--log-level",
    ),
    "lima": Spec(via=REMOTE, empty=True),
    "colima": Spec(below={"ssh": Spec(behind=True, operands=-1, via=REMOTE)}, values="-p --profile"),
    "orb": Spec(values="-m --machine", user="-u --user", cwd="-w --workdir", via=REMOTE, exact=True),
    "distrobox": Spec(below={"enter": NAMED}, exact=True),
    "distrobox-enter": NAMED,
    "toolbox": Spec(below={"run": NAMED.replace(operands=0)}, exact=True),
    "machinectl": Spec(below={"shell": NAMED}, exact=True),
    "systemd-nspawn": Spec(
        values="-D --directory -i --image -M --machine -b --bind --bind-ro --tmpfs -U --private-users -n --template "
        "--network-bridge --network-interface --property -p --port --capability --uuid -S --slice",
        user="-u --user",
        cwd="--chdir",
        env="-E --setenv",
        via=REMOTE,
        exact=True,
    ),
    "pssh": MANY_HOSTS,
    "parallel-ssh": MANY_HOSTS,
    "pdsh": MANY_HOSTS,
    "clush": MANY_HOSTS,
    "dsh": MANY_HOSTS.replace(values="-m --machine -g --group -f --file -r --remoteshell -o"),
    "devcontainer": Spec(
        below={
            "exec": Spec(
                values="--workspace-folder --container-id --config --id-label --docker-path --user-data-folder",
                env="--remote-env",
                via=REMOTE,
                exact=True,
            )
        },
        exact=True,
    ),
    "ddev": Spec(
        below={"exec": Spec(cwd="-d --dir", values="-s --service", form=CODE, via=REMOTE, exact=True)}, exact=True
    ),
    "wsl": WSL,
}

SHELL_MODULES = ("shell", "command", "raw", "win_shell", "win_command")
ANSIBLE = Spec(
    flags="-b --become -k --ask-pass -K --ask-become-pass -D --diff -v -vv -vvv --verbose -o --one-line",
    values="-m --module-name -a --args -i --inventory -l --limit -u -f --forks -e --extra-vars -c --connection "
    "-t --tree -T --timeout -B --background -P --poll -M --module-path --become-method --private-key "
    "--key-file --vault-password-file --vault-id --playbook-dir --ssh-common-args --ssh-extra-args "
    "--scp-extra-args --sftp-extra-args --task-timeout --become-password-file --connection-password-file",
    user="--become-user",
    operands=-1,
    nothing="--list-hosts --version -h --help -C --check",
)


def ansible(words: Sequence[Word]) -> tuple[Inner, ...]:
    """ansible PATTERN -m shell -a CODE; without a module it is `command`."""
    own = scan(ANSIBLE, words)
    code, module = own.value("-a --args"), own.value("-m --module-name")
    if code is None or own.has(ANSIBLE.nothing):
        return ()
    if module is not None and module.known and module.text.rpartition(".")[2] not in SHELL_MODULES:
        return ()
    who = ""
    if own.has("-b --become --become-user"):
        given = own.value("--become-user")
        who = "root" if given is None else parts.user(given)
    return (Inner(code=code, via=REMOTE, user=who),)


SALT = Spec(
    values="-c --config-dir -t --timeout -b --batch-size -a --auth --out --output --out-file --return "
    "--log-level -l --log-file --module-dirs -m --username --password",
    operands=-1,
    exact=True,
)
SALT_FUNCTIONS = (
    "cmd.run",
    "cmd.shell",
    "cmd.run_all",
    "cmd.run_stdout",
    "cmd.run_stderr",
    "cmd.retcode",
    "cmd.run_bg",
)


def salt(words: Sequence[Word]) -> tuple[Inner, ...]:
    """salt TARGET cmd.run CODE, and salt-call cmd.run CODE for this machine."""
    here = words[0].text.endswith("salt-call")
    own = scan(SALT, words)
    operands = [*own.operands, *words[own.last :]]
    for at, word in enumerate(operands[:-1]):
        if word.text in SALT_FUNCTIONS:
            return (Inner(code=operands[at + 1], via=SHELL if here else REMOTE),)
    return ()


TMUX = Spec(values="-L -S -f -T", flags="-2 -C -CC -D -l -N -u -v", cwd="", code="-c", exact=True)
TMUX_KEYS = {"Enter": "\n", "C-m": "\n", "C-j": "\n", "KPEnter": "\n", "Space": " ", "Tab": "\t"}
TMUX_OTHER_KEYS = (
    "C-",
    "M-",
    "S-",
    "Escape",
    "Up",
    "Down",
    "Left",
    "Right",
    "Home",
    "End",
    "BSpace",
    "DC",
    "PageUp",
    "F1",
)
TMUX_WINDOWS = (
    *("new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp"),
    *("respawn-window", "respawnw"),
)
TMUX_TEXTS = ("run-shell", "run", "if-shell", "if", "pipe-pane", "pipep")
TMUX_SEND = ("send-keys", "send")


def tmux(words: Sequence[Word]) -> tuple[Inner, ...]:
    """tmux: windows with a command, keys typed into a shell, run-shell; several of its commands are parted by `;`."""
    return each(TMUX, words, lambda own: _tmux_commands(own, words))


def _tmux_commands(own: Scan, words: Sequence[Word]) -> list[Inner]:
    found = [Inner(code=word, via=SHELL) for word in own.every("-c")]
    command: list[Word] = []
    for word in [*words[own.last :], None]:
        ends = word is None or word.text.endswith(";")
        if word is not None and word.text != ";":
            command.append(parts.cut(word, 0, -1) if ends else word)
        if ends and command:
            found += _tmux(command)
            command = []
    return found


def _tmux(words: Sequence[Word]) -> tuple[Inner, ...]:
    name = words[0].text
    if name in TMUX_WINDOWS:
        return read(TMUX_CODE, words)
    if name in ("display-popup", "popup"):
        return read(TMUX_POPUP, words)
    if name in TMUX_TEXTS:
        return read(
            Spec(values="-t -d -b", flags="-C -E -F -I -o -O", cwd="-c", exact=True, form=ONE),
            words[: _one_operand(words)],
        )
    if name not in TMUX_SEND:
        return ()
    own = scan(Spec(values="-c -N -t", exact=True), words)
    typed = words[own.last :]
    if not own.has("-l"):
        typed = [parts.with_text(word, TMUX_KEYS.get(word.text, word.text)) for word in typed if not _key(word)]
    return (Inner(code=parts.join(typed, ""), via=SHELL),) if typed else ()


def _one_operand(words: Sequence[Word]) -> int:
    return scan(Spec(values="-t -d -b -c", exact=True), words).last + 1


def _key(word: Word) -> bool:
    text = word.text
    return text not in TMUX_KEYS and text.startswith(TMUX_OTHER_KEYS) and len(text) < 8 and " " not in text


SCREEN = Spec(
    values="-c -e -h -p -s -S -t -T",
    flags="-4 -6 -a -A -d -D -f -i -I -l -L -m -n -O -q -R -U -X",
    nothing="-ls -list -v -wipe",
    exact=True,
)


def screen(words: Sequence[Word]) -> tuple[Inner, ...]:
    """screen WORDS, and `-X stuff TEXT`, which types into a shell."""
    return each(SCREEN, words, lambda own: _screen(own, words))


def _screen(own: Scan, words: Sequence[Word]) -> tuple[Inner, ...]:
    if own.has(SCREEN.nothing):
        return ()
    rest = tuple(words[own.last :])
    if not own.has("-X"):
        return tuple(Inner(words=tuple(words[start:])) for start in own.starts)
    if len(rest) > 1 and rest[0].text == "stuff":
        return (Inner(code=parts.join(rest[1:]), via=SHELL),)
    if len(rest) > 1 and rest[0].text in ("exec", "screen"):
        return (Inner(words=rest[1:]),)
    return ()


KINDS: dict[str, Callable[[Sequence[Word]], tuple[Inner, ...]]] = {
    **dict.fromkeys(("ssh", "autossh", "slogin"), ssh),
    **dict.fromkeys(("docker", "podman", "nerdctl", "docker-compose", "podman-compose"), docker),
    "ansible": ansible,
    "salt": salt,
    "salt-call": salt,
    "tmux": tmux,
    "byobu": tmux,
    "screen": screen,
}
