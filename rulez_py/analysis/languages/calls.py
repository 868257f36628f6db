"""Calls of functions: those that the code defines, those that a table describes, and others."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Choice,
    Function,
    Made,
    Ref,
    Table,
    choices,
    either,
)
from rulez_py.analysis.languages.actions import perform
from rulez_py.analysis.languages.dialect import HOOKS
from rulez_py.analysis.languages.effects import derived
from rulez_py.analysis.languages.functions import BOUND, bound, call_bound, handed_on, through
from rulez_py.analysis.languages.libraries import library
from rulez_py.analysis.languages.methods import METHODS, UNCHANGED
from rulez_py.analysis.languages.parameters import ALL_ARGUMENTS
from rulez_py.analysis.languages.parts import actions_of
from rulez_py.analysis.languages.state import DEEPEST, MOST_HANDED
from rulez_py.analysis.values import LIMIT, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk


class Calls:
    """Calls functions."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.dialect = walk, walk.dialect
        self.here, self.scope, self.limits = walk.here, walk.scope, walk.limits

    def call(self, function: Abstract, call: Call) -> Abstract:
        """Return the value of a call, and add its effects."""
        if isinstance(function, Choice):
            return either([self.call(one, call) for one in function.of])
        function = self._callee(function)
        if isinstance(function, Function):
            if function.parameters == ALL_ARGUMENTS:
                self.scope.learn(ALL_ARGUMENTS[0], tuple(call.arguments))
                return derived(call, None)
            self.walk.definitions.give(function, call)
            return derived(call, None) if function.gives in (None, UNKNOWN) else function.gives
        for argument in call.arguments:
            if isinstance(argument, Table):
                call.keywords = {**argument.items, **call.keywords}
        if isinstance(function, Made):
            return self._deeper(call_bound, function, call)
        if not isinstance(function, Ref):
            return derived(call, function)
        if function.name not in HOOKS and (special := self.dialect.special.get(function.name)) is not None:
            return special(self.walk, call, function.on)
        if (lines := self.dialect.calls.get(function.name)) is not None:
            if "key" in call.keywords:
                handed_on(self, function.name, call, None)
            return perform(self.walk, function.name, lines, call, function.on)
        return self._deeper(Calls._unlisted, function, call)

    def _callee(self, function: Abstract) -> Abstract:
        """Return the called function: one that the code defines, one bound to arguments, or a name."""
        if isinstance(function, tuple) and function and not self.dialect.called_by_text:
            # `(0, f)(...)` calls `f`. Values after a function belong to its body.
            return self._callee(next((one for one in function if isinstance(one, Function)), function[-1]))
        if isinstance(function, Word) and function.known and self.dialect.called_by_text:
            return Ref(self.dialect.canonical(function.text))
        if isinstance(function, Made) and function.name != BOUND:
            return Ref(f"{function.name}()", function)
        return function

    def _deeper(self, how: Callable[[Calls, Any, Call], Abstract], function: Abstract, call: Call) -> Abstract:
        """Return the value of a call inside a call; UNKNOWN at the bound, which ends functions that call each other."""
        if self.limits.depth >= DEEPEST:
            self.limits.reached = True
            return UNKNOWN
        self.limits.depth += 1
        try:
            return how(self, function, call)
        finally:
            self.limits.depth -= 1

    def spend(self) -> bool:
        """Tell if one more call of a callback is followed.

        INVARIANT: a call beyond the bound leaves the code opaque.
        """
        self.limits.handed += 1
        if self.limits.handed > MOST_HANDED:
            self.walk.effects.opaque = self.walk.effects.opaque or LIMIT
        return self.limits.handed <= MOST_HANDED

    def _unlisted(self, function: Ref, call: Call) -> Abstract:
        """Return the value of a call without an entry: a method of a function, of a text, of an unknown value."""
        owner, _, name = function.name.rpartition(".")
        target = function.on if owner in ("*", BOUND) else Ref(owner, function.on)
        if (how := self.dialect.through.get(name)) is not None and self.is_function(target):
            its = through(how, call)
            return bound(target, its.arguments, its.keywords) if how.startswith("bind") else self.call(target, its)
        if (other := self.dialect.special.get("call")) is not None:
            given = other(self.walk, call, function)
            if given is not None:
                return given
        if (given := library(self.walk, call, function)) is not None:
            return given
        handed = handed_on(self, function.name if owner != "*" else name, call, target if owner else None)
        given = self._method_call(name, call, function, handed)
        if given is not None:
            return given
        if handed is not None:
            return handed
        if (lines := self.dialect.likely.get(name)) is not None:
            first = call.arguments[0] if call.arguments else None
            first = first[0] if isinstance(first, tuple) and first else first
            if any(isinstance(one, Word) and one.known for one in choices(first)):
                return perform(self.walk, name, lines, call, function.on)
        return derived(call, function.on)

    def _method_call(self, name: str, call: Call, function: Ref, handed: Abstract) -> Abstract:
        """Return the value of a method of the code's classes, of a text or a list; None for an unknown method."""
        method, on = self.scope.variables.get(name), function.on
        if isinstance(method, Function):
            own = method.parameters[:1] in (("self",), ("cls",), ("this",))
            return self.call(method, Call([on, *call.arguments] if own else call.arguments, call.keywords))
        if not function.name.startswith("*."):
            return None
        if name in UNCHANGED:
            return on
        return METHODS[name](on, call) if name in METHODS and handed is None else None

    def is_function(self, value: Abstract) -> bool:
        """Tell if the value is a function with known effects."""
        if isinstance(value, Choice):
            return any(self.is_function(one) for one in value.of)
        if isinstance(value, Ref):
            return self.is_known(value.name) and value.name not in HOOKS and value.name not in self.dialect.within
        return isinstance(value, Function) or (isinstance(value, Made) and value.name == BOUND)

    def is_known(self, name: str) -> bool:
        if name in self.dialect.calls or name in self.dialect.special:
            return True
        return actions_of(self.dialect.within, name) is not None
