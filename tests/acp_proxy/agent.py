"""An agent of a few lines: it says what is in a file, and writes down what it reads until that is so many lines."""

import sys
from pathlib import Path


def main() -> None:
    script, read = map(Path, sys.argv[1:3])
    sys.stdout.write("a line that is no message\n" + script.read_text())
    sys.stdout.flush()
    with read.open("w") as found:
        for _ in range(int(sys.argv[3])):
            found.write(sys.stdin.readline())
            found.flush()
    sys.exit(3)


main()
