"""Makes the rows of the table of programs that calls read (`store.py` says its form) out of `data/*.toml`.

A row is lines of text, the name first, then its flags; each further line a key and its values, separated by tabs. Keys
of one character are options: what they take (`read.VALUE` and others), what they do, their spellings.
"""

from __future__ import annotations

import os

from rulez_py.analysis.programs.notation import Described, Example, Mistake, parse, together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Broken(ValueError):
    """The data have mistakes."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


def load(files: Iterable[str]) -> tuple[list[Described], list[Example]]:
    """Return the entries and tests in these files; raises Broken."""
    entries: list[list[Described]] = []
    tests: list[Example] = []
    mistakes: list[Mistake] = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            found, tried, wrong = parse(file.read(), os.path.basename(path))
        entries.append(found)
        tests += tried
        mistakes += wrong
    mistakes += together(entries)
    if mistakes:
        raise Broken(mistakes)
    return [entry for found in entries for entry in found], tests


def replaced(own: Sequence[Described], files: Iterable[str]) -> tuple[list[Described], list[Example]]:
    """Return entries, with those of some files in place of entries of the same name, and the tests in these files."""
    found: list[list[Described]] = []
    tests: list[Example] = []
    mistakes: list[Mistake] = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            entries, tried, wrong = parse(file.read(), path)
        found.append(entries)
        tests += tried
        mistakes += wrong
    given = [entry for entries in found for entry in entries]
    kept = without(own, given)
    mistakes += together([kept, *found])
    if mistakes:
        raise Broken(mistakes)
    return [*kept, *given], tests


def without(held: Sequence[Described], entries: Sequence[Described]) -> list[Described]:
    """Return held entries without those that other entries replace, and without the names of those."""
    names = {(entry.dialect, name) for entry in entries for name in entry.names}
    return [
        entry.replace(also=tuple(name for name in entry.also if (entry.dialect, name) not in names))
        for entry in held
        if (entry.dialect, entry.names[0]) not in names
    ]


def rows(entries: Sequence[Described], key: Callable[[str, str], str]) -> tuple[bytes, bytes]:
    """Return the index of a table with these entries, and its rows; `key` gives the key of a name of a dialect."""
    by_name = {name: entry for entry in entries if not entry.dialect for name in entry.names}
    body: list[bytes] = []
    index: list[str] = []
    at = 0
    for entry in sorted(entries, key=lambda one: (one.dialect, one.name)):
        if entry.dialect and entry.name.startswith("* "):
            continue  # a group: its parameters are in the rows of its members
        row = "\n".join(_cmdlet(entry) if entry.dialect else _row(entry, by_name)).encode()
        index += [f"{key(name, entry.dialect)}\t{at}\t{len(row)}" for name in entry.names]
        body.append(row)
        at += len(row)
    return ("\n" + "\n".join(sorted(index)) + "\n").encode(), b"".join(body)


def _row(entry: Described, by_name: Mapping[str, Described]) -> list[str]:
    flags = [*entry.switches, *(trait.replace(" ", "-") for trait in entry.traits)]
    if _wraps(entry, by_name):
        flags.append("wraps")
    lines = [entry.name, " ".join(flags)]
    if entry.operands:
        lines.append("\t".join(("operands", *entry.operands)))
    if entry.stops:
        lines.append(f"stops\t{entry.stops}")
    lines += [f"{key}\t{value}" for key, value in entry.texts]
    if entry.environment:
        lines.append("\t".join(("environment", *(f"{name}={verb}" for name, verb in entry.environment))))
    if entry.credentials:
        lines.append("\t".join(("credentials", *entry.credentials)))
    if "subcommands" in entry.switches and (runners := _runners(entry, by_name)):
        lines.append(f"runners\t{' '.join(runners)}")
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    single = "one-dash" in entry.switches
    for names, takes, does in entry.options:
        if single:
            names = tuple(dash + name.lstrip("-") for name in names for dash in ("-", "--"))
        groups.setdefault((takes, does), []).append(" ".join(dict.fromkeys(names)))
    return lines + ["\t".join((takes, ", ".join(does), *names)) for (takes, does), names in groups.items()]


def _cmdlet(entry: Described) -> list[str]:
    """Return the row of a cmdlet; its parameters stay in their order, which is that of the files."""
    lines = [entry.name, ""]
    lines += ["\t".join((key, *held)) for key in ("operands", "programs") if (held := getattr(entry, key))]
    groups: list[list[str]] = []
    for names, takes, does in entry.options:
        verbs = ", ".join(does)
        if not groups or groups[-1][:2] != [takes, verbs]:
            groups.append([takes, verbs])
        groups[-1].append(" ".join(names))
    return lines + ["\t".join(group) for group in groups]


def _below(entry: Described, by_name: Mapping[str, Described]) -> dict[str, Described]:
    """Return the subcommands of an entry, other names included."""
    start = entry.name + " "
    names = [name for name in by_name if name.startswith(start) and " " not in name[len(start) :]]
    return {name[len(start) :]: by_name[name] for name in names}


def _wraps(entry: Described, by_name: Mapping[str, Described], depth: int = 0) -> bool:
    """Tell if it, or one of its subcommands, may run another program."""
    if any(entry.text(key) for key in ("runs", "words-of", "code", "language")):
        return True
    if any(verb.startswith(("runs ", "opens ")) for _, _, does in entry.options for verb in does):
        return True
    if entry.text("otherwise") or any(role.startswith("runs ") for role in entry.operands):
        return True
    return depth < 4 and any(
        _wraps(one, by_name, depth + 1) for one in _below(entry, by_name).values() if one is not entry
    )


def _is_seen_to_run(entry: Described) -> bool:
    """Tell if the entry says what it runs, and not code beside it."""
    from rulez_py.analysis.programs import special

    code = entry.text("code")
    if not code or entry.text("runs"):
        return True
    runs = any(verb.startswith("runs ") for _, _, does in entry.options for verb in does)
    return runs and special.find(code, "runs") is None


def _runners(entry: Described, by_name: Mapping[str, Described]) -> list[str]:
    """Return one name for each of its subcommands that may run another program."""
    named: dict[str, str] = {}
    for name, one in sorted(_below(entry, by_name).items()):
        if one is not entry and _wraps(one, by_name) and _is_seen_to_run(one):
            named.setdefault(one.name, name)
    return list(named.values())
