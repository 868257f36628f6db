"""Whom a policy's signature makes trusted, for how long, and what the machine's policy says of trust."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from rulez_py.policy.store import cache
from rulez_py.policy.store.load import load, said_of_people, trusting_of
from rulez_py.policy.store.trusting import by_whom, signature_problems
from rulez_py.system.places import Places
from rulez_py.trust import is_trusted, signatures, trust
from rulez_py.trust.signatures import NAMESPACE, checked, message, own_signers

NEEDS_SSH = pytest.mark.skipif(not signatures.program(), reason="ssh-keygen is not installed")
POLICY = """\
version: "1.0"
extends: [./team.yaml]
rules:
  - {name: fine, matchers: {tools: [Bash]}, actions: {run: .rulez/check.sh}}
"""
TEAM = 'version: "1.0"\nrules:\n  - {name: team, matchers: {tools: [Bash]}, actions: {allow: true}}\n'


class Signing:
    """Somebody with a project, keys, and a list of those who may sign."""

    def __init__(self, directory: Path) -> None:
        self.top = Path(os.path.realpath(directory))
        self.project = self.top / "project"
        for name, text in (("rules.yaml", POLICY), ("team.yaml", TEAM), ("check.sh", "exit 0\n")):
            self.write(f".rulez/{name}", text)
        (self.project / ".git").mkdir()
        for name in ("config/rulez", "state/rulez", "etc", "keys"):
            (self.top / name).mkdir(parents=True, mode=0o700)
        self.places = Places(
            home=str(self.top / "home"),
            managed_policy=str(self.top / "etc" / "rules.yaml"),
            user_policy=str(self.top / "config" / "rulez" / "rules.yaml"),
            user_fallback=str(self.top / ".claude" / "hooks.yaml"),
            state=str(self.top / "state" / "rulez"),
            cache=str(self.top / "cache" / "rulez"),
        )
        self.policy = str(self.project / ".rulez" / "rules.yaml")
        self.signers = Path(own_signers(self.places))

    def write(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def manages(self, trusting: Any) -> None:
        text = json.dumps({"version": "1.0", "settings": {"trust": trusting}})
        Path(self.places.managed_policy).write_text(text)

    def key(self, name: str) -> Path:
        path = self.top / "keys" / name
        if not path.exists():
            command = [signatures.program(), "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
            subprocess.run(command, check=True)
        return path

    def allows(self, name: str, options: str = "", file: Path | None = None) -> None:
        public = self.key(name).with_suffix(".pub").read_text()
        with open(file or self.signers, "a") as signers:
            signers.write(f"{name}@example.com {options} {public}")

    def digest(self) -> str:
        policy = load(self.places, str(self.project), trusted=lambda _path, _digest: False)
        (source,) = (one for one in policy.sources if one.layer == "project")
        return source.digest

    def signs(self, name: str, *, namespace: str = NAMESPACE, text: bytes | None = None) -> None:
        content = text or message(self.policy, self.digest())
        command = [signatures.program(), "-Y", "sign", "-n", namespace, "-f", str(self.key(name))]
        made = subprocess.run(command, input=content, check=True, capture_output=True).stdout
        Path(f"{self.policy}.sig").write_bytes(made)

    @property
    def trusts(self) -> bool:
        """Whether the hook finds the project's policy trusted, compiled anew and kept alike."""
        found = set()
        for _ in range(2):
            policy = cache.in_force(self.places, str(self.project))
            policy.keep()
            policy.close()
            found |= {source.trusted for source in policy.sources if source.layer == "project"}
        assert len(found) == 1
        return found.pop()

    def why(self) -> str:
        return checked(self.places, self.policy, self.digest(), str(self.signers)).why


