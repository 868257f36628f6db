"""PowerShell's grammar: text to statements.

Written by hand because the published tree-sitter grammar cannot read everyday arguments (`$env:TEMP\\x`, `$HOME/x`,
`-Path a,b`, `npm run x -- --y`). Arguments and expressions have different rules (about_Parsing). Text that cannot be
read is skipped and sets `broken`; nothing but TooDeep is raised.

Each method has its rule in EBNF: `{ }` is any number, `[ ]` at most one, `any` is text that is not read. Blanks and
comments are allowed between the parts of a rule. A text that fits the rules leaves `broken` unset.
"""

from __future__ import annotations

from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BRACKETS = 20
"""Depth to which brackets are read."""
LINKS = 60
"""Length of a chain of members that is followed."""


class TooDeep(Exception):
    """Brackets nest deeper than the bound."""


class Node(Value):
    """A node of the syntax tree; `at` is its place in the text."""

    at: tuple[int, int] = (0, 0)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._fields = (*cls._fields, "at")
        cls._known = cls._known | {"at"}


class Text(Node):
    """A word or string: text and expressions in it. `bare`: it begins without a quote."""

    parts: tuple[str | Node, ...]
    bare: bool = False


class Variable(Node):
    """`$name`, lower case, with its drive (`env:path`) and without its scope; `outward` for an outer scope."""

    name: str
    outward: bool = False


class Splat(Node):
    """`@name`."""

    name: str


class Script(Node):
    """`( )` or `@( )`; `$( )` is a substitution."""

    statements: tuple[Node, ...]
    substitution: bool = False


class Block(Node):
    """`{ }`; the parameters with their defaults, `-` before the name of a switch."""

    statements: tuple[Node, ...]
    parameters: tuple[tuple[str, Node | None], ...] = ()


class Table(Node):
    """`@{ }`."""

    pairs: tuple[tuple[Node, Node], ...]


class Items(Node):
    """`a, b`."""

    items: tuple[Node, ...]


class Operation(Node):
    """A binary operator, or a unary one with `left` None; lower case."""

    operator: str
    left: Node | None
    right: Node


class Cast(Node):
    """`[type]` before a value, or alone (`operand` None); lower case, without `System.`."""

    type: str
    operand: Node | None = None


class Member(Node):
    """`target.name`, `target::name`, called where `arguments` is not None."""

    target: Node
    name: Node
    arguments: tuple[Node, ...] | None = None


class Index(Node):
    target: Node
    index: Node


class Call(Node):
    """A command: `operator` is `&`, `.` or ""; a redirection is a pair of operator and target."""

    operator: str
    name: Node
    arguments: tuple[Node, ...]
    redirections: tuple[tuple[str, Node], ...] = ()


class Evaluation(Node):
    """An expression as an element of a pipeline."""

    value: Node
    redirections: tuple[tuple[str, Node], ...] = ()


class Pipeline(Node):
    elements: tuple[Node, ...]


class Assignment(Node):
    target: Node
    operator: str
    value: Node


class Branches(Node):
    """Conditions, and bodies; one of these runs (`if`)."""

    heads: tuple[Node, ...]
    bodies: tuple[tuple[Node, ...], ...]


class Clauses(Node):
    """Conditions, and bodies each of which may run, one after the other (`switch`)."""

    heads: tuple[Node, ...]
    bodies: tuple[tuple[Node, ...], ...]


class Loop(Node):
    """A loop with its conditions; with `once`, the body runs at least once."""

    heads: tuple[Node, ...]
    body: tuple[Node, ...]
    once: bool = False


class Attempt(Node):
    """`try` with its `catch` bodies, and `last`, the `finally` body."""

    body: tuple[Node, ...]
    catches: tuple[tuple[Node, ...], ...]
    last: tuple[Node, ...]


class Each(Node):
    """`foreach ($variable in items) { }`."""

    variable: str
    items: Node
    body: tuple[Node, ...]


class Function(Node):
    name: str
    block: Block


_LOGIC = ("and", "or", "xor", "band", "bor", "bxor")
_COMPARISON = (
    *("eq", "ne", "gt", "ge", "lt", "le", "like", "notlike", "match", "notmatch", "contains", "notcontains", "in"),
    *("notin", "is", "isnot", "as", "replace", "split", "join", "shl", "shr"),
)
_LEVELS: dict[str, int] = {
    **dict.fromkeys(_LOGIC, 0),
    **dict.fromkeys(_COMPARISON, 1),
    **dict.fromkeys((prefix + name for name in _COMPARISON for prefix in "ic"), 1),
    **dict.fromkeys(("+", "-", "??"), 2),
    **dict.fromkeys(("*", "/", "%"), 3),
    "f": 4,
    "..": 4,
}
_UNARY = ("not", "bnot", "split", "isplit", "csplit", "join")
_ASSIGN = ("=", "+=", "-=", "*=", "/=", "%=", "??=")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}
_SPACE = " \t\r\f\v\u00a0"
_ENDS = "\n;|&(){},<>" + _SPACE
"""Characters that end a bare word."""
_SINGLE, _DOUBLE = "'\u2018\u2019\u201a\u201b", '"\u201c\u201d\u201e'
_OUTWARD = ("global:", "script:")
_SCOPES = ("global:", "local:", "script:", "private:", "using:", "variable:")
_NUMBER = frozenset("0123456789abcdefABCDEFxX.lLkKmMgGtTpPdD")


