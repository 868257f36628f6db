"""Which files a pattern means, where there are more than can be looked at."""

from __future__ import annotations

from collections import Counter

from rulez_py.analysis import BELOW, DELETE, READ, File
from rulez_py.policy.facts.disk import Disk


def machine(listed: Counter[str] | None = None) -> Disk:
    """`/much` holds directories of files without end, `/home/me` what matters."""

    def names(directory: str) -> list[str]:
        if listed is not None:
            listed[directory] += 1
        if directory.startswith("/much"):
            return [f"d{number}" for number in range(1500)]
        return {"/home/me": ["a", ".ssh"], "/home/me/.ssh": ["id_rsa"]}.get(directory, [])

    return Disk(lambda path: path, names, ("/p",), lambda: ("/p", "/home/me"), home="/home/me")


def named(pattern: str) -> File:
    return File(path=pattern, access=(READ,), glob=pattern)


def paths(disk: Disk, pattern: str) -> list[str]:
    return [touched.path for touched in disk.touched(named(pattern))]


def test_one_pattern_that_names_very_much_hides_nothing_from_the_next() -> None:
    disk = machine()
    for pattern in ("/much/*", "/much/d1/*", "/much/d2/*"):
        paths(disk, pattern)
    assert "/home/me/.ssh/id_rsa" in paths(disk, "/home/me/.s?h/id_*")


def test_where_too_much_is_to_be_searched_all_below_may_be_meant() -> None:
    found = list(machine().touched(named("/much/*/*/x")))
    assert [(touched.path, touched.access) for touched in found if touched.deep] == [("/much", (READ,))]


def test_what_is_named_again_is_not_looked_for_again() -> None:
    listed: Counter[str] = Counter()
    disk = machine(listed)
    assert paths(disk, "/home/me/*") == paths(disk, "/home/me/*")
    assert listed["/home/me"] == 1


def test_what_is_hidden_comes_first_among_more_than_are_followed() -> None:
    assert paths(machine(), "/home/me/[a.]*")[-2:] == ["/home/me/.ssh", "/home/me/a"]


def test_what_is_deleted_is_the_link_and_not_what_it_leads_to() -> None:
    disk = Disk(
        lambda path: path.replace("/p/link", "/far"), lambda _: [], ("/p",), lambda: ("/p", "/home/me"), home="/home/me"
    )
    deleted = [touched.path for touched in disk.touched(File(path="link", access=(DELETE,)))]
    read = [touched.path for touched in disk.touched(File(path="link", access=(READ,)))]
    assert ("/far" in deleted, "/far" in read) == (False, True)


def test_a_name_that_the_disk_has_is_no_guess() -> None:
    """Each guess is compared with each pattern of each rule: an archive of packages took a minute."""
    file = File(path="/much/d*", access=(DELETE,), glob="/much/d*", known=False, among=BELOW)
    found = list(machine().touched(file))
    assert len(found) > 1000
    assert {touched.path for touched in found if touched.among} == {"/much/d*"}
    assert {touched.path for touched in found if not touched.known} == {"/much/d*"}
