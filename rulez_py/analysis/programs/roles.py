"""Tell what the value of an option is by the option's name."""

from __future__ import annotations

_TEXT_NAMES = frozenset(
    (
        *("message", "body", "title", "subject", "description", "desc", "comment", "summary", "note", "reason"),
        *("caption", "label", "annotation", "topic", "prompt", "text"),
        *("exclude", "include", "ignore", "skip", "pattern", "glob", "iglob", "grep", "match", "regex", "regexp"),
    )
)
"""Words in the name of an option whose value is only shown, stored or compared."""
_NO_FILE_NAMES = _TEXT_NAMES | {"filter", "name"}
_FILE_NAMES = ("file", "files", "from", "path", "dir", "directory")
"""Last words in the name of an option whose value is a file, whatever the words before say (`--exclude-from`)."""
_KEY_NAMES = frozenset(
    (
        *("private-key", "client-key", "ssh-key-file", "tlskey", "tls-key", "ssl-key", "cert-key", "proxy-key"),
        *("client-cert", "client-certificate", "cert", "tlscert", "tls-cert", "tls-client-cert", "ssl-cert"),
        *("cacert", "ca-cert", "capath", "ca-path", "ca-file", "ca-bundle", "ca-directory", "tlscacert", "ssl-ca"),
        *("proxy-cert", "proxy-cacert", "proxy-capath", "certificate-authority", "kube-ca-file", "ssl-capath"),
        *("kubeconfig", "identity", "identity-file"),
    )
)
"""Options whose value is a file with a key, a certificate or an account, which the program uses itself."""


def takes_file(option: str) -> bool:
    """Tell if the value of an option may be a file, by the option's name."""
    return not _says(option, _NO_FILE_NAMES)


def is_text_option(option: str) -> bool:
    """Tell if the value of an option is only shown, stored or compared, by the option's name."""
    return _says(option, _TEXT_NAMES)


def is_key_option(option: str) -> bool:
    """Tell if the value of an option is a file that the program uses itself, by the option's name."""
    return option.lstrip("-") in _KEY_NAMES


def _says(option: str, names: frozenset[str]) -> bool:
    words = option.lower().lstrip("-").replace("_", "-").split("-")
    return words[-1] not in _FILE_NAMES and any(word in names or word.removesuffix("s") in names for word in words)
