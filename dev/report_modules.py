"""Says which modules a hook call has loaded, and who imported them: runs before it, reports when it exits.

Only for the tests; the programs people install have nothing of the kind. The report is two lines on stderr, `modules:`
and `missed:` (looked for and not found), each with `name=importer`; there is no importer for what was there before.
"""

import os
import sys


class Watch:
    """Finds nothing, but sees who asks."""

    def __init__(self):
        self.importers = {}

    def find_spec(self, name, path=None, target=None):
        frame = sys._getframe(1)
        while frame.f_back and "importlib" in frame.f_globals.get("__name__", "importlib"):
            frame = frame.f_back
        self.importers.setdefault(name, frame.f_globals.get("__name__", "?"))


def exit_with_report(status, leave=os._exit):
    missed = set(_watch.importers) - set(sys.modules)
    for title, names in (("modules:", sys.modules), ("missed:", missed)):
        words = [f"{name}={_watch.importers.get(name, '')}" for name in sorted(names)]
        os.write(2, " ".join([title, *words, "\n"]).encode())
    leave(status)


_watch = Watch()
sys.meta_path.insert(0, _watch)
os._exit = exit_with_report
