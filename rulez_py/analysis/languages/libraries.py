"""Calls of libraries that are commands of a program: drivers of databases, SDKs of clouds, git without git.

What a library is and which command its calls are is data: `DRIVERS`, `GIT`, `COMMANDS`. Everything here is asked only
about a call that has no entry, and says None at once where its name belongs to none of these libraries.
"""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import Call, Made, Ref, Table, items, known, text_of, truthy
from rulez_py.analysis.languages.parts import method_of_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk

DRIVERS = {
    **dict.fromkeys(("psycopg2.connect", "psycopg.connect", "psycopg.Connection.connect", "pg8000.connect"), "psql"),
    **dict.fromkeys(("asyncpg.connect", "asyncpg.create_pool", "PG.connect", "PG.Connection.new", "PG.new"), "psql"),
    **dict.fromkeys(("pg.Client", "pg.Pool", "pg-promise", "postgres", "pg_connect"), "psql"),
    **dict.fromkeys(
        ("pymysql.connect", "MySQLdb.connect", "mysql.connector.connect", "mysqli", "mysqli_connect"), "mysql"
    ),
    **dict.fromkeys(("Mysql2.Client.new", "mysql.createConnection", "mysql.createPool"), "mysql"),
    **dict.fromkeys(("mysql2.createConnection", "mysql2.createPool", "mysql2/promise.createConnection"), "mysql"),
    **dict.fromkeys(("sqlite3.connect", "aiosqlite.connect", "better-sqlite3", "SQLite3.Database.new"), "sqlite3"),
    **dict.fromkeys(
        ("sqlite3.Database", "node:sqlite.DatabaseSync", "sqlite.DatabaseSync", "bun:sqlite.Database"), "sqlite3"
    ),
    **dict.fromkeys(
        ("sqlalchemy.create_engine", "records.Database", "knex", "pdo", "DBI.connect", "Sequel.connect"), ""
    ),
    **dict.fromkeys(("pyodbc.connect", "pypyodbc.connect", "pymssql.connect", "oracledb.connect"), ""),
    **dict.fromkeys(("cx_Oracle.connect", "snowflake.connector.connect", "redshift_connector.connect"), ""),
    **dict.fromkeys(("clickhouse_driver.Client", "clickhouse_connect.get_client", "trino.dbapi.connect"), ""),
    **dict.fromkeys(("psycopg_pool.ConnectionPool", "psycopg2.pool.SimpleConnectionPool", "databases.Database"), ""),
    **dict.fromkeys(("sqlmodel.create_engine", "sqlalchemy.ext.asyncio.create_async_engine"), ""),
    **dict.fromkeys(("cassandra.cluster.Cluster", "flask_sqlalchemy.SQLAlchemy", "peewee.PostgresqlDatabase"), ""),
    **dict.fromkeys(("peewee.MySQLDatabase", "aiomysql.connect", "aiomysql.create_pool", "mariadb.connect"), "mysql"),
    **dict.fromkeys(("@prisma/client.PrismaClient", "typeorm.DataSource", "mssql", "@clickhouse/client"), ""),
    **dict.fromkeys(("Trilogy.new", "mariadb.createPool", "mariadb.createConnection", "mysqljs/mysql"), "mysql"),
    **dict.fromkeys(("drizzle-orm", "slonik.createPool", "@vercel/postgres", "@neondatabase/serverless"), ""),
    **dict.fromkeys(("ActiveRecord.Base", "django.db.connection", "db", "sequelize.Sequelize"), ""),
}
"""What opens a database -> the client whose command its calls are; "" where the address tells it, else psql."""
FACADES = {"db": "php"}
"""Names that mean a library in one language alone (Laravel's `DB`)."""
SQL = frozenset(
    (
        *("execute", "executescript", "executemany", "exec", "query", "raw", "statement", "unprepared", "do"),
        *("prepare", "exec_driver_sql", "exec_query", "exec_params", "async_exec", "execute_batch", "fetch", "run"),
        *("execute_sql", "command", "fetchval", "$executeRaw", "$executeRawUnsafe", "$queryRaw", "$queryRawUnsafe"),
        *("exec_query", "unsafe", "select_all", "request"),
        *("mogrify", "query_single", "exec_update", "exec_delete", "multi_query", "real_query", "fetchrow"),
    )
)
"""Methods that are given SQL."""
GIT = {
    **dict.fromkeys(("dulwich.porcelain.push", "dulwich.porcelain.clean", "dulwich.porcelain.reset"), ""),
    **dict.fromkeys(("dulwich.porcelain.branch_delete", "dulwich.porcelain.tag_delete"), ""),
    **dict.fromkeys(
        ("pygit2.Repository", "pygit2.discover_repository", "Git.open", "Git.init", "Rugged.Repository.new"), "made"
    ),
}
"""Functions that are commands of git, and what makes a repository with such methods ("made")."""
COMMANDS = {
    "push": ("push",),
    "reset": ("reset",),
    "reset_hard": ("reset", "--hard"),
    "clean": ("clean",),
    "branch_delete": ("branch", "-D"),
    "tag_delete": ("tag", "-d"),
    "delete_tag": ("tag", "-d"),
}
CLIENTS = ("boto3.client", "boto3.Session.client", "boto3.session.Session.client")
RESOURCES = ("boto3.resource", "boto3.Session.resource", "boto3.session.Session.resource")
SESSIONS = ("boto3.Session", "boto3.session.Session")
READING = ("get_", "list_", "describe_", "head_", "can_", "generate_", "close")
"""Operations of a cloud that change nothing, by how they begin."""
SDK = "@aws-sdk/client-"
CLASSES = ("aws-sdk.", "Aws.")
"""SDKs with a class for each service: `new AWS.S3().deleteBucket(...)`, `Aws::S3::Client.new.delete_bucket(...)`."""
_ROOTS = frozenset(
    (
        *(name.partition(".")[0] for name in (*DRIVERS, *GIT, *CLIENTS)),
        *(name.rstrip(".") for name in CLASSES),
        *("mysqli_query", "pg_query", "@aws-sdk/client-s3"),
    )
)


