"""The one table of markers by which a rule set fits a project.

Names say most of it. A file is read where its name is not enough: a manifest for what it depends on, `*.tf` for its
clouds, YAML for whether it is a cluster's.
"""

from __future__ import annotations

import re
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ANYWHERE = "recommended"
"""The rule set that fits any project."""


class Marker(NamedTuple):
    """Files by which a rule set fits.

    `files` are globs without regard to case: of a file's name, with a `/` of the last parts of its path. `holding` is a
    regex that their text has to hold, `lacking` one that it must not; the group `name` is what the message to a person
    names.
    """

    pack: str
    files: tuple[str, ...]
    holding: str = ""
    lacking: str = ""

    @property
    def reads(self) -> bool:
        """True if the content of the file decides as well."""
        return bool(self.holding or self.lacking)


# Dependencies of a project, by the library's name.
_LIBRARIES = {
    "databases": (
        *("prisma", "@prisma/client", "typeorm", "sequelize", "knex", "drizzle-orm", "drizzle-kit", "mikro-orm"),
        *("@mikro-orm/core", "mongoose", "mongodb", "pg", "postgres", "mysql", "mysql2", "redis", "ioredis"),
        *("kafkajs", "amqplib", "better-sqlite3", "@supabase/supabase-js", "@elastic/elasticsearch"),
        *("django", "sqlalchemy", "sqlmodel", "alembic", "tortoise-orm", "peewee", "psycopg", "psycopg2"),
        *("psycopg2-binary", "asyncpg", "pymongo", "pymysql", "mysqlclient", "mysql-connector-python"),
        *("elasticsearch", "opensearch-py", "kafka-python", "confluent-kafka", "pika", "celery"),
        *("rails", "activerecord", "sequel", "sidekiq", "mysql2", "mongoid"),
        *("gorm.io/gorm", "github.com/jackc/pgx", "github.com/lib/pq", "github.com/go-sql-driver/mysql"),
        *("github.com/jmoiron/sqlx", "entgo.io/ent", "go.mongodb.org/mongo-driver", "github.com/redis/go-redis"),
        *("sqlx", "diesel", "sea-orm", "tokio-postgres", "rusqlite", "ecto_sql", "postgrex"),
        *("doctrine/orm", "laravel/framework", "illuminate/database"),
        *("flyway-core", "liquibase-core", "hibernate-core", "spring-boot-starter-data-jpa", "postgresql"),
    ),
    "cloud-aws": (
        *("aws-cdk", "aws-cdk-lib", "aws-sdk", "@aws-sdk/*", "@aws-amplify/*", "aws-amplify", "serverless", "sst"),
        *("boto3", "aioboto3", "chalice", "zappa", "github.com/aws/aws-sdk-go", "github.com/aws/aws-sdk-go-v2"),
        *("aws-config", "aws-sdk-*", "software.amazon.awssdk", "aws/aws-sdk-php"),
    ),
    "cloud-azure": (
        *("@azure/*", "azure-identity", "azure-mgmt-*", "azure-storage-*", "azure-functions", "azure_core"),
        *("github.com/azure/azure-sdk-for-go", "com.azure"),
    ),
    "cloud-gcp": (
        *("firebase-tools", "firebase-admin", "firebase-functions", "@google-cloud/*", "google-cloud-*"),
        *("cloud.google.com/go", "firebase.google.com/go", "com.google.cloud"),
    ),
    "kubernetes": (
        *("@kubernetes/client-node", "cdk8s", "kubernetes", "kopf", "k8s.io/client-go", "kube"),
        *("sigs.k8s.io/controller-runtime",),
    ),
    "terraform": ("cdktf", "@pulumi/*", "pulumi", "github.com/pulumi/pulumi"),
}
_MANIFESTS = (
    *("pyproject.toml", "requirements*.txt", "pipfile", "setup.py", "setup.cfg", "gemfile"),
    *("go.mod", "cargo.toml", "mix.exs", "composer.json", "pom.xml", "build.gradle", "build.gradle.kts"),
)


def _named(libraries: tuple[str, ...]) -> str:
    return "|".join(re.escape(name).replace(r"\*", r"[\w.-]+") for name in dict.fromkeys(libraries))


def _depending() -> Iterator[Marker]:
    """Yield the markers of a project's dependencies: a key of package.json, elsewhere a word outside of comments."""
    for pack, libraries in _LIBRARIES.items():
        yield Marker(pack, ("package.json",), rf'"(?P<name>{_named(libraries)})"\s*:\s*"')
        yield Marker(pack, _MANIFESTS, rf"^[^#\n]*(?<![\w.@/-])(?P<name>{_named(libraries)})(?![\w-])")


_OF_CLUSTERS = ("k8s", "kubernetes", "manifests", "deploy", "deployment", "deployments", "base", "overlays/*")
"""Directories in which YAML may be for a cluster."""

