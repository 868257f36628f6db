"""Secrets out of text that is kept or shown.

One table row per shape of secret. Most texts hold none: a row costs a few substring searches, and the regex engine is
loaded only where one of its literals is found. What only looks like a secret (a reference to a variable, a path, a
word for "nothing") stays, because a log nobody can read protects nobody.
"""

from __future__ import annotations

from rulez_py.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Secret(Value):
    """One shape of secret.

    `pattern` is RE2; the secret is its first group that took part, or the whole match where there is none.
    `name` must not itself look like the start of a secret, or a second pass would find one. `literals` are in lower
    case; one of them must stand in the lower-cased text. `with_digit` asks for a digit in the secret, which tells
    random characters from words.
    """

    name: str
    literals: tuple[str, ...]
    pattern: str
    with_digit: bool = False


def _secret(name: str, literals: str, pattern: str, *, with_digit: bool = False) -> Secret:
    return Secret(name=name, literals=tuple(literals.split()), pattern=pattern, with_digit=with_digit)


# What stands after `=`, `:` or an option: quoted text (its quotes perhaps escaped), or all up to a separator.
_BARE = r"[^\s\"'`&|;<>(){},\\]+"
_VALUE = rf"(?:\\?\"([^\"\\\r\n]+)|\\?'([^'\\\r\n]+)|({_BARE}))"
_QUOTE = r"\\?[\"']"
_NAMES = (
    r"(?:pass_?word|passwd|passphrase|secret|token|credentials?"
    r"|(?:api|access|secret|private|account|auth|encryption|signing|subscription)[_-]?key)"
)
_NAME_LITERALS = "pass secret token credential key"
# The rest of one simple command.
_MORE = r"\b[^|;&\r\n]*?\s"