def library(walk: Walk, call: Call, function: Ref) -> Abstract:
    """Return what a call of such a library is worth; None where it is none."""
    part = method_of_part(walk, call, function)
    given = _listed(walk, call, function)
    return part if given is None else given


def _listed(walk: Walk, call: Call, function: Ref) -> Abstract:
    name = function.name
    if name.partition(".")[0] not in _ROOTS and not name.startswith(SDK):
        return None
    if name.startswith(SDK):
        return _command_of_sdk(walk, name[len(SDK) :], call)
    if name.startswith(CLASSES):
        return _of_class(walk, name, call)
    if name in ("mysqli_query", "pg_query"):
        return _sql(walk, "mysql" if name == "mysqli_query" else "psql", Call(call.arguments[-1:], {}), None)
    if name.startswith("boto3."):
        return _boto(walk, name, call, function.on)
    if name in DRIVERS or GIT.get(name):
        return Made(name, call)
    if name in GIT:
        return _git(walk, name, name, call, None)
    if (owner := _owner(name, GIT)) is not None:
        return _git(walk, owner, name, call, function.on)
    if (owner := _owner(name, DRIVERS)) is None or (owner in FACADES and walk.language != FACADES[owner]):
        return None
    return _driven(walk, owner, name, call, function.on)


def _owner(name: str, opened: dict[str, str]) -> str | None:
    """Return the function whose result, or the part of it, has this method."""
    parts = name.split(".")
    for size in range(len(parts) - 1, 0, -1):
        if (owner := ".".join(parts[:size])) in opened:
            return owner
    return None


def _driven(walk: Walk, owner: str, name: str, call: Call, on: Abstract) -> Abstract:
    if name.rpartition(".")[2] in SQL and call.arguments:
        _sql(walk, DRIVERS[owner], call, on)
    return Made(owner, on.call if isinstance(on, Made) else Call([], {}))


def _sql(walk: Walk, client: str, call: Call, on: Abstract) -> Abstract:
    """SQL as the command of the client that would run it."""
    made = on.call if isinstance(on, Made) else Call([], {})
    tables = [one for one in made.arguments if isinstance(one, Table)]
    named = {key: value for table in tables for key, value in table.items.items()} | made.keywords
    address = text_of(made.arguments[0]) if made.arguments and not tables else text_of(named.get("connectionString"))
    kind = (address.text + text_of(named.get("client")).text).lower()
    client = client or ("sqlite3" if "sqlite" in kind else "mysql" if "mysql" in kind else "psql")
    sql = text_of(call.arguments[0])
    if not sql.known:
        return None
    if client == "sqlite3":
        connection = named.get("connection")
        inside = connection.items if isinstance(connection, Table) else {}
        file = named.get("filename", named.get("storage", inside.get("filename")))
        address = text_of(file) if file is not None else address
        path = address.text.rpartition("///")[2].rpartition("dbname=")[2]
        words = [known("sqlite3"), address.replace(text=path), sql]
    else:
        host = named.get("host", named.get("hostname"))
        where = [known("-h"), text_of(host)] if host is not None else []
        where += [address] if "://" in address.text else []
        words = [known(client), *where, known("-c" if client == "psql" else "-e"), sql]
    walk.effects.words(tuple(words))
    return None


