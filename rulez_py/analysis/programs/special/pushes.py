"""Which branches of another repository a command changes: git's own manual pages, those of `gh`, `glab`, `jj`, and the
REST interfaces of GitHub and GitLab.

The words alone say so; what settings and references make of them, the repository says. What is not known is
`anything`.
"""

from __future__ import annotations

from rulez_py.analysis.addresses import percent_decoded
from rulez_py.analysis.programs.read import holds
from rulez_py.analysis.values import CURRENT, Command, Push, Reading, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Found = tuple[Push, ...]

REFSPECS, BRANCHES, DEFAULT, ANYTHING = "refspecs", "branches", "default", "anything"
"""What a `Push` is about: see there."""
PLAIN, LEASE, FORCE, DELETE = "plain", "lease", "force", "delete"
HOW = (PLAIN, LEASE, FORCE, DELETE)
"""How a branch is changed: it goes on, it is replaced where it is as expected, replaced whatever it is, or gone."""
HEADS = "refs/heads/"

_ELSEWHERE = ("--git-dir", "--work-tree", "--namespace", "--bare", "--config-env")
_OF_CURRENT = (
    "git branch --show-current",
    "git rev-parse --abbrev-ref HEAD",
    "git rev-parse --abbrev-ref @",
    "git symbolic-ref --short HEAD",
    "git symbolic-ref --short -q HEAD",
)
_SPELLINGS = (*(f"$({one})" for one in _OF_CURRENT), *(f"`{one}`" for one in _OF_CURRENT))
"""Words for the name of the branch that is checked out."""
_UNKNOWN = ("$", "`")


def _anything(*how: str) -> Found:
    return tuple(Push(what=ANYTHING, how=one) for one in how or (PLAIN,))


class _Words:
    """The words of one command behind its subcommands."""

    def __init__(self, reading: Reading, words: Sequence[Word]) -> None:
        self.reading = reading
        self.words = tuple(words)

    def has(self, *flags: str) -> bool:
        return any(holds(self.reading, flag) for flag in flags)

    def values(self, *flags: str) -> tuple[Word, ...]:
        return tuple(one.value for one in self.reading.options if one.value and set(flags) & set(one.names))


def pushes(command: Command, reading: Reading) -> Found:
    """Return what a command of one of `PROGRAMS` pushes."""
    if "--help" in {word.text for word in command.words}:
        return ()
    operands = [operand.word for operand in reading.operands]
    if command.program == "git":
        return _by_git(reading, operands)
    known = _SAID[command.program]
    for length in (2, 1):
        said = known.get(" ".join(word.text for word in operands[:length]))
        if said is not None and len(operands) >= length:
            return said(_Words(reading, operands[length:]))
    return _anything() if operands and not operands[0].known else ()


# git itself.


def _by_git(reading: Reading, operands: list[Word]) -> Found:
    if not operands:
        return ()
    if not operands[0].known:
        return _anything(*HOW)
    said = _OF_GIT.get(operands[0].text)
    if said is None:
        return ()
    git = _Words(reading, operands[1:])
    found = said(git)
    settings = git.values("-c")
    places = git.values("-C")
    elsewhere = git.has(*_ELSEWHERE) or not all(word.known for word in (*settings, *places))
    return tuple(
        one.replace(
            elsewhere=elsewhere,
            directories=tuple(word.text for word in places),
            settings=tuple(_setting(word.text) for word in settings),
        )
        for one in found
    )


def _setting(written: str) -> tuple[str, str]:
    """Return a setting's name as git lists it, and its value: `-c NAME` alone is true."""
    name, equals, value = written.partition("=")
    section, _, rest = name.partition(".")
    subsection, dot, last = rest.rpartition(".")
    return f"{section.lower()}.{subsection}{dot}{last.lower()}", value if equals else "true"


def _refspec(word: Word) -> str | None:
    """Return a refspec; None where it is not known."""
    text = word.text
    if not word.known:
        for spelling in _SPELLINGS:
            text = text.replace(spelling, CURRENT)
        if any(mark in text for mark in _UNKNOWN):
            return None
    return text


