"""The programs that run the command behind their own words, as data: sudo, env, timeout, ...

From their manuals; those of coreutils, util-linux, procps, strace and systemd compared with what `--help` prints.
"""

from __future__ import annotations

from rulez_py.analysis.programs.wrappers.spec import CODE, Spec

SIMPLE = Spec()
AS_FIRST = Spec(operands=1, who=True)
VERBATIM = Spec(exact=True)
EXEC = Spec(below={"exec": SIMPLE})
RUN = Spec(below={"run": SIMPLE})
ARCHITECTURES = (
    "linux32 linux64 i386 i486 i586 i686 i86pc x86_64 amd64 ppc ppc32 ppc64 ppc64le arm armv6l armv7l "
    "armv8l aarch64 arm64 arm64e uname26 riscv32 riscv64 s390 s390x sparc sparc64 mips mips64 alpha ia64 "
    "parisc parisc64 loongarch64"
)

SUDO = Spec(
    values="-C --close-from -g --group -h --host -p --prompt -R --chroot -r --role -t --type -T --command-timeout -U "
    "--other-user -c -a",
    user="-u --user",
    cwd="-D --chdir",
    nothing="-l --list -v --validate -V --version -e --edit --help -K --remove-timestamp",
    opens="-i --login -s --shell",
    assignments=True,
    as_user="root",
)
ENV = Spec(
    values="-u --unset -P -a --argv0 -L -U",
    cwd="-C --chdir",
    split="-S --split-string",
    nothing="--help --version",
    assignments=True,
)
PERSONALITY = (
    "-B --32bit -F --fdpic-funcptrs -I --short-inode -L --addr-compat-layout -R --addr-no-randomize -S "
    "--whole-seconds -T --sticky-timeouts -X --read-implies-exec -Z --mmap-page-zero -3 --3gb --4gb --uname-2.6 "
    "-v --verbose"
)
SETARCH = Spec(operands=1, choices=ARCHITECTURES, empty=True, flags=PERSONALITY, nothing="--list --show")
PERSONA = Spec(empty=True, flags=PERSONALITY)
SYSTEMD_RUN = Spec(
    values="-H --host -M --machine -u --unit -p --property --description --slice --service-type --gid --nice "
    "--path-property --socket-property --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive "
    "--on-calendar --timer-property --background",
    user="--uid",
    cwd="--working-directory",
    env="-E --setenv",
    flags="--slice-inherit -r --remain-after-exit --scope -t --pty -P --pipe -q --quiet -G --collect --wait --no-block "
    "--no-ask-password --same-dir -d --system --send-sighup --expand-environment --ignore-failure",
    nothing="--version --help",
    opens="-S --shell",
    keeps="--user",
    as_user="root",
)
RUN0 = SYSTEMD_RUN.replace(
    user="-u --user",
    cwd="-D --chdir",
    env="--setenv",
    values="--unit --property --description --slice -g --group --nice --machine --background --area -a --job-mode",
    keeps="",
    flags="--no-ask-password --slice-inherit --pty --pipe --via-shell -i --same-root-dir",
    opens="-i --via-shell",
    empty=True,
)
UNSHARE = Spec(
    values="-R --root -S --setuid -G --setgid --propagation --setgroups --map-user --map-group --map-users "
    "--map-groups --monotonic --boottime -l --load-interp --owner",
    cwd="-w --wd",
    attached="-m -u -i -n -p -U -C -T --mount --uts --ipc --net --pid --user --cgroup --time",
    empty=True,
)
NSENTER = Spec(
    values="-t --target -S --setuid -G --setgid -N --net-socket",
    attached="-m -u -i -n -p -C -U -T -r -w -W",
    empty=True,
)
BWRAP = Spec(
    values="--args --argv0 --userns --userns2 --pidns --uid --gid --hostname --unsetenv --lock-file --sync-fd "
    "--exec-label --file-label --proc --dev --tmpfs --mqueue --dir --remount-ro --seccomp "
    "--add-seccomp-fd --block-fd --userns-block-fd --info-fd --json-status-fd --cap-add --cap-drop "
    "--perms --size --overlay-src --tmp-overlay --ro-overlay",
    flags="--unshare-all --share-net --unshare-user --unshare-user-try --unshare-ipc --unshare-pid --unshare-net "
    "--unshare-uts --unshare-cgroup --unshare-cgroup-try --disable-userns --assert-userns-disabled --clearenv "
    "--new-session --die-with-parent --as-pid-1 --level-prefix",
    cwd="--chdir",
    pairs="--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --bind-fd --ro-bind-fd --symlink --file "
    "--bind-data --ro-bind-data --chmod",
    env_pairs="--setenv",
    exact=True,
)
STRACE = Spec(
    values="-e -a -b -I -O -p -P -s -S -U -X --columns --attach --detach-on --interruptible --trace-path "
    "--string-limit --summary-syscall-overhead --summary-sort-by --summary-columns --trace --signal "
    "--status --inject --fault --abbrev --verbose --raw --read --write --kvm --const-print-style --decode-pids --argv0",
    user="-u --user",
    env="-E --env",
    piped="-o --output",
    flags="--summary --summary-only --output-append-mode --output-separately -f -ff -F -c -C -d -D -DD -DDD -A -h -i "
    "-k "
    "-n -N -q -qq -qqq -r -t -tt -ttt -T -v -w -x -xx -y -yy -Y -z -Z --follow-forks --daemonize --quiet --debug "
    "--instruction-pointer --stack-traces --syscall-number --relative-timestamps --absolute-timestamps --no-abbrev "
    "--syscall-times --summary-wall-clock --successful-only --failed-only --seccomp-bpf --strings-in-hex "
    "--tips --always-show-pid",
)
LTRACE = Spec(
    values="-e -x -a -A -D -F -l -n -p -s -w --align --config --library --indent",
    user="-u",
    piped="-o --output",
    flags="-b -c -C -f -i -L -r -S -t -tt -ttt -T --demangle --no-signals",
)
PERF_COMMON = "-e --event -p --pid -t --tid -o --output -C --cpu -G --cgroup -D --delay -u --uid --filter --control"
PERF_RECORD = Spec(
    values=f"{PERF_COMMON} -c --count -F --freq -m --mmap-pages -j --branch-filter -k --clockid --call-graph "
    "--max-size --proc-map-timeout",
    flags="-a --all-cpus -g -q --quiet -v --verbose -s --stat -d --data -T --timestamp -P --period -n --no-samples "
    "-R --raw-samples -N --no-buildid-cache -B --no-buildid -A --append -i --no-inherit -W --weight --per-thread -f",
)
PERF = Spec(
    below={
        "stat": Spec(
            values=f"{PERF_COMMON} -r --repeat -x --field-separator -I --interval-print --input --timeout -M --metrics",
            flags="-a --all-cpus -d -dd -ddd --detailed -n --null -v --verbose -B --big-num -A --no-aggr -i "
            "--no-inherit "
            "-S --sync -g --group --append --per-socket --per-core --per-thread --topdown --json -j",
            code="--pre --post",
        ),
        "record": PERF_RECORD,
        "trace": PERF_RECORD,
        "mem": Spec(below={"record": PERF_RECORD}),
        "c2c": Spec(below={"record": PERF_RECORD}),
        "lock": Spec(below={"record": PERF_RECORD}),
        "sched": Spec(below={"record": PERF_RECORD}),
    }
)
SCRIPT = Spec(
    values="-I --log-in -O --log-out -B --log-io -T --log-timing -m --logging-format -E --echo -o --output-limit",
    attached="-t",
    code="-c --command",
    flags="-a --append -e --return -f --flush --force -q --quiet -k -r -F",
    operands=1,
    empty=True,
)
WATCH = Spec(
    values="-n --interval -q --equexit -s --shotsdir",
    attached="-d",
    switch="-x --exec",
    nothing="-h --help -v --version",
    form=CODE,
)
TIMEOUT = Spec(values="-k --kill-after -s --signal", operands=1)
CHRT = Spec(
    values="-T --sched-runtime -P --sched-period -D --sched-deadline",
    flags="-a --all-tasks -b --batch -d --deadline -f --fifo -i --idle -o --other -r --rr -R --reset-on-fork -v "
    "--verbose -e "
    "--ext -G --reclaim-grub -O --dl-overrun",
    nothing="-p --pid -m --max",
    operands=1,
    number=True,
)
ENVIRONMENTS = Spec(
    values="-f --file -e -v -p --path -c --cascade",
    flags="-o --override --overload -q --quiet --strict --debug",
    exact=True,
)
UV_VALUES = (
    "--with --with-editable --with-requirements -p --python --package --env-file --extra --no-extra "
    "--group --no-group --only-group --index --default-index -i --index-url --extra-index-url -f "
    "--find-links --no-build-package --no-binary-package --upgrade-package -P --reinstall-package "
    "--refresh-package --index-strategy --keyring-provider --resolution --prerelease --fork-strategy "
    "--exclude-newer --link-mode -C --config-setting --cache-dir --config-file --color --python-platform "
    "--allow-insecure-host --project --python-preference -w -c --constraints --overrides --from -b "
    "--build-constraints --no-sources-package"
)
UV_FLAGS = (
    "--isolated --offline --no-sync --frozen --locked -q --quiet -v --verbose --no-cache -n --native-tls "
    "--no-progress --no-config --all-extras --no-dev --dev --only-dev --all-groups --no-default-groups --no-editable "
    "--exact --no-env-file --active --no-project --all-packages --refresh -U --upgrade --reinstall --no-index "
    "--no-build --no-binary --no-sources --compile-bytecode --no-build-isolation --managed-python "
    "--no-managed-python --no-python-downloads --gui-script -s --script --show-resolution --preview --inexact "
    "--system-certs --force"
)
UVX = Spec(values=UV_VALUES, flags=UV_FLAGS, cwd="--directory", ends="@", exact=True)
NPX = Spec(
    values="-p --package -w --workspace --prefix",
    code="-c --call",
    flags="-y --yes --no --no-install --ignore-existing -q --quiet -s --silent --offline --prefer-offline "
    "--prefer-online "
    "--workspaces --ws --include-workspace-root --iwr --bun --verbose --foreground-scripts --ignore-scripts --no-bun",
    ends="@",
    exact=True,
)
# For npm itself `-p` is --parseable, which npx reads as --package: which of them is meant is not known.
NPM_EXEC = NPX.replace(values="--package -w --workspace --prefix")
NIX = Spec(
    below={
        name: Spec(
            values="-f --file --profile --redirect -k --keep-env-var -u --unset-env-var -E --expr -I --include",
            pairs="--arg --argstr --override-input --option",
            cwd="--chdir",
            words="-c --command",
            exact=True,
        )
        for name in ("develop", "shell", "env")
    }
)
ZELLIJ = Spec(
    below={"run": Spec(values="-n --name -d --direction --width --height -x -y --pinned", cwd="--cwd", exact=True)},
    values="-s --session --config --config-dir -l --layout --data-dir",
)

