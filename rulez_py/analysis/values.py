"""What a command line would do, as values: words, commands, files."""

from __future__ import annotations

from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Stored(Protocol):
        """The files that are there, by absolute paths; the caller of the analysis opens them."""

        def text(self, path: str) -> str | None:
            """Return the text of a file; None where it is not there, or not to be read."""

        def is_beyond(self, path: str) -> bool:
            """Tell if a file that is there has no text here, since more files are run than are read."""

        def is_cut(self, path: str) -> bool:
            """Tell if a file that is not as it was committed goes on behind its text here."""

        def names(self, directory: str) -> list[str]:
            """Return the names in a directory."""


# How a command is reached, from the command line on.
WRAPPER = "wrapper"
"""A program that runs another: sudo, env, timeout, xargs, find -exec."""
SHELL = "shell"
"""A shell or something that reads text as one does: sh -c, eval, trap, a pipe into bash."""
SUBSTITUTION = "substitution"
"""`$( )`, backticks, `<( )`, `>( )`."""
REMOTE = "remote"
"""Another machine or a container: its files are not of this machine."""
INTERPRETER = "interpreter"
"""Code of another language: python -c, node -e, awk."""
ANY = "any"
"""The language of a text whose language is unknown."""
TRANSFER = "transfer"
"""The language of consoles that move files to other machines: sftp, lftp, ftp."""
CONSOLES = (ANY, TRANSFER, "redis")
"""Languages of texts that are mostly data: what is not known of one is nothing to ask about."""
ENDLESS = "endless"
"""Started in the background again and again, without end: a fork bomb."""
DOUBT = "doubt"
"""A word that its program may run; it is unknown if it does."""
VIA = (WRAPPER, SHELL, SUBSTITUTION, REMOTE, INTERPRETER, ENDLESS, DOUBT)

# Why it is not known what would be executed.
PROGRAM = "program"
"""Which program runs is not known."""
CODE = "code"
"""The text a shell or an interpreter would run is not known."""
OUTPUT = "output"
"""That text is what another program prints."""
SET_UP = "set-up"
"""That text is what a program prints to be run by the shell that calls it (`ssh-agent`)."""
SYNTAX = "syntax"
"""No shell could read it; it was read as well as possible."""
LIMIT = "limit"
"""Too long, too deep or too slow to be followed to its end."""
RECURSION = "recursion"
"""A function that calls itself."""
ARGUMENTS = "arguments"
"""The program is known, some of its words are not."""
OPAQUE = (PROGRAM, CODE, OUTPUT, SET_UP, SYNTAX, LIMIT, RECURSION, ARGUMENTS)

# Where data came from.
DOWNLOAD = "download"
DECODE = "decode"
ORIGINS = (DOWNLOAD, DECODE)
ENVIRONMENT = "environment"
"""All variables of a process."""
VARIABLE = "variable"
"""A variable whose name says that it holds a secret."""
CREDENTIAL = "credentials"
"""What a program prints that prints passwords, tokens or keys."""
SOURCES = (ENVIRONMENT, VARIABLE, CREDENTIAL)

SOMEWHERE = "?"
"""In place of a host: one that is not known."""

# Where data goes.
NETWORK = "network"
"""Another machine."""
SHOWN = "output"
"""What the whole command line prints."""
STORE = "files"
SINKS = (NETWORK, SHOWN, STORE)

DIALECTS = ("zsh", "csh", "fish", "nu", "elvish", "xonsh", "cmd")
"""The languages of shells that are read as bash once they are written as it would have them (`bash/dialects.py`)."""

READ, WRITE, DELETE, SEND = "read", "write", "delete", "send"
SUPPOSED = (READ, WRITE)
"""What a program is supposed to do with a file where that is unknown."""
DIRECTLY, BELOW = "directly", "below"
"""Where a file is whose directory alone is known (`File.among`)."""


SOME = "{}"
"""The pattern of names that are some of those there; which ones is unknown."""


