"""What it takes to bring a machine into a described state, as commands: modules of Ansible, functions of Salt,
resources of Puppet and Chef, by their names."""

from __future__ import annotations

from rulez_py.analysis.programs.parts import with_text
from rulez_py.analysis.values import Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulez_py.analysis.values import Word

_GONE = "state|ensure|action=absent|delete|remove|purged: rm -rf <path|dest|name>"
_SET = "tee -a <path|dest|destfile|target|name>"
_NEW = "tee <path|dest|name>"
_CODE = "sh -c <code|command|cmd|argument|name>"

STATES: dict[str, tuple[str, ...]] = {
    # Files.
    "file": (
        _GONE,
        "state|ensure=link: ln -sfn <src|target> <path|dest|name>",
        "state=hard: ln -f <src> <path|dest|name>",
        "state|ensure=directory: mkdir -p <path|dest|name>",
        "state=touch: touch <path|dest|name>",
        "recurse=yes|true: chmod -R <mode> <path|dest|name>",
        "target: ln -sfn <target> <path|name>",
        "source: cp -r <source> <path|name>",
        "content: tee <path|dest|name>",
        "action=create: tee <path|dest|name>",
    ),
    "directory": (_GONE,),
    "link": ("action=delete: rm -rf <target_file|name>", "ln -sfn <to> <target_file|name>"),
    "tidy": ("rm -rf <path|name>",),
    "copy": ("content: tee <dest>", "cp -r <src> <dest>"),
    "template": (_GONE, "cp <src> <dest>", _NEW),
    "cookbook_file": (_GONE, _NEW),
    "remote_directory": (_GONE, "cp -r <source> <path|name>"),
    "remote_file": (_GONE, "curl -o <path|name> <source>"),
    "lineinfile": (_SET,),
    "blockinfile": (_SET,),
    "replace": (_SET,),
    "ini_file": (_SET,),
    "file_line": (_SET,),
    "assemble": ("cat <src>", "tee <dest>"),
    "unarchive": ("tar -x -f <src> -C <dest>",),
    "archive": ("remove=yes|true: rm -rf <path>", "extract_path: tar -x -f <path|name> -C <extract_path>"),
    "archive_file": ("tar -x -f <path|name> -C <destination>",),
    "get_url": ("curl -o <dest> <url>",),
    "uri": ("src: curl -T <src> <url>", "dest: curl -o <dest> <url>", "curl <url>"),
    "slurp": ("cat <src|path>",),
    "fetch": ("cp <src> <dest>",),
    "synchronize": ("delete=yes|true: rsync -a --delete <src> <dest>", "rsync -a <src> <dest>"),
    "git": ("git clone <repo|repository> <dest|destination|name>",),
    "vcsrepo": (_GONE, "git clone <source> <path|name>"),
    "authorized_key": ("tee -a <path>", "tee -a ~/.ssh/authorized_keys"),
    "ssh_authorized_key": ("tee -a <target>", "tee -a ~/.ssh/authorized_keys"),
    # Code.
    **dict.fromkeys(("exec", "execute", "expect", "bash", "csh", "ksh", "zsh", "sh", "script"), (_CODE,)),
    # The machine, and what it holds.
    "user": ("state|ensure|action=absent|remove: userdel <name|username>",),
    "group": ("state|ensure|action=absent|remove: groupdel <name>",),
    "reboot": ("reboot",),
    "shutdown": ("shutdown now",),
    "filesystem": ("mkfs -t <fstype|type> <dev|device>",),
    "parted": ("parted -s <device> mklabel gpt",),
    "lvol": ("state=absent: lvremove -f <vg>/<lv>",),
    "lvg": ("state=absent: vgremove -f <vg>",),
    "zfs": ("state=absent: zfs destroy -r <name>",),
    "zpool": ("state=absent: zpool destroy <name>",),
    "mount": ("state|ensure=absent|unmounted: umount <path|name>",),
    "iptables": ("flush=yes|true: iptables -F",),
    "ufw": ("state=disabled: ufw disable", "state=reset: ufw reset"),
    "docker_volume": ("state=absent: docker volume rm <name|volume_name>",),
    "docker_container": ("state=absent: docker rm -f <name>",),
    "mysql_db": ("state=absent: mysqladmin drop <name|db>",),
    "postgresql_db": ("state=absent: dropdb <name|db>",),
    "k8s": ("state=absent: kubectl delete <kind> <name>", "state=absent: kubectl delete -f <src>"),
    "helm": ("state=absent: helm uninstall <name|release_name>",),
    "s3_bucket": ("state=absent: aws s3 rb s3://<name> --force",),
    "ec2_instance": ("state=absent|terminated: aws ec2 terminate-instances --instance-ids <instance_ids>",),
    "rds_instance": ("state=absent: aws rds delete-db-instance --db-instance-identifier <db_instance_identifier|id>",),
    # Salt's functions, and its states.
    **dict.fromkeys(("file.remove", "file.rmdir", "file.absent"), ("rm -rf <path|name|0>",)),
    **dict.fromkeys(("file.managed", "file.serialize", "file.truncate"), ("tee <path|name|0>",)),
    **dict.fromkeys(("file.write", "file.append", "file.prepend", "file.touch"), ("tee -a <path|name|0>",)),
    **dict.fromkeys(("file.replace", "file.sed", "file.line", "file.blockreplace"), ("tee -a <path|name|0>",)),
    **dict.fromkeys(("file.comment", "file.uncomment", "file.keyvalue", "file.psed"), ("tee -a <path|name|0>",)),
    **dict.fromkeys(("file.read", "cp.get_file_str", "cp.get_template", "file.grep"), ("cat <path|0>",)),
    "file.copy": ("cp -r <src|0> <dst|1>",),
    "file.rename": ("mv <src|0> <dst|1>",),
    "file.move": ("mv <src|0> <dst|1>",),
    "file.symlink": ("target: ln -sfn <target> <name|0>", "ln -sfn <src|0> <path|1>"),
    "file.link": ("ln -f <src|0> <path|1>",),
    "file.recurse": ("cp -r <source|1> <name|0>",),
    **dict.fromkeys(("cp.get_file", "cp.get_dir"), ("cp -r <path|0> <dest|1>",)),
    "cp.get_url": ("curl -o <dest|1> <path|0>",),
    **dict.fromkeys(("cp.push", "cp.push_dir"), ("scp -r <path|0> salt-master:",)),
    "archive.tar": ("tar <options|0> <tarfile|1> -C <dest>",),
    **dict.fromkeys(("archive.unzip", "archive.cmd_unzip"), ("unzip <zip_file|0> -d <dest|1>",)),
    "archive.extracted": ("tar -x -f <source|1> -C <name|0>",),
    **dict.fromkeys(("ssh.set_auth_key", "ssh_auth.present"), ("tee -a ~/.ssh/authorized_keys",)),
    **dict.fromkeys(("system.reboot", "system.shutdown", "system.halt", "system.poweroff"), ("reboot",)),
    **dict.fromkeys(("user.delete", "user.absent"), ("userdel <name|0>",)),
    **dict.fromkeys(("disk.format", "blockdev.format", "extfs.mkfs", "blockdev.formatted"), ("mkfs <device|name|0>",)),
    **dict.fromkeys(("disk.wipe", "blockdev.wipe"), ("wipefs -a <device|0>",)),
    "lvm.lvremove": ("lvremove -f <vgname|1>/<lvname|0>",),
    "lvm.vgremove": ("vgremove -f <vgname|0>",),
    "iptables.flush": ("iptables -F",),
}
"""By name the commands, the first for which all is there. Before a colon is a condition: a parameter that is given,
or `NAME|NAME=VALUE|VALUE`; `<NAME|NAME>` is what the first of these parameters is, the whole word or a part of it. A
parameter without a name is called by its place."""


