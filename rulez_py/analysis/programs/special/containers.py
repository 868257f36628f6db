"""Containers: what they get of this machine."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import cut
from rulez_py.analysis.programs.runs import plainly
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching
    from rulez_py.analysis.values import Inner


_ENTRIES = {
    "alpine/git": "git",
    "bitnami/git": "git",
    "gitscm/git": "git",
    "alpine/helm": "helm",
    "bitnami/kubectl": "kubectl",
    "rancher/kubectl": "kubectl",
    "lachlanevenson/k8s-kubectl": "kubectl",
    "lachlanevenson/k8s-helm": "helm",
    "hashicorp/terraform": "terraform",
    "hashicorp/packer": "packer",
    "hashicorp/vault": "vault",
    "opentofu/opentofu": "tofu",
    "pulumi/pulumi": "pulumi",
    "amazon/aws-cli": "aws",
    "aws-cli/aws-cli": "aws",
    "curlimages/curl": "curl",
    "alpine/curl": "curl",
    "alpine/socat": "socat",
    "alpine/openssl": "openssl",
    "alpine/psql": "psql",
    "rclone/rclone": "rclone",
    "minio/mc": "mc",
    "restic/restic": "restic",
    "mikefarah/yq": "yq",
    "instrumentisto/nmap": "nmap",
    "eeacms/rsync": "rsync",
    "argoproj/argocd": "argocd",
    "fluxcd/flux-cli": "flux",
    "flyway/flyway": "flyway",
    "liquibase/liquibase": "liquibase",
    "supabase/cli": "supabase",
    "stripe/stripe-cli": "stripe",
}
"""Images that run one program, whose words follow them -> the program."""


def run_runs(own: Own) -> list[Inner]:
    """Return the words after an image; where the image is one for a program, words of that."""
    found = plainly(own)
    if not own.operands or own.start is None or own.has("--entrypoint"):
        return found
    name, _, _ = own.operands[-1].text.partition("@")
    place, slash, last = name.rpartition("/")
    program = _ENTRIES.get(f"{place.rpartition('/')[2]}{slash}{last.partition(':')[0]}")
    if program is None:
        return found
    first = parts.with_text(own.operands[-1], program)
    return [one.replace(words=(first, *one.words)) if one.words else one for one in found]


def build_effects(command: Touching) -> None:
    """Read the context, unless it is an address, and write what `--output` names."""
    command.by_options()
    for word in command.operands:
        if "://" not in word.text and word.text != "-":
            command.touch(word, "r", deep=word.text != ".")
    for option, _ in command.options:
        if option.value is not None and "--output" in option.names:
            place = option.value.text.find("dest=")
            if place >= 0:
                command.touch(parts.until(cut(option.value, place + 5), ","), "w")
            elif "=" not in option.value.text:
                command.touch(option.value, "w")


def run_effects(command: Touching) -> None:
    """Touch mounts: a directory that is mounted is read, and written where the mount does not say otherwise."""
    command.by_options()
    from rulez_py.analysis.programs.special.remote import mounts

    for _place, source, only_read in mounts(command.words):
        command.touch(source, "r" if only_read else "rw")


def copy_effects(command: Touching) -> None:
    command.by_options()
    if len(command.operands) != 2:
        return
    source, target = command.operands
    if _is_local(source):
        command.touch(source, "rs" if command.key.startswith("kubectl") else "r", deep=True)
    if _is_local(target):
        command.touch(target, "w/")


def _is_local(word: Word) -> bool:
    """Tell if this is no `container:path`."""
    return ":" not in word.text or word.text.startswith(("/", ".", "~"))
