"""Programs that may run what a file holds (`python -m dev.runners` writes this module)."""

from __future__ import annotations

_NAMES = """
. 9base Rscript abcl act am amm and ansible-playbook ant arc arch arch-chroot ash astro ava awk babel bacon
bash bazel bb bc behave bpython builtin bun bundle bunx busybox busybox-static bwrap byobu c++ c8 caffeinate
cap cargo cc ccl cgexec chef-apply cherry-pick chez chibi-scheme chicken-csi choom chpst chronic chroot chrt
clang clang++ clasp clisp clj clojure closh cmake cmucl command commit commitlint composer coreutils cpulimit
cross-env crush csi cypress d8 daemon daemonize dash dbus-launch dbus-run-session dc deno devbox devspace
distrobox-enter dmd doas docker docker-compose doit dotenv dotenv-cli dotnet duckdb dumb-init duty dzdo
earthly ecl electron elixir elvish emacs entr env env-cmd envchain envconsul erl esbuild eslint eslint_d esno
ex exec expect fab fakechroot fakeroot fastlane fennel firejail fish flock forego foreman fricas g++ gap gawk
gcc gcoreutils gem genv gforth ghc ghci git-bulk gitlab-ci-local gitlab-runner gmake gnome-session-inhibit
gnu-coreutils gnuplot go goawk goreman gosh gosu gp gprolog gradle gradlew groovy grunt gsi gtime gtimeout
guard guile gulp gview gvim gxargs hatch heaptrack hermes hilbish hivemind honcho hy i386 iex ifne inv invoke
ion ionice ipython irb isql-fb janet jasmine javac jest jimsh jjs joker jruby jrunscript js jsc jshell julia
just jython karma ki kotlin kotlinc kotlinc-jvm ksh ld-linux-aarch64.so.1 ld-linux-armhf.so.3
ld-linux-riscv64-lp64d.so.1 ld-linux-x86-64.so.2 ld-linux.so.2 ld-musl-aarch64.so.1 ld-musl-armhf.so.1
ld-musl-x86_64.so.1 ld.so ld64.so.2 lefthook lftp linker64 lint-staged linux32 linux64 litecli littler lldb
lockf locust ltrace lua luajit lumo m4 macaulay2 mage magma make matlab mawk maxima merge meson micropython
mise mit-scheme mksh mocha mongo mongosh mr msbuild mu mu-repo murex mvim mvn mvnd mvnw myrepos mzscheme nawk
nbb newlisp next nice ninja nix nix-shell nocorrect node nodejs nodemon noglob nohup not nox npm npx nsenter
nu numactl nushell nuxt nvim nx nyc ocaml octave octave-cli oh or orb original-awk osascript osql overcommit
overmind parallel parcel pdm perl petite php php-cli picolisp pil pip pixi pkexec planck playwright pnpm pnpx
pod podman-compose poe poethepoet poetry postcss pre-commit prek prettier prlimit proot proxychains
proxychains4 pry psql psysh ptpython pull push py pypy pypyr pytest python pythonw qjs r racket rake raku rdmd
rebase redis-cli repeat rhino rlwrap rollup ros rscript rspack rtk ruby run0 runcon runghc runhaskell rview
rvim rye sage sandbox-exec sbase-box sbcl scala scala-cli scheme schroot scilab scilab-cli scons screen script
sem setarch setlock setpriv setsid setuidgid sftp sh shx singular skaffold snakemake snowsql softlimit source
sphinx-autobuild sphinx-build sqlcmd sqlite sqlite3 ssh-agent sshpass standard stdbuf strace su-exec submodule
sudo sudo-rs summon svelte-kit swift swipl systemd-cat systemd-inhibit systemd-run tailwindcss tap task
taskipy taskset tclsh terraform texlua thor tilt time timeout tini tmux tofu torify torsocks tox toybox
truffleruby ts-node ts-node-esm tsocks tsup tsx ubase-box unbuffer unshare utop uu-coreutils uutils uv uvx
vagrant valgrind valkey-cli vcsh vi view vim vimdiff vite vitest waf webpack websocketd wish x86_64 xargs
xbuild xo xonsh xvfb-run yap yarn zig zsh zx
"""
RUNNERS = frozenset(_NAMES.split())
