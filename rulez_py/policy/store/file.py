"""One policy file as it was read: the parts of it that count, and its changes to rules of others."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.documents.diagnostics import errors
from rulez_py.policy.model.layers import MANAGED, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.policy.format.overrides import Overrides
    from rulez_py.policy.model.rule import Rule
    from rulez_py.policy.store.search import Source


class Trusting(Value):
    """The machine's word on trust. `paths` are globs of projects' directories, `digests` those of policies.

    `signers` are the files that list who may sign policies; `only` says that no word of a person counts beside this.
    Unless `people` may trust policies, without a password, nor do the signers that one of them has chosen.
    """

    only: bool = False
    people: bool = True
    paths: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()
    signers: tuple[str, ...] = ()


class PolicyFile(Value):
    """One policy file, read. `shown` is its name for people; it has rules only where none of its problems is an error.

    `on_error`, `self_protection`, `essentials` and `files` are what the file says, None where it does not say;
    `disable`, `overrides` and the setting `mode` have been applied to its `rules`. `above` is that of `Found`,
    `elsewhere` says that it is the main work tree's; `ignored` says that it belongs to another user. `essentials_at` is
    the place (`path:line`) where it says `essentials`; `says_nothing_of_floor` is that of `floor.says_nothing`;
    `of_people` is what a managed file says of what people may do: the setting, what it says, and the place; `trusting`
    is what it says of trusted projects. `notices` are those of its `problems` that a person is told of where a session
    begins.
    """

    source: Source
    shown: str
    above: bool = False
    elsewhere: bool = False
    ignored: bool = False
    says_nothing_of_floor: bool = False
    rules: tuple[Rule, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    notices: tuple[Diagnostic, ...] = ()
    on_error: str | None = None
    self_protection: bool | None = None
    essentials: bool | None = None
    essentials_at: str = ""
    files: str | None = None
    of_people: tuple[tuple[str, bool | str, str], ...] = ()
    trusting: Trusting | None = None
    disable: tuple[str, ...] = ()
    overrides: Overrides | None = None

    @property
    def no_exceptions(self) -> str:
        """That of `Policy`."""
        return next((at for name, said, at in self.of_people if name == "exceptions" and said is False), "")


def first_to_say(files: Sequence[PolicyFile], setting: str) -> PolicyFile | None:
    """Return the managed file where it says this setting, else the user's; None where neither does.

    INVARIANT: a file that cannot be used says nothing, and leaves nothing to the one below it.
    """
    above = [file for layer in (MANAGED, USER) for file in files if file.source.layer == layer]
    for file in above:
        if errors(file.problems):
            return None
        if getattr(file, setting) is not None:
            return file
    return None
