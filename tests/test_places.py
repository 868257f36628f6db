"""Where the environment may put rulez' own files, and where it may not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rulez_py.system import places as module
from rulez_py.system.places import Spot, in_words, of_another_user, places, refusals, refused

ME, ROOT, OTHER = 1000, 0, 4242
HOME = "/home/me"
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX paths and owners")


def spot(path: str, real: str | None = None, owner: int | None = ME, field: str = "state") -> Spot:
    return Spot(field=field, path=path, variable="XDG_STATE_HOME", value="X", real=real or path, owner=owner)


# What it says -> the spot, the grounds of the project, the homes the system knows, whether it is refused.
SPOTS: dict[str, tuple[Spot, tuple[str, ...], tuple[str, ...], bool]] = {
    "elsewhere, of the person": (spot("/data/state/rulez"), ("/srv/app",), (HOME,), False),
    "elsewhere, of root": (spot("/var/state/rulez", owner=ROOT), ("/srv/app",), (HOME,), False),
    "elsewhere, of somebody else": (spot("/data/state/rulez", owner=OTHER), ("/srv/app",), (HOME,), True),
    "nobody says whose": (spot("/data/state/rulez", owner=None), ("/srv/app",), (HOME,), False),
    "in the project": (spot("/srv/app/.x/rulez"), ("/srv/app",), (HOME,), True),
    "really in the project": (spot("/proc/self/cwd/.x/rulez", "/srv/app/.x/rulez"), ("/srv/app",), (HOME,), True),
    "the project itself": (spot("/srv/app"), ("/srv/app",), (HOME,), True),
    "beside the project": (spot("/srv/app2/rulez"), ("/srv/app",), (HOME,), False),
    "in the repository, above the agent": (spot("/srv/app/.x/rulez"), ("/srv/app/src", "/srv/app"), (HOME,), True),
    "the default, home is the project": (spot(f"{HOME}/.local/state/rulez"), (HOME,), (HOME,), False),
    "the default, in a repository of settings": (
        spot(f"{HOME}/.local/state/rulez"),
        (f"{HOME}/.local", f"{HOME}/.local/state"),
        (HOME,),
        False,
    ),
    "the default, a link into the project": (
        spot(f"{HOME}/.local/state/rulez", f"{HOME}/dotfiles/state"),
        (f"{HOME}/dotfiles",),
        (HOME,),
        False,
    ),
    "the default, of somebody else": (spot(f"{HOME}/.local/state/rulez", owner=OTHER), ("/srv/app",), (HOME,), False),
    "elsewhere below home, home is the project": (spot(f"{HOME}/state/rulez"), (HOME,), (HOME,), False),
    "the same in a project that is no repository of its own": (
        spot(f"{HOME}/clone/.x/rulez"),
        (f"{HOME}/clone", HOME),
        (HOME,),
        True,
    ),
    "everything is the project": (spot("/var/state/rulez"), ("/",), (HOME,), False),
    "the default of a home that only the environment knows": (
        spot("/srv/app/.local/state/rulez"),
        ("/srv/app",),
        (HOME,),
        True,
    ),
    "nobody knows the home": (spot("/data/state/rulez"), ("/srv/app",), (), False),
}


@posix
@pytest.mark.parametrize("name", SPOTS)
def test_what_may_be_believed(name: str) -> None:
    one, grounds, homes, is_refused = SPOTS[name]
    assert bool(refusals([one], grounds, (ME, ROOT), homes)) is is_refused


@posix
def test_the_words_name_the_variable_where_it_leads_and_the_way_out() -> None:
    inside = spot("/proc/self/cwd/.x/rulez", "/srv/app/.x/rulez", field="user_policy")
    theirs = spot("/data/rulez", owner=OTHER, field="cache").replace(variable="XDG_CACHE_HOME", value="/data")
    both = refusals([inside, inside.replace(field="state"), theirs], ["/srv/app"], (ME, ROOT))
    assert in_words(both) == (
        "XDG_STATE_HOME is X, so the user's own policy would be looked for in /srv/app/.x/rulez, which lies in the "
        "project /srv/app; XDG_CACHE_HOME is /data, so the compiled policy would be looked for in /data/rulez, which "
        "belongs to user 4242, neither to you nor to root",
        "a person can unset XDG_STATE_HOME where the agent starts, or let it name a directory outside of the project; "
        "a person can unset XDG_CACHE_HOME where the agent starts, or let it name a directory of their own",
    )


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A project with a directory `.x`, and the home that the system knows; the hook runs in the project."""
    top = tmp_path.resolve()
    for name in ("app/.x", "home", "data"):
        (top / name).mkdir(parents=True)
    monkeypatch.chdir(top / "app")
    monkeypatch.setattr(module, "real_homes", lambda _here: (str(top / "home"),))
    return {"HOME": str(top / "home"), "top": str(top)}


