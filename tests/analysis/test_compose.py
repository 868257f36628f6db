"""Compose files: each service that is started is the `docker run` that it stands for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulez_py.analysis.programs.special.compose import commands

SERVICE = "services:\n  web:\n    image: node:20\n"


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("command: npm run dev", "docker run 'node:20' npm run dev"),
        ('command: ["npm", "run", "dev"]', "docker run 'node:20' 'npm' 'run' 'dev'"),
        ("command:\n      - npm\n      - test", "docker run 'node:20' 'npm' 'test'"),
        ("command: sh -c 'a && b'", "docker run 'node:20' sh -c 'a && b'"),
        ("command: >\n      sh -c\n      'a'", "docker run 'node:20' sh -c 'a'"),
        ("command: echo $$HOME", "docker run 'node:20' echo \\$HOME"),
        ("command: rm -rf ${DIR}", "docker run 'node:20' rm -rf ${DIR}"),
        ("command: *run", "docker run 'node:20' *run"),
        ('command: ["rm", "${DIR}"]', "docker run 'node:20' 'rm' \"${DIR}\""),
        ("entrypoint: sh -c\n    command: [a b]", "docker run --entrypoint sh 'node:20' -c 'a b'"),
        ('entrypoint: ["sh", "-c"]\n    command: ["a"]', "docker run --entrypoint 'sh' 'node:20' '-c' 'a'"),
        ('volumes: [".:/app", "data:/data"]', "docker run --volume '.:/app' --volume 'data:/data' 'node:20'"),
        ("volumes:\n      - ~/.ssh:/s:ro", "docker run --volume \"$HOME\"'/.ssh:/s:ro' 'node:20'"),
        (
            "volumes:\n      - type: bind\n        source: /\n        target: /host\n        read_only: true",
            "docker run --volume '/:/host:ro' 'node:20'",
        ),
        ("volumes:\n      - type: volume\n        source: data\n        target: /d", "docker run 'node:20'"),
        ("privileged: true", "docker run --privileged 'node:20'"),
        ("privileged: false", "docker run 'node:20'"),
        ("pid: host\n    cap_add: [SYS_ADMIN]", "docker run --pid 'host' --cap-add 'SYS_ADMIN' 'node:20'"),
        ("environment:\n      A: b\n    ports: ['80:80']", "docker run 'node:20'"),
        ("command: a # why", "docker run 'node:20' a"),
    ],
)
def test_a_service_is_docker_run(keys: str, wanted: str) -> None:
    ((_, code),) = commands(f"{SERVICE}    {keys}\n", ["compose", "up", "-d"])
    assert code == wanted


THREE = """
services:
  db:
    image: postgres
  web:
    image: node
    command: npm start
    depends_on:
      db:
        condition: service_healthy
  other:
    image: alpine
    command: git gc
volumes:
  data:
"""


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (["up"], [2, 6, 12]),
        (["compose", "-f", "x.yml", "up", "-d", "web"], [2, 6, 12]),
        (["run", "--rm", "other", "sh"], [12]),
        (["run", "web"], [2, 6]),
        (["down"], []),
        (["exec", "web", "npm", "start"], []),
        (["logs", "-f", "up"], []),
        ([], []),
    ],
)
def test_the_services_that_the_words_start_are_run(words: list[str], lines: list[int]) -> None:
    assert sorted(line for line, _ in commands(THREE, words)) == lines


def test_what_runs_in_place_of_the_command_of_a_service() -> None:
    assert [code for _, code in commands(THREE, ["run", "other", "rm", "-rf", "x y"])] == [
        "docker run 'alpine' 'rm' '-rf' 'x y'"
    ]


def test_more_services_than_are_read_are_one_unknown_command() -> None:
    text = "services:\n" + "".join(f"  s{number}:\n    image: a\n" for number in range(300))
    assert [code for _, code in commands(text, ["up"])][-1] == 'eval "$COMPOSE"'


PIECES = st.sampled_from(
    [*"services:\n-[]{}'\" \t#&*|>~$,", "services:\n", "  a:\n", "    command: ", "- ", "image: x\n"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_read(text: str) -> None:
    for line, code in commands(text, ["up"]):
        assert 0 <= line <= text.count("\n")
        assert code.startswith("docker run")