_SECRETIVE = frozenset(
    (
        *("TOKEN", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "PAT", "PW"),
        *("APIKEY", "PRIVATEKEY", "COOKIE", "DSN", "PASS", "AUTH", "JWT", "BEARER", "PIN", "MNEMONIC", "SEED"),
    )
)
_PUBLIC = frozenset(
    (
        *("PUBLIC", "FILE", "PATH", "DIR", "NAME", "ID", "URL", "URI", "SOCK", "METHOD", "TYPE", "HOST", "PORT"),
        *("LENGTH", "SIZE", "COUNT", "LIMIT", "TTL", "MODE", "PROVIDER", "COLOR", "RANDOM", "ENABLED", "PUB"),
    )
)
"""Parts of a name that say it holds no secret, but something about one."""


def is_secretive(name: str) -> bool:
    """Tell if the name of a variable says that it holds a secret: `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`."""
    parts = name.upper().split("_")
    if parts[-1] in _PUBLIC or "PUBLIC" in parts:
        return False
    return not _SECRETIVE.isdisjoint(parts) or (parts[-1] in ("KEY", "KEYS") and len(parts) > 1 and name.isupper())


class Names(Value):
    """Files whose names a program has printed: those below `directory` whose names fit `pattern`.

    `pattern` is "" for all that is there, SOME for an unknown part of it. `directory` is "" where the names have none.
    `flat` says that they are directly in it.
    """

    directory: str
    pattern: str = ""
    flat: bool = False


class Data(Value):
    """What is known of text that flows: a stream, a variable's value, a file's content.

    `text` is None where it is unknown; `shown` then holds what was seen of it: how the rest was written, what it was
    made of. `origins` is where it came from; `files` the paths whose content is in it. Where the text is a shell
    pattern for unknown names, `glob` is that pattern, as in a word. `names` are files whose names are in an unknown
    text.
    """

    text: str | None = None
    origins: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    shown: str = ""
    glob: str = ""
    names: tuple[Names, ...] = ()


class Word(Value):
    """One word of a command, as its program would get it.

    What is not `known` is in `text` as it was written (`$DIR/build`). `glob` is the word as a shell pattern where
    an unquoted `*`, `?` or `[` makes it one (a backslash before what is plain), else "". `at` is its place in
    the command line, as two offsets; (0, 0) where it is not written there itself. `data` says what flowed into it.
    """

    text: str
    known: bool = True
    glob: str = ""
    at: tuple[int, int] = (0, 0)
    data: Data = Data(text=None)


class Option(Value):
    """One option of a command.

    `names` holds every spelling (`-f`, `--force`) of what it may mean, more than one option's where it is not
    `certain`: an abbreviation of several, a letter of an undescribed program. `word` is where it was written. `second`
    is the second of two words that it takes.
    """

    names: tuple[str, ...]
    word: Word
    value: Word | None = None
    certain: bool = True
    second: Word | None = None


class Operand(Value):
    """A word that is no option; `doubtful` where it may be the value of the option before it."""

    word: Word
    doubtful: bool = False


class Reading(Value):
    """A command's words after the program, as options and operands. A subcommand is among the operands.

    An option that a later one takes back (`--force --no-force`) is not among the options.
    """

    options: tuple[Option, ...] = ()
    operands: tuple[Operand, ...] = ()


class Touch(Value):
    """A file that a program touches, by one of its words: relative to `base` where there is one, else to where it runs.

    `access` holds READ, WRITE, DELETE, SEND (its content leaves this machine); `deep` says that all below it counts,
    `within` that it is a directory in which some files, it is unknown which, are touched so; `some` that tests choose
    among what is there; `keeps` that what is in the file stays in it: it is added to, or its mode changes.
    """

    path: Word
    access: tuple[str, ...]
    deep: bool = False
    base: Word | None = None
    within: bool = False
    some: bool = False
    keeps: bool = False


