"""`extensions`: how the names of the files end."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.disk import Touched
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = "The extension, with its dot, of a file that `paths` would look at."
EXAMPLE = "extensions: [.tf]"
VARIABLES = ("extensions",)


def schema() -> Kind:
    from rulez_py.documents.types import check_not_blank, text
    from rulez_py.policy.matchers.schema_parts import check_single, one_or_many

    return one_or_many(text(check_not_blank, check_single, _check_extension, pattern=r"^[.$]"))


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return "files", [one.lower() for one in match["extensions"]]


def _check_extension(value: str) -> None:
    from rulez_py.documents.types import Refusal

    if value.startswith("!"):
        raise Refusal(f'holds "{value}", but extensions are no globs', f'write except: {{extensions: "{value[1:]}"}}')
    if not value.startswith("."):
        fixed = "." + value.rpartition(".")[2].strip("*.")
        raise Refusal(f'holds "{value}", which has no leading dot and never matches', f'write "{fixed}"')
    if "." in value[1:]:
        fixed = "." + value.rpartition(".")[2]
        raise Refusal(f'holds "{value}", but a file\'s extension starts at its last dot', f'write "{fixed}"')


def fits(wanted: list[str], file: Touched, facts: Facts, *, strict: bool) -> bool:
    return extension(file.path) in wanted


def extension(path: str) -> str:
    """Return `.` and the text after the last dot of the file's name; `.` alone without a dot (as RuleZ does)."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem, _dot, suffix = name.rpartition(".")
    return "." + suffix if stem else "."
