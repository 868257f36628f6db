"""Says which pieces of the archive the launcher has as data (dev/code_data.py), and where the two differ.

Only for the tests. A line for each piece, its modules, on stdout; each difference is a line on stderr.
"""

import marshal
import os
import sys

_FIELDS = (
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_nlocals", "co_stacksize", "co_flags"),
    *("co_firstlineno", "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_filename", "co_name"),
    *("co_qualname", "co_linetable", "co_exceptiontable", "co_consts"),
)


def differences(where, data, kept):
    """Yield where two objects are not the same, down to the constants of functions in classes in modules."""
    if type(data) is not type(kept):
        yield f"{where}: {data!r} is {kept!r} in the archive"
    elif type(data) is tuple:
        if len(data) != len(kept):
            yield f"{where}: {len(data)} instead of {len(kept)}"
        for at, (one, other) in enumerate(zip(data, kept, strict=False)):
            yield from differences(f"{where}[{at}]", one, other)
    elif type(data) is type(differences.__code__):
        for field in _FIELDS:
            yield from differences(f"{where}.{data.co_name}.{field}", getattr(data, field), getattr(kept, field))
        if list(data.co_lines()) != list(kept.co_lines()) or hash(data) != hash(kept) or data != kept:
            yield f"{where}.{data.co_name}: the code is another"
    elif type(data) is frozenset:
        yield from differences(where, tuple(sorted(data, key=repr)), tuple(sorted(kept, key=repr)))
    elif repr(data) != repr(kept) or hash(data) != hash(kept):
        yield f"{where}: {data!r} is {kept!r} in the archive"


path, _, start = sys._pyinstaller_pyz.rpartition("?")
with open(path, "rb") as program:
    program.seek(int(start))
    archive = program.read()
entries = dict(marshal.loads(archive[int.from_bytes(archive[8:12], "big") :]))
for at, size in sorted({(at, size) for _kind, at, size in entries.values() if size}):
    piece = sys._piece(at)
    if piece is not None:
        print(*piece[0])
        for difference in differences(piece[0][0], piece, marshal.loads(archive[at + 4 : at + size])):
            print(difference, file=sys.stderr)
sys.stdout.flush()
os._exit(0)
