"""An MCP server of a few lines: it writes down which tools it was made to run, and says so."""

import json
import sys
from pathlib import Path


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "tools/call":
            with Path(sys.argv[1]).open("a", encoding="utf-8") as ran:
                ran.write(json.dumps(message["params"]) + "\n")
        if message.get("method") == "end":
            sys.exit(int(message["params"]))
        if "id" in message and "method" in message:
            # A key twice, and spaces: what a server says stays as it is.
            key = json.dumps(message["id"])
            sys.stdout.write(f'{{"jsonrpc": "2.0",  "id": {key}, "result": {{"a": 1, "a": 2}}}}\n')
            sys.stdout.flush()


main()
