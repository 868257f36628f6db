"""Which programs print code for the shell that calls them, as `eval "$(ssh-agent -s)"` takes it."""

from __future__ import annotations

from rulez_py.analysis.programs.read import family, has_trait, level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Word

TRAIT = "sets up"
_WORDS = frozenset(
    (
        *("init", "env", "shellenv", "hook", "activate", "completion", "completions", "complete", "autocomplete"),
        *("shell", "shell-init", "shell-hook", "export", "export-credentials", "docker-env", "podman-env"),
        *("print-dev-env", "dev-env", "show-env", "show-environment", "setenv", "set-env", "load", "alias", "signin"),
        *("generate-shell-completion", "shell-completion", "print-env", "search-paths", "virtualenv-init", "path"),
        *("--shell", "--eval", "--sh", "--sh-syntax", "--bash", "--zsh", "--fish", "--shellenv", "--search-paths"),
        *("--completion", "--completions", "--export", "--bourne-shell", "bash", "zsh", "sh", "fish", "posix"),
    )
)
"""Subcommands that print such code: `starship init bash`, `fnm env`, `go env`."""


_OPTIONS = frozenset(("--bash", "--zsh", "--fish", "--sh-syntax", "--shellenv"))


def sets_up(program: str, words: Sequence[Word]) -> bool:
    """Tell if what a program prints is such code: by its trait, or by what it is asked for.

    A program without subcommands that somebody described prints what it was made to print (tr, dig, sed), whatever
    its words.
    """
    described = level(family(program))
    asked = _OPTIONS if described is not None and "subcommands" not in described.flags else _WORDS
    if has_trait(program, TRAIT) or any(word.text in asked for word in words[1:]):
        return True
    # A project's own program is as good as a file of its own that is sourced.
    return described is None and "/" in words[0].text and words[0].known


def hands_on(program: str) -> bool:
    """Tell if a program prints what it reads, or some of its lines."""
    return has_trait(program, "passes") or has_trait(program, "chooses")