def _push(git: _Words) -> Found:
    if git.has("-n", "--dry-run"):
        return ()
    how = FORCE if git.has("-f", "--force", "--mirror") else LEASE if git.has("--force-with-lease") else PLAIN
    named = git.values("--repo")
    remotes, written = (git.words[:1], git.words[1:]) if git.words else (named[-1:], ())
    texts = [_refspec(word) for word in written]
    if not all(word.known for word in remotes) or None in texts:
        # A word without quotes may be several.
        return _anything(*_ways(how), *((DELETE,) if git.has("-d", "--delete", "--prune") else ()))
    remote = remotes[0].text if remotes else ""
    refspecs = _without_tags([text for text in texts if text is not None])
    if git.has("-d", "--delete"):
        gone = tuple(f":{one}" for one in refspecs)
        return (Push(what=REFSPECS, remote=remote, refspecs=gone, how=DELETE),) if gone else ()
    return _kept(git, Push(what=REFSPECS, remote=remote, refspecs=refspecs, how=how), bool(written))


def _kept(git: _Words, push: Push, is_named: bool) -> Found:
    """Return a push without `--delete`; there is none where it pushes tags and nothing else."""
    flags = _flags(git, all="--all", mirror="--mirror", prune="--prune")
    if not push.refspecs and (is_named or git.has("--tags")):
        return ()
    return (push.replace(flags=flags),)


def _ways(how: str) -> tuple[str, ...]:
    """Return what a refspec that is not known may do."""
    # `+` forces and `:` deletes; that a branch has to be as expected only an option says.
    return (PLAIN, FORCE, DELETE) if how == PLAIN else (how, DELETE)


def _flags(git: _Words, **flags: str) -> tuple[str, ...]:
    return tuple(name for name, flag in flags.items() if git.has(flag))


def _without_tags(written: Sequence[str]) -> tuple[str, ...]:
    """Return refspecs without `tag NAME`."""
    found: list[str] = []
    of_tag = False
    for one in written:
        if of_tag:
            of_tag = False
        elif one == "tag":
            of_tag = True
        else:
            found.append(one)
    return tuple(found)


def _send_pack(git: _Words) -> Found:
    if git.has("--dry-run"):
        return ()
    how = FORCE if git.has("--force", "-f", "--mirror") else PLAIN
    texts = [_refspec(word) for word in git.words[1:]]
    if git.has("--stdin") or None in texts:
        return _anything(*_ways(how))
    refspecs = tuple(text for text in texts if text is not None) or (":",)
    flags = ("bare", *_flags(git, all="--all", mirror="--mirror"))
    return (Push(what=REFSPECS, remote="?", refspecs=refspecs, how=how, flags=flags),)


def _subtree(git: _Words) -> Found:
    if not git.words or git.words[0].text != "push":
        return () if git.words and git.words[0].known else _anything()
    if len(git.words) < 3 or not all(word.known for word in git.words):
        return _anything()
    written = git.words[2].text
    how = FORCE if written.startswith("+") else PLAIN
    return (_named(written.rpartition(":")[2].removeprefix("+"), how),)


def _svn(git: _Words) -> Found:
    if git.has("-n", "--dry-run") or not git.words or git.words[0].text not in ("dcommit", "commit-diff", "set-tree"):
        return ()
    return _anything()


def _flow(git: _Words) -> Found:
    words = {word.text for word in git.words}
    return _anything() if words & {"finish", "publish"} else ()


def _anything_of(*_words: object) -> Found:
    return _anything()


_OF_GIT: Mapping[str, Callable[[_Words], Found]] = {
    "push": _push,
    "send-pack": _send_pack,
    "subtree": _subtree,
    "svn": _svn,
    "flow": _flow,
    "town": _anything_of,
}


# Code hosts: their clients, and their REST interfaces.


def _named(name: str, how: str = PLAIN) -> Push:
    """Return the push of a branch by the name that a code host's interface has for it."""
    return Push(what=BRANCHES, names=(name.removeprefix(HEADS),), how=how)


