"""What tells the calls of our plugin for Kilo Code from those of OpenCode's: it says whose it is."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("hook", "input"), without=("hook_event_name", "hookEventName"), platform="kilo"),))