# Variable -> value (`{top}` is the machine's), and what is refused.
ENVIRONMENTS: tuple[tuple[dict[str, str], set[str]], ...] = (
    ({}, set()),
    ({"XDG_CONFIG_HOME": "{top}/data"}, set()),
    ({"XDG_CONFIG_HOME": "{top}/not/there/yet"}, set()),
    ({"XDG_CONFIG_HOME": ".x"}, set()),  # relative ones are ignored
    ({"XDG_CONFIG_HOME": "{top}/app/.x"}, {"user_policy"}),
    ({"XDG_CONFIG_HOME": "{top}/app/not/there/yet"}, {"user_policy"}),
    ({"XDG_CONFIG_HOME": "/proc/self/cwd/.x"}, {"user_policy"}),
    ({"XDG_CONFIG_HOME": "{top}/home/../app"}, {"user_policy"}),
    ({"XDG_CONFIG_HOME": "{top}/data/link"}, {"user_policy"}),
    ({"XDG_CONFIG_HOME": "{top}/data/loop"}, set()),
    ({"XDG_CONFIG_HOME": "{top}" + "/a" * 5000}, set()),
    ({"XDG_CONFIG_HOME": "{top}/app" + "/a" * 5000}, {"user_policy"}),
    ({"XDG_CONFIG_HOME": "{top}/data/../app//./.x/"}, {"user_policy"}),
    ({"XDG_STATE_HOME": "/proc/self/cwd/.x"}, {"state"}),
    ({"XDG_CACHE_HOME": "/proc/self/cwd/.x"}, {"cache"}),
    ({"HOME": "{top}/app/.x"}, {"user_policy", "user_fallback", "state", "cache"}),
    ({"HOME": "/proc/self/cwd"}, {"user_policy", "user_fallback", "state", "cache"}),
    ({"HOME": "", "USERPROFILE": "{top}/app"}, {"user_policy", "user_fallback", "state", "cache"}),
    ({"HOME": "{top}/app/.x", "XDG_STATE_HOME": "{top}/data"}, {"user_policy", "user_fallback", "cache"}),
)


@posix
@pytest.mark.parametrize(
    ("environ", "fields"), ENVIRONMENTS, ids=lambda value: str(sorted(value) if isinstance(value, set) else value)[:60]
)
def test_what_the_disk_makes_of_an_environment(
    machine: dict[str, str], environ: dict[str, str], fields: set[str]
) -> None:
    top = machine["top"]
    for link, target in (("link", "app/.x"), ("loop", "data/pool"), ("pool", "data/loop")):
        os.symlink(f"{top}/{target}", f"{top}/data/{link}")
    said = {**machine, **{name: value.replace("{top}", top) for name, value in environ.items()}}
    found = refused(said, places(said), [f"{top}/app"])
    assert {one.field for one in found} == fields
    assert {one.variable for one in found} <= {*environ}


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root only")
@pytest.mark.parametrize("sudo", ["", str(OTHER), "x"])
def test_whose_a_directory_is(machine: dict[str, str], sudo: str) -> None:
    other = f"{machine['top']}/data"
    os.chown(other, OTHER, OTHER)
    said = {**machine, "XDG_STATE_HOME": f"{other}/not/there/yet", "SUDO_UID": sudo}
    found = refused(said, places(said), [])
    assert [one.field for one in found] == ([] if sudo == str(OTHER) else ["state"])


def test_the_system_is_asked_for_the_home_only_where_it_matters(
    machine: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "real_homes", None)
    assert refused(machine, places(machine), [f"{machine['top']}/app"]) == ()


@posix
def test_a_home_that_nobody_knows_is_no_directory_called_tilde(
    machine: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(module, "real_homes", lambda _here: ())
    found = refused({}, places({}), [f"{machine['top']}/app"])
    assert found[0].cause.startswith("HOME is not set, so ")


@posix
@pytest.mark.parametrize(
    ("mapped", "is_root"), [("0 1000 1\n", False), ("1000 1000 1\n", True), ("", False), (None, False)]
)
def test_without_a_root_of_its_own_the_overflow_user_stands_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mapped: str | None, is_root: bool
) -> None:
    """As in a sandbox: /etc belongs to nobody there, and what it says must hold all the same."""
    shown = {"/proc/sys/kernel/overflowuid": "65534\n", "/proc/self/uid_map": mapped}

    def read(path: str, **options: Any) -> Any:
        text = shown[path]
        if text is None:
            raise FileNotFoundError(path)
        (tmp_path / "proc").write_text(text)
        return open(tmp_path / "proc", **options)

    monkeypatch.setattr(module, "open", read, raising=False)
    assert of_another_user(65534, (1000, 0)) is not is_root
    assert of_another_user(4242, (1000, 0))
