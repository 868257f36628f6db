"""What a program runs because of the environment variables that are set for it."""

from __future__ import annotations

from rulez_py.analysis.programs.parts import as_text
from rulez_py.analysis.programs.read import family, level
from rulez_py.analysis.values import INTERPRETER, SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def commands(program: str, words: Sequence[Word], variables: Mapping[str, Word]) -> tuple[Inner, ...]:
    """Return what `program` runs because of variables set for it (GIT_SSH_COMMAND, BASH_ENV, ...)."""
    top = level(family(program)) if variables else None
    if top is None:
        return ()
    found: list[Inner] = []
    for name, value in variables.items():
        verb = top.verb_of(name)
        if not value.text:
            continue
        if verb == "runs shell":
            found.append(Inner(code=value, via=SHELL))
        elif verb == "runs text":
            found.append(as_text(value))
        elif verb == "runs script":
            found.append(Inner(file=value, via=SHELL))
        elif verb == "runs file":
            found.append(Inner(file=value, language=top.fields.get("language", "sh"), via=INTERPRETER))
        else:
            from rulez_py.analysis.programs.special import variables as others

            found += others.commands(top.key, name, value, words)
    if top.key == "git":
        from rulez_py.analysis.programs.special.git import by_variables

        found += by_variables(words, variables)
    return tuple(found)
