"""Results of the tests of rules as JUnit's XML, which CI systems display.

A policy file is a `testsuite`, one example a `testcase`: its `classname` is the rule. What cannot be read, an `error`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulez_py.policy.format.cases import shown_case
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.policy.format.cases import Failure, Tested

    Why = Callable[[Failure], Sequence[str]]

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_TOTALS = ("tests", "failures", "errors", "skipped")


@dataclass(frozen=True)
class Suite:
    """One policy file: what became of its tests and how many seconds they took, or what is `wrong` with the file."""

    shown: str
    tested: Tested | None = None
    wrong: Sequence[Diagnostic] = ()
    seconds: float = 0.0

    @property
    def counts(self) -> dict[str, int]:
        """The number of tests, and the failures."""
        if self.tested is None:
            return dict(zip(_TOTALS, (1, 0, 1, 0), strict=True))
        failed, skipped = len(self.tested.failures), len(self.tested.skipped)
        return dict(zip(_TOTALS, (self.tested.held + failed + skipped, failed, 0, skipped), strict=True))


def junit(suites: Sequence[Suite], why: Why) -> str:
    """Return the document; `why` says more of a failure, line by line."""
    return "\n".join(_document(suites, why)) + "\n"


def _document(suites: Sequence[Suite], why: Why) -> Iterator[str]:
    totals = {key: sum(one.counts[key] for one in suites) for key in _TOTALS if key != "skipped"}  # as Jenkins has it
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield _opened("testsuites", name="rulez test", **totals, time=_seconds(sum(one.seconds for one in suites)))
    for suite in suites:
        yield "  " + _opened("testsuite", name=suite.shown, **suite.counts, time=_seconds(suite.seconds))
        for line in _cases(suite, why):
            yield "    " + line
        yield "  </testsuite>"
    yield "</testsuites>"


def _cases(suite: Suite, why: Why) -> Iterator[str]:
    if suite.tested is None:
        first = suite.wrong[0]
        inside = _element("error", message=first.text, type="invalid", text=[one.labelled for one in suite.wrong])
        yield _case(suite.shown, "is a valid policy file", suite.shown, first.line, inside)
        return
    for held in suite.tested.holding:
        yield _case(held.rule, f"{held.expected}: {shown_case(held.example)}", suite.shown, held.line)
    for failure in suite.tested.failures:
        one = failure.problem
        said = [str(one), *why(failure)]
        inside = _element("failure", message=one.text, type=failure.expected, text=said)
        yield _case(failure.rule, f"{failure.expected}: {shown_case(failure.example)}", suite.shown, one.line, inside)
    for skipped in suite.tested.skipped:
        inside = _element("skipped", message=skipped.text)
        yield _case(suite.shown, skipped.text, suite.shown, skipped.line, inside)


def _case(rule: str, name: str, file: str, line: int, inside: str = "") -> str:
    opened = _opened("testcase", classname=rule, name=name, file=file, line=line, time=_seconds(0))
    return f"{opened}{inside}</testcase>" if inside else f"{opened[:-1]}/>"


def _element(tag: str, *, text: Iterable[str] = (), **attributes: object) -> str:
    inside = "\n".join(map(_escaped, text))
    return f"{_opened(tag, **attributes)}{inside}</{tag}>" if inside else f"{_opened(tag, **attributes)[:-1]}/>"


def _opened(tag: str, **attributes: object) -> str:
    said = "".join(f' {key}="{_escaped(str(value))}"' for key, value in attributes.items())
    return f"<{tag}{said}>"


def _escaped(text: str) -> str:
    """Return the text for XML, with characters that XML cannot hold spelled out.

    Python's own module is not in the program.
    """
    return "".join(_ENTITIES.get(character, character) for character in visible(text))


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