@pytest.fixture
def signing(tmp_path: Path) -> Signing:
    return Signing(tmp_path)


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What ssh-keygen is asked from here on."""
    found: list[str] = []
    real = signatures._run

    def run(program: str, arguments: tuple[str, ...], data: bytes) -> tuple[int | None, bytes]:
        found.append(arguments[1])
        return real(program, arguments, data)

    monkeypatch.setattr(signatures, "_run", run)
    return found


# Signatures.


@NEEDS_SSH
def test_a_signature_of_an_allowed_signer_counts_and_is_checked_once(signing: Signing, starts: list[str]) -> None:
    signing.signs("ann")
    assert not signing.trusts
    signing.allows("ann")
    assert signing.trusts
    assert starts == ["find-principals", "verify"]
    assert checked(signing.places, signing.policy, signing.digest(), str(signing.signers)).signer == "ann@example.com"
    assert len(starts) == 2
    assert sorted(os.listdir(signing.places.state)) == ["signed.json"]


@NEEDS_SSH
@pytest.mark.parametrize("name", [".rulez/rules.yaml", ".rulez/team.yaml", ".rulez/check.sh"])
def test_it_ends_with_each_change_until_that_is_signed(signing: Signing, name: str) -> None:
    signing.allows("ann")
    signing.signs("ann")
    assert signing.trusts
    signing.write(name, (signing.project / name).read_text() + "# changed\n")
    assert not signing.trusts
    assert signing.why() == "it is for other content, or for another purpose"
    signing.signs("ann")
    assert signing.trusts


@NEEDS_SSH
def test_only_those_who_may_sign_count_and_refusals_are_kept_too(signing: Signing, starts: list[str]) -> None:
    signing.allows("ann")
    signing.signs("eve")
    assert not signing.trusts
    assert not signing.trusts
    assert starts == ["find-principals"]
    assert signing.why() == "it is of no signer in the list"


@NEEDS_SSH
def test_a_signature_for_another_purpose_does_not_count(signing: Signing) -> None:
    signing.allows("ann")
    signing.signs("ann", namespace="git")
    assert not signing.trusts
    signing.signs("ann", text=message(f"{signing.project}/.rulez/rules.d/rules.yaml", signing.digest()))
    assert not signing.trusts
    Path(f"{signing.policy}.sig").write_bytes(b"-----BEGIN SSH SIGNATURE-----\nAAAA\n")
    assert not signing.trusts


@NEEDS_SSH
def test_it_ends_when_the_signer_is_taken_out(signing: Signing) -> None:
    signing.allows("ann")
    signing.signs("ann")
    assert signing.trusts
    signing.signers.write_text("")
    assert not signing.trusts


@NEEDS_SSH
@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ('valid-before="20200101"', False),
        ('valid-after="20990101"', False),
        ('valid-after="20200101",valid-before="20990101Z"', True),
        ('namespaces="git"', False),
        ('namespaces="git,rulez-*"', True),
    ],
)
def test_the_bounds_of_the_list_count(signing: Signing, options: str, counts: bool) -> None:
    signing.allows("ann", options)
    signing.signs("ann")
    assert signing.trusts == counts


@NEEDS_SSH
def test_what_was_found_ends_with_the_signers_time(signing: Signing, monkeypatch: pytest.MonkeyPatch) -> None:
    end = time.time() + 100
    signing.allows("ann", f'valid-before="{time.strftime("%Y%m%d%H%M%SZ", time.gmtime(end))}"')
    signing.signs("ann")
    found = checked(signing.places, signing.policy, signing.digest(), str(signing.signers))
    assert found.signer
    assert abs(found.until - end) <= 1
    asked: list[int] = []

    def verified(*_: object) -> tuple[str, str]:
        asked.append(1)
        return "", "late"

    monkeypatch.setattr(signatures, "_verified", verified)
    assert checked(signing.places, signing.policy, signing.digest(), str(signing.signers)).signer
    monkeypatch.setattr(time, "time", lambda: end + 1)
    assert not checked(signing.places, signing.policy, signing.digest(), str(signing.signers)).signer
    monkeypatch.setattr(time, "time", lambda: end - 3600)
    assert not checked(signing.places, signing.policy, signing.digest(), str(signing.signers)).signer
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("text", "until"),
    [
        (b"a ssh-ed25519 x", signatures._FOREVER),
        (b"a cert-authority ssh-ed25519 x", 3600.0),
        (b'a valid-before="19700101001000Z" ssh-ed25519 x', 600.0),
        (b'a valid-after=197001010005Z,valid-before="19700101001000z" x', 300.0),
        (b'a VALID-BEFORE="nonsense" x', 3600.0),
        (b'a valid-before="99999999" x', 3600.0),
    ],
)
def test_how_long_an_outcome_holds(text: bytes, until: float) -> None:
    assert signatures._until(text, 0.0) == until


@NEEDS_SSH
def test_a_list_that_others_may_write_is_nobodys(signing: Signing) -> None:
    signing.allows("ann")
    signing.signs("ann")
    signing.signers.chmod(0o666)
    assert not signing.trusts
    assert signing.why() == f"who may sign is not certain: {signing.signers} can be written by others"


def test_without_ssh_keygen_nothing_counts_and_it_is_said(signing: Signing, monkeypatch: pytest.MonkeyPatch) -> None:
    signing.signers.write_text("a ssh-ed25519 x\n")
    Path(f"{signing.policy}.sig").write_text("x")
    monkeypatch.setattr(signatures, "PROGRAMS", ())
    assert not signing.trusts
    assert signing.why() == "ssh-keygen is not installed, so it cannot be checked (OpenSSH's client has it)"


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_one_that_hangs_is_ended_and_not_asked_again_at_once(signing: Signing, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = signing.top / "slow"
    monkeypatch.setattr(signatures, "_is_the_systems", os.path.isfile)
    slow.write_text(f"#!/bin/sh\necho x >> {signing.top}/started\nexec sleep 60\n")
    slow.chmod(0o755)
    signing.signers.write_text("a ssh-ed25519 x\n")
    Path(f"{signing.policy}.sig").write_text("x")
    monkeypatch.setattr(signatures, "PROGRAMS", (str(slow),))
    monkeypatch.setattr(signatures, "_SECONDS", 0.3)
    assert not signing.trusts
    assert "gave no answer" in signing.why()
    assert (signing.top / "started").read_text() == "x\n"


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
@pytest.mark.parametrize("what", ["fifo", "link", "directory", "large"])
def test_what_is_no_signature_is_refused(signing: Signing, what: str) -> None:
    signing.signers.write_text("a ssh-ed25519 x\n")
    path = Path(f"{signing.policy}.sig")
    if what == "fifo":
        os.mkfifo(path)
    elif what == "link":
        path.symlink_to("/dev/zero")
    elif what == "directory":
        path.mkdir()
    else:
        path.write_bytes(b"x" * 100_000)
    assert not signing.trusts
    assert signing.why()


@NEEDS_SSH
@pytest.mark.parametrize("content", ["", "{}", '{"version": 1, "signed": {"a": 1}}', "[]"])
def test_what_is_kept_may_be_damaged(signing: Signing, content: str) -> None:
    Path(signing.places.state, "signed.json").write_text(content)
    Path(signing.places.state, "signed.json").chmod(0o600)
    signing.allows("ann")
    signing.signs("ann")
    assert signing.trusts


@NEEDS_SSH
def test_what_others_may_write_is_not_believed(signing: Signing) -> None:
    signing.allows("ann")
    signing.signs("ann")
    assert signing.trusts
    kept = Path(signing.places.state, "signed.json")
    signing.write(".rulez/check.sh", "exit 1\n")
    said = json.loads(kept.read_text())
    for entry in said["signed"].values():
        entry["about"][0] = signing.digest()
    kept.write_text(json.dumps(said))
    kept.chmod(0o666)
    assert not signing.trusts


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_a_program_that_others_may_write_is_not_asked(signing: Signing, monkeypatch: pytest.MonkeyPatch) -> None:
    program = signing.top / "ssh-keygen"
    program.write_text("#!/bin/sh\necho ann\n")
    program.chmod(0o777)
    monkeypatch.setattr(signatures, "PROGRAMS", (str(program),))
    assert signatures.program() == ""


# The machine's policy.


def test_a_digest_that_the_machine_names_is_trusted_anywhere(signing: Signing) -> None:
    signing.manages({"digests": [f"sha256:{signing.digest()}"]})
    assert signing.trusts
    shutil.move(signing.project, signing.top / "moved")
    signing.project = signing.top / "moved"
    assert signing.trusts
    signing.write(".rulez/team.yaml", TEAM + "# changed\n")
    assert not signing.trusts


@pytest.mark.parametrize(
    ("glob", "counts"),
    [("{top}/*", True), ("{top}/project", True), ("{top}/**", True), ("{top}", False), ("{top}/other/*", False)],
)
def test_a_place_that_the_machine_names_is_trusted(signing: Signing, glob: str, counts: bool) -> None:
    signing.manages({"paths": glob.format(top=signing.top)})
    assert signing.trusts == counts
    signing.write(".rulez/check.sh", "exit 1\n")
    assert signing.trusts == counts


@pytest.mark.skipif(os.name == "nt", reason="POSIX links")
def test_a_link_in_a_trusted_place_leads_out_of_it(signing: Signing) -> None:
    (signing.top / "trusted").mkdir()
    (signing.top / "trusted" / "link").symlink_to(signing.project)
    signing.manages({"paths": f"{signing.top}/trusted/*"})
    policy = load(signing.places, str(signing.top / "trusted" / "link"), trusted=lambda _path, _digest: False)
    assert {source.trusted for source in policy.sources if source.layer == "project"} == {False}


def test_home_is_the_persons(signing: Signing) -> None:
    Path(signing.places.home, "work").mkdir(parents=True)
    shutil.move(str(signing.project), f"{signing.places.home}/work/project")
    signing.project = Path(signing.places.home, "work", "project")
    signing.manages({"paths": ["~/work/*"]})
    assert signing.trusts


@NEEDS_SSH
def test_the_machines_signers_count_beside_the_persons(signing: Signing) -> None:
    machine = Path(signing.places.managed_policy).parent / "signers"
    signing.allows("root", file=machine)
    signing.manages({"signers": str(machine)})
    signing.signs("root")
    assert signing.trusts
    signing.signs("ann")
    assert not signing.trusts
    signing.allows("ann")
    assert signing.trusts


@NEEDS_SSH
def test_only_leaves_nothing_to_the_person(signing: Signing) -> None:
    signing.allows("ann")
    signing.signs("ann")
    trust(signing.places, signing.policy, signing.digest(), 0.0)
    assert signing.trusts
    signing.manages({"only": True, "paths": ["/nowhere/*"]})
    assert not signing.trusts
    assert said_of_people(signing.places, "trust")[0] is False
    signing.manages({"only": False, "people": "sudo"})
    assert signing.trusts
    assert said_of_people(signing.places, "trust")[0] == "sudo"


@NEEDS_SSH
@pytest.mark.parametrize("said", [False, "sudo", {"people": False}, {"people": "polkit", "paths": "/nowhere"}])
def test_who_may_not_trust_lets_nobody_sign(signing: Signing, said: Any) -> None:
    signing.allows("ann")
    signing.signs("ann")
    assert signing.trusts
    signing.manages(said)
    assert not signing.trusts
    assert by_whom(trusting_of(signing.places), signing.places, signing.policy, signing.digest()) == ""
    trust(signing.places, signing.policy, signing.digest(), 0.0)
    assert signing.trusts


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("name", ["rules.yaml", "team.yaml"])
def test_in_a_trusted_place_files_of_other_users_count_for_nobody(signing: Signing, name: str) -> None:
    signing.places = signing.places.replace(owners=(0,))
    signing.manages({"paths": f"{signing.top}/*"})
    assert signing.trusts
    os.chown(signing.project / ".rulez" / name, 12345, -1)
    policy = load(signing.places, str(signing.project), trusted=lambda _path, _digest: False)
    assert not [rule for rule in policy.rules if rule["name"] in ("fine", "team")]
    signing.manages({"digests": f"sha256:{signing.digest()}"})
    policy = load(signing.places, str(signing.project), trusted=lambda _path, _digest: False)
    assert [rule["name"] for rule in policy.rules if rule["name"] in ("fine", "team")] == ["fine", "team"]


def test_a_project_trusts_nobody(signing: Signing) -> None:
    signing.write(".rulez/rules.yaml", f"settings: {{trust: {{paths: ['{signing.top}/**']}}}}\n" + POLICY)
    assert not signing.trusts


def test_the_users_own_file_trusts_nobody(signing: Signing) -> None:
    text = json.dumps({"version": "1.0", "settings": {"trust": {"paths": [f"{signing.top}/**"]}}})
    Path(signing.places.user_policy).write_text(text)
    assert not signing.trusts


# Everywhere.


def test_what_is_trusted_everywhere_counts_in_each_clone_with_the_same_bytes(signing: Signing) -> None:
    shutil.copytree(signing.project, signing.top / "clone")
    trust(signing.places, signing.policy, signing.digest(), 0.0)
    clone = str(signing.top / "clone" / ".rulez" / "rules.yaml")
    assert not is_trusted(signing.places, clone, signing.digest())
    trust(signing.places, signing.policy, signing.digest(), 0.0, everywhere=True)
    assert is_trusted(signing.places, clone, signing.digest())
    assert not is_trusted(signing.places, clone, "0" * 64)


def test_a_further_policy_is_not_trusted_through_a_link_to_a_project(signing: Signing) -> None:
    further = signing.write(".rulez/rules.d/a.yaml", TEAM)
    trust(signing.places, str(further), "d1", 0.0)
    (signing.top / "evil").mkdir()
    (signing.top / "evil" / ".rulez").symlink_to(signing.project / ".rulez")
    assert not is_trusted(signing.places, str(signing.top / "evil" / ".rulez" / "rules.d" / "a.yaml"), "d1")


# Work trees, and submodules, which are repositories of their own.

NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(directory: Path, *arguments: str) -> None:
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    named = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", "-C", directory, *named, *arguments], check=True, capture_output=True, env=environ)


def commit(signing: Signing) -> None:
    shutil.rmtree(signing.project / ".git")
    git(signing.project, "init", "-q")
    git(signing.project, "add", ".")
    git(signing.project, "commit", "-qm", "x")


@NEEDS_GIT
@pytest.mark.parametrize("name", [".rulez/rules.yaml", ".rulez/team.yaml", ".rulez/check.sh"])
def test_a_work_tree_that_is_made_later_is_trusted_until_a_byte_differs_there(signing: Signing, name: str) -> None:
    commit(signing)
    trust(signing.places, signing.policy, signing.digest(), 0.0)
    git(signing.project, "worktree", "add", "-q", "../later")
    main, signing.project = signing.project, signing.top / "later"
    assert signing.trusts
    signing.write(name, (signing.project / name).read_text() + "# differs\n")
    assert not signing.trusts
    signing.project = main
    assert signing.trusts


@NEEDS_GIT
def test_a_further_policy_counts_in_work_trees_too(signing: Signing) -> None:
    further = signing.write(".rulez/rules.d/a.yaml", TEAM)
    commit(signing)
    git(signing.project, "worktree", "add", "-q", "../later")
    trust(signing.places, str(further), "d1", 0.0)
    assert is_trusted(signing.places, str(signing.top / "later" / ".rulez" / "rules.d" / "a.yaml"), "d1")
    assert not is_trusted(signing.places, str(signing.top / "later" / ".rulez" / "rules.yaml"), "d1")


@NEEDS_GIT
def test_a_submodule_has_trust_of_its_own(signing: Signing) -> None:
    outer = signing.top / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    commit(signing)
    shutil.copytree(signing.project / ".rulez", outer / ".rulez")
    git(outer, "submodule", "add", "-q", str(signing.project), "inner")
    inner = str(outer / "inner" / ".rulez" / "rules.yaml")
    trust(signing.places, str(outer / ".rulez" / "rules.yaml"), "d1", 0.0)
    trust(signing.places, signing.policy, "d1", 0.0)
    assert not is_trusted(signing.places, inner, "d1")
    trust(signing.places, inner, "d1", 0.0)
    assert is_trusted(signing.places, inner, "d1")


# What people are told.


def test_by_whom_a_policy_is_trusted(signing: Signing) -> None:
    def by() -> str:
        return by_whom(trusting_of(signing.places), signing.places, signing.policy, signing.digest())

    assert by() == ""
    trust(signing.places, signing.policy, signing.digest(), 0.0)
    assert by() == "you"
    trust(signing.places, signing.policy, signing.digest(), 0.0, everywhere=True)
    assert by() == "you, everywhere"
    signing.manages({"digests": f"sha256:{signing.digest()}"})
    assert by() == "this machine's policy (its digest)"
    signing.manages({"paths": f"{signing.top}/*"})
    assert by() == f"this machine's policy (its place, {signing.top}/*)"
    signing.manages({"only": True})
    assert by() == ""


@NEEDS_SSH
def test_a_signer_is_named_and_a_signature_that_does_not_count_explained(signing: Signing) -> None:
    def problems() -> tuple[str, ...]:
        return signature_problems(trusting_of(signing.places), signing.places, signing.policy, signing.digest())

    machine = signing.top / "etc" / "signers"
    signing.allows("ann")
    signing.allows("root", file=machine)
    assert problems() == ()
    signing.signs("ann")
    assert by_whom(None, signing.places, signing.policy, signing.digest()) == "you (signed by ann@example.com)"
    signing.manages({"signers": str(machine), "only": True})
    assert problems() == ("it is of no signer in the list",)
    signing.signs("root")
    named = by_whom(trusting_of(signing.places), signing.places, signing.policy, signing.digest())
    assert named == "this machine's policy (signed by root@example.com)"


def test_the_machines_list_of_signers_is_guarded(signing: Signing) -> None:
    signing.manages({"signers": f"{signing.top}/elsewhere/signers"})
    policy = load(signing.places, str(signing.project), trusted=lambda _path, _digest: False)
    assert policy.protects is not None
    assert f"{signing.top}/elsewhere/signers" in policy.protects.paths
