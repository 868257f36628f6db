"""Our hooks among others': put in, brought up to date, taken out, with every other byte as it was."""

from __future__ import annotations

import json
from typing import Any

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.install import jsonc
from rulez_py.install.entries import (
    ON_PATH,
    entries_in,
    filled,
    is_ours,
    is_plugin,
    is_rulez,
    is_yaml,
    program,
    settings,
    snippet,
    snippet_name,
)
from rulez_py.install.merge import with_ours, without
from rulez_py.platforms import PLATFORMS
from tests.examples import examples
from tests.install import made

PROGRAM = program(("/opt/my rulez/rulez",))
SETTINGS = [name for name in PLATFORMS if not is_plugin(name) and not is_yaml(snippet_name(name))]
LISTED = [name for name in SETTINGS if isinstance(settings(name, ON_PATH)["hooks"], list)]
each_file = pytest.mark.parametrize("platform", SETTINGS)
each_list = pytest.mark.parametrize("platform", LISTED)
each_platform = pytest.mark.parametrize("platform", [name for name in SETTINGS if name not in LISTED])
a_few = hypothesis.settings(max_examples=examples(30, of=100))
"""For each agent."""


def wanted(platform: str) -> dict[str, Any]:
    return settings(platform, PROGRAM)


def ours(text: str) -> list[tuple[str, str]]:
    return [(entry.event, entry.command) for entry in entries_in(jsonc.parse(text).value)]


@each_platform
@a_few
@given(data=st.data())
def test_whatever_stands_in_the_settings_stands_there_afterwards(platform: str, data: st.DataObject) -> None:
    target = wanted(platform)
    text, value = data.draw(made.written(made.settings(list(target["hooks"]))))
    new = with_ours(text, target, PROGRAM)
    assert with_ours(new, target, PROGRAM) == new
    assert dict(ours(new)) == dict(ours(json.dumps(target)))
    assert len(ours(new)) == len(target["hooks"])
    besides = {key: said for key, said in target.items() if key != "hooks"}
    assert {**jsonc.parse(new).value, "hooks": value.get("hooks")} == {**besides, **value, "hooks": value.get("hooks")}
    assert without(new, text) == text


@each_platform
@a_few
@given(data=st.data())
def test_what_came_in_between_stays(platform: str, data: st.DataObject) -> None:
    target = wanted(platform)
    text, value = data.draw(made.written(made.settings(list(target["hooks"]))))
    new = with_ours(text, target, PROGRAM)
    event = data.draw(st.sampled_from(list(target["hooks"])))
    other = {"hooks": [{"type": "command", "command": "./later.sh"}]}
    changed = jsonc.added(jsonc.added(new, ("hooks", event), other), (), 1, "later")
    expected = {**value, "later": 1}
    events = {name: list(groups) for name, groups in value.get("hooks", {}).items()}
    events[event] = [*events.get(event, []), other]
    assert jsonc.parse(without(changed, text)).value == {**expected, "hooks": events}
    assert ours(without(changed)) == []


@each_file
def test_a_new_file_is_the_snippet(platform: str) -> None:
    assert with_ours("", settings(platform, ON_PATH), ON_PATH) == filled(platform, ON_PATH) == snippet(platform)


@each_file
@pytest.mark.parametrize("empty", ["", "\ufeff", "\n", "{}", "{ }\n", "\ufeff{\r\n}", "// mine\n{\n  // none\n}\n"])
def test_what_held_nothing_holds_the_same_nothing_afterwards(platform: str, empty: str) -> None:
    new = with_ours(empty, wanted(platform), PROGRAM)
    assert jsonc.parse(new).value["hooks"] == wanted(platform)["hooks"]
    assert without(new, empty) == empty


