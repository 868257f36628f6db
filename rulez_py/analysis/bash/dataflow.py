"""Where data comes from and goes to: files, descriptors and connections, by their names."""

from __future__ import annotations

import posixpath

from rulez_py.analysis.bash.world import Target, World
from rulez_py.analysis.values import DOWNLOAD, ORIGINS, SOME, SOMEWHERE, WRITE, Data, File, Names, Touch, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


_MOST_DIRECTORIES = 1_000
_STANDARD = {"/dev/stdin": "0", "/dev/stdout": "1", "/dev/stderr": "2"}
_LIBRARIES = ("LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "LD_AUDIT")
"""Variables that name code for any program to load."""


COPIED = "copied"
"""The origin of what a file holds that is another one whole, or a link to it: the first of its `files`."""
BROUGHT = "brought"
"""The origin of what a file holds that came with a whole directory from elsewhere (`git clone`)."""
GIT = "\0git"
"""The file, of no system, that holds what `git config` has set."""
_GIT_FILES = ("~/.gitconfig", "~/.config/git/config", ".git/config", ".git/config.worktree")
_GIT_FILE_IN = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG")
_SCHEMES = frozenset(("http", "https", "ftp", "ftps", "ssh", "git", "s3", "gs", "sftp", "scp"))
_MOST_ABOVE = 8
_MOST_INCLUDED = 8


def copy_of(data: Data, world: World) -> str:
    """Return the file that another is a copy of, or a link to; "" where it is no copy, or leads back to itself."""
    if COPIED not in data.origins or any(origin in ORIGINS for origin in data.origins) or not data.files:
        return ""
    original = world.files.get(data.files[0])
    return data.files[0] if original is None or COPIED not in original.origins else ""


def git_settings(world: World, spend: Callable[[int], None]) -> list[tuple[str, Word]]:
    """Return what this command line has set for git, by `git config` or in git's files; reading it takes steps."""
    if not world.files:
        return []
    paths = [path.replace("~", world.home, 1) for path in _GIT_FILES]
    paths += [name for variable in _GIT_FILE_IN if (name := visible(variable, world))]
    texts = [data for path in paths if (data := world.written(resolved(path, world))) is not None]
    texts += [world.files[GIT]] if GIT in world.files else []
    if not texts:
        return []
    from rulez_py.analysis.programs.special.git import in_file

    found: list[tuple[str, Word]] = []
    for number, data in enumerate(texts):
        text = data.shown if data.text is None else data.text
        spend(len(text) // 64)
        more = in_file(text, known=data.text is not None)
        found += more
        if number < _MOST_INCLUDED:
            included = [held(value.text.replace("~", world.home, 1), world) for name, value in more if _includes(name)]
            texts += [one for one in included if one is not None]
    return found


def _includes(name: str) -> bool:
    return name.lower().startswith("include") and name.lower().endswith(".path")


def filled_in(word: Word, world: World) -> Word:
    """Return a word of other code, which begins with a variable of the environment, with what that holds."""
    name = word.text[1:].partition("/")[0]
    if word.known or not word.text.startswith("$") or not name.isidentifier():
        return word
    value = world.get(name) if world.is_set(name) or name in ("HOME", "PWD") else None
    if not isinstance(value, Data) or value.text is None:
        return word
    text, rest = value.text, word.text[1 + len(name) :]
    glob = text + word.glob[1 + len(name) :] if word.glob.startswith(f"${name}") else word.glob
    return word.replace(text=text + rest, glob=glob, known="$" not in rest and not glob)


_PLACES = {
    "KUBECONFIG": ".kube/config",
    "AWS_SHARED_CREDENTIALS_FILE": ".aws/credentials",
    "AWS_CONFIG_FILE": ".aws/config",
    "GOOGLE_APPLICATION_CREDENTIALS": ".config/gcloud/application_default_credentials.json",
    "CLOUDSDK_CONFIG": ".config/gcloud",
    "AZURE_CONFIG_DIR": ".azure",
    "DOCKER_CONFIG": ".docker",
    "GH_CONFIG_DIR": ".config/gh",
    "GNUPGHOME": ".gnupg",
    "NETRC": ".netrc",
    "PGPASSFILE": ".pgpass",
    "PASSWORD_STORE_DIR": ".password-store",
    "NPM_CONFIG_USERCONFIG": ".npmrc",
    "BOTO_CONFIG": ".boto",
    "HISTFILE": ".bash_history",
}
"""Variables that name a file or a directory -> its default, below the home directory."""


def by_default(word: Word, world: World) -> Word | None:
    """Return the file that a word is for which begins with such a variable; None of any other."""
    name, slash, rest = word.text.replace("{", "").replace("}", "").removeprefix("$").partition("/")
    if word.known or name not in _PLACES or world.is_set(name):
        return None
    return word.replace(text=f"{world.home}/{_PLACES[name]}{slash}{rest}", known=True, glob="")


_ONE_OF_THEM = "$_"
"""The name that the analysis of code gives a file that is found in a directory."""


def listed(touch: Touch) -> Touch:
    """Return a touch by code: what it finds in a directory is one of those there.

    What it writes may be put into one.
    """
    word = touch.path
    directory, slash, name = (word.glob or word.text).rpartition("/")
    if slash and not word.known and name == _ONE_OF_THEM:
        names = Names(directory=directory or "/", pattern=SOME)
    elif slash and word.glob and directory.endswith("**"):
        place = directory[:-2].rstrip("/") or ("/" if directory.startswith("/") else ".")
        names = Names(directory=place, pattern="" if name in ("*", "**") else name)
    else:
        # Archives are unpacked, trees copied to it.
        return touch.replace(within=WRITE in touch.access and word.known and "." not in name.lstrip("."))
    return touch.replace(path=word.replace(known=False, glob="", data=Data(names=(names,))))


_CODE_ENDINGS = (".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".bash", ".zsh", ".rb", ".pl", ".php", ".lua", ".rc")
_OF_SHELLS = ("rc", "profile", "login", "logout", "_aliases", "_functions", "env")


def is_no_code(path: str) -> bool:
    """Tell if a file that is run is by its name something else: hidden, and not what shells read."""
    directory, _, name = path.rpartition("/")
    hidden = name[:1] == "." or any(part[:1] == "." and part.strip(".") for part in directory.split("/"))
    if not hidden or name.endswith(_CODE_ENDINGS) or directory.endswith(("/bin", "bin")):
        return False
    return name == ".env" or not (name[:1] == "." and name.endswith(_OF_SHELLS))


def of_process(path: str, world: World) -> str:
    """Return a path that leads through a process to its directory or its root (`/proc/self/cwd/x`), without that."""
    parts = path.split("/", 4)
    if not path.startswith("/proc/") or len(parts) < 4 or parts[3] not in ("cwd", "root"):
        return path
    rest = parts[4] if len(parts) > 4 else ""
    return f"/{rest}" if parts[3] == "root" else posixpath.join(world.cwd, rest)


def visible(name: str, world: World) -> str:
    """Return what is seen of a variable's value."""
    value = world.get(name) if world.is_set(name) else None
    if not isinstance(value, Data):
        return ""
    return (value.shown if value.text is None else value.text).removeprefix(f"{name}=")


def on_path(first: Word, world: World) -> Word | None:
    """Return the file of this command line's own making that a program's name means, where PATH leads to it."""
    for directory in visible("PATH", world).split(":")[:_MOST_DIRECTORIES]:
        path = posixpath.join(directory or ".", first.text)
        if world.written(resolved(path, world)) is not None:
            return first.replace(text=path)
    return None


def loaded(world: World) -> list[Data]:
    """Return the libraries of this command line's own making that every program loads (`LD_PRELOAD`)."""
    return [
        data
        for name in _LIBRARIES
        if name in world.variables
        for path in visible(name, world).replace(":", " ").split()[:_MOST_DIRECTORIES]
        if (data := world.written(resolved(path, world))) is not None
    ]


def mounted(files: Iterable[File], mounts: Sequence[tuple[str, str]]) -> tuple[File, ...]:
    """Return the files of this machine that are touched where they are seen in a container."""
    found = []
    for file in files:
        for place, source in mounts:
            inside = f"{place.rstrip('/')}/"
            path = posixpath.normpath(file.path)
            if f"{path}/".startswith(inside):
                glob = source.rstrip("/") + file.glob[len(inside) - 1 :] if file.glob.startswith(inside) else ""
                found.append(file.replace(path=posixpath.join(source, path[len(inside) :]), glob=glob))
            elif file.deep and inside.startswith(f"{path.rstrip('/')}/"):
                found.append(file.replace(path=source, glob=""))
    return tuple(found)


def held(path: str, world: World) -> Data | None:
    """Return what this command line has put into a file, by its place or as it is called; None where it has not."""
    place = resolved(path, world)
    return world.written(place) or world.written(path) or (_brought(place, world) if world.files else None)


def _brought(path: str, world: World) -> Data | None:
    """Return a file in a directory that came from elsewhere, as a whole."""
    for _ in range(_MOST_ABOVE):
        path = posixpath.dirname(path)
        if path in ("", "/"):
            break
        data = world.files.get(path)
        if data is not None and data.text is None and DOWNLOAD in data.origins:
            return Data(origins=(DOWNLOAD, BROUGHT))
    return None


def resolved(path: str, world: World) -> str:
    return posixpath.normpath(path if posixpath.isabs(path) else posixpath.join(world.cwd, path))


def based(touch: Touch) -> Word:
    """Return the path of a touch, below its base."""
    if touch.base is None or posixpath.isabs(touch.path.text) or touch.base.text == ".":
        return touch.path
    path = posixpath.join(touch.base.text, touch.path.text)
    known = touch.base.known and touch.path.known
    return touch.path.replace(text=path, known=known, glob="")


def is_download(path: str) -> bool:
    """Tell if what is called a file is the address of one elsewhere."""
    scheme, found, _ = path.partition("://")
    return bool(found) and scheme.lower().removeprefix("git+") in _SCHEMES


def connection(path: str) -> str:
    """Return the host of a `/dev/tcp/host/port`, SOMEWHERE where that is not known, "" of any other path."""
    for start in ("/dev/tcp/", "/dev/udp/"):
        if path.startswith(start):
            host = path[len(start) :].partition("/")[0].rstrip(".").lower()
            return SOMEWHERE if "$" in host or "`" in host else host
    return ""


def device_number(path: str) -> str:
    """Return the descriptor that a path names, "" where it names none."""
    if path in _STANDARD:
        return _STANDARD[path]
    start, _, number = path.rpartition("/fd/")
    process = start.removeprefix("/proc/")
    # Of another process it may be the same: this shell is known by several numbers.
    ours = start == "/dev" or (process != start and (process in ("self", "thread-self") or process.isdigit()))
    return number if ours and number.isdigit() else ""


def destination(target: Word, world: World) -> Target:
    """Return what is written to where output goes to a path."""
    host = connection(target.text)
    if host:
        return Target(host=host)
    if target.text == "/dev/null":
        return Target(dropped=True)
    number = device_number(target.text)
    if number:
        return world.outputs.get(number, Target(dropped=number == "2"))
    if target.text.startswith(">("):
        return Target(sink=target.text)
    return Target(path=resolved(target.text, world))


def duplicated(target: Word) -> str | None:
    """Return the descriptor that `>&` is given, with a final `-` where that is closed; None where it is a file."""
    text = target.text
    if text == "-":
        return text
    number = text.removesuffix("-")
    number = str(int(number, 0)) if number.isdigit() and number.isascii() and len(number) < 6 else number
    if number.isdigit():
        return number + ("-" if text.endswith("-") else "")
    return None if target.known else "?"