class _Request:
    """A request to a code host: its method, its path from `/` on, and its fields; None for fields that are unknown."""

    def __init__(self, words: _Words) -> None:
        fields = words.values("-f", "--raw-field", "-F", "--field")
        named = words.values("-X", "--method")
        has_input = words.has("--input")
        self.method = named[-1].text.upper() if named else "POST" if fields or has_input else "GET"
        paths = [word.text for word in words.words if "/" in word.text or word.text == "graphql"] or [
            word.text for word in words.words
        ]
        path = paths[0] if paths else ""
        if "://" in path:
            path = path.partition("://")[2].partition("/")[2]
        self.path = "/" + percent_decoded(path.partition("?")[0]).lstrip("/")
        self.known = all(word.known for word in fields) and not has_input
        self._fields = dict(_field(word) for word in fields)

    def field(self, name: str) -> str | None:
        """Return a field's value, "" where it has none; None where that is unknown."""
        value = self._fields.get(name, "" if self.known else None)
        return None if value is None or value.startswith("@") or any(mark in value for mark in _UNKNOWN) else value

    def behind(self, piece: str) -> str | None:
        """Return the path behind a piece of it; None where it has none."""
        _, found, rest = f"{self.path}/".partition(piece)
        return rest.rstrip("/") if found else None


def _field(word: Word) -> tuple[str, str]:
    name, _, value = word.text.partition("=")
    return name, value


def _by_field(request: _Request, field: str, how: str = PLAIN, *, otherwise: Found = ()) -> Found:
    """Return the push to the branch that a field names, or what is so without that field."""
    name = request.field(field)
    if name is None:
        return _anything(how)
    return (_named(name, how),) if name else otherwise


def _by_path(name: str, how: str) -> Found:
    """Return the push to the branch that the path names."""
    unknown = not name or any(mark in name for mark in (*_UNKNOWN, "{"))
    return _anything(how) if unknown else (_named(name, how),)


_DEFAULT = (Push(what=DEFAULT),)


def _github(words: _Words) -> Found:
    request = _Request(words)
    method, known = request.method, request.behind
    if method == "GET":
        return ()
    if request.path.rstrip("/") in ("/graphql", "/api/graphql"):
        return _graphql(request)
    if known("/git/refs/") is not None or known("/git/ref/") is not None:
        return _reference(request)
    return _branch(request)


def _reference(request: _Request) -> Found:
    name = request.behind("/git/refs/") or request.behind("/git/ref/") or ""
    if not name:
        reference = request.field("ref")
        return () if reference and not reference.startswith(HEADS) else _by_field(request, "ref")
    if not name.removeprefix("refs/").startswith("heads/") and not any(mark in name for mark in _UNKNOWN):
        return ()
    name = name.removeprefix("refs/").removeprefix("heads/")
    if request.method == "DELETE":
        return _by_path(name, DELETE)
    return _by_path(name, PLAIN if request.field("force") in ("", "false") else FORCE)


def _branch(request: _Request) -> Found:
    known = request.behind
    if known("/contents/") is not None:
        return _by_field(request, "branch", otherwise=_DEFAULT)
    if known("/git/commits/") == "" or known("/merge-upstream/") == "":
        return _by_field(request, "branch")
    if known("/merges/") == "":
        return _by_field(request, "base", otherwise=_anything())
    if (rest := known("/branches/")) is not None and rest.endswith("/rename"):
        return (*_by_path(rest.removesuffix("/rename"), DELETE), *_by_field(request, "new_name"))
    if (rest := known("/pulls/")) is not None and rest.endswith(("/merge", "/update-branch")):
        return _anything()
    return _anything() if request.path.lstrip("/")[:1] in _UNKNOWN else ()


_CHANGING = (
    *("createCommitOnBranch", "mergePullRequest", "mergeBranch", "updateRef", "createRef", "deleteRef"),
    *("enablePullRequestAutoMerge", "enqueuePullRequest", "revertPullRequest", "updatePullRequestBranch"),
)
"""GraphQL mutations of GitHub that change a branch."""


def _graphql(request: _Request) -> Found:
    query = request.field("query")
    return _anything(*HOW) if query is None or any(one in query for one in _CHANGING) else ()


