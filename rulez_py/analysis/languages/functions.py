"""Functions as values: handed to another function that calls them, bound to arguments, called by a method of theirs."""

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
"""The name of a Made that is a function with its first arguments: the arguments of the call that made it."""
MOST_CALLS = 100
"""Things in a list for each of which a function is called apart; of more it is called with any of them."""
MAPPING = frozenset(
    (
        *("map", "flatMap", "imap", "imap_unordered", "map_async", "starmap", "starmap_async", "vectorize"),
        *("flat_map", "collect", "collect_concat", "filter_map", "map_chr", "map_lgl", "pmap", "concat_map"),
        *("array_map", "array_map_recursive", "sapply", "lapply", "vapply", "mapply", "rapply", "tapply", "Map"),
        *("each_with_object", "cycle", "mapValues", "times", "each_slice", "each_cons"),
    )
)
"""Functions that call another with each thing in a list, and give a list of what that gave."""
SPREADING = frozenset(("starmap", "starmap_async"))
"""Those of them for which each thing is a list of arguments."""
KEEPING = frozenset(("each", "each_value", "each_entry", "each_with_index", "array_walk", "array_walk_recursive"))
"""Those that give the list itself."""
FILTERING = frozenset(
    (
        *("filter", "filterfalse", "takewhile", "dropwhile", "select", "reject", "find_all", "partition", "group_by"),
        *("array_filter", "takeWhile", "dropWhile", "take_while", "drop_while", "Filter", "groupby", "groupBy"),
        *("sorted", "sort_by", "usort", "sort", "toSorted", "uasort", "uksort", "orderBy", "sortBy", "uniqBy"),
    )
)
"""Those that give some things of the list, or all in another order."""
CHOOSING = frozenset(
    (
        *("find", "findLast", "detect", "first", "max", "min", "max_by", "min_by", "minBy", "maxBy", "Find"),
        *("array_find", "bsearch", "none_or_one", "firstWhere", "first_where"),
    )
)
"""Those that give one thing of the list."""
FOLDING = frozenset(
    (
        *("reduce", "reduceRight", "inject", "sum", "accumulate", "array_reduce", "Reduce", "fold", "foldl", "foldr"),
        *("foldLeft", "reduce_right", "transform", "iterator_apply"),
    )
)
"""Those that call it with what it gave before and each thing: what they give is made of the things in the list."""
ASKING = frozenset(
    (
        *("forEach", "some", "every", "findIndex", "findLastIndex", "any?", "all?", "any", "all", "none?", "one?"),
        *("walk", "Position", "each_index", "find_index", "array_any", "array_all", "count"),
    )
)
"""Those that say something about the list, or give nothing."""
EACH = MAPPING | KEEPING | FILTERING | CHOOSING | FOLDING | ASKING
"""Functions that call another with each thing in a list: in the other arguments, or what they are a method of."""
ITSELF = frozenset(("then", "tap", "yield_self", "thenReturn"))
"""Methods that call a function with what they are a method of."""
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
"""Functions that call another with the arguments in a list."""
EVENTS = frozenset(("on", "once", "addListener", "prependListener", "addEventListener", "subscribe", "ob_start"))
"""Functions that call another later, with what nobody knows."""
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
"""Functions that look at another without calling it."""
LISTS = ("args", "argument", "arguments")
"""Keywords whose value is the list of arguments for a function that is another keyword's value."""


def bound(function: Abstract, arguments: list[Abstract], keywords: dict[str, Abstract]) -> Made:
    """Return a function with its first arguments."""
    return Made(BOUND, Call([function, *arguments], keywords))


def call_bound(calls: Calls, made: Made, call: Call) -> Abstract:
    """Return what calling a function with arguments behind those it has is worth."""
    function, *before = made.call.arguments
    return calls.call(function, Call([*before, *call.arguments], {**made.call.keywords, **call.keywords}))


def handed_on(calls: Calls, name: str, call: Call, on: Abstract) -> Abstract:
    """Return the functions that a function of this name is given are called; what that gave, or the first of them.

    None where none is given, or nobody calls them.
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
    """Tell whether what a method belongs to is a list, and no module or object that has the method."""
    return any(isinstance(one, (tuple, Table)) for one in choices(value))


def _over(calls: Calls, name: str, function: Abstract, lists: list[Abstract]) -> Abstract:
    """Return a function is called with each thing in some lists; what the function of this name makes of that."""
    things = each_of(lists)
    twice = 2 if isinstance(function, Function) and len(function.parameters) > 1 else 1
    gave = tuple(
        calls.call(function, Call(list(one) if name in SPREADING and isinstance(one, tuple) else [one] * twice, {}))
        for one in things
        if calls.spend()
    )
    return gave if name in MAPPING else made_of(name, things)


def made_of(name: str, things: list[Abstract]) -> Abstract:
    """Return what a function of this name makes of the things in a list, where it is not what another function gives.

    INVARIANT: which of them it gives, and how it puts them together, is not known; what is likeliest stands first.
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
    """`Thread(target=f, args=(...))`, `sorted(list, key=f)`."""
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
    """Return the things in these lists; of many, that it may be any."""
    found: list[Abstract] = []
    for value in (one for given in values for one in choices(given)):
        things = tuple(value.items.values()) if isinstance(value, Table) else value
        for one in things if isinstance(things, tuple) else (things,):
            if len(found) >= MOST_CALLS:
                return [*found, UNKNOWN]
            found.append(UNKNOWN if one is None else one)
    return found


def through(how: str, call: Call) -> Call:
    """Return the call of a function by a method of it, which `how` says.

    `call 1`: its arguments stand behind one that is not for it; `list 1`: they are in a list there.
    """
    kind, _, skipped = how.partition(" ")
    arguments = call.arguments[int(skipped or 0) :]
    if kind == "list":
        first = arguments[0] if arguments else ()
        arguments = list(first) if isinstance(first, tuple) else [first]
    return Call(list(arguments), call.keywords)