MARKERS: tuple[Marker, ...] = (
    Marker("terraform", ("*.tf", "*.tf.json", "*.tofu", "terragrunt.hcl", "*.pkr.hcl", "pulumi.yaml", "cdktf.json")),
    Marker("terraform", ("vagrantfile", "ansible.cfg")),
    Marker(
        "kubernetes", ("chart.yaml", "kustomization.y*ml", "helmfile.y*ml", "skaffold.yaml", "tiltfile", "werf.yaml")
    ),
    Marker("kubernetes", tuple(f"{directory}/*.y*ml" for directory in _OF_CLUSTERS), r"^apiVersion:\s"),
    Marker("containers", ("compose.y*ml", "compose.*.y*ml", "docker-compose*.y*ml", "docker-bake.hcl")),
    Marker(
        "containers", ("dockerfile", "dockerfile.*", "*.dockerfile", "containerfile", ".devcontainer/devcontainer.json")
    ),
    Marker("databases", ("*.prisma", "alembic.ini", "drizzle.config.*", "knexfile.*", "ormconfig.*", ".sequelizerc")),
    Marker(
        "databases",
        ("liquibase.properties", "flyway.conf", "flyway.toml", "diesel.toml", "sqlc.y*ml", "dbt_project.yml"),
    ),
    Marker(
        "databases", ("supabase/config.toml", "db/schema.rb", "db/structure.sql", "schema.sql", "manage.py", "artisan")
    ),
    Marker(
        "databases",
        ("migrations/*.sql", "migrations/*/*.sql", "migrate/*.rb", "migrations/*.py", "*.sqlite", "*.sqlite3"),
    ),
    Marker(
        "ci-cd", ("workflows/*.y*ml", ".gitlab-ci.yml", "jenkinsfile", "azure-pipelines.yml", ".circleci/config.yml")
    ),
    Marker("ci-cd", (".buildkite/*.y*ml", "bitbucket-pipelines.yml", ".travis.yml", ".drone.yml", "*.nomad.hcl")),
    Marker(
        "ci-cd", ("vercel.json", "netlify.toml", "fly.toml", "render.yaml", "railway.json", "railway.toml", "procfile")
    ),
    Marker("ci-cd", ("wrangler.toml", "wrangler.json", "wrangler.jsonc", "config/deploy.yml")),
    Marker(
        "cloud-aws", ("cdk.json", "samconfig.toml", "serverless.y*ml", "serverless.ts", "buildspec.yml", "appspec.yml")
    ),
    Marker("cloud-aws", ("sst.config.*", "amplify.yml", ".ebextensions/*.config")),
    Marker("cloud-aws", ("template.y*ml", "template.json"), r"\bAWS::\w"),
    Marker("cloud-azure", ("*.bicep", "azure.yaml", "azuredeploy.json", "staticwebapp.config.json")),
    Marker("cloud-gcp", ("firebase.json", ".firebaserc", "cloudbuild.y*ml", ".gcloudignore")),
    Marker("cloud-gcp", ("app.yaml",), r"^runtime:\s"),
    *(
        Marker(pack, ("*.tf", ".terraform.lock.hcl"), rf'"(?:[\w./-]*/)?{provider}(?:"|_)')
        for pack, provider in (("cloud-aws", "aws"), ("cloud-azure", "azurerm"), ("cloud-gcp", "google"))
    ),
    Marker("package-publish", ("*.gemspec", "*.nuspec", ".goreleaser.y*ml", ".changeset/config.json")),
    Marker("package-publish", ("setup.py",), r"\b(?:setuptools|distutils)\b"),
    Marker("package-publish", ("package.json",), r'"version"\s*:', r'"private"\s*:\s*true'),
    Marker("package-publish", ("pyproject.toml",), r"^\[build-system\]", r"Private :: Do Not Upload"),
    Marker("package-publish", ("cargo.toml",), r"^\[package\]", r"^publish\s*=\s*(?:false|\[\s*\])"),
    Marker("package-publish", ("pubspec.yaml",), r"^version:", r"^publish_to:\s*['\"]?none"),
    Marker("package-publish", ("pom.xml",), r"<distributionManagement>"),
    Marker("package-publish", ("build.gradle", "build.gradle.kts"), r"\bmaven-publish\b"),
    Marker("secrets", (".env", ".env.local", ".env.*.local", ".env.prod*", ".env.stag*", ".env.dev*", ".sops.yaml")),
    Marker(
        "secrets",
        (
            "privkey.pem",
            "private*.pem",
            "*-key.pem",
            "*.p12",
            "*.pfx",
            "*.jks",
            "id_rsa",
            "id_ed25519",
            "*.tfvars",
            "credentials.json",
        ),
    ),
    *_depending(),
)
"""The markers in the order of messages: those of names first."""