class Impact(Value):
    """What one program does to the world, by its words alone.

    `hosts` are those it contacts, lower case, without port; SOMEWHERE is among them where one is not known.
    `origin` is where what it prints and writes came from (DOWNLOAD, DECODE, ENVIRONMENT, VARIABLE, CREDENTIAL, or
    "" where it is made of what it reads). `sends` says that its standard input goes to the hosts; `silent` that it
    prints nothing of what it reads (names, counts). `links` are names that it gives to files that are there: each
    file, and its new name. `patches` is the directory in which it changes what a patch names that it reads,
    `unpacks` that into which it puts what is in an archive on its standard input. `variables` are files with
    variables for what it runs; `lends` says that it gives that credentials in variables. `named` are the files that
    its words name where it is unknown what it does with them: what is supposed. `doubted` are words with an unknown
    role: they may be commands that it runs.
    """

    touches: tuple[Touch, ...] = ()
    named: tuple[Touch, ...] = ()
    hosts: tuple[str, ...] = ()
    origin: str = ""
    sends: bool = False
    silent: bool = False
    links: tuple[tuple[Word, Word], ...] = ()
    patches: Word | None = None
    unpacks: Word | None = None
    variables: tuple[Word, ...] = ()
    lends: bool = False
    doubted: tuple[Word, ...] = ()


class Inner(Value):
    """A command inside another: words to execute, or code.

    One of: `words`, an argument vector; `code`, a text in `language`; `file`, a file that holds such text;
    `stdin`, where standard input is that text.

    `via` is one of VIA. `user` is the user it runs as where that changes ("root"). `cwd` is where it runs where that
    changes. `environment` is what it sets before. `arguments` are `$0`, `$1`, ... of shell code. Where
    `placeholder` is not "", input takes its place later: one run for each of `inputs`, which are known
    where `inputs` is not None; with `appends`, input is put after the words instead. `takes_stdin` says that the
    input is the words or lines of standard input, or the parts between two of `separator`; `input_file` that it is
    those of a file. With `apart`, one run may get only some of the input.
    """

    words: tuple[Word, ...] = ()
    code: Word | None = None
    file: Word | None = None
    stdin: bool = False
    language: str = "sh"
    via: str = WRAPPER
    user: str = ""
    cwd: Word | None = None
    environment: tuple[tuple[str, Word], ...] = ()
    arguments: tuple[Word, ...] = ()
    placeholder: str = ""
    inputs: tuple[Word, ...] | None = None
    appends: bool = False
    takes_stdin: bool = False
    input_file: Word | None = None
    separator: str = ""
    apart: bool = False


class Found(Value):
    """What a piece of code in another language would do, as far as it can be seen; `opaque` is "" or one of OPAQUE.

    `reads` are those of SOURCES that it looks at, `links` files to which it gives second names, and these.
    """

    inner: tuple[Inner, ...] = ()
    touches: tuple[Touch, ...] = ()
    hosts: tuple[str, ...] = ()
    links: tuple[tuple[Word, Word], ...] = ()
    opaque: str = ""
    reads: tuple[str, ...] = ()


class File(Value):
    """A file a command touches: absolute, or relative to where the command line starts. See Touch.

    `opened` says that the shell opens it for the command, by a redirection. Where it is unknown which file it is,
    `among` is DIRECTLY or BELOW: one of those in the directory of `path`, or anywhere below it, whose names fit the
    last part of `path` (SOME: any of them). `new` says that a test in the line found it missing or empty; `some`
    and `keeps` are those of Touch.
    """

    path: str
    access: tuple[str, ...]
    deep: bool = False
    glob: str = ""
    known: bool = True
    at: tuple[int, int] = (0, 0)
    opened: bool = False
    among: str = ""
    new: bool = False
    some: bool = False
    keeps: bool = False


