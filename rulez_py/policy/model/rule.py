"""The compiled rule: plain data, so that it can be kept as it is.

`compile.py` makes it of a checked file; matching and judging read only this. A tuple comes back as a list from where it
is kept. Types alone: nothing here runs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, NotRequired, TypedDict

    Match = Mapping[str, Any]
    """Matcher -> what it wants, in the compiled form that its module (`matchers/`) gives it and alone reads; those
    present, in the order in which they are asked."""

    Decision = bool | str
    """True, or the reason as text."""

    class Run(TypedDict):
        """A validator program.

        `on_error` is the decision where it could not run, None for the rule's own. `looked_for` is the file
        that was looked for on the disk when it was compiled and whether it was there, None where none was. `git` are
        facts of the repository (`git.values.FACTS`) that it is told, `facts` those of the call (`event.described`).
        """

        command: list[str]
        shell: bool
        timeout: float | None
        on_error: str | None
        looked_for: tuple[str, bool] | None
        git: NotRequired[list[str]]
        facts: NotRequired[list[str]]

    class Remember(TypedDict):
        """A key that a rule remembers: for so many seconds, 0 for the session; `until` are maps of matchers, and
        what fits one has it forgotten. `result` is `success`, `failure` or `any`."""

        key: str
        seconds: float
        until: list[Match]
        result: str

    class AtMost(TypedDict):
        """A bound on calls: `times` in `seconds`, 0 for the session, `of` a tool, a host or the rule."""

        times: int
        seconds: float
        of: str

    class Redact(TypedDict):
        """What a rule takes out of a tool's result: kinds of secrets by name (`log.kinds`), and regexes."""

        shapes: list[str]
        regexes: list[str]

    class Actions(TypedDict, total=False):
        """The actions of a rule, as far as it names them.

        `rewrite` is canonical argument -> new value, `inject` a path, `inject_command` a shell line, `inline_script` a
        script's text, `validate_expr` a CEL expression. `checkpoints` are the bounds for what `checkpoint` keeps.
        """

        block: Decision
        ask: Decision
        checkpoint: Decision
        checkpoints: dict[str, float]
        allow: Decision
        block_if_match: list[str]
        rewrite: dict[str, object]
        inject_inline: str
        inject: str
        inject_command: str
        run: Run
        inline_script: str
        validate_expr: str
        remember: Remember
        redact: Redact

    _Excepting = TypedDict("_Excepting", {"except": list[Match]})

    class Rule(_Excepting):
        """One rule.

        - `description`, `suggestion`, `why` (`governance.reason`): "" where the file says nothing;
        - `layer`: `managed`, `user`, `project`, `built-in`; `source`: its `path:line`, for people;
        - `trusted`: whether it may run scripts, allow and rewrite;
        - `root`: the directory of its policy, to which its scripts are relative and where they run; of a project's
          rules also what injected files are relative to; `place`: where a project's rules look, where that is not it;
        - `timeout`: seconds for its scripts; `max_context`: bytes of text it may inject;
        - `on_error`: the decision where a validator could not run;
        - `files`: which commands count in files that a call runs, `CERTAIN` where it is absent;
        - `kept_by`: where a file has it keep what is lost (`path:line`), in place of what it does by itself;
        - `changed_by`: where files change it (`path:line`), the last word last;
        - `enabled_when`: a CEL expression;
        - `requires`: keys without which it objects, each with what remembers it, in words; `remembered`: keys without
          which it does not hold; `at_most`: how many calls it lets pass.
        """

        name: str
        description: str
        suggestion: str
        why: str
        layer: str
        source: str
        trusted: bool
        root: str
        place: NotRequired[str]
        mode: Literal["enforce", "warn", "audit"]
        priority: int
        timeout: float
        on_error: str
        max_context: int
        files: NotRequired[str]
        kept_by: NotRequired[str]
        changed_by: NotRequired[list[str]]
        enabled_when: str | None
        requires: NotRequired[dict[str, str]]
        remembered: NotRequired[list[str]]
        at_most: NotRequired[AtMost]
        match: Match
        actions: Actions