PLAIN: dict[str, Spec] = {
    "sudo": SUDO,
    "sudo-rs": SUDO,
    "doas": Spec(values="-a", user="-u", nothing="-C -L", opens="-s", as_user="root"),
    "dzdo": SUDO,
    "pkexec": Spec(user="--user", nothing="--version --help", as_user="root", empty=True),
    "run0": RUN0,
    "systemd-run": SYSTEMD_RUN,
    "gosu": AS_FIRST,
    "su-exec": AS_FIRST,
    "setuidgid": AS_FIRST,
    "chpst": Spec(values="-b -/ -e -n -l -L -m -d -o -p -f -c -r -t", user="-u -U", exact=True),
    "setpriv": Spec(
        values="--ambient-caps --inh-caps --bounding-set --regid --groups --securebits --pdeathsig --selinux-label "
        "--apparmor-profile --landlock-access --landlock-rule --ptracer --seccomp-filter --egid --rgid",
        user="--reuid --ruid --euid",
        nothing="-d --dump",
    ),
    "runcon": Spec(values="-u --user -r --role -t --type -l --range", operands=1),
    "env": ENV,
    "genv": ENV,
    "nohup": SIMPLE,
    "timeout": TIMEOUT,
    "gtimeout": TIMEOUT,
    "nice": Spec(values="-n --adjustment"),
    "ionice": Spec(values="-c --class -n --classdata", nothing="-p --pid -P --pgid -u --uid"),
    "chrt": CHRT,
    "taskset": Spec(nothing="-p --pid", operands=1),
    "numactl": Spec(
        values="-i --interleave -N --cpunodebind -C --physcpubind -m --membind -p --preferred -P -w "
        "--weighted-interleave -S --shmmode -f --file -o --offset -l --length",
        nothing="-s --show -H --hardware",
    ),
    "cpulimit": Spec(
        values="-l --limit -p --pid -e --exe -P --path",
        flags="-z --lazy -i --include-children -v --verbose -b -f -k -q",
    ),
    "prlimit": Spec(nothing="-p --pid", values="-o --output"),
    "choom": Spec(values="-n --adjust", nothing="-p --pid"),
    "softlimit": Spec(values="-a -c -d -f -l -m -o -p -r -s -t", exact=True),
    "stdbuf": Spec(values="-i --input -o --output -e --error"),
    "time": Spec(values="-f --format -o --output"),
    "gtime": Spec(values="-f --format -o --output"),
    "setsid": SIMPLE,
    "setarch": SETARCH,
    "arch": Spec(values="-arch --arch", env="-e", operands=1, choices=ARCHITECTURES, exact=True),
    "linux32": PERSONA,
    "linux64": PERSONA,
    "i386": PERSONA,
    "x86_64": PERSONA,
    "unshare": UNSHARE,
    "nsenter": NSENTER,
    "cgexec": Spec(values="-g"),
    "firejail": Spec(exact=True, nothing="--list --tree --top --version", empty=True),
    "bwrap": BWRAP,
    "proot": Spec(values="-r -b -q -k -S -R", cwd="-w", exact=True, empty=True),
    "sandbox-exec": Spec(values="-f -p -n -D", exact=True),
    "proxychains": Spec(values="-f", flags="-q"),
    "proxychains4": Spec(values="-f", flags="-q"),
    "torsocks": Spec(values="-a --address -P --port -u --user -p --pass", opens="--shell"),
    "torify": Spec(values="-a -P -u -p"),
    "tsocks": SIMPLE,
    "strace": STRACE,
    "ltrace": LTRACE,
    "valgrind": Spec(exact=True, flags="-v --verbose -q --quiet -s --show-error-list -d"),
    "perf": PERF,
    "rr": Spec(below={"record": Spec(values="-c -o --output-trace-dir -s --syscall-buffer-size", env="-v --env")}),
    "heaptrack": Spec(values="-o --output -p --pid", exact=True),
    "script": SCRIPT,
    "unbuffer": SIMPLE,
    "rlwrap": Spec(
        values="-b -C -D -e -f -H -l -m -M -O -p -P -q -s -S -t -T -w -z",
        flags="-a -A -c -d -g -i -I -n -N -o -r -R -u -U -v -W -x -X",
    ),
    "dbus-run-session": Spec(values="--config-file --dbus-daemon"),
    "dbus-launch": Spec(values="--config-file", attached="--close-stderr"),
    "xvfb-run": Spec(
        values="-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait",
        flags="-a --auto-servernum -l --listen-tcp",
    ),
    "caffeinate": Spec(values="-t -w", flags="-d -i -m -s -u"),
    "chroot": Spec(
        user="--userspec",
        values="--groups -u -g -G",
        operands=1,
        directory=True,
        empty=True,
        nothing="--help --version",
    ),
    "arch-chroot": Spec(user="-u", flags="-N -r -S", operands=1, directory=True, empty=True),
    "fakeroot": Spec(values="-l --lib -f --faked -s -i -b", flags="-u --unknown-is-real", empty=True),
    "fakechroot": Spec(values="-l --lib -e --environment -c --config-dir -b --elfloader -d", empty=True),
    "schroot": Spec(
        values="-c --chroot -n --session-name -s --shell",
        flags="-p --preserve-environment -r -b -e -q --quiet -v --verbose",
        user="-u --user",
        cwd="-d --directory",
        empty=True,
    ),
    "flock": Spec(values="-w --timeout --wait -E --conflict-exit-code", code="-c --command", operands=1),
    "lockf": Spec(values="-t -T", flags="-k -n -p -s -w", operands=1),
    "watch": WATCH,
    "gwatch": WATCH,
    "viddy": WATCH,
    "watchexec": Spec(
        values="-w --watch -e --exts -f --filter -i --ignore -d --debounce -s --signal --shell --delay-run "
        "--stop-signal "
        "--stop-timeout --on-busy-update -o --project-origin --workdir --emit-events-to -E --env",
        flags="-r --restart -n -c --clear -p --postpone -q --quiet -v --verbose -N --notify --no-vcs-ignore "
        "--no-project-ignore --no-global-ignore --no-default-ignore --no-process-group --no-meta --print-events "
        "--once -1",
        form=CODE,
        exact=True,
    ),
    "ssh-agent": Spec(values="-a -E -O -P -t", flags="-c -s -d -D -T -u -U", nothing="-k"),
    "sshpass": Spec(values="-f -d -p -P"),
    "sg": Spec(code="-c", operands=1, form=CODE, empty=True),
    "nocorrect": VERBATIM,
    "noglob": VERBATIM,
    "command": Spec(flags="-p", nothing="-v -V", exact=True),
    "builtin": VERBATIM,
    "exec": Spec(values="-a", flags="-c -l", exact=True),
    "chronic": Spec(flags="-v -e"),
    "ifne": Spec(flags="-n"),
    "dumb-init": Spec(values="-r --rewrite", flags="-c --single-child -v --verbose"),
    "tini": Spec(values="-p -e", flags="-s -v -w -g"),
    "daemonize": Spec(values="-e -l -o -p", flags="-a -v", env="-E", user="-u", cwd="-c"),
    "daemon": Spec(
        values="-n --name -F --pidfile -P --pidfiles -L --delay -M --limit -l --errlog -o --output -O --stdout "
        "-E --stderr -m --umask -A --attempts -X",
        user="-u --user",
        cwd="-D --chdir",
        env="-e --env",
    ),
    "setlock": Spec(operands=1),
    "busybox": Spec(nothing="--list --install --list-full --help"),
    "toybox": Spec(nothing="--list --help"),
    "rtk": Spec(below={"proxy": SIMPLE, "test": SIMPLE, "err": SIMPLE, "summary": SIMPLE, "run": SIMPLE}, other=True),
    "direnv": Spec(below={"exec": Spec(operands=1)}),
    "dotenv": ENVIRONMENTS.replace(below={"run": SIMPLE}, other=True),
    "dotenvx": Spec(below={"run": ENVIRONMENTS}),
    "dotenv-cli": ENVIRONMENTS,
    "env-cmd": Spec(
        values="-f --file -r --rc-file -e --environments",
        flags="--no-override --silent --use-shell --fallback -x --expand-envs --verbose",
        exact=True,
    ),
    "cross-env": Spec(assignments=True),
    "cross-env-shell": Spec(assignments=True, form=CODE),
    "op": Spec(
        values="--account --session --config",
        flags="--cache",
        below={"run": Spec(values="--env-file --account --environment")},
    ),
    "aws-vault": Spec(
        below={
            "exec": Spec(
                values="-d --duration -t --mfa-token --region --prompt",
                flags="-n --no-session -s --server --ecs-server --lazy -j --json --stdout --ec2-server",
                operands=1,
                empty=True,
            )
        },
        values="--backend --prompt --keychain --pass-dir --file-dir",
    ),
    "doppler": Spec(
        values="-p --project -c --config -t --token --scope",
        below={
            "run": Spec(
                values="-p --project -c --config -t --token --scope --fallback --passphrase --mount --mount-format "
                "--mount-template --mount-max-reads --name-transformer --only-secrets",
                attached="--preserve-env",
                code="--command",
            )
        },
    ),
    "infisical": Spec(
        below={"run": Spec(values="--env -e --path --projectId --token --tags -t", code="--command -c", exact=True)}
    ),
    "chamber": Spec(values="-b --backend -r --retries", below={"exec": Spec(operands=-1, behind=True)}),
    "teller": RUN,
    "sops": Spec(
        below={
            "exec-env": Spec(operands=1, form=CODE),
            "exec-file": Spec(values="--filename", operands=1, form=CODE),
        }
    ),
    "poetry": Spec(cwd="-C --directory -P --project", below={"run": SIMPLE}),
    "pipenv": RUN.replace(values="--python", flags="-q --quiet -v --verbose --bare --site-packages --system"),
    "pdm": Spec(
        below={
            "run": Spec(
                values="-p --project -L", flags="--site-packages -s -v --verbose -q --quiet --no-isolation -g --global"
            )
        }
    ),
    "hatch": Spec(values="-e --env -p --project --color --data-dir", below={"run": Spec(begins=":")}),
    "rye": RUN.replace(flags="-q --quiet -v --verbose"),
    "pipx": Spec(below={"run": Spec(values="--spec --python --pip-args --index-url -i --with", ends="=@")}),
    "bundle": Spec(below={"exec": Spec(values="--gemfile")}, values="--gemfile -r --retry"),
    "tox": Spec(below={"exec": Spec(values="-e", behind=True)}, values="-e --conf -c --workdir -p --parallel"),
    "opam": Spec(below={"exec": Spec(values="--switch --root", flags="--set-switch --set-root --sync")}),
    "stack": Spec(below={"exec": Spec(values="--package --stack-yaml")}),
    "cabal": EXEC,
    "rustup": Spec(below={"run": Spec(operands=1, flags="--install")}, flags="-q --quiet -v --verbose"),
    "fnm": Spec(below={"exec": Spec(values="--using --fnm-dir")}),
    "nvm": Spec(below={"exec": Spec(operands=1, number=True)}),
    "volta": Spec(
        below={
            "run": Spec(
                values="--node --npm --yarn --pnpm",
                env="--env",
                flags="--bundled-npm --no-yarn --no-pnpm -q --quiet --verbose",
            )
        }
    ),
    "npx": NPX,
    "pnpx": NPX,
    "bunx": NPX,
    "uvx": UVX,
    "npm": Spec(below={"exec": NPM_EXEC, "x": NPM_EXEC}, values="--prefix -w --workspace", cwd="-C", exact=True),
    "pnpm": Spec(
        below={
            "exec": Spec(switch="-c --shell-mode", values="--filter -F"),
            "dlx": NPX.replace(switch="-c --shell-mode", code="", values="--package --allow-build"),
        },
        values="--filter -F --dir -C",
        exact=True,
    ),
    "yarn": Spec(below={"exec": SIMPLE, "dlx": NPX}, values="--cwd", exact=True),
    "nix-shell": Spec(
        values="-I --attr -A --expr -E --keep -j --max-jobs -p --packages -i",
        pairs="--arg --argstr --option",
        code="--run --command",
        operands=-1,
        behind=True,
        exact=True,
    ),
    "nix": NIX,
    "guix": Spec(below={"shell": Spec(behind=True, operands=-1), "environment": Spec(behind=True, operands=-1)}),
    "conda": Spec(below={"run": Spec(values="-n --name -p --prefix", cwd="--cwd")}),
    "mamba": Spec(below={"run": Spec(values="-n --name -p --prefix", cwd="--cwd")}),
    "micromamba": Spec(
        values="-r --root-prefix",
        below={"run": Spec(values="-n --name -p --prefix -r --root-prefix -a --attach", cwd="--cwd", env="-e --env")},
    ),
    "mise": Spec(
        values="-E --env -j --jobs",
        cwd="-C --cd",
        flags="-q --quiet -v --verbose -y --yes --raw --silent",
        below=dict.fromkeys(
            ("exec", "x"),
            Spec(code="-c --command", values="-j --jobs -E --env", cwd="-C --cd", operands=-1, behind=True),
        ),
    ),
    "asdf": EXEC,
    "rbenv": EXEC,
    "pyenv": EXEC,
    "nodenv": EXEC,
    "goenv": EXEC,
    "jenv": EXEC,
    "zellij": ZELLIJ,
    "systemd-inhibit": Spec(values="--what --who --why --mode", nothing="--list"),
    "systemd-cat": Spec(values="-t --identifier -p --priority --stderr-priority --level-prefix --namespace"),
    "gnome-session-inhibit": Spec(values="--app-id --reason --inhibit"),
}