def commands(kind: str, given: Mapping[str, Word], word: Word, via: str) -> tuple[Inner, ...]:
    """Return the command that does what a state of this kind asks for; `word` is its place."""
    for row in STATES.get(kind, ()):
        condition, colon, words = row.partition(": ")
        if colon and not _holds(condition, given):
            continue
        filled = [_filled(one, given, word) for one in (words if colon else row).split(" ")]
        found = [one for one in filled if one is not None]
        if len(found) == len(filled):
            return (Inner(words=tuple(found), via=via),)
    return ()


def _holds(condition: str, given: Mapping[str, Word]) -> bool:
    names, equals, values = condition.partition("=")
    return any(
        name in given and (not equals or given[name].text.strip(":").lower() in values.split("|"))
        for name in names.split("|")
    )


def _filled(template: str, given: Mapping[str, Word], word: Word) -> Word | None:
    """Return a word with what its parameters are; None where one of them is not given."""
    if template[:1] == "<" and template.find(">") == len(template) - 1:
        return next(_first(template[1:-1], given), None)
    text, known = "", True
    for at, piece in enumerate(template.replace(">", "<").split("<")):
        one = next(_first(piece, given), None) if at % 2 else with_text(word, piece).replace(known=True)
        if one is None:
            return None
        text, known = text + one.text, known and one.known
    return with_text(word, text).replace(known=known)


def _first(names: str, given: Mapping[str, Word]) -> Iterator[Word]:
    return (given[name] for name in names.split("|") if name in given and given[name].text)
