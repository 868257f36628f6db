"""Switches beside our hooks: on while rulez is set up for the machine, and what they were before afterwards."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.install import jsonc
from rulez_py.install.required_switches import MARK, json_back, json_on, toml_back, toml_on
from tests.install import made


@given(made.written(made.settings([])), st.sampled_from([None, {}, {"x": 1}, {"enabled": False}, {"enabled": True}]))
def test_json_is_what_it_was_afterwards(written: tuple[str, dict[str, object]], switch: dict[str, object]) -> None:
    text, _ = written
    if switch is not None:
        text = jsonc.added(text, (), switch, "hooksConfig")
    new = json_on(text, "hooksConfig.enabled")
    assert jsonc.parse(new).value["hooksConfig"] == {**(switch or {}), "enabled": True}
    assert json_on(new, "hooksConfig.enabled") == new
    back = json_back(new, "hooksConfig.enabled", text)
    assert back == text or jsonc.parse(text).value == {}


@given(made.written(made.settings([])), st.sampled_from([None, False, True]))
def test_a_switch_that_has_to_be_off_is_what_it_was_afterwards(
    written: tuple[str, dict[str, object]], switch: bool | None
) -> None:
    text, _ = written
    if switch is not None:
        text = jsonc.added(text, (), switch, "disableAllHooks")
    new = json_on(text, "disableAllHooks", False)
    assert jsonc.parse(new).value["disableAllHooks"] is False
    assert json_on(new, "disableAllHooks", False) == new
    back = json_back(new, "disableAllHooks", text, False)
    assert back == text or jsonc.parse(text).value == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a = 1",
        "a = 1\n",
        "# mine\r\n[features]\r\nx = true # y\r\n[z]\r\n",
        "[ features ] # mine\n",
        "[features]\nhooks = true\n",
        "[z]\n\n[features]",
    ],
)
def test_toml_is_what_it_was_afterwards(text: str) -> None:
    new = toml_on(text, "features.hooks")
    assert tomllib.loads(new)["features"]["hooks"] is True
    assert toml_on(new, "features.hooks") == new
    assert toml_back(new, text) == text
    assert MARK not in toml_back(new, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[features]\nhooks = false\n", "write `hooks = true` into `features` here by hand"),
        ("features = {}\n", "write `hooks = true` into `features` here by hand"),
        ("features = 1\n", "write `hooks = true` into `features` here by hand"),
        ("a = \n", "this is no TOML: invalid value"),
    ],
)
def test_toml_in_which_it_cannot_be_written_plainly_is_refused(text: str, message: str) -> None:
    with pytest.raises(jsonc.Unreadable) as error:
        toml_on(text, "features.hooks")
    assert error.value.message == message


def test_a_switch_that_somebody_has_changed_since_stays() -> None:
    assert json_back('{"hooksConfig": {"enabled": false}}', "hooksConfig.enabled", "{}") == (
        '{"hooksConfig": {"enabled": false}}'
    )


def test_settings_in_which_there_is_no_place_for_it_are_refused() -> None:
    with pytest.raises(jsonc.Unreadable) as error:
        json_on('{"hooksConfig": []}', "hooksConfig.enabled")
    assert (error.value.at, error.value.message) == ((1, 17), "`hooksConfig` is not an object")
