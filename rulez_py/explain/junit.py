"""Results of tests as JUnit's XML, which CI systems display.

A file is a `testsuite`, one example or event a `testcase`: its `classname` is the rule or the scenario. What cannot be
read, an `error`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulez_py.explain.results import Suite

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_TOTALS = ("tests", "failures", "errors", "skipped")


def junit(suites: Sequence[Suite]) -> str:
    """Return the document."""
    return "\n".join(_document(suites)) + "\n"


def _document(suites: Sequence[Suite]) -> Iterator[str]:
    counts = [_counts(one) for one in suites]
    totals = {key: sum(one[key] for one in counts) for key in _TOTALS if key != "skipped"}  # as Jenkins has it
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield _opened("testsuites", name="rulez test", **totals, time=_seconds(sum(one.seconds for one in suites)))
    for suite, counted in zip(suites, counts, strict=True):
        yield "  " + _opened("testsuite", name=suite.shown, **counted, time=_seconds(suite.seconds))
        for line in _cases(suite):
            yield "    " + line
        yield "  </testsuite>"
    yield "</testsuites>"


def _counts(suite: Suite) -> dict[str, int]:
    """Return the number of tests, of failures, of errors and of what is skipped."""
    if suite.wrong:
        return dict(zip(_TOTALS, (1, 0, 1, 0), strict=True))
    failed, skipped = len(suite.failures), len(suite.skipped)
    return dict(zip(_TOTALS, (suite.held + failed + skipped, failed, 0, skipped), strict=True))


def _cases(suite: Suite) -> Iterator[str]:
    if suite.wrong:
        first = suite.wrong[0]
        inside = _element("error", message=first.text, type="invalid", text=[one.labelled for one in suite.wrong])
        yield _case(suite.shown, f"is a valid {suite.kind}", suite.shown, first.line, inside)
        return
    for one in suite.results:
        inside = ""
        if one.problem is not None:
            said = [str(one.problem), *one.why]
            inside = _element("failure", message=one.problem.text, type=one.expected, text=said)
        yield _case(one.group, one.name, suite.shown, one.line, inside)
    for skipped in suite.skipped:
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
