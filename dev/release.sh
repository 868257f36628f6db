#!/bin/sh
# Builds the archives that are published (`make release`): on an old base, so that they start on old systems as well,
# and with a Python made for them: optimised (PGO, LTO), static, with the modules inside that hook calls load.
#
# Needs root, debootstrap, and a machine of the base's kind (Linux, x86_64 or arm64). What is downloaded: packages of
# the distribution, each signed; wheels, each with its digest in requirements/dev.txt. A stage that is done is kept in
# build/release: the first run takes an hour, the next ones minutes. In the base nothing is downloaded.
set -eu

SUITE=bullseye         # glibc 2.31
SOURCES=bookworm       # has Python's source, with its distribution's mends
SOURCE=python3.11
GLIBC=2.31
: "${PYTHON:=.venv/bin/python}"
: "${RELEASE_TASK:=-m test --pgo test_bytes test_collections test_dataclasses test_dict test_enum test_functools test_json test_list test_set test_string test_struct test_tuple test_types}"
: "${JOBS:=$(nproc)}"

cd "$(dirname "$0")/.."
work=$PWD/build/release
base=$work/base
mirror=${MIRROR:-$(sed -n -E 's/^(URIs:|deb) *(\[[^]]*\] *)?(https?:[^ ]*).*/\3/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v security | head -n 1)}
[ "$(id -u)" = 0 ] || { echo "error: run it as root: the base is a directory of its own root" >&2; exit 1; }
command -v debootstrap > /dev/null || { echo "error: debootstrap is not installed" >&2; exit 1; }
[ -n "$mirror" ] || { echo "error: no mirror of the distribution is configured: set MIRROR=URL" >&2; exit 1; }
mkdir -p "$work"

# Runs what is on its input in the base, with no network.
inside() {
    unshare --mount --net --pid --fork sh -eu -c '
        mount --make-rprivate / && mount --bind "$1" "$1" && mount -t proc proc "$1/proc"
        mount --bind /dev "$1/dev" && mount -t tmpfs tmp "$1/tmp"
        exec chroot "$1" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 JOBS="$2" TASK="$3" sh -eu
    ' sh "$base" "$JOBS" "$RELEASE_TASK"
}

if [ ! -e "$work/base.done" ]; then
    echo "release: the base, $SUITE"
    rm -rf "$base"
    debootstrap --variant=minbase --include=build-essential,pkg-config,git,binutils,xz-utils,ca-certificates,zlib1g-dev,libssl-dev,libffi-dev,libbz2-dev,liblzma-dev,libsqlite3-dev,libexpat1-dev,uuid-dev \
        "$SUITE" "$base" "$mirror" > "$work/base.log"
    touch "$work/base.done"
fi

if [ ! -e "$work/source.done" ]; then
    echo "release: the source of $SOURCE, from $SOURCES"
    rm -rf "$base/python" && mkdir -p "$base/python" "$base/etc/apt/sources.list.d"
    echo "deb-src $mirror $SOURCES main" > "$base/etc/apt/sources.list.d/source.list"
    cp /etc/resolv.conf "$base/etc/resolv.conf"
    chroot "$base" sh -eu -c "apt-get -q -o APT::Sandbox::User=root update && cd /python &&
        apt-get -q -o APT::Sandbox::User=root source $SOURCE" > "$work/source.log" 2>&1
    mv "$base/python/$SOURCE"-*/ "$base/python/source"
    touch "$work/source.done"
fi

if [ ! -e "$work/python.done" ]; then
    echo "release: Python (PGO and LTO take long)"
    # Static: what hook calls load, as the distribution's own Python has it inside.
    # PyInstaller asks for a shared library; the launcher takes the static one.
    inside > "$work/python.log" 2>&1 <<'IN'
rm -rf /python/build /opt/python
mkdir -p /python/build/Modules
cd /python/build
{
    echo '*static*'
    sed -n -E 's/^#((_json|_sha256|_sha512|_sha1|_md5|_struct|math|select|fcntl|_posixsubprocess|_random|_datetime|_bisect|_heapq|_opcode|_pickle|array|binascii|grp|unicodedata|zlib|_csv|_blake2|_sha3|_socket|_statistics|cmath)  *[A-Za-z_].*)/\1/p' ../source/Modules/Setup
    # The distribution's mends take what is Python's own; setup.py does not say so where expat is the system's.
    echo '*shared*'
    echo 'pyexpat pyexpat.c -DPy_BUILD_CORE_MODULE -lexpat'
} > Modules/Setup.local
cat Modules/Setup.local
../source/configure --prefix=/opt/python --enable-optimizations --with-lto --enable-shared --with-system-expat --with-system-ffi \
    --without-ensurepip --with-computed-gotos --disable-test-modules LDFLAGS='-Wl,-rpath,/opt/python/lib'
make -j "$JOBS" PROFILE_TASK="$TASK"
make install
/opt/python/bin/python3.11 -c 'import zlib, _json, _sha256, sqlite3, ssl, ctypes, pyexpat; print(zlib, _json, _sha256)'
/opt/python/bin/python3.11 -m venv /tmp/environment
IN
    touch "$work/python.done"
fi

echo "release: the wheels"
tags=$(for minor in 31 28 27 26 24 17 12 5; do printf -- ' --platform manylinux_2_%s_%s' "$minor" "$(uname -m)"; done)
# shellcheck disable=SC2086
"$PYTHON" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes --python-version 3.11 $tags \
    --platform "manylinux2014_$(uname -m)" --platform "manylinux1_$(uname -m)" --dest "$work/wheels" \
    --requirement requirements/dev.txt
rm -rf "$base/wheels" "$base/rulez" && cp -R "$work/wheels" "$base/wheels"

echo "release: the program"
git clone --quiet . "$base/rulez"
# Its environment is made of the wheels alone: pip itself runs out of its own.
inside > "$work/program.log" 2>&1 <<'IN'
cd /rulez
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels PIP_DISABLE_PIP_VERSION_CHECK=1
git config --global --add safe.directory /rulez
make dist PYTHON=/opt/python/bin/python3.11 BUILD_PYTHON=/opt/python/bin/python3.11
.venv/bin/python dev/demo.py dist/rulez/rulez
IN
"$PYTHON" dev/glibc.py "$base/rulez/dist/rulez" "$GLIBC"
mkdir -p dist
cp "$base"/rulez/dist/rulez-*.tar.gz "$base"/rulez/dist/rulez-*.zip "$base/rulez/dist/SHA256SUMS" dist/
ls -l dist/rulez-*.tar.gz dist/rulez-*.zip