class Command(Value):
    """One simple command that would be executed.

    `program` is the name of `words[0]` without directories and `.exe`, in lower case; "" where it is not known. `via`
    says how it is reached, outermost first, each once; `user` is "root" where it is known to run as that. `opaque`
    holds reasons of OPAQUE. `fed` holds the origins of its standard input or of the code it runs. `inputs` is what it
    reads: standard input, where there is any, and the files that it is known to read. `files` are those that it is
    known to touch, `named` those that are only named to it: what it does with them is supposed. `environment` is what
    the line may have set or unset before it that the program sees: variables that are exported, or named as those are.
    `flows` says which of SOURCES it lets go to which SINKS. `cwd` is where it runs, as from where the line starts: ""
    is there, None is not known. `script` is the file that it is in, absolute, "" where that is the line; `line` is
    its line there from 1, 0 where that is not known.
    """

    words: tuple[Word, ...]
    program: str
    via: tuple[str, ...] = ()
    user: str = ""
    opaque: tuple[str, ...] = ()
    fed: tuple[str, ...] = ()
    inputs: tuple[Data, ...] = ()
    files: tuple[File, ...] = ()
    named: tuple[File, ...] = ()
    hosts: tuple[str, ...] = ()
    environment: tuple[tuple[str, Data], ...] = ()
    flows: tuple[tuple[str, str], ...] = ()
    cwd: str | None = ""
    script: str = ""
    line: int = 0


class Discard(Value):
    """Something of a git repository that a command throws away, as far as its words say it.

    `what` is one of these; `paths` are pathspecs from where it runs, none for the whole tree; `revision` is where other
    content comes from, "" for the index, "?" where that is not known:

    - `files`: these files get other content; `index`: they get it in the index alone; `removed`: they are deleted;
    - `tree`: all files that git has get other content; `switch`: they do unless something would be lost;
    - `clean`: files that git does not have, `flags` says which (`all` with the ignored ones, `ignored` those alone) and
      whether in whole directories too (`deep`); `worktree`: a whole work tree, and what it has (`forced`);
    - `submodules`: their work trees, where not `forced` only without changes, and with `moved` only the commits that
      they are at; `recursed`: the same of all, where a setting says so or it is `asked`;
    - `replaced`: the file at the only path, or those of these `names` in a directory there; `sparse`: ignored files
      that are in none of these directories;
    - `aborted`: what has come of what git is in the middle of (the only one of the `names`), with `moved` commits too;
    - `stashes`; `commits` that only these `names` have, looked for below the references `without`, and `revision` has
      not; `moved`: those that the branch leaves; `anything`.

    `either` are words: the first is a revision, or else all are paths. With `overlay` among the `flags` files
    that a revision does not have stay as they are; with `other` the branch that is checked out is left alone,
    with `staged` what is not staged.
    `elsewhere` says that an option names another repository, `directories` are those it goes to before,
    one from the other (`-C`).
    """

    what: str
    paths: tuple[str, ...] = ()
    revision: str = ""
    names: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    elsewhere: bool = False
    directories: tuple[str, ...] = ()


class Push(Value):
    """Branches of another repository that a command changes, as far as its words say it.

    `what` is one of these:

    - `refspecs`: what git pushes to `remote` ("" for the one that its settings name) by these `refspecs`, by its
      settings where there are none. `flags` are `all`, `mirror`, `prune` and `bare` (no settings of a remote count);
    - `branches`: those of these `names` at a code host, and `default` its default branch; `anything`: it is unknown.

    `how` is one of plain, lease, force, delete. CURRENT in a refspec is the branch that is checked out. `settings` are
    those of the command alone (`git -c`), as it has them. `elsewhere` says that an option names another repository or
    further settings, `directories` are those it goes to before, one from the other (`-C`).
    """

    what: str
    remote: str = ""
    refspecs: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    how: str = "plain"
    flags: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    elsewhere: bool = False
    directories: tuple[str, ...] = ()


CURRENT = "@{current}"
"""In a refspec the branch that is checked out; no reference can be called so."""


class Followed(Value):
    """What comes of a line: its commands, and each file that it writes a known text into, with what it holds then.

    The files are `(path, text)`, the path as from where the line starts.
    """

    commands: tuple[Command, ...] = ()
    written: tuple[tuple[str, str], ...] = ()
