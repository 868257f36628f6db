"""Functions as values: callbacks, functions bound to arguments, functions called by a method of theirs."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Function,
    Made,
    Ref,
    Table,
    choices,
    either,
    known,
)
from rulez_py.analysis.languages.methods import joined_all, some_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Calls


BOUND = "(bound)"
"""The name of a Made that is a function with its first arguments. Its call has the function and the arguments."""
MOST_CALLS = 100
"""Elements of a list that a callback is called with; all further elements are one unknown value."""
MAPPING = frozenset(
    (
        *("map", "flatMap", "imap", "imap_unordered", "map_async", "starmap", "starmap_async", "vectorize"),
        *("flat_map", "collect", "collect_concat", "filter_map", "map_chr", "map_lgl", "pmap", "concat_map"),
        *("array_map", "array_map_recursive", "sapply", "lapply", "vapply", "mapply", "rapply", "tapply", "Map"),
        *("each_with_object", "cycle", "mapValues", "times", "each_slice", "each_cons"),
    )
)
"""Functions that call a callback with each element of a list, and return the list of results."""
SPREADING = frozenset(("starmap", "starmap_async"))
"""Those of them whose elements are lists of arguments."""
KEEPING = frozenset(("each", "each_value", "each_entry", "each_with_index", "array_walk", "array_walk_recursive"))
"""Those that return the list itself."""
FILTERING = frozenset(
    (
        *("filter", "filterfalse", "takewhile", "dropwhile", "select", "reject", "find_all", "partition", "group_by"),
        *("array_filter", "takeWhile", "dropWhile", "take_while", "drop_while", "Filter", "groupby", "groupBy"),
        *("sorted", "sort_by", "usort", "sort", "toSorted", "uasort", "uksort", "orderBy", "sortBy", "uniqBy"),
    )
)
"""Those that return some elements, or all in another order."""
CHOOSING = frozenset(
    (
        *("find", "findLast", "detect", "first", "max", "min", "max_by", "min_by", "minBy", "maxBy", "Find"),
        *("array_find", "bsearch", "none_or_one", "firstWhere", "first_where"),
    )
)
"""Those that return one element."""
FOLDING = frozenset(
    (
        *("reduce", "reduceRight", "inject", "sum", "accumulate", "array_reduce", "Reduce", "fold", "foldl", "foldr"),
        *("foldLeft", "reduce_right", "transform", "iterator_apply"),
    )
)
"""Those that pass the previous result and each element: the result is built from the elements."""
ASKING = frozenset(
    (
        *("forEach", "some", "every", "findIndex", "findLastIndex", "any?", "all?", "any", "all", "none?", "one?"),
        *("walk", "Position", "each_index", "find_index", "array_any", "array_all", "count"),
    )
)
"""Those that return a number, a truth value or nothing."""
EACH = MAPPING | KEEPING | FILTERING | CHOOSING | FOLDING | ASKING
"""Functions that call a callback with each element of the other arguments, or of the list whose method they are."""
ITSELF = frozenset(("then", "tap", "yield_self", "thenReturn"))
"""Methods that call a callback with the value they are a method of."""
UNPACKED = frozenset(
    (
        *(
            "Thread",
            "Timer",
            "Process",
            "enter",
            "enterabs",
            "apply",
            "apply_async",
            "call_user_func_array",
            "construct",
        ),
        *("do.call", "invokeArgs", "forward_static_call_array", "create_task", "add_job", "exec_module"),
    )
)
"""Functions that call a callback with the arguments in a list."""
EVENTS = frozenset(("on", "once", "addListener", "prependListener", "addEventListener", "subscribe", "ob_start"))
"""Functions that call a callback later, with unknown arguments."""
INERT = frozenset(
    (
        *(
            "print",
            "help",
            "dir",
            "type",
            "repr",
            "str",
            "id",
            "hasattr",
            "callable",
            "isinstance",
            "issubclass",
            "len",
        ),
        *("signature", "getsource", "getsourcefile", "getsourcelines", "getfile", "getdoc", "getmembers", "getmodule"),
        *("getfullargspec", "isfunction", "isbuiltin", "iscoroutinefunction", "get_type_hints", "unwrap", "cleandoc"),
        *("log", "error", "warn", "info", "debug", "table", "trace", "inspect", "keys", "String", "Boolean", "assert"),
        *("puts", "p", "pp", "var_dump", "print_r", "is_callable", "function_exists", "method_exists", "defined"),
        *(
            "assertEqual",
            "assertIs",
            "equal",
            "strictEqual",
            "deepEqual",
            "expect",
            "ok",
            "patch",
            "spy",
            "stub",
            "dis",
        ),
        *("exists", "args", "formals", "body", "class", "is.function", "deparse", "getOwnPropertyNames", "types"),
    )
)
"""Functions that inspect a function without calling it."""
LISTS = ("args", "argument", "arguments")
"""Keywords for the list of arguments of a callback given by another keyword."""


def bound(function: Abstract, arguments: list[Abstract], keywords: dict[str, Abstract]) -> Made:
    """Return a function with its first arguments."""
    return Made(BOUND, Call([function, *arguments], keywords))


def call_bound(calls: Calls, made: Made, call: Call) -> Abstract:
    """Return the value of a call of a bound function."""
    function, *before = made.call.arguments
    return calls.call(function, Call([*before, *call.arguments], {**made.call.keywords, **call.keywords}))


def handed_on(calls: Calls, name: str, call: Call, on: Abstract) -> Abstract:
    """Call the callbacks among the arguments of a function. Return the value of the function.

    None where there is no callback, or the function calls none.
    """
    short = name.rpartition(".")[2]
    if short in INERT:
        return None
    given: Abstract = None
    for at, one in enumerate(call.arguments):
        if calls.is_function(one):
            result = _handed(calls, name if name in UNPACKED else short, call, at, on)
            given = result if given is None else given
    for key, one in call.keywords.items():
        if calls.is_function(one):
            result = _by_keyword(calls, key, one, call)
            given = result if given is None else given
    return given


def _handed(calls: Calls, name: str, call: Call, at: int, on: Abstract) -> Abstract:
    function, behind = call.arguments[at], call.arguments[at + 1 :]
    if name in EACH:
        others = [*call.arguments[:at], *behind]
        return _over(calls, name, function, [*others, on] if not others or _is_list(on) else others)
    if name in ITSELF:
        return calls.call(function, Call([on], {}))
    keywords = {key: value for key, value in call.keywords.items() if key not in LISTS and not calls.is_function(value)}
    if name in UNPACKED:
        behind = next((list(one) for one in behind if isinstance(one, tuple)), _listed(call) or behind)
    elif name in EVENTS and not behind and isinstance(function, Ref):
        behind = [UNKNOWN]
    if (behind or keywords) and calls.spend():
        calls.call(function, Call(list(behind), dict(keywords)))
    return bound(function, list(behind), keywords)


def _is_list(value: Abstract) -> bool:
    """Tell if a method belongs to a list, not to a module or an object."""
    return any(isinstance(one, (tuple, Table)) for one in choices(value))


def _over(calls: Calls, name: str, function: Abstract, lists: list[Abstract]) -> Abstract:
    """Call a callback with each element of some lists. Return the value of the function `name`."""
    things = each_of(lists)
    twice = 2 if isinstance(function, Function) and len(function.parameters) > 1 else 1
    gave = tuple(
        calls.call(function, Call(list(one) if name in SPREADING and isinstance(one, tuple) else [one] * twice, {}))
        for one in things
        if calls.spend()
    )
    return gave if name in MAPPING else made_of(name, things)


def made_of(name: str, things: list[Abstract]) -> Abstract:
    """Return the value of a function of this name for a list, where it is not the list of results.

    INVARIANT: which elements it returns, and how it joins them, is unknown; the likeliest value is the first.
    """
    if name in KEEPING:
        return tuple(things)
    if name in FILTERING:
        return some_of(tuple(things))
    if name in CHOOSING:
        return either(things)
    if name in FOLDING:
        return either([*(joined_all(tuple(things), known(between)) for between in ("", " ")), UNKNOWN])
    return UNKNOWN


def _by_keyword(calls: Calls, key: str, function: Abstract, call: Call) -> Abstract:
    """Call the callback of a keyword: `Thread(target=f, args=(...))`, `sorted(list, key=f)`."""
    if key == "key":
        for one in each_of(call.arguments):
            if calls.spend():
                calls.call(function, Call([one], {}))
        return None
    behind = _listed(call)
    named = call.keywords.get("kwargs")
    if behind or isinstance(named, Table):
        calls.call(function, Call(behind, dict(named.items) if isinstance(named, Table) else {}))
    return bound(function, behind, {})


def _listed(call: Call) -> list[Abstract]:
    for key in LISTS:
        value = call.keywords.get(key)
        if value is not None:
            return list(value) if isinstance(value, tuple) else [value]
    return []


def each_of(values: list[Abstract]) -> list[Abstract]:
    """Return the elements of these lists; of many the first, and UNKNOWN for the others."""
    found: list[Abstract] = []
    for value in (one for given in values for one in choices(given)):
        things = tuple(value.items.values()) if isinstance(value, Table) else value
        for one in things if isinstance(things, tuple) else (things,):
            if len(found) >= MOST_CALLS:
                return [*found, UNKNOWN]
            found.append(UNKNOWN if one is None else one)
    return found


def through(how: str, call: Call) -> Call:
    """Return the call of a function by one of its methods.

    `how` is `call 1`: its arguments follow one that is not passed on; or `list 1`: they are in a list there.
    """
    kind, _, skipped = how.partition(" ")
    arguments = call.arguments[int(skipped or 0) :]
    if kind == "list":
        first = arguments[0] if arguments else ()
        arguments = list(first) if isinstance(first, tuple) else [first]
    return Call(list(arguments), call.keywords)