def parse(text: str, bound: int = BRACKETS) -> tuple[Block, bool]:
    """Return the script, and True if all of it could be read. Raises TooDeep."""
    parser = _Parser(text, bound)
    parameters, statements = parser.body("")
    return Block(statements=statements, parameters=parameters, at=(0, len(text))), not parser.broken


class _Parser:
    def __init__(self, text: str, bound: int) -> None:
        self.text = text
        self.end = len(text)
        self.at = 0
        self.left = bound
        self.broken = False

    # Characters

    def peek(self, length: int = 1) -> str:
        return self.text[self.at : self.at + length]

    def take(self, what: str) -> bool:
        if self.text.startswith(what, self.at) and what:
            self.at += len(what)
            return True
        return False

    def need(self, what: str) -> None:
        if not self.take(what):
            self.broken = True

    def blank(self, *, lines: bool = False) -> None:
        """Skip white space and comments, with `lines` ends of lines too."""
        text = self.text
        while self.at < self.end:
            char = text[self.at]
            if char in _SPACE or (lines and char == "\n"):
                self.at += 1
            elif char == "`" and text[self.at + 1 : self.at + 3] == "\r\n":
                self.at += 3
            elif char == "`" and self.peek(2) == "`\n":
                self.at += 2
            elif char == "#":
                end = text.find("\n", self.at)
                self.at = self.end if end < 0 else end
            elif char == "<" and self.peek(2) == "<#":
                end = text.find("#>", self.at + 2)
                self.broken |= end < 0
                self.at = self.end if end < 0 else end + 2
            else:
                return

    def name_at(self, start: int) -> str:
        """Return the letters, digits and underscores from an index on."""
        end = start
        while end < self.end and (self.text[end].isalnum() or self.text[end] == "_"):
            end += 1
        return self.text[start:end]

    def inside(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooDeep

    # Statements

    def body(self, closer: str) -> tuple[tuple[tuple[str, Node | None], ...], tuple[Node, ...]]:
        """Return a `param( )` block and statements, up to and with the closing bracket.

        body = ['param' parameters] statements
        """
        parameters: tuple[tuple[str, Node | None], ...] = ()
        self.inside()
        self.blank(lines=True)
        if self.name_at(self.at).lower() == "param":
            before = self.at
            self.at += 5
            self.blank(lines=True)
            if self.peek() == "(":
                parameters = self.parameters()
            else:
                self.at = before
        statements = self.statements(closer)
        self.left += 1
        return parameters, statements

    def statements(self, closer: str) -> tuple[Node, ...]:
        """Return statements, up to and with the closing bracket; with "", up to the end of the text.

        statements = [statement] {(';' | newline | '&&' | '||' | '&') [statement]}
        """
        found: list[Node] = []
        while True:
            self.blank(lines=True)
            if self.at >= self.end:
                self.broken |= closer != ""
                break
            char = self.text[self.at]
            if closer and char == closer:
                self.at += 1
                break
            if char == ";" or self.peek(2) in ("&&", "||"):
                self.at += 1 if char == ";" else 2
                continue
            before = self.at
            statement = self.statement()
            if statement is not None:
                found.append(statement)
            self.blank()
            if self.peek() == "&" and self.peek(2) != "&&" and found:
                self.at += 1  # in the background
            elif self.at == before:
                self.broken = True
                self.at += 1
            elif self.at < self.end and self.text[self.at] not in "\n;)}&|" and isinstance(statement, Pipeline):
                self.broken = True
        return tuple(found)

    def braces(self) -> tuple[Node, ...]:
        """Return the statements of a body.

        braces = '{' body '}'
        """
        self.blank(lines=True)
        if not self.take("{"):
            self.broken = True
            return ()
        return self.body("}")[1]

    def parens(self) -> Node:
        """Return the statements in brackets.

        parens = '(' body ')'
        """
        self.blank(lines=True)
        start = self.at
        if not self.take("("):
            self.broken = True
            return Script(statements=())
        return Script(statements=self.body(")")[1], at=(start, self.at))

    def statement(self) -> Node | None:
        """Return a statement, or None for one that does nothing.

        statement = [':' label] (if | while | do | foreach | switch | try | trap | function | definition | using
                  | flow | named_body | pipeline)
        A keyword, in any case and followed by a character that ends a word, decides; else it is a pipeline.
        """
        if self.peek() == ":":
            self.at += 1 + len(self.name_at(self.at + 1))
            self.blank(lines=True)
        keyword = self.name_at(self.at).lower()
        read = _KEYWORDS.get(keyword)
        if read is not None:
            after = self.at + len(keyword)
            following = self.text[after : after + 1]
            if not following or following in _ENDS:
                self.at = after
                return read(self)
        return self.pipeline()

    def if_(self) -> Node:
        """Return an `if`, whose keyword is read.

        if = 'if' parens braces {'elseif' parens braces} ['else' braces]
        """
        heads, bodies = [self.parens()], [self.braces()]
        while True:
            before = self.at
            self.blank(lines=True)
            keyword = self.name_at(self.at).lower()
            if keyword == "elseif":
                self.at += len(keyword)
                heads.append(self.parens())
                bodies.append(self.braces())
            elif keyword == "else":
                self.at += len(keyword)
                bodies.append(self.braces())
                break
            else:
                self.at = before
                bodies.append(())
                break
        return Branches(heads=tuple(heads), bodies=tuple(bodies))

    def while_(self) -> Node:
        """Return a `while` or a `for`; the three parts in the brackets of that are statements.

        while = ('while' | 'for') parens braces
        """
        head = self.parens()
        return Loop(heads=(head,), body=self.braces())

    def do(self) -> Node:
        """Return a loop whose condition follows it.

        do = 'do' braces ('while' | 'until') parens
        """
        body = self.braces()
        self.blank(lines=True)
        keyword = self.name_at(self.at).lower()
        if keyword not in ("while", "until"):
            self.broken = True
            return Loop(heads=(), body=body, once=True)
        self.at += len(keyword)
        return Loop(heads=(), body=(*body, self.parens()), once=True)

    def foreach(self) -> Node:
        """Return a loop over the items of a list.

        foreach = 'foreach' ['-' name] '(' variable 'in' statements ')' braces
        """
        self.blank(lines=True)
        if self.peek() == "-":
            self.at += 1 + len(self.name_at(self.at + 1))
            self.blank(lines=True)
        self.need("(")
        self.inside()
        self.blank(lines=True)
        variable = self.variable() if self.peek() == "$" else None
        self.blank(lines=True)
        if self.name_at(self.at).lower() == "in":
            self.at += 2
        else:
            self.broken = True
        items = Script(statements=self.statements(")"))
        self.left += 1
        body = self.braces()
        name = variable.name if isinstance(variable, Variable) else ""
        return Each(variable=name, items=items, body=body)

    def switch(self) -> Node:
        """Return a `switch`; a clause's pattern is an argument.

        switch = 'switch' {'-' name} (parens | argument) '{' {argument braces | ';'} '}'
        """
        self.blank(lines=True)
        while self.peek() == "-":
            self.at += 1 + len(self.name_at(self.at + 1))
            self.blank(lines=True)
        head = self.parens() if self.peek() == "(" else self.argument()
        self.blank(lines=True)
        bodies: list[tuple[Node, ...]] = []
        heads = [head]
        self.need("{")
        self.inside()
        while True:
            self.blank(lines=True)
            if self.at >= self.end or self.peek() in "};":
                if self.take(";"):
                    continue
                self.need("}")
                break
            before = self.at
            heads.append(self.argument())
            bodies.append(self.braces())
            if self.at == before:
                self.broken = True
                self.at += 1
        self.left += 1
        return Clauses(heads=tuple(heads), bodies=tuple(bodies))

    def try_(self) -> Node:
        """Return a `try` with its `catch` and `finally` bodies.

        try = 'try' braces {('catch' | 'finally') types braces}
        """
        body = self.braces()
        catches: list[tuple[Node, ...]] = []
        last: tuple[Node, ...] = ()
        while True:
            before = self.at
            self.blank(lines=True)
            keyword = self.name_at(self.at).lower()
            if keyword not in ("catch", "finally"):
                self.at = before
                break
            self.at += len(keyword)
            self.types()
            if keyword == "catch":
                catches.append(self.braces())
            else:
                last = (*last, *self.braces())
        return Attempt(body=body, catches=tuple(catches), last=last)

    def trap(self) -> Node:
        """Return a body that may run or not.

        trap = 'trap' types braces
        """
        self.types()
        return Branches(heads=(), bodies=(self.braces(), ()))

    def types(self) -> None:
        """Skip types and attributes.

        types = {type | ','}
        """
        self.blank(lines=True)
        while self.peek() in ("[", ","):
            if not self.take(","):
                self.type_name()
            self.blank(lines=True)

    def named_body(self) -> Node:
        """Return a named body of a script block, which runs.

        named_body = ('begin' | 'process' | 'end' | 'clean' | 'dynamicparam') braces
        """
        return Branches(heads=(), bodies=(self.braces(),))

    def function(self) -> Node:
        """Return a function; parameters after its name come before those of `param`.

        function = ('function' | 'filter' | 'workflow') name [parameters] '{' body '}'
        """
        start = self.at
        self.blank(lines=True)
        begin = self.at
        while self.at < self.end and self.text[self.at] not in _ENDS:
            self.at += 1
        name = self.text[begin : self.at].lower()
        self.blank(lines=True)
        given = self.parameters() if self.peek() == "(" else ()
        self.blank(lines=True)
        self.need("{")
        parameters, statements = self.body("}")
        for scope in _SCOPES:
            name = name.removeprefix(scope)
        block = Block(statements=statements, parameters=given or parameters, at=(start, self.at))
        return Function(name=name, block=block)

    def parameters(self) -> tuple[tuple[str, Node | None], ...]:
        """Return the parameters and their defaults; see `Block`.

        parameters = '(' {types variable ['=' expression]} ')'
        """
        found: list[tuple[str, Node | None]] = []
        self.inside()
        self.need("(")
        while True:
            typed = self.at
            self.types()
            if self.at >= self.end or self.take(")"):
                break
            before = self.at
            is_switch = "[switch" in self.text[typed:before].lower()
            variable = self.variable() if self.peek() == "$" else None
            self.blank(lines=True)
            default = None
            if self.take("="):
                self.blank(lines=True)
                default = self.expression(0, commas=False)
            if isinstance(variable, Variable):
                found.append(("-" * is_switch + variable.name, default))
            if self.at == before:
                self.broken = True
                self.at += 1
        self.left += 1
        return tuple(found)

    def definition(self) -> Node | None:
        """Skip a class or an enumeration, which runs nothing by itself.

        definition = ('class' | 'enum') any '{' any '}'
        """
        depth = 0
        while self.at < self.end:
            char = self.text[self.at]
            if char in "'\"":
                self.string()
                continue
            self.at += 1
            depth += (char == "{") - (char == "}")
            if char == "}" and depth <= 0:
                break
        return None

    def using(self) -> Node | None:
        """Skip the rest of a line.

        using = 'using' any (newline | ';')
        """
        while self.at < self.end and self.text[self.at] not in "\n;":
            self.at += 1
        return None

    def flow(self) -> Node | None:
        """Return the value of `return`, `throw` and the like; None without one.

        flow = ('return' | 'throw' | 'exit' | 'break' | 'continue') [statement]
        """
        self.blank()
        if self.at >= self.end or self.text[self.at] in "\n;)}":
            return None
        self.inside()
        value = self.statement()
        self.left += 1
        return value

    def pipeline(self) -> Node | None:
        """Return a pipeline, or an assignment.

        pipeline = assignment | element {'|' element}
        A newline is allowed before and after the `|`.
        """
        start = self.at
        elements: list[Node] = []
        while True:
            element = self.element(first=not elements)
            if isinstance(element, Assignment):
                return element
            if element is not None:
                elements.append(element)
            self.blank()
            ahead = self.at
            if self.peek() == "\n":  # a pipe may begin the next line
                self.blank(lines=True)
            if self.peek() != "|" or self.peek(2) == "||" or (element is None and not elements):
                self.at = ahead
                break
            self.at += 1
            self.blank(lines=True)
        return Pipeline(elements=tuple(elements), at=(start, self.at)) if elements else None

    def element(self, *, first: bool) -> Node | None:
        """Return one element of a pipeline; an assignment only as the first.

        element    = ['&' | '.'] command | expression {redirection}
        assignment = expression ('=' | '+=' | '-=' | '*=' | '/=' | '%=' | '??=') statement
        command    = argument arguments
        """
        start = self.at
        char = self.peek()
        if not char or char in "\n;)}|":
            return None
        following = self.text[self.at + 1 : self.at + 2]
        operator = ""
        if char == "&" or (char == "." and following and following in " \t\"'$({"):
            operator = char
            self.at += 1
            self.blank(lines=True)
        elif self.expression_starts(char, following):
            value = self.expression(0)
            self.blank()
            operator = next((one for one in _ASSIGN if self.text.startswith(one, self.at)), "") if first else ""
            if operator:
                self.at += len(operator)
                self.blank(lines=True)
                self.inside()
                assigned = self.statement()
                self.left += 1
                self.broken |= assigned is None
                return Assignment(target=value, operator=operator, value=assigned or Script(statements=()))
            found: list[tuple[str, Node]] = []
            while self.redirection(found):
                self.blank()
            return Evaluation(value=value, redirections=tuple(found), at=(start, self.at))
        if self.at >= self.end or self.text[self.at] in "\n;)}|&,<>":
            return None
        name = self.argument(name=True)
        arguments, redirections = self.arguments()
        return Call(operator=operator, name=name, arguments=arguments, redirections=redirections, at=(start, self.at))

    def expression_starts(self, char: str, following: str) -> bool:
        """Tell if an expression begins here, not a command."""
        if char in "$({[!," or char in _SINGLE or char in _DOUBLE:
            return True
        if char == "@":
            return following in "({'\""
        if char in "+-":
            return following != "" and (following in "+-$(" or following.isdigit() or self.unary() != "")
        if char.isdigit() or (char == "." and following.isdigit()):
            end = self.at
            while end < self.end and self.text[end] in _NUMBER:
                end += 1
            return end >= self.end or self.text[end] in _ENDS or self.text[end] in "+-*/%]"
        return False

    # Commands

    def arguments(self) -> tuple[tuple[Node, ...], tuple[tuple[str, Node], ...]]:
        """Return arguments and redirections, up to the end of the command.

        arguments = {argument {',' argument} | redirection | verbatim}
        """
        groups: list[list[Node]] = []
        redirections: list[tuple[str, Node]] = []
        while True:
            self.blank()
            if self.at >= self.end:
                break
            char = self.text[self.at]
            if char in "\n;|)}" or char == "&":
                break
            if self.redirection(redirections):
                continue
            if self.peek(3) == "--%":
                groups.extend([word] for word in self.verbatim())
                continue
            before = self.at
            if char == ",":
                self.at += 1
                self.blank(lines=True)
                following = self.argument() if self.at < self.end and self.text[self.at] not in "\n;|)}&" else None
                self.broken |= following is None
                if following is not None and groups:
                    groups[-1].append(following)
                elif following is not None:
                    groups.append([following])
                continue
            groups.append([self.argument()])
            if self.at == before:
                self.broken = True
                self.at += 1
        found = (group[0] if len(group) == 1 else _items(group) for group in groups)
        return tuple(found), tuple(redirections)

    def verbatim(self) -> list[Node]:
        """Return the words after `--%`, which PowerShell passes on as they are.

        verbatim = '--%' {word} (newline | '|')
        """
        self.at += 3
        found: list[Node] = []
        while self.at < self.end and self.text[self.at] not in "\n|":
            start = self.at
            quoted = False
            while self.at < self.end and self.text[self.at] not in "\n|":
                char = self.text[self.at]
                if char == '"':
                    quoted = not quoted
                elif char in _SPACE and not quoted:
                    break
                self.at += 1
            if self.at > start:
                word = self.text[start : self.at].replace('"', "")
                found.append(Text(parts=(word,), at=(start, self.at)))
            else:
                self.at += 1
        return found

    def redirection(self, found: list[tuple[str, Node]]) -> bool:
        """Read a redirection, if one is here; followed by a descriptor, it names no file.

        redirection = ['*' | '1' ... '6'] ('>' | '>>') (argument | '&' digit)
        """
        start = self.at
        if self.peek() == "<" and self.peek(2) != "<#":
            self.broken = True
            self.at += 1
            return True
        if self.peek() in "*123456" and self.text[self.at + 1 : self.at + 2] == ">":
            self.at += 1
        if not self.take(">"):
            self.at = start
            return False
        append = self.take(">")
        if self.peek() == "&" and self.text[self.at + 1 : self.at + 2].isdigit():
            self.at += 2
            return True
        self.blank()
        if self.at >= self.end or self.text[self.at] in "\n;|)}&":
            self.broken = True
            return True
        found.append((">>" if append else ">", self.argument()))
        return True

    def argument(self, *, name: bool = False) -> Node:
        """Return one argument, by the rules of argument mode.

        argument = (parens | '@(' body ')' | table | block | here_string | string | variable) postfix
                 | '@' name | word
        A string ends the argument; after a variable or `$( )` the word may continue.
        """
        char = self.peek()
        following = self.text[self.at + 1 : self.at + 2]
        start = self.at
        if not char:
            self.broken = True
            return Text(parts=())
        if char in ("(", "{") or (char == "@" and following and following in "({'\""):
            return self.postfix(self.primary())
        if char == "@" and (following.isalpha() or following == "_") and not name:
            self.at += 1
            splat = self.name_at(self.at)
            self.at += len(splat)
            if self.at >= self.end or self.text[self.at] in _ENDS:
                return Splat(name=splat.lower(), at=(start, self.at))
            self.at = start
        if char in _SINGLE or char in _DOUBLE:
            return self.postfix(self.string())
        if char == "$":
            value = self.postfix(self.variable())
            if self.at >= self.end or self.text[self.at] in _ENDS:
                return value
            if not isinstance(value, (Variable, Script)):
                return self.word(start, [value])
            return self.word(start, [value])
        return self.word(start, [])

    def word(self, start: int, parts: list[str | Node]) -> Node:
        """Return the rest of a bare word.

        word = {letter | '`' letter | string | variable}
        """
        text = self.text
        plain: list[str] = []

        def flush() -> None:
            if plain:
                parts.append("".join(plain))
                plain.clear()

        while self.at < self.end:
            char = text[self.at]
            if char in _ENDS:
                if char == "{" and text[self.at - 1] == "@" and self.at > start:
                    end = text.find("}", self.at, self.at + 40)  # git's stash@{0}, which a strict reader would cut
                    if end > 0 and text[self.at + 1 : end].isalnum():
                        plain.append(text[self.at : end + 1])
                        self.at = end + 1
                        continue
                break
            if char == "`":
                escaped = self.escape()
                plain.append("e" if escaped == "\x1b" else escaped)  # Windows PowerShell knows no `e
            elif char in _SINGLE or char in _DOUBLE:
                flush()
                parts.extend(self.string().parts)
            elif char == "$":
                variable = self.variable()
                if isinstance(variable, Text):
                    plain.append("$")
                else:
                    flush()
                    parts.append(variable)
            else:
                plain.append(char)
                self.at += 1
        flush()
        return Text(parts=tuple(parts), bare=True, at=(start, self.at))

    def escape(self) -> str:
        """Return the text of a backtick and the next character."""
        char = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if char == "u" and self.peek() == "{":
            end = self.text.find("}", self.at, self.at + 9)
            try:
                letter = chr(int(self.text[self.at + 1 : end], 16))
            except (ValueError, OverflowError):
                return char
            self.at = end + 1
            return letter
        return _ESCAPES.get(char, char)

    # Strings and variables

    def string(self) -> Text:
        """Return a string.

        string = ("'" any "'" | '"' expanded '"') | here_string
        """
        start = self.at
        here = self.peek() == "@"
        quote = self.text[self.at + here]
        expands = quote in _DOUBLE
        quotes = _DOUBLE if expands else _SINGLE
        self.at += 1 + here
        if here:
            return self.here_string(start, quotes, expands=expands)
        return self.quoted(start, quotes, expands=expands)

    def here_string(self, start: int, quotes: str, *, expands: bool) -> Text:
        """Return a here-string, which ends with a newline, the same quote and `@`.

        here_string = '@' quote any newline any newline quote '@'
        """
        line = self.text.find("\n", self.at)
        ends = [self.text.find(f"\n{quote}@", line) for quote in quotes[:1]] if line >= 0 else [-1]
        end = min((one for one in ends if one >= 0), default=-1)
        if end < 0:
            self.broken = True
            end = self.end
        self.at = min(line + 1, end) if line >= 0 else self.end
        if not expands:
            content = self.text[self.at : end]
            self.at = min(end + 3, self.end)
            return Text(parts=(content,) if content else (), at=(start, self.at))
        parts = self.expanded(end, "")
        self.at = max(self.at, min(end + 3, self.end))
        return Text(parts=parts, at=(start, self.at))

    def quoted(self, start: int, quotes: str, *, expands: bool) -> Text:
        """Return a string up to the quote that ends it; a doubled quote is one quote."""
        if expands:
            parts = self.expanded(self.end, quotes)
            return Text(parts=parts, at=(start, self.at))
        plain: list[str] = []
        while True:
            end = self.at
            while end < self.end and self.text[end] not in quotes:
                end += 1
            plain.append(self.text[self.at : end])
            self.at = min(end + 1, self.end)
            if end >= self.end:
                self.broken = True
                break
            if self.at < self.end and self.text[self.at] in quotes:
                plain.append("'")
                self.at += 1
                continue
            break
        content = "".join(plain)
        return Text(parts=(content,) if content else (), at=(start, self.at))

    def expanded(self, end: int, quotes: str) -> tuple[str | Node, ...]:
        """Return the parts of an expandable string: up to a quote, or to `end` where none ends it.

        expanded = {letter | '`' letter | variable | quote quote}
        """
        parts: list[str | Node] = []
        plain: list[str] = []
        while True:
            if self.at >= end:
                self.broken |= quotes != ""
                break
            char = self.text[self.at]
            if quotes and char in quotes:
                if self.at + 1 < self.end and self.text[self.at + 1] in quotes:
                    plain.append('"')
                    self.at += 2
                    continue
                self.at += 1
                break
            if char == "`":
                plain.append(self.escape())
            elif char == "$":
                value = self.variable()
                if isinstance(value, Text):
                    plain.append("$")
                else:
                    if plain:
                        parts.append("".join(plain))
                        plain = []
                    parts.append(value)
            else:
                plain.append(char)
                self.at += 1
        if plain:
            parts.append("".join(plain))
        return tuple(parts)

    def variable(self) -> Node:
        """Return a variable or a substitution; the text `$` where neither follows.

        variable = '$' (name [':' name] | '$' | '?' | '^' | '{' any '}' | '(' body ')')
        """
        start = self.at
        self.at += 1
        char = self.peek()
        if char == "(":
            self.at += 1
            return Script(statements=self.body(")")[1], substitution=True, at=(start, self.at))
        if char == "{":
            end = self.text.find("}", self.at)
            if end < 0:
                self.broken = True
                end = self.end
            name = self.text[self.at + 1 : end]
            self.at = min(end + 1, self.end)
        elif char and char in "$?^":
            name = char
            self.at += 1
        else:
            name = self.name_at(self.at)
            self.at += len(name)
            if name and self.peek() == ":" and self.peek(2) != "::":
                rest = self.name_at(self.at + 1)
                if rest:
                    name += ":" + rest
                    self.at += 1 + len(rest)
        if not name:
            return Text(parts=("$",), at=(start, self.at))
        name = name.lower()
        outward = name.startswith(_OUTWARD)
        for scope in _SCOPES:
            name = name.removeprefix(scope)
        return Variable(name=name, outward=outward, at=(start, self.at))

    # Expressions

    def unary(self) -> str:
        """Return the unary operator of letters here, or ""."""
        name = self.name_at(self.at + 1).lower() if self.peek() == "-" else ""
        return name if name in _UNARY else ""

    def operator(self) -> str:
        """Return the binary operator here, or ""."""
        char = self.peek()
        if char == "-":
            name = self.name_at(self.at + 1).lower()
            if name:
                return name if name in _LEVELS else ""
        if self.peek(2) in ("..", "??"):
            return "" if self.peek(3) == "??=" else self.peek(2)
        if char and char in "+-*/%" and self.text[self.at + 1 : self.at + 2] not in ("=", char):
            return char
        return ""

    def expression(self, level: int, *, commas: bool = True) -> Node:
        """Return operations of a level and those that bind closer; all are left-associative.

        expression = level0
        levelN     = levelM {operatorN levelM}     (M = N + 1, see _LEVELS; level5 = items)
        """
        if level > 4:
            return self.items(commas=commas)
        left = self.expression(level + 1, commas=commas)
        while True:
            before = self.at
            self.blank()
            operator = self.operator()
            if not operator or _LEVELS[operator] != level:
                self.at = before
                return left
            self.at += len(operator) + (operator[0].isalpha())
            self.blank(lines=True)
            right = self.expression(level + 1, commas=commas)
            left = Operation(operator=operator, left=left, right=right, at=(left.at[0], self.at))

    def items(self, *, commas: bool) -> Node:
        """Return a list, or the one value; without `commas`, a comma ends it.

        items = [','] value {',' value}
        """
        self.blank()
        if commas and self.take(","):
            self.blank(lines=True)
        first = self.value()
        if not commas:
            return first
        found = [first]
        while True:
            before = self.at
            self.blank()
            if not self.take(","):
                self.at = before
                break
            self.blank(lines=True)
            found.append(self.value())
        return first if len(found) == 1 else Items(items=tuple(found), at=(first.at[0], self.at))

    def value(self) -> Node:
        """Return a value with its unary operators and casts.

        value = (unary | '!' | '+' | '-') value | type value | type postfix | primary postfix
        """
        start = self.at
        operator = self.unary()
        char = self.peek()
        if operator or (char and char in "!+-"):
            self.at += len(operator) + 1 if operator else 1
            self.blank(lines=True)
            self.inside()
            right = self.value()
            self.left += 1
            return Operation(operator=operator or char, left=None, right=right, at=(start, self.at))
        if char == "[":
            name = self.type_name()
            before = self.at
            if self.peek(2) == "::" or self.peek() == ".":
                return self.postfix(Cast(type=name, at=(start, self.at)))
            self.blank()
            following = self.text[self.at + 1 : self.at + 2]
            if self.at < self.end and self.expression_starts(self.text[self.at], following):
                self.inside()
                operand = self.value()
                self.left += 1
                return Cast(type=name, operand=operand, at=(start, self.at))
            self.at = before
            return Cast(type=name, at=(start, self.at))
        return self.postfix(self.primary())

    def type_name(self) -> str:
        """Return the name of a type without `System.`; nested brackets belong to it.

        type = '[' any ']'
        """
        start = self.at
        depth = 0
        attribute = False
        while self.at < self.end:
            char = self.text[self.at]
            if char in "'\"":
                self.string()
                continue
            attribute |= char == "("
            depth += (char == "[") - (char == "]")
            if char == "\n" and not attribute:
                self.broken = True
                break
            self.at += 1
            if depth == 0:
                break
        else:
            self.broken = True
        name = self.text[start + 1 : self.at - 1].replace(" ", "").lower()
        return name.removeprefix("system.")

    def primary(self) -> Node:
        """Return a value without its suffixes.

        primary = variable | string | parens | '@(' body ')' | table | block | number | name
        block   = '{' body '}'
        """
        char = self.peek()
        start = self.at
        following = self.text[self.at + 1 : self.at + 2]
        if not char:
            self.broken = True
            return Text(parts=())
        if char == "$":
            return self.variable()
        if char in _SINGLE or char in _DOUBLE or (char == "@" and following and following in "'\""):
            return self.string()
        if char == "(":
            return self.parens()
        if char == "@" and following == "(":
            self.at += 2
            items = Script(statements=self.body(")")[1], at=(start, self.at))
            return Items(items=(items,), at=items.at)
        if char == "@" and following == "{":
            return self.table()
        if char == "{":
            self.at += 1
            parameters, statements = self.body("}")
            return Block(statements=statements, parameters=parameters, at=(start, self.at))
        while self.at < self.end and self.text[self.at] not in _ENDS and self.text[self.at] not in "+*/%]=\"'[":
            if self.text[self.at] == "." and not self.text[start].isdigit():
                break
            if self.peek(2) == "..":
                break
            self.at += 1
        if self.at == start:
            self.broken = True
            self.at += self.text[self.at] not in "\n;)}|&"
        return Text(parts=(self.text[start : self.at],) if self.at > start else (), at=(start, self.at))

    def table(self) -> Node:
        """Return a table; a value may be any statement.

        table = '@{' {value '=' statement | ';' | newline} '}'
        """
        start = self.at
        self.at += 2
        self.inside()
        pairs: list[tuple[Node, Node]] = []
        while True:
            self.blank(lines=True)
            if self.at >= self.end:
                self.broken = True
                break
            if self.take("}"):
                break
            if self.take(";"):
                continue
            before = self.at
            key = self.value()
            self.blank(lines=True)
            self.need("=")
            self.blank(lines=True)
            value = self.statement()
            if value is not None:
                pairs.append((key, value))
            if self.at == before:
                self.broken = True
                self.at += 1
        self.left += 1
        return Table(pairs=tuple(pairs), at=(start, self.at))

    def postfix(self, node: Node) -> Node:
        """Return a value with its suffixes: members, calls and indexes.

        postfix = {['?'] ('.' | '::') (string | variable | name) [call_arguments | block]
                  | ['?'] '[' expression ']' | '++' | '--'}
        """
        links = 0
        while self.at < self.end:
            links += 1
            if links > LINKS:
                raise TooDeep
            char = self.text[self.at]
            start = node.at[0]
            if char == "?" and self.text[self.at + 1 : self.at + 2] in (".", "["):
                self.at += 1
                continue
            static = self.peek(2) == "::"
            if static or (char == "." and self.peek(2) != ".."):
                before = self.at
                self.at += 2 if static else 1
                following = self.peek()
                if following and (following in _SINGLE or following in _DOUBLE):
                    name: Node = self.string()
                elif following == "$":
                    name = self.variable()
                else:
                    text = self.name_at(self.at)
                    if not text:
                        self.at = before
                        return node
                    name = Text(parts=(text,), bare=True, at=(self.at, self.at + len(text)))
                    self.at += len(text)
                arguments = self.call_arguments() if self.peek() == "(" else None
                if arguments is None and self.peek() == "{":
                    self.at += 1
                    arguments = (Block(statements=self.body("}")[1], at=(start, self.at)),)
                node = Member(target=node, name=name, arguments=arguments, at=(start, self.at))
            elif char == "[":
                self.at += 1
                self.inside()
                self.blank(lines=True)
                index = self.expression(0)
                self.left += 1
                self.blank(lines=True)
                self.need("]")
                node = Index(target=node, index=index, at=(start, self.at))
            elif self.peek(2) in ("++", "--"):
                self.at += 2
                node = Operation(operator="++", left=None, right=node, at=(start, self.at))
            else:
                break
        return node

    def call_arguments(self) -> tuple[Node, ...]:
        """Return the arguments of a method.

        call_arguments = '(' {expression | ','} ')'
        """
        self.need("(")
        self.inside()
        found: list[Node] = []
        while True:
            self.blank(lines=True)
            if self.at >= self.end:
                self.broken = True
                break
            if self.take(")"):
                break
            if self.take(","):
                continue
            before = self.at
            found.append(self.expression(0, commas=False))
            if self.at == before:
                self.broken = True
                self.at += 1
        self.left += 1
        return tuple(found)


def _items(group: list[Node]) -> Node:
    return Items(items=tuple(group), at=(group[0].at[0], group[-1].at[1]))


if TYPE_CHECKING:
    _Read = Callable[[_Parser], Node | None]

_KEYWORDS: dict[str, _Read] = {
    "if": _Parser.if_,
    "while": _Parser.while_,
    "do": _Parser.do,
    "for": _Parser.while_,
    "foreach": _Parser.foreach,
    "switch": _Parser.switch,
    "try": _Parser.try_,
    "trap": _Parser.trap,
    **dict.fromkeys(("function", "filter", "workflow"), _Parser.function),
    **dict.fromkeys(("class", "enum"), _Parser.definition),
    "using": _Parser.using,
    **dict.fromkeys(("return", "throw", "exit", "break", "continue"), _Parser.flow),
    **dict.fromkeys(("begin", "process", "end", "clean", "dynamicparam"), _Parser.named_body),
}
