"""Rules that remember by the result of a command, and the agents that tell none: there they never remember."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rulez_py.lint.values import in_a_row
from rulez_py.platforms import PLATFORMS, parts
from rulez_py.platforms.results import AFTER, FAILED, FAILURE, SUCCESS
from rulez_py.policy.matchers import RUN_NOTHING, declared

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.platforms.results import Form
    from rulez_py.policy.model.rule import Rule


class Untold(NamedTuple):
    """A rule that never remembers its key in some agents.

    `line` is that of the rule in its `file`. `required_by` are the rules that object there each time. `agents` are
    the agents, or the parts of agents, by their names for people.
    """

    file: str
    line: int
    rule: str
    key: str
    required_by: tuple[str, ...]
    agents: tuple[str, ...]

    @property
    def message(self) -> str:
        """What happens there, in a sentence."""
        objecting = f", and {in_a_row(self.required_by)} objects each time" if self.required_by else ""
        return (
            f"rule `{self.rule}` never remembers `{self.key}` in {in_a_row(self.agents)}, which do not tell the result "
            f"of a command{objecting}"
        )

    @property
    def help(self) -> str:
        """What a person can do."""
        return "write `result: any` where it is enough that the command has been run"


def untold(rules: Iterable[Rule], platforms: Iterable[str] = PLATFORMS) -> Iterator[Untold]:
    """Yield the rules among these that need a result which one of these platforms does not tell."""
    known = tuple(rules)
    asked = set(platforms)
    forms: list[Form] = [results.FORM for name, results in parts("results").items() if name in asked]
    for rule in known:
        said = rule["actions"].get("remember")
        if said is None or not _is_by_result_of_a_command(rule):
            continue
        agents = [name for form in forms if not _tells(form, said["result"]) for name in form.untold]
        if agents:
            file, _, line = rule["source"].rpartition(":")
            together = [one for one in known if _file(one) == _file(rule)]
            requiring = _requiring(said["key"], together)
            yield Untold(file, int(line), rule["name"], said["key"], requiring, tuple(agents))


def _is_by_result_of_a_command(rule: Rule) -> bool:
    """Tell whether a rule remembers by how a command has ended, and by nothing else."""
    match = rule["match"]
    events = match.get("operations", (AFTER,))
    if rule["actions"]["remember"]["result"] not in (SUCCESS, FAILURE) or not {AFTER, FAILED} & set(events):
        return False
    return any(never is RUN_NOTHING and kind in match for kind, never in declared("NEVER_WITH").items())


def _tells(form: Form, result: str) -> bool:
    """Tell whether an agent tells this result all the same: a failure comes as another event there."""
    return result == FAILURE and form.silent


def _requiring(key: str, together: Iterable[Rule]) -> tuple[str, ...]:
    """Return the rules of a file that object without a key, where no rule remembers it by anything else."""
    for rule in together:
        said = rule["actions"].get("remember")
        if said is not None and said["key"] == key and not _is_by_result_of_a_command(rule):
            return ()
    return tuple(rule["name"] for rule in together if key in rule.get("requires", ()))


def _file(rule: Rule) -> tuple[str, str]:
    return rule["layer"], rule["source"].rpartition(":")[0]
