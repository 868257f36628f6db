"""rulez inside a Python program: the policy judges in the process of the agent's author.

`Policy` answers for one project; the other modules here put it before the tools of one agent library each, which they
import when they are used and not before.
"""

from __future__ import annotations

from rulez_py.integrations.policy import Call, Decision, InvalidPolicy, Policy, Prompt

__all__ = ["Call", "Decision", "InvalidPolicy", "Policy", "Prompt"]
