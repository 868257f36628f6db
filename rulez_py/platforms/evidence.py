"""Forms of payloads by which agents are told from one another: what the `evidence` of each folder is made of."""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Form(Value):
    """A form of an agent's payloads.

    One has all keys of `has` and no key of `without`; null counts as absent. Where `events` are named, its
    `hook_event_name` is one of them, and where `modes` are, so is its `permission_mode`; `platform` is the value of the
    key of that name, which our own plugins send. `own` says that no other agent sends such a payload.
    """

    has: tuple[str, ...]
    without: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    platform: str = ""
    own: bool = True

    def fits(self, payload: Mapping[str, object]) -> bool:
        """Tell whether a payload has this form."""
        return (
            all(payload.get(key) is not None for key in self.has)
            and all(payload.get(key) is None for key in self.without)
            and (not self.events or payload.get("hook_event_name") in self.events)
            and (not self.modes or payload.get("permission_mode") in self.modes)
            and (not self.platform or payload.get("platform") == self.platform)
        )


class Evidence(Value):
    """The evidence by which one agent is told from the others.

    `variables` are pairs: a variable of the environment that only this agent's hooks get, and the key of the payload
    with the same value. Without the second an agent that another one has started would be taken for that one.
    """

    forms: tuple[Form, ...]
    variables: tuple[tuple[str, str], ...] = ()

    def strength(self, payload: Mapping[str, object], environ: Mapping[str, str]) -> int:
        """Return 0 where the agent did not send it, 1 where it may have, 2 by the environment, 3 by the form alone."""
        fitting = [form for form in self.forms if form.fits(payload)]
        if any(form.own for form in fitting):
            return 3
        told = any(environ.get(name) and environ[name] == payload.get(key) for name, key in self.variables)
        return (2 if told else 1) if fitting else 0
