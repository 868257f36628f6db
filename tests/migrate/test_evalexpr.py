"""RuleZ' expressions in CEL: what is written, what is refused, and that both come to the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.event import Event
from rulez_py.migrate.evalexpr import Untranslatable, guarded, translated
from rulez_py.policy.patterns import expressions

WRITTEN = [
    ("true // always\n && /* or not */ false", "true && false"),
    ('tool_name == "a\\"b\\\\"', 'tool_name == "a\\"b\\\\"'),
    ("len(prompt) > 500", "size(bytes(prompt)) > 500"),
    ('contains(("Bash", "Edit"), tool_name)', 'tool_name in ["Bash", "Edit"]'),
    ('contains_any(("a", "b"), ("b", tool_name))', '["a", "b"].exists(x, x in ["b", tool_name])'),
    ('if(tool_name == "a", true, false)', 'tool_name == "a" ? true : false'),
    ('if(true, "a", "b") + "c" == "ac"', '(true ? "a" : "b") + "c" == "ac"'),
    ('str::to_lowercase(str::trim(prompt)) == "x"', 'prompt.trim().lowerAscii() == "x"'),
    ('str::to_uppercase(tool_name + "b") == "AB"', '(tool_name + "b").upperAscii() == "AB"'),
    ('str::from(1) == "1"', 'string(1) == "1"'),
    ("0xff == 255", "255 == 255"),
    ("1 == 1.0", "1.0 == 1.0"),
    ("1 - (2 - 3) == 2", "1 - (2 - 3) == 2"),
    ("(1 - 2) - 3 == -4", "1 - 2 - 3 == -4"),
    ("!(true || false) && true", "!(true || false) && true"),
    ("tool_input_n * 2 > 10", 'has_field("n") && double(tool_input_n) * 2.0 > 10.0'),
    (
        'tool_input_a == "x" || tool_input_b',
        'has_field("a") && has_field("b") && (tool_input_a == "x" || tool_input_b)',
    ),
    ('typeof(tool_input_n) == "float"', 'has_field("n") && type(tool_input_n) in [int, double]'),
    ('typeof(tool_input_n) != "string"', 'has_field("n") && type(tool_input_n) != string'),
    ('event_type != "AfterAgent"', '!(event_type in ["AfterAgent", "SubagentStop"])'),
    ("tool_name = 'Bash'", 'tool_name == "Bash"'),
    ('prompt =~ "a+"', 'prompt.matches("a+")'),
]


@pytest.mark.parametrize(("expression", "cel"), WRITTEN)
def test_what_is_written(expression: str, cel: str) -> None:
    assert guarded(translated(expression)) == cel
    assert expressions.check(cel) == []


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("", "the expression ends too early"),
        ("(((", "the expression ends too early"),
        ("true true", "`true` is not understood here"),
        ("1 # 2", "`#` is not understood"),
        ("2 ^ 3 == 8", "`^` is not understood here"),
        ("min(1, 2) == 1", "CEL has no `min` that takes 2 such values"),
        ("nothing == 1", "there is no variable `nothing`"),
        ("(1, 2)", "a tuple is neither true nor false"),
        ("(1, 2) == (1, 2)", "tuples can be compared with nothing"),
        ("tool_input_n % 2 == 0", "`%` is for whole numbers in CEL, and every number of a tool's input may be none"),
        ('typeof(prompt) == "tuple"', 'no value here has the type "tuple"'),
        ("a = 1; true", "there is no variable `a`"),
        ("(" * 1000 + "true" + ")" * 1000, "it is nested too deep"),
        ("!" * 1000 + "true", "it is nested too deep"),
    ],
)
def test_what_cel_has_no_word_for(expression: str, why: str) -> None:
    with pytest.raises(
        Untranslatable, match="^" + why.replace("(", r"\(").replace("^", r"\^").replace("?", r"\?") + "$"
    ):
        translated(expression)


@given(st.text("ab(\"1.&|=!<>+-*/%,; \\'tool_name", max_size=30))
def test_any_text_is_translated_or_refused(expression: str) -> None:
    try:
        cel = guarded(translated(expression))
    except Untranslatable:
        return
    assert cel


BOOLEANS: st.SearchStrategy[tuple[str, bool]] = st.recursive(
    st.sampled_from(
        [("true", True), ("false", False), ('tool_name == "Bash"', True), ('"a" != tool_name + "b"', True)]
    ),
    lambda inside: st.one_of(
        st.tuples(inside, inside).map(lambda two: (f"({two[0][0]}) && ({two[1][0]})", two[0][1] and two[1][1])),
        st.tuples(inside, inside).map(lambda two: (f"({two[0][0]}) || ({two[1][0]})", two[0][1] or two[1][1])),
        inside.map(lambda one: (f"!({one[0]})", not one[1])),
        st.tuples(inside, inside, inside).map(
            lambda three: (
                f"if({three[0][0]}, {three[1][0]}, {three[2][0]})",
                (three[1] if three[0][1] else three[2])[1],
            )
        ),
    ),
    max_leaves=8,
)


@given(BOOLEANS)
def test_what_is_written_comes_to_the_same(case: tuple[str, bool]) -> None:
    expression, truth = case
    event = Event(platform="claude", types=("PreToolUse",), native_event="PreToolUse", tool_name="Bash")
    assert expressions.evaluate(translated(expression).cel, event, {}) is truth
