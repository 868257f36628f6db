"""Effects of calls on files in an unknown language: `rm("x", recursive=true)`, `(delete-file "x")`.

A name that means nothing else is enough (`removeDirectoryRecursive`); other names count with their owner
(`File.delete`).
"""

from __future__ import annotations

from rulez_py.analysis.values import DELETE, READ, WRITE

_ALL = frozenset(
    (
        *("rm_rf", "rm_rf!", "rmrf", "rm-rf", "rm_r", "rmtree", "rm-tree", "remove_all", "removeall", "remove_dir_all"),
        *("rmdirrecurse", "deletedirectory", "deletedir", "deleterecursively", "removedirectoryrecursive", "deltree"),
        *("removepathforcibly", "delete-directory", "delete-directory/files", "delete-directory-tree", "delete-dir"),
        *("delete-file-recursively", "del_dir_r", "removetree", "remove_tree", "remove-tree", "removedir", "rimraf"),
        *("cleandirectory", "forcedelete", "emptydir", "delete_recursive", "rmdir_recursive", "remove-directory*"),
        *("delete_directory_and_contents", "delete_dir_recursive", "removeitematpath", "delete-tree", "trashitem"),
        *("rmdir_all", "rmdirall", "os.remove.all", "rm_all", "purge_dir", "deleterecursive"),
        *("directory-delete", "rmdirs", "removedirectory", "delete_directory", "remove_directory", "unlink-tree"),
    )
)
_ONE = frozenset(
    (
        *("rm", "rm!", "unlink", "rmdir", "delete-file", "deletefile", "removefile", "remove_file", "delete_file"),
        *("remove-file", "deleteifexists", "removelink", "filedelete", "file_delete", "deletefileasync", "unlinkat"),
    )
)
_READS = frozenset(
    (
        *("slurp", "readfile", "read_file", "read-file", "file->string", "file->lines", "insert-file-contents"),
        *("readlines", "read_lines", "file-to-string", "read_to_string", "readalltext", "readalllines", "readallbytes"),
        *("with-open-file", "call-with-input-file", "open-input-file", "with-input-from-file", "find-file-noselect"),
        *("read_text", "fileread", "textread", "importdata", "readtable", "readdlm", "read_file_to_string", "readcsv"),
        *("uiop:read-file-string", "alexandria:read-file-into-string", "file_get_contents", "consult", "see"),
        *("pg_read_file", "pg_read_binary_file", "load_file", "infile", "lo_import", "cat", "read_blob"),
        *("contentsoffile", "string_of_file", "open_in", "read_all", "load-file", "file-string", "slurp-lines"),
    )
)
_WRITES = frozenset(
    (
        *("spit", "writefile", "write_file", "write-file", "write-region", "display-to-file", "write-to-file"),
        *("call-with-output-file", "open-output-file", "with-output-to-file", "writealltext", "writeallbytes"),
        *("writealllines", "open_out", "appendfile", "append_file", "filewrite", "dlmwrite", "writedlm", "writetext"),
        *("outfile", "dumpfile", "lo_export"),
        *("appendtext", "setfileattributes", "truncate", "copyfile", "file_put_contents"),
    )
)
_OWNED = {
    **dict.fromkeys(("remove", "remove!", "delete", "delete!", "erase", "del", "rename", "move", "removeitem"), DELETE),
    **dict.fromkeys(("text", "gettext", "eachline", "readlines", "readtext", "readbytes", "bytes", "newreader"), READ),
    **dict.fromkeys(("withreader", "foreachline", "uselines", "getbytes", "bufferedreader", "inputstream"), READ),
    **dict.fromkeys(("read", "read!", "open", "stream!", "load", "lines", "readstring", "newbufferedreader"), READ),
    **dict.fromkeys(("write", "write!", "create", "append", "newbufferedwriter", "writestring", "touch"), WRITE),
}
"""Names that count with an owner in `_OWNERS`."""
_OWNERS = frozenset(
    (
        *("file", "files", "fs", "os", "sys", "io", "dir", "directory", "path", "paths", "pathname", "fileutils"),
        *("filemanager", "filesystem", "file_system", "unix", "std", "default", "fileio", "aio", "disk", "ofile"),
    )
)
_DEEPLY = ("recursive", "true", " t)", ":all", "#t", "'s'", '"s"', "recurse")
_HOMES = (
    *(
        "homedir()",
        "home()",
        "system.user_home",
        "os.homedir()",
        "path.home()",
        "dir.home",
        "os.home",
        "gethomedir()",
        "home-dir",
        "(babashka.fs/home",
        "(fs/home",
        "(find-system-path (quote home-dir))",
        "system.user_home!",
    ),
    *('getenv("home")', '(getenv "home")', 'env["home"]', "env['home']", '(uiop:getenv "home")', "(user-homedir-"),
    *("gethomedirectory()", "home_dir()", "(find-system-path 'home-dir)", "homedirectory", "expanduser("),
)
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-!*/>.:#")
_LONGEST = 60
_LONGEST_PATH = 300