def _gitlab(words: _Words) -> Found:
    request = _Request(words)
    method, known = request.method, request.behind
    if method == "GET":
        return ()
    if (name := known("/repository/branches/")) is not None:
        return _by_path(name, DELETE) if name else _by_field(request, "branch", otherwise=_anything())
    if known("/repository/files/") is not None or known("/repository/commits/") is not None:
        return _by_field(request, "branch", otherwise=_DEFAULT)
    if known("/repository/merged_branches/") == "":
        return _anything(DELETE)
    if (rest := known("/merge_requests/")) is not None and rest.endswith(("/merge", "/rebase")):
        return _anything(FORCE if rest.endswith("/rebase") else PLAIN)
    return _anything() if request.path.lstrip("/")[:1] in _UNKNOWN else ()


def _merge(words: _Words) -> Found:
    if words.has("--disable-auto"):
        return ()
    return _anything(PLAIN, *((DELETE,) if words.has("-d", "--delete-branch", "--remove-source-branch") else ()))


def _sync(words: _Words) -> Found:
    """`gh repo sync` without a repository brings the local one up to date."""
    if not words.words:
        return ()
    how = FORCE if words.has("--force") else PLAIN
    named = words.values("-b", "--branch")
    if not named:
        return (Push(what=DEFAULT, how=how),)
    return tuple(one for word in named for one in (_by_path(word.text, how) if word.known else _anything(how)))


def _current(how: str = PLAIN) -> Found:
    return (Push(what=REFSPECS, refspecs=("HEAD",), how=how),)


def _created(words: _Words) -> Found:
    return _current() if words.has("--push") else ()


def _rebased(_words: _Words) -> Found:
    return _anything(FORCE)


def _jj(words: _Words) -> Found:
    """`jj` moves a branch on, and to another history only where it is told so and the branch is as it was fetched."""
    if words.has("--dry-run", "-N"):
        return ()
    how = LEASE if words.has("--allow-backwards") else PLAIN
    named = [*words.values("-b", "--bookmark", "--branch"), *_behind(words, "-b", "--bookmark")]
    gone = (DELETE,) if words.has("--deleted") else ()
    if not named or gone:
        return _anything(how, *gone)
    if any(not word.known or set(word.text) & set(":*?[") for word in named):
        return _anything(how)
    return (Push(what=BRANCHES, names=tuple(word.text.partition("@")[0] for word in named), how=how),)


def _behind(words: _Words, *flags: str) -> Iterable[Word]:
    """Return words that may be the value of one of these flags."""
    if not words.has(*flags) or words.values(*flags):
        return ()
    return (operand.word for operand in words.reading.operands if operand.doubtful)


def _sapling(words: _Words) -> Found:
    how = FORCE if words.has("-f", "--force") else PLAIN
    named = [*words.values("--to"), *_behind(words, "--to")]
    return tuple(_named(word.text, how) for word in named if word.known) or _anything(how)


_SAID: Mapping[str, Mapping[str, Callable[[_Words], Found]]] = {
    "gh": {
        "api": _github,
        "pr merge": _merge,
        "pr update-branch": _anything_of,
        "repo sync": _sync,
        "repo create": _created,
    },
    "hub": {"api": _github},
    "glab": {
        "api": _gitlab,
        "mr merge": _merge,
        "mr accept": _merge,
        "mr rebase": _rebased,
        "mr create": _created,
    },
    "jj": {"git push": _jj},
    "sl": {"push": _sapling, "pr": _anything_of},
    "gt": dict.fromkeys(("submit", "ss", "s", "stack submit", "sync", "merge"), _anything_of),
    "git-town": dict.fromkeys(("sync", "ship", "propose", "append", "prepend", "hack", "kill", "delete"), _anything_of),
    "ghstack": {"": _anything_of, "submit": _anything_of, "land": _anything_of},
    "tea": {"pulls merge": _merge, "pr merge": _merge},
}
PROGRAMS = frozenset(("git", *_SAID))
"""Programs that change branches of another repository."""
