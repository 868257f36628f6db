"""Makes up scripts whose courses hang together: one condition sets several things, and what follows uses them.

Each condition is `maybe`, which succeeds or fails as it is told (oracle.py), so every course that bash can take is one
that it does take. Left out is what would make analysis and bash differ by design:

- what comes after an unconditional `exit`, `return` or `break`, noted on purpose: all of these are conditional;
- constant conditions, and programs whose failing would matter: what comes before `&&` and `||` is `maybe`, or ends so;
- directories that are not there (one is taken to be): `sub` lies in `sub` as often as a script goes there;
- the last part of a pipe, which runs in the shell itself in zsh and with `lastpipe`: it is `cat`;
- names of functions and files that may be missing: they are there from the beginning.

A loop that `maybe` ends has at most two rounds. A script with too many courses, or one in which a loop had to be cut
short, only shows that what ran is there, and not that nothing else is said (`Run.complete`).

What `trap` is given is followed where it is set as well, as a signal may come at any time: only `shred` is there.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

TRAPPED = "shred"
"""The program that only traps run."""
_MOST_CONDITIONS = 4
_MOST_STATEMENTS = 9
_TEXTS = ("v", "w")
_NUMBERS = ("i", "j")
_VALUES = ("a", "b", "'c d'", "''", "a,b", "$w", '"$w"', "$v-", "$i", "$1")
_PROGRAMS = ("rm", "git", "kubectl")
_PLACES = ("sub", ".", "sub/sub")
_START = "v=x w=y i=1 j=2 d=sub p=git; set -- k l m; f() { git f; }; g() { rm g; }; echo 'rm s' > s"


class _Writer:
    """Writes one script: how much of it there is yet, and what may stand here."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._conditions = 0
        self._statements = 0
        self._loops = 0
        self._functions: tuple[str, ...] = ("f", "g")
        self._inside = False

    def script(self) -> str:
        statements = [self.statement(0) for _ in range(self._draw(st.integers(2, 6)))]
        return "\n".join((_START, *statements, 'rm "$v" "$w" $i $j; git "$PWD" "$@"'))

    def pick(self, *choices: str) -> str:
        return self._draw(st.sampled_from(choices))

    # Conditions.

    def maybe(self) -> str:
        """A condition, or what is in its place where there are enough of them: nothing that could fail."""
        self._conditions += 1
        return "maybe"

    def condition(self, depth: int) -> str:
        form = self.pick("{0}", "! {0}", "{{ {1}; {0}; }}", "( {1}; {0} )", "{0} && {2}", "{0} || {2}")
        if "{2}" in form and not self.may_branch(2):
            form = "{0}"
        inner = self.statement(depth + 2) if "{1}" in form else ""
        return form.format(self.maybe(), inner, self.maybe() if "{2}" in form else "")

    def may_branch(self, count: int = 1) -> bool:
        return self._conditions + count <= _MOST_CONDITIONS

    # Statements.

    def block(self, depth: int) -> str:
        return "; ".join(self.statement(depth + 1) for _ in range(self._draw(st.integers(1, 2))))

    def statement(self, depth: int) -> str:
        self._statements += 1
        full = self._statements > _MOST_STATEMENTS or depth > 2
        kinds: list[Callable[[int], str]] = [self.use, self.change]
        if not full:
            kinds += [self.inside, self.call]
            if self.may_branch():
                kinds += [self.branch, self.branch, self.branch, self.loop, self.function, self.leave]
        return self._draw(st.sampled_from(kinds))(depth)

    def use(self, _depth: int) -> str:
        """Something that is noted."""
        return self.pick(
            'rm "$v"',
            'rm $v "$w"',
            "git $i $j",
            '$p "$v"',
            'rm "$PWD"',
            'git "$1" $#',
            'rm "$@"',
            'kubectl "${v:-none}" ${w#a}',
            'rm "$(echo "$v")"',
            'bash -c \'rm "$0"\' "$v"',
            "v=$w bash -c 'rm \"$v\"'",
            ". ./s",
            "sh s",
            'eval "rm $i"',
            "rm $((i+j))",
        )

    def change(self, _depth: int) -> str:
        """Something that changes the shell, and does not fail."""
        form = self.pick(
            "{text}={value}",
            "{text}={value}; {text2}={value2}",
            "{number}={digit}",
            "{number}=$((i+j))",
            "(({number}+=1)); :",
            "p={program}; v={value}",
            "set -- {value} {value2}",
            "shift; :",
            "shift $i 2>/dev/null; :",
            "d={place}",
            "cd {place}",
            "cd $d",
            "cd $OLDPWD",
            "pushd {place} >/dev/null",
            "echo 'rm {text}' > s",
            "echo 'git {text}' >> s",
            'echo "rm $i" > s',
            'echo "v=$v" | cat > t; read {text} < t; :',
            'read {text} {text2} <<< "$v $w"; :',
            "unset {text}",
            "export {text}",
            "{text}=$({inner})",
            "f() {{ rm $v; }}",
            'f() {{ v={value}; git "$1"; }}',
            "trap 'shred \"$v\"' EXIT",
            'trap "shred $i" EXIT',
            "IFS=,",
            "unset IFS",
            "printf -v {text} %s $i",
            "for {text} in {value} {value2}; do :; done",
        )
        return form.format(
            text=self.pick(*_TEXTS),
            text2=self.pick(*_TEXTS),
            number=self.pick(*_NUMBERS),
            value=self.pick(*_VALUES),
            value2=self.pick(*_VALUES),
            digit=self.pick("0", "1", "2"),
            program=self.pick(*_PROGRAMS),
            place=self.pick(*_PLACES),
            inner=self.pick('echo "$w"', "cd sub; echo ${PWD##*/}", "v=q; rm $v; echo $v"),
        )

    def branch(self, depth: int) -> str:
        form = self.pick("if", "if else", "elif", "and", "or", "and or", "case", "substituted")
        condition = self.condition(depth)
        if form == "if":
            return f"if {condition}; then {self.block(depth)}; fi"
        if form == "if else":
            return f"if {condition}; then {self.block(depth)}; else {self.block(depth)}; fi"
        if form == "elif" and self.may_branch():
            then, other = self.block(depth), self.maybe()
            return f"if {condition}; then {then}; elif {other}; then {self.block(depth)}; else {self.block(depth)}; fi"
        if form == "and":
            return f"{condition} && {{ {self.block(depth)}; }}; :"
        if form == "or":
            return f"{condition} || {{ {self.block(depth)}; }}; :"
        if form == "case":
            end = self.pick(";;", ";&", ";;&")
            return f"case $( {condition} && echo x) in x) {self.block(depth)} {end} *) {self.block(depth)};; esac"
        if form == "substituted":
            return f'{self.pick(*_TEXTS)}=$( {{ {condition} && echo a || echo "$w"; }})'
        return f"{condition} && v={self.pick(*_VALUES)} || {{ {self.block(depth)}; }}"

    def loop(self, depth: int) -> str:
        form = self.pick("for", "for", "while", "until", "arguments")
        self._loops += 1
        try:
            if form in ("while", "until"):
                # In another loop it has no bound of its own: the course ends with it.
                bound = "" if self._loops > 1 or self._inside else f" {self._statements} {int(form == 'while')}"
                return f"{form} {self.maybe()}{bound}; do {self.block(depth)}; done"
            if form == "arguments":
                return f"for v; do {self.block(depth)}; done"
            return f"for {self.pick(*_TEXTS)} in 1 {self.pick(*_VALUES)}; do {self.block(depth)}; done"
        finally:
            self._loops -= 1

    def leave(self, _depth: int) -> str:
        """Leaves the construct around it, on a condition."""
        ways = ["exit"]
        if self._inside:
            ways += ["return"] * 2
        if self._loops:
            ways += ["break", "continue", "break 2", "continue 2"]
        return self.pick("{} && {}; :", "{} || {}; :").format(self.maybe(), self.pick(*ways))

    def inside(self, depth: int) -> str:
        """The same in another place."""
        form = self.pick(
            "( {} )",
            "{{ {}; }}",
            "echo 1 | {{ {}; }} | cat",
            "{{ {}; }} | cat",
            "w=$( {} )",
            "{{ {}; }} >/dev/null",
            "{{ {}; }} > t",
        )
        return form.format(self.block(depth))

    def function(self, depth: int) -> str:
        """A function and a call of it; inside it, no other calls it."""
        name = self.pick(*self._functions) if self._functions else ""
        if not name:
            return self.use(depth)
        before = self._functions, self._loops, self._inside
        self._functions, self._loops, self._inside = (), 0, True
        begin = self.pick("", f"local {self.pick(*_TEXTS)}={self.pick(*_VALUES)}; ", "local v; ")
        body = self.block(depth)
        self._functions, self._loops, self._inside = before
        return f"{name}() {{ {begin}{body}; }}; {name} {self.pick(*_VALUES)}"

    def call(self, depth: int) -> str:
        return self.pick(*self._functions) + " " + self.pick(*_VALUES) if self._functions else self.use(depth)


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """A script with at most some four conditions."""
    return _Writer(draw).script()