def may_touch(lower: str) -> bool:
    """Tell if a text is worth reading: a quick no for most."""
    return any(name in lower for name in _QUICK)


_QUICK = (
    "cat",
    "rm",
    "unlink",
    "delete",
    "remove",
    "del",
    "rename",
    "read",
    "open",
    "slurp",
    "load",
    "write",
    "spit",
    "file",
)


def access(text: str, at: int, end: int = -1) -> tuple[tuple[str, ...], bool]:
    """Return how a call accesses the file whose name begins at `at`, and if it means all files below it.

    The access is () for any other call. `end`, where the name ends, is for methods: `File("x").delete()`.
    """
    owner, name = _named(text, at)
    if end >= 0 and (owner in _OWNERS or name in _OWNERS or name in _MAKING):
        owner, name = "file", _method(text, end) or name
    if name in _ALL:
        return (DELETE,), True
    if name in _ONE:
        behind = text[at : at + _LONGEST_PATH].partition("\n")[0].lower()
        return (DELETE,), any(one in behind for one in _DEEPLY)
    if name in _READS:
        return (READ,), False
    if name in _WRITES:
        return (WRITE,), False
    if owner in _OWNERS and name in _OWNED:
        return (_OWNED[name],), name == "removeitem"
    return (), False


def is_file(text: str) -> bool:
    """Tell if a text may be a file's name."""
    return 0 < len(text) < _LONGEST_PATH and not any(
        character.isspace() or character in "<>|*?{}\"'" for character in text
    )


def home_at(text: str, at: int) -> bool:
    """Tell if the home directory is named there."""
    return text[at : at + 40].lower().lstrip().startswith(_HOMES)


_MAKING = frozenset(("of", "get", "file", "atpath", "path", "paths", "#p", "p", "fileurlwithpath", "directory", "io"))
"""Calls that return the file of a name: `delete(Path.of("x"))`."""


def _method(text: str, at: int) -> str:
    """Return the method called after the closing brackets at `at`."""
    end = at
    while text[end : end + 1] == ")":
        end += 1
    if end == at or text[end : end + 1] != ".":
        return ""
    start = end = end + 1
    while end < min(len(text), start + _LONGEST) and text[end].isalnum():
        end += 1
    return text[start:end].lower().removesuffix("sync")


def _named(text: str, at: int) -> tuple[str, str]:
    """Return owner and name of the call whose first argument is at `at`, or of the call around `_MAKING`."""
    start, whole = _before(text, at)
    if whole.endswith(":"):
        start, whole = _before(text, start)  # `removeItem(atPath: "x")`
    owner, name = _parted(whole)
    if name in _MAKING:
        outer = _parted(_before(text, start)[1])
        if outer[1] and outer[1] != "new":
            return outer
    return owner, name


def _before(text: str, at: int) -> tuple[int, str]:
    """Return the name before a place, brackets and blanks left out, and where it begins."""
    end = at
    least = max(0, at - _LONGEST)
    while end > least and text[end - 1] in " \t([{@":
        end -= 1
    if text[end - 1 : end] == ",":
        # A number before it: `lo_export(1, 'x')`.
        number = end - 1
        while number > least and (text[number - 1].isdigit() or text[number - 1] == " "):
            number -= 1
        end = number - 1 if text[number - 1 : number] == "(" else end
    start = end
    while start > least and text[start - 1] in _WORD:
        start -= 1
    return start, text[start:end].lower()


def _parted(whole: str) -> tuple[str, str]:
    """Return the owner of a name, and the name."""
    for one in (whole, whole.rpartition("/")[2], whole.rpartition(":")[2], whole.rpartition(".")[2]):
        if one in _ALL or one in _ONE or one in _READS or one in _WRITES or one in _MAKING:
            return "", one
    owner, _, name = whole.replace("::", ".").replace(":", ".").replace("/", ".").rpartition(".")
    return owner.rpartition(".")[2], name