@each_list
@a_few
@given(data=st.data())
def test_whatever_stands_in_a_list_of_all_hooks_stands_there_afterwards(platform: str, data: st.DataObject) -> None:
    target = wanted(platform)
    text, value = data.draw(made.written(made.listed()))
    new = with_ours(text, target, PROGRAM)
    assert with_ours(new, target, PROGRAM) == new
    assert jsonc.parse(new).value == {**target, **value, "hooks": [*value.get("hooks", []), *target["hooks"]]}
    assert without(new, text) == text


@each_list
@pytest.mark.parametrize(
    "command", ["rulez hook --platform {platform}", "/x/rulez hook --platform {platform}", "rulez"]
)
def test_an_old_hook_in_a_list_of_all_is_brought_up_to_date_where_it_stands(platform: str, command: str) -> None:
    target = wanted(platform)
    first, *others = target["hooks"]
    action = {"type": "command", "command": command.format(platform=platform)}
    old = {**first, "action": action, "timeout": 1, "enabled": False}
    mine = {"name": "mine", "trigger": first["trigger"], "action": {"type": "agent", "prompt": "rulez hook"}}
    text = json.dumps({"hooks": [mine, old, old, "odd"], "x": 1}, indent=2)
    new = with_ours(text, target, PROGRAM)
    assert jsonc.parse(new).value == {**target, "x": 1, "hooks": [mine, first, "odd", *others]}
    assert jsonc.parse(without(new)).value == {"version": target["version"], "x": 1, "hooks": [mine, "odd"]}


@each_list
def test_an_object_where_a_list_of_all_belongs_is_refused_with_its_place(platform: str) -> None:
    with pytest.raises(jsonc.Unreadable) as error:
        with_ours('{"hooks": {"PreToolUse": []}}', wanted(platform), PROGRAM)
    assert (error.value.at, error.value.message) == ((1, 11), "`hooks` is not a list of hooks")


OLD = [
    "rulez hook --platform {platform}",
    "/usr/local/bin/rulez hook --platform {platform}",
    "'/opt/a b/rulez' hook --platform={platform}",
    "/x/bin/python -I -c 'from rulez_py.__main__ import main; main()' hook --platform {platform}",
    "/x/bin/python -I -m rulez_py hook --platform {platform}",
    "my-wrapper hook --platform {platform}",
    "$(command -v timeout >/dev/null && echo timeout -k 1 27) rulez hook --platform {platform} || exit 1",
    "rulez hook",
    "rulez {platform} hook",
    "/home/me/.cargo/bin/rulez {platform} hook",
    "/home/me/.cargo/bin/rulez",
    "rulez",
    "C:\\Tools\\rulez.exe",
    "/usr/local/bin/cch",
    "cch {platform} hook",
]
NOT_OURS = [
    "echo rulez",
    "logger -t rulez x",
    "cat /etc/rulez/rules.yaml",
    "rm -f /tmp/rulez",
    "/opt/rulez-web/hook",
    "./hook --platform linux",
    "git hook run x",
    "rulez validate",
]


@pytest.mark.parametrize("command", OLD)
def test_every_form_that_was_ever_installed_is_known(command: str) -> None:
    assert is_ours(command.format(platform="gemini"))


@pytest.mark.parametrize("command", OLD)
def test_every_form_of_a_hook_that_several_agents_share_is_known(command: str) -> None:
    # RuleZ has no such word.
    assert is_ours(command.format(platform="auto")) or is_rulez(command.format(platform="gemini"))


@pytest.mark.parametrize("command", NOT_OURS)
def test_what_only_names_rulez_is_somebody_elses(command: str) -> None:
    assert not is_ours(command)


def group(platform: str, command: str, **more: object) -> dict[str, Any]:
    entry = {"type": "command", "command": command, "timeout": 5}
    return {**entry, **more} if platform == "copilot" else {"matcher": "*", "hooks": [{**entry, **more}]}