def _git(walk: Walk, owner: str, name: str, call: Call, on: Abstract) -> Abstract:
    """`porcelain.push(repo, force=True)`, `repository.reset(id, GIT_RESET_HARD)`."""
    command = COMMANDS.get(name.rpartition(".")[2])
    if command is None:
        return Made(owner, on.call if isinstance(on, Made) else Call([], {}))
    # Of a function of dulwich the first argument is the repository.
    given = [one for one in items(tuple(call.arguments[int(owner == name) :])) if not isinstance(one, Table)]
    hard = any(_says(one, "hard") for one in (*given, *call.keywords.values()))
    words = [known("git"), *(known(word) for word in command)]
    words += [known("--force")] if truthy(call.keywords.get("force")) else []
    words += [known("--hard")] if hard and "--hard" not in command else []
    words += [text_of(one) for one in given if command[0] != "reset"]
    walk.effects.words(tuple(words))
    return text_of(None)


def _says(value: Abstract, word: str) -> bool:
    text = value.name if isinstance(value, Ref) else text_of(value).text
    return text.lower().endswith(word)


def _boto(walk: Walk, name: str, call: Call, on: Abstract) -> Abstract:
    """`boto3.client("s3").delete_bucket(Bucket="b")`, `boto3.resource("s3").Bucket("b").delete()`."""
    last = name.rpartition(".")[2]
    service = text_of(on).text if isinstance(on, Made) else ""
    if name in (*CLIENTS, *RESOURCES, *SESSIONS):
        return Made(name, call)
    if name.startswith(tuple(client + "." for client in CLIENTS)):
        if not last.startswith(READING):
            _aws(walk, service, last.replace("_", "-"), call.keywords)
        return text_of(None)
    if not isinstance(on, Made) or not name.startswith(tuple(one + "." for one in RESOURCES)):
        return None
    if last == "delete":
        _delete_resource(walk, name, service, on)
        return text_of(None)
    return Made(name, Call([*on.call.arguments, *call.arguments], {}))


def _delete_resource(walk: Walk, name: str, service: str, made: Made) -> None:
    """A thing of a cloud is deleted by its method."""
    named = [text_of(one) for one in made.call.arguments[1:]] or [text_of(None)]
    if service == "s3" and (".objects." in name or ".object_versions." in name):
        bucket = named[0].replace(text="s3://" + named[0].text)
        walk.effects.words((known("aws"), known("s3"), known("rm"), bucket, known("--recursive")))
        return
    kind = _dashed(name.split(".")[-2])
    _aws(walk, service, f"delete-{kind}", {kind if service == "s3" else f"{kind}-name": named[-1]})


def _command_of_sdk(walk: Walk, name: str, call: Call) -> Abstract:
    """`new DeleteBucketCommand({Bucket: "b"})`."""
    service, _, made = name.partition(".")
    if not made.endswith("Command") or (operation := _dashed(made.removesuffix("Command"))).startswith(
        ("get-", "list-")
    ):
        return None
    _aws(walk, service, operation, call.keywords)
    return text_of(None)


def _of_class(walk: Walk, name: str, call: Call) -> Abstract:
    """Follow `new AWS.S3().deleteBucket({Bucket: "b"})`, `Aws::S3::Client.new.delete_bucket(bucket: "b")`."""
    _, service, *methods = name.split(".")
    last = methods[-1] if methods else ""
    if last in ("", "new"):
        return Made(name, call)
    if name.startswith("Aws.") and methods[0] != "Client":
        return None
    if service[:1].isupper() and not last.startswith((*READING, "get", "list", "describe")):
        _aws(walk, service.lower(), _dashed(last), call.keywords)
    return text_of(None)


def _aws(walk: Walk, service: str, operation: str, given: dict[str, Abstract]) -> None:
    words: list[Abstract] = [known("aws"), known("s3api" if service == "s3" else service), known(operation)]
    for key, value in given.items():
        words.append(known("--" + _dashed(key)))
        words += [] if isinstance(value, (Ref, Table)) else [text_of(one) for one in items(value)]
    walk.effects.words(tuple(words))


def _dashed(name: str) -> str:
    """`DBInstanceIdentifier` as `db-instance-identifier`."""
    text = ""
    for at, character in enumerate(name):
        after = name[at + 1 : at + 2]
        if character.isupper() and at and (name[at - 1].islower() or (name[at - 1].isupper() and after.islower())):
            text += "-"
        text += character.lower()
    return text.replace("_", "-")
