"""A stand-in for the executable: answers from a script and keeps what it was sent.

FAKE_RULEZ names a folder with `answers.json`, a list of objects: the first one all of whose `when` texts occur in the
input decides what happens; without one the answer is {"continue": true}. The other keys, all optional: `touch` (file to
create first), `wait_for` (file that must exist before going on), `sleep` (seconds), `stdout`, `stderr`, `exit`. The
input is appended to `sent.jsonl` just before the answer.

With `--stream` every line is an input. Then `stream` has keys that go before the others, and two more: `raw` (written
in place of the line that answers) and `ends` (the exit code it ends with after that). Where FAKE_RULEZ_IS is `old`, it
knows no `--stream`, and says so in `refused`. FAKE_RULEZ_ALIVE is a pipe that it holds open while it runs.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

folder = os.environ["FAKE_RULEZ"]
streams = "--stream" in sys.argv
if "FAKE_RULEZ_ALIVE" in os.environ:
    os.open(os.environ["FAKE_RULEZ_ALIVE"], os.O_WRONLY)
if streams and os.environ.get("FAKE_RULEZ_IS") == "old":
    with open(os.path.join(folder, "refused"), "a") as file:
        file.write("refused\n")
    print('{"continue":false,"reason":"Blocked: the command line of `rulez hook` is wrong"}')
    sys.exit(2)
with open(os.path.join(folder, "answers.json")) as file:
    answers = [*json.load(file), {}]


def judge(text: str) -> dict[str, Any]:
    answer = next(each for each in answers if all(word in text for word in each.get("when", [])))
    answer = {
        "stdout": '{"continue":true}',
        "stderr": "",
        "exit": 0,
        **answer,
        **(answer.get("stream", {}) if streams else {}),
    }
    if "touch" in answer:
        open(answer["touch"], "w").close()
    while "wait_for" in answer and not os.path.exists(answer["wait_for"]):
        time.sleep(0.01)
    time.sleep(answer.get("sleep", 0))
    log = os.open(os.path.join(folder, "sent.jsonl"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    entry = {"argv": sys.argv[1:], "cwd": os.getcwd(), "pid": os.getpid(), "call": json.loads(text)}
    os.write(log, (json.dumps(entry) + "\n").encode())
    os.close(log)
    return answer


if not streams:
    answer = judge(sys.stdin.buffer.read().decode())
    sys.stdout.write(answer["stdout"])
    sys.stderr.write(answer["stderr"])
    sys.exit(answer["exit"])

for line in sys.stdin.buffer:
    answer = judge(line.decode())
    said = {"exit_code": answer["exit"], "stdout": answer["stdout"], "stderr": answer["stderr"]}
    os.write(1, answer.get("raw", json.dumps(said) + "\n").encode())
    if "ends" in answer:
        sys.exit(answer["ends"])