@each_platform
@pytest.mark.parametrize("command", OLD)
def test_an_old_hook_is_brought_up_to_date_where_it_stands(platform: str, command: str) -> None:
    target = wanted(platform)
    event = next(iter(target["hooks"]))
    mine = group(platform, "./mine.sh")
    old = {"hooks": {event: [mine, group(platform, command.format(platform=platform)), mine]}, "x": 1}
    new = jsonc.parse(with_ours(json.dumps(old, indent=4), target, PROGRAM)).value
    assert new == {**target, "hooks": {**target["hooks"], event: [mine, target["hooks"][event][0], mine]}, "x": 1}


@each_platform
def test_what_is_there_twice_is_there_once_afterwards(platform: str) -> None:
    target = wanted(platform)
    event = next(iter(target["hooks"]))
    mine, old = group(platform, "./mine.sh"), group(platform, "rulez hook")
    new = jsonc.parse(with_ours(json.dumps({"hooks": {event: [old, mine, old]}}), target, PROGRAM)).value
    assert new["hooks"][event] == [target["hooks"][event][0], mine]


def test_a_hook_beside_others_in_one_group_gets_a_group_of_its_own() -> None:
    target = wanted("claude")
    mine = {"type": "command", "command": "./mine.sh"}
    old = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "rulez"}, mine]}]}}
    new = jsonc.parse(with_ours(json.dumps(old), target, PROGRAM)).value
    assert new["hooks"]["PreToolUse"] == [{"matcher": "Bash", "hooks": [mine]}, target["hooks"]["PreToolUse"][0]]


def test_a_group_of_nothing_but_ours_goes_as_a_whole() -> None:
    entry = {"type": "command", "command": "rulez hook --platform claude"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [entry, entry]}]}, "a": 1}, indent=2)
    assert jsonc.parse(without(text)).value == {"a": 1}


def test_a_hook_that_a_person_added_for_another_event_calls_the_same_program() -> None:
    more = {"type": "command", "command": "rulez hook --platform claude --timeout 60", "timeout": 90}
    text = json.dumps({"hooks": {"ConfigChange": [{"hooks": [more]}]}})
    new = jsonc.parse(with_ours(text, wanted("claude"), PROGRAM)).value["hooks"]["ConfigChange"]
    command = "'/opt/my rulez/rulez' hook --platform claude --timeout 60"
    assert new == [{"hooks": [{**more, "command": command}]}]


def test_events_that_only_the_predecessor_knew_go() -> None:
    old = {"type": "command", "bash": "/x/cch copilot hook", "powershell": "/x/cch copilot hook", "timeoutSec": 10}
    text = json.dumps({"version": 1, "hooks": {"preToolUse": [old], "postToolUse": [old]}})
    assert jsonc.parse(with_ours(text, wanted("copilot"), PROGRAM)).value == wanted("copilot")


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("[]", (1, 1), "the file is not an object"),
        ('{\n  "hooks": []\n}', (2, 12), "`hooks` is not an object with a list for each event"),
        ('{"hooks": {"Stop": {}}}', (1, 20), "`hooks.Stop` is not a list of hooks"),
        ('{"hooks": {"Stop": []}', (1, 23), 'the text ends without "}"'),
    ],
)
def test_settings_of_another_shape_are_refused_with_their_place(text: str, at: tuple[int, int], message: str) -> None:
    with pytest.raises(jsonc.Unreadable) as error:
        with_ours(text, wanted("claude"), PROGRAM)
    assert (error.value.at, error.value.message) == (at, message)


def test_a_path_of_windows_is_quoted_as_there() -> None:
    assert program(("C:\\my rulez\\rulez.exe",), "win32").in_powershell == '& "C:\\my rulez\\rulez.exe"'


def test_a_path_with_blanks_is_one_word_in_every_shell() -> None:
    entry = wanted("copilot")["hooks"]["PreToolUse"][0]
    assert "'/opt/my rulez/rulez' hook --platform copilot || " in entry["bash"]
    assert entry["powershell"] == "& '/opt/my rulez/rulez' hook --platform copilot"
