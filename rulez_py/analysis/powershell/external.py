"""External programs that PowerShell starts, and the commands they run."""

from __future__ import annotations

from rulez_py.analysis.powershell import launch, places
from rulez_py.analysis.powershell.flow import files_of, only_output, origins_of, text_of
from rulez_py.analysis.powershell.world import World
from rulez_py.analysis.values import CODE, OUTPUT, SHELL, Command, Data, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from rulez_py.analysis.powershell.blocks import Blocks
    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.invocation import Line
    from rulez_py.analysis.powershell.session import Session
    from rulez_py.analysis.values import File

    class Nested(Protocol):
        """Returns the commands of an external program with these words; the first is the program itself."""

        def __call__(
            self, words: tuple[Word, ...], via: tuple[str, ...], cwd: str | None, stdin: Data
        ) -> tuple[Command, ...]: ...


class External:
    """The part of a session that starts programs; `nested` returns their commands."""

    def __init__(self, session: Session, blocks: Blocks, nested: Nested | None) -> None:
        self.session = session
        self.blocks = blocks
        self.nested = nested

    def program(self, words: tuple[Word, ...], program: str, fed: Known | None, files: tuple[File, ...] = ()) -> None:
        """Run an external program, and the code that a shell is given."""
        origins = tuple(dict.fromkeys((*origins_of(fed), *self.carried(words))))
        if program in launch.POWERSHELLS:
            self.powershell(words, program, fed, files)
        elif self.nested is None:
            self.session.emit(Command(words=words, program=program, fed=origins, files=files))
        else:
            data = Data(text=text_of(fed) if fed is not None else None, origins=origins_of(fed), files=files_of(fed))
            found = self.nested(words, self.session.via, self.session.world.cwd, data)
            if not found or found[0].words != words:
                self.session.emit(Command(words=words, program=program, fed=origins, files=files))
            elif files or self.session.user:
                found = (found[0].replace(files=(*found[0].files, *files)), *found[1:])
            self.session.commands.extend(one.replace(user=self.session.user or one.user) for one in found)

    def carried(self, words: tuple[Word, ...]) -> tuple[str, ...]:
        """Return the origins of a program that the text itself has written."""
        found = resolved = places.resolve(words[0].text, self.session.world.cwd, self.session.home)
        return self.session.world.written.get(resolved[0].lower(), ()) if found and resolved else ()

    def powershell(self, words: tuple[Word, ...], program: str, fed: Known | None, files: tuple[File, ...]) -> None:
        inner = launch.inner(words)
        if inner is None:
            self.session.emit(Command(words=words, program=program, files=files))
        elif inner.file is not None:
            read = self.session.files(inner.file.text, "rl") if inner.file.known else ()
            origins = tuple(origin for file in read for origin in self.session.world.written.get(file.path.lower(), ()))
            self.session.emit(Command(words=words, program=program, fed=origins, files=(*read, *files)))
        elif inner.stdin:
            text = text_of(fed)
            opaque = () if fed is None or text is not None else (OUTPUT if only_output(fed) else CODE,)
            self.session.emit(Command(words=words, program=program, opaque=opaque, fed=origins_of(fed), files=files))
            if text:
                self.blocks.nested_script(text, SHELL)
        elif inner.code is not None:
            code = inner.code
            self.session.emit(
                Command(
                    words=words,
                    program=program,
                    opaque=() if code.known else (CODE,),
                    fed=code.data.origins,
                    files=files,
                )
            )
            if code.known:
                outer, self.session.world = self.session.world, World(self.session.world.cwd)
                self.session.world.written = outer.written
                text = code.text.strip()
                block = text[:1] == "{" and text[-1:] == "}"
                self.blocks.nested_script(text[1:-1] if block else text, SHELL)
                outer.written, self.session.world = self.session.world.written, outer

    def script_file(self, written: str, line: Line) -> None:
        read = self.session.files(written, "rl")
        origins = tuple(origin for file in read for origin in self.session.world.written.get(file.path.lower(), ()))
        name = written.replace("\\", "/").rpartition("/")[2].lower()
        via = (SHELL,) if line.operator == "." else ()
        self.session.emit(
            Command(words=line.words, program=name, fed=origins, files=(*read, *line.redirected), via=via)
        )
        if self.nested is not None and line.words[0].known:
            words = (Word(text="pwsh"), Word(text="-File"), Word(text=written.replace("\\", "/")), *line.words[1:])
            found = self.nested(words, self.session.via, self.session.world.cwd, Data())
            self.session.commands.extend(found[1:])