SECRETS: tuple[Secret, ...] = (
    _secret(
        "private-key",
        "private",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----(?s:.*?-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|.*)",
    ),
    _secret("private-key", "private_key", rf"\bprivate_key{_QUOTE}\s*:\s*{_QUOTE}((?:[^\"'\\]|\\[^\"'])+)"),
    _secret("aws-key-id", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    _secret(
        "aws-secret-key",
        "secret",
        rf"(?i)secret_?(?:access)?_?key(?:{_QUOTE})?[ \t]*[:=][ \t]*(?:{_QUOTE})?([a-z0-9/+=]{{40,}})",
    ),
    _secret("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,}"),
    _secret("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,}"),
    _secret(
        "gitlab-token",
        "glpat- gldt- glrt- glptt- glsoat- glcbt- glft- glimt- glagent-",
        r"gl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent)-[A-Za-z0-9_.-]{20,}",
    ),
    _secret("slack-token", "xox xapp-", r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,}", with_digit=True),
    _secret("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/[a-z]+/([A-Za-z0-9/_+-]{20,})"),
    _secret("google-key", "aiza", r"AIza[A-Za-z0-9_-]{30,}"),
    _secret("google-token", "ya29. gocspx-", r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}"),
    _secret("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,}"),
    _secret("openai-key", "sk-", r"\bsk-[A-Za-z0-9_-]{20,}", with_digit=True),
    _secret("stripe-key", "k_live_ k_test_ whsec_", r"(?:[prs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}"),
    _secret("npm-token", "npm_", r"npm_[A-Za-z0-9]{30,}", with_digit=True),
    _secret("pypi-token", "pypi-", r"pypi-[A-Za-z0-9_-]{40,}", with_digit=True),
    _secret("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,}", with_digit=True),
    _secret("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{40,}"),
    _secret("sendgrid-key", "sg.", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _secret("vault-token", "hvb. hvs. hvr.", r"hv[bsr]\.[A-Za-z0-9_-]{20,}"),
    _secret("dockerhub-token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    _secret("age-key", "age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    _secret("jwt", "eyj", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    _secret(
        "authorization",
        "authorization",
        rf"(?i)authorization(?:{_QUOTE})?\s*[:=]\s*(?:{_QUOTE})?"
        r"(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s+([^\"'\r\n\\]+)",
    ),
    _secret("authorization", "authorization", rf"(?i)authorization\s*[:=]\s*({_BARE})", with_digit=True),
    _secret("authorization", "bearer", r"(?i)\bbearer\s+([a-z0-9._~+/=-]{16,})", with_digit=True),
    _secret(
        "header",
        "-key -token -auth -secret apikey",
        r"(?i)\b(?:x-[a-z0-9-]*(?:key|token|auth|secret)|private-token|[a-z-]*api-?key)\s*:\s*([^\"'\s\\]+)",
    ),
    _secret("cookie", "cookie", r"(?i)\bcookie\s*:\s*([^\"'\r\n\\=]*=[^\"'\r\n\\]+)"),
    _secret("url-password", "://", r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@\"'<>\[]*:([^\s/?#\"'<>]+)@"),
    _secret("url-password", "://", r"://([A-Za-z0-9_-]{20,})@", with_digit=True),
    _secret("assignment", _NAME_LITERALS, rf"(?i){_NAMES}(?:{_QUOTE})?[ \t]*=[ \t]*{_VALUE}"),
    _secret("assignment", _NAME_LITERALS, rf"(?i){_NAMES}{_QUOTE}[ \t]*:[ \t]*{_QUOTE}([^\"'\\\r\n]+)"),
    _secret("assignment", _NAME_LITERALS, rf"(?i){_NAMES}[ \t]*:[ \t]*{_VALUE}", with_digit=True),
    _secret(
        "assignment",
        "_key _pass _pat _auth _pwd _cred",
        rf"\b[A-Z][A-Z0-9_]*_(?:KEY|PASS|PAT|AUTH|PWD|CREDS?)[ \t]*=[ \t]*{_VALUE}",
    ),
    _secret("assignment", ";pwd=", rf"(?i);pwd={_VALUE}"),
    _secret("option", _NAME_LITERALS, rf"(?i)(?:^|[\s\"'])--?[a-z0-9_-]*?(?:{_NAMES}|pass){_QUOTE}?[ \t=]+{_VALUE}"),
    _secret(
        "option",
        "curl wget http",
        rf"\b(?:curl|wget|https?){_MORE}(?:-[A-Za-z]*[uU]|--user|--proxy-user)[ \t=]*{_QUOTE}?[^\s:\"']*:({_BARE})",
    ),
    _secret("option", "sshpass", rf"\bsshpass\s+-p[ \t]*{_VALUE}"),
    _secret("option", "mysql mariadb", rf"\b(?:mysql|mariadb)[a-z-]*{_MORE}-p{_VALUE}"),
    _secret("option", "redis-cli", rf"\bredis-cli{_MORE}-a[ \t]*{_VALUE}"),
    _secret("option", "login", rf"\b(?:docker|podman|buildah|skopeo|helm){_MORE}login{_MORE}-p[ \t=]*{_VALUE}"),
    _secret("option", "pass:", rf"\s-pass(?:in|out)?\s+{_QUOTE}?pass:({_BARE})"),
)

# Where one secret is taken away, another that was glued to it can be seen.
_PASSES = 4

_WORDS = (
    "-",
    "true",
    "false",
    "null",
    "none",
    "nil",
    "yes",
    "no",
    "undefined",
    "required",
    "optional",
    "string",
    "str",
)
_REFERENCES = ("os.environ", "os.getenv", "process.env", "secrets.", "~/", "./", "../")


def redact(text: str) -> str:
    """`text` with every secret as `[redacted:NAME]`. Linear in the text; a second pass changes nothing."""
    for _ in range(_PASSES):
        redacted = _one_pass(text)
        if redacted == text:
            break
        text = redacted
    return text


def _one_pass(text: str) -> str:
    lower = text.lower()
    rows = [row for row in SECRETS if any(literal in lower for literal in row.literals)]
    if not rows:
        return text
    data = text.encode("utf-8", "replace")
    # Where two rows find the same secret, the earlier row of the table names it.
    spans = sorted((start, order, end) for order, row in enumerate(rows) for start, end in _spans(row, data))
    if not spans:
        return text
    pieces: list[bytes] = []
    at = 0
    for start, order, end in spans:
        if start >= at:
            pieces += (data[at:start], f"[redacted:{rows[order].name}]".encode())
        at = max(at, end)
    return b"".join((*pieces, data[at:])).decode("utf-8", "replace")


def _spans(row: Secret, data: bytes) -> Iterator[tuple[int, int]]:
    """Where in `data` the secrets of this shape are."""
    from rulez_py.policy.regex import match_from

    at = 0
    while at <= len(data) and (found := match_from(row.pattern, data, at, groups=True)) is not None:
        (start, end), *groups = found
        start, end = next((group for group in groups if group[0] >= 0), (start, end))
        secret = data[start:end].decode("utf-8", "replace")
        if not _is_harmless(secret) and (not row.with_digit or any(map(str.isdigit, secret))):
            yield start, end
        at = max(end, at + 1)


def _is_harmless(value: str) -> bool:
    """Whether a value only stands where a secret would: redacted, a reference, a path, an option, a word, filler."""
    if value.startswith("[redacted:") and value.find("]") == len(value) - 1:
        return True
    if value.startswith("$"):
        name = value[1:]
        return not name or name[0] in "{(" or (name.isupper() and name.replace("_", "").isalnum())
    if value.startswith("/"):
        return value.count("/") > 1 and not any(sign in value for sign in "+=")
    if value.startswith("--"):
        return value[2:3].isalpha()
    return value.lower() in _WORDS or value.startswith(_REFERENCES) or len(set(value)) == 1
