"""A stand-in for the executable: answers from a script and keeps what it was sent.

FAKE_RULEZ names a folder with `answers.json`, a list of objects: the first one all of whose `when` texts occur in the
input decides what happens; without one the answer is {"continue": true}. The other keys, all optional: `touch` (file to
create first), `wait_for` (file that must exist before going on), `sleep` (seconds), `stdout`, `stderr`, `exit`. The
input is appended to `sent.jsonl` just before the answer.
"""

import json
import os
import sys
import time

folder = os.environ["FAKE_RULEZ"]
text = sys.stdin.buffer.read().decode()
with open(os.path.join(folder, "answers.json")) as file:
    answers = [*json.load(file), {}]
answer = next(each for each in answers if all(word in text for word in each.get("when", [])))

if "touch" in answer:
    open(answer["touch"], "w").close()
while "wait_for" in answer and not os.path.exists(answer["wait_for"]):
    time.sleep(0.01)
time.sleep(answer.get("sleep", 0))
log = os.open(os.path.join(folder, "sent.jsonl"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.write(log, (json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd(), "call": json.loads(text)}) + "\n").encode())
sys.stdout.write(answer.get("stdout", '{"continue":true}'))
sys.stderr.write(answer.get("stderr", ""))
sys.exit(answer.get("exit", 0))
