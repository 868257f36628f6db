"""A policy file with the files that it extends, read and checked as one."""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.documents.diagnostics import Diagnostic, in_order
from rulez_py.policy.format import variables
from rulez_py.policy.format.check import Beside, Checked, check_document, read_document
from rulez_py.policy.store.included import Included, Part, include, rules_in, sets_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from rulez_py.documents.document import Document


class Tree(Value):
    """A file, checked, and the files that it extends. `is_part` says that another one extends it.

    `beside` is what it was checked with.
    """

    path: str
    shown: str
    checked: Checked
    beside: Beside | None = None
    parts: tuple[Tree, ...] = ()
    is_part: bool = False


class Whole(Value):
    """A policy file and all that it extends.

    `problems` are those of all files but for `included.foreign`. `digest` is that of the bytes of all, `words` what
    their scripts name (`trust.script_words`). `data` is the file's own with the rules, `disable` and `overrides` of the
    others; {} where one of them is not valid.
    """

    tree: Tree
    included: Included
    problems: tuple[Diagnostic, ...]
    digest: str
    words: tuple[str, ...]
    data: dict[str, Any]

    @property
    def checked(self) -> Checked:
        """The file itself, checked."""
        return self.tree.checked


def read_whole(path: str, content: bytes, shown: str, *, layer: str, root: str) -> Whole:
    """Return the policy file at `path` with this content and all that it extends; the others are read from the disk."""
    from rulez_py.trust import content_digest, script_words

    document = read_document(content, shown)
    included = include(path, document, shown, layer=layer, root=root)
    named = _variables(document, included.parts)
    own = content_digest(content)
    beside = _beside(included.parts, named) if included.parts or included.problems else None
    checked = check_document(document, shown, layer=layer, root=root, file=path, beside=beside)
    tree = Tree(
        path=path,
        shown=shown,
        checked=checked,
        beside=beside,
        parts=tuple(_tree(part, named, layer, root) for part in included.parts),
    )
    trees = {id(one.checked): one for one in each(tree)}.values()
    problems = (*in_order([*checked.problems, *included.problems]), *_of_parts(tree))
    valid = all(one.checked.data is not None for one in trees)
    return Whole(
        tree=tree,
        included=included,
        problems=tuple(dict.fromkeys(problems)),
        digest=own if not included.parts else _digest(own, included, root),
        words=tuple(sorted({word for one in trees for word in script_words(one.checked.raw, root)})),
        data=_together(tree) if valid else {},
    )


def each(tree: Tree) -> Iterator[Tree]:
    """Yield a file and all that it extends."""
    yield tree
    for part in tree.parts:
        yield from each(part)


def _tree(part: Part, named: dict[str, list[str]], layer: str, root: str) -> Tree:
    beside = _beside(part.parts, named, part=True)
    checked = check_document(part.document, part.shown, layer=layer, root=root, file=part.path, beside=beside)
    return Tree(
        path=part.path,
        shown=part.shown,
        checked=checked,
        beside=beside,
        parts=tuple(_tree(one, named, layer, root) for one in part.parts),
        is_part=True,
    )


def _beside(parts: Sequence[Part], named: dict[str, list[str]], *, part: bool = False) -> Beside:
    return Beside(rules=rules_in(parts), sets=tuple(sets_in(parts)), variables=named, part=part)


def _of_parts(tree: Tree) -> Iterator[Diagnostic]:
    for part in tree.parts:
        yield from part.checked.problems
        yield from _of_parts(part)


def _variables(document: Document, parts: Sequence[Part]) -> dict[str, list[str]]:
    """Return the lists of all files that belong together: of two of one name that of the file nearer to the first."""
    found: dict[str, list[str]] = {}
    level = [(document, tuple(parts))]
    while level:
        # Of files that are equally near, the one that is named last.
        here = {name: texts for one, _ in level for name, texts in variables.own(one.data).items()}
        found = {**here, **found}
        level = [(part.document, part.parts) for _, further in level for part in further]
    return found


def _digest(own: str, included: Included, root: str) -> str:
    """Return one digest of all files: it changes with each name, with the order, and with each byte."""
    from rulez_py.trust import content_digest

    lines = [own, *(f"{os.path.relpath(part.path, root)}\0{part.digest}" for part in included.each)]
    return content_digest("\n".join(lines).encode("utf-8", "surrogatepass"))


def _together(tree: Tree) -> dict[str, Any]:
    data: dict[str, Any] = dict(tree.checked.data or {})
    for part in reversed(tree.parts):
        theirs = _together(part)
        off = data.get("disable") or ()
        data["disable"] = list(dict.fromkeys((*off, *(theirs.get("disable") or ()))))
        own = data.get("overrides") or {}
        data["overrides"] = {
            **{key: one for key, one in (theirs.get("overrides") or {}).items() if key not in own},
            **own,
        }
        held = [rule for rule in theirs.get("rules") or () if rule["name"] not in off]
        data["rules"] = [*(data.get("rules") or ()), *held]
    return data
