"""What in a project says which rule set fits it."""

from __future__ import annotations

import pytest

from rulez_py.policy import packs
from rulez_py.suggest.markers import ANYWHERE, MARKERS
from rulez_py.suggest.suggest import MOST_REASONS, Suggestion, listed, suggestions, to_be_read, without

WITHOUT_SIGNS = {
    "essentials": "they hold anyway",
    "production": "of `essentials`",
    "self-protection": "it holds anyway",
    "recommended": "it fits any project",
    "filesystem": "of `recommended`",
    "git": "of `recommended`",
    "network-exec": "of `recommended`",
    "system": "of `recommended`",
    "secrets-in-code": "it is about what an agent writes, not about what is in a project",
    "secrets-in-results": "it is about what tools give back, not about what is in a project",
    "trifecta": "it is about what an agent reads, not about what is in a project",
    "privilege": "it is about the machine, not about what is in a project",
}
BOTO = "[project]\nname = 'x'\ndependencies = [\n  'boto3>=1',\n]\n"
MANIFEST = "apiVersion: apps/v1\nkind: Deployment\n"

FITS = [
    # By their names.
    ("main.tf", "", ["terraform"]),
    ("infra/envs/prod/main.tf", "", ["terraform"]),
    ("Pulumi.yaml", "", ["terraform"]),
    ("Vagrantfile", "", ["terraform"]),
    ("chart/Chart.yaml", "", ["kubernetes"]),
    ("overlays/prod/kustomization.yml", "", ["kubernetes"]),
    ("Dockerfile", "", ["containers"]),
    ("api/Dockerfile.prod", "", ["containers"]),
    ("compose.yml", "", ["containers"]),
    ("docker-compose.override.yaml", "", ["containers"]),
    ("prisma/schema.prisma", "", ["databases"]),
    ("alembic.ini", "", ["databases"]),
    ("db/schema.rb", "", ["databases"]),
    ("shop/migrations/0001_initial.py", "", ["databases"]),
    (".github/workflows/ci.yml", "", ["ci-cd"]),
    (".gitlab-ci.yml", "", ["ci-cd"]),
    ("Jenkinsfile", "", ["ci-cd"]),
    ("fly.toml", "", ["ci-cd"]),
    ("cdk.json", "", ["cloud-aws"]),
    ("infra/main.bicep", "", ["cloud-azure"]),
    ("firebase.json", "", ["cloud-gcp"]),
    (".goreleaser.yaml", "", ["package-publish"]),
    (".env", "", ["secrets"]),
    (".env.production", "", ["secrets"]),
    ("certs/server-key.pem", "", ["secrets"]),
    (".ebextensions/01_packages.config", "", ["cloud-aws"]),
    (".changeset/config.json", "", ["package-publish"]),
    # By what they say, too.
    ("main.tf", 'provider "aws" {}', ["terraform", "cloud-aws"]),
    ("main.tf", 'resource "azurerm_resource_group" "a" {}', ["terraform", "cloud-azure"]),
    (".terraform.lock.hcl", 'provider "registry.terraform.io/hashicorp/google" {', ["cloud-gcp"]),
    ("k8s/web.yaml", MANIFEST, ["kubernetes"]),
    ("deploy/web.yml", "---\n" + MANIFEST, ["kubernetes"]),
    ("template.yaml", "Resources:\n  A:\n    Type: AWS::S3::Bucket\n", ["cloud-aws"]),
    ("app.yaml", "runtime: python312\n", ["cloud-gcp"]),
    # By what they depend on.
    ("package.json", '{"private": true, "dependencies": {"@prisma/client": "^5"}}', ["databases"]),
    ("package.json", '{"private": true, "devDependencies": {"@aws-sdk/client-s3": "3"}}', ["cloud-aws"]),
    ("package.json", '{"private": true, "dependencies": {"@google-cloud/storage": "7"}}', ["cloud-gcp"]),
    ("pyproject.toml", BOTO, ["cloud-aws"]),
    ("requirements-dev.txt", "Django==5.1\n", ["databases"]),
    ("go.mod", "module x\n\nrequire (\n\tk8s.io/client-go v0.31.0\n)\n", ["kubernetes"]),
    ("go.mod", "require github.com/jackc/pgx/v5 v5.7.1\n", ["databases"]),
    ("Cargo.toml", '[workspace]\n[workspace.dependencies]\nsqlx = "0.8"\n', ["databases"]),
    ("Gemfile", 'gem "rails", "~> 8.0"\n', ["databases"]),
    # What others would install.
    ("package.json", '{"name": "x", "version": "1.0.0"}', ["package-publish"]),
    ("pyproject.toml", "[build-system]\nrequires = ['hatchling']\n", ["package-publish"]),
    ("setup.py", "from setuptools import setup\nsetup()\n", ["package-publish"]),
    ("Cargo.toml", '[package]\nname = "x"\n', ["package-publish"]),
]
NOT = [
    ("README.md", "terraform, kubernetes, boto3"),
    ("main.tf.md", ""),
    ("src/workflows.yml", ""),
    ("docs/config/app.yaml", "name: x\n"),
    (".env.example", ""),
    ("certs/ca-bundle.pem", ""),
    ("deploy/notes.yaml", "steps: [one]\n"),
    ("package.json", '{"name": "x", "private": true, "version": "1.0.0"}'),
    ("package.json", '{"private": true, "description": "pg, redis and boto3"}'),
    ("package.json", '{"private": true, "dependencies": {"pgbouncer-ui": "1", "my-redis": "1"}}'),
    ("pyproject.toml", "[tool.ruff]\nline-length = 120\n"),
    ("requirements.txt", "# was: boto3\nrich\npsycopg-pool-mock\n"),
    ("Cargo.toml", '[package]\nname = "x"\npublish = false\n'),
    ("tools/setup.py", "print('no package')\n"),
    ("go.mod", "module example.com/x\n\ngo 1.24\n"),
]


@pytest.mark.parametrize(("path", "text", "fitting"), FITS)
def test_a_file_says_which_sets_fit(path: str, text: str, fitting: list[str]) -> None:
    assert [one.pack for one in suggestions({path: text})] == fitting


@pytest.mark.parametrize(("path", "text"), NOT)
def test_what_only_looks_like_a_sign_is_none(path: str, text: str) -> None:
    assert suggestions({path: text}) == ()


@pytest.mark.parametrize("path", sorted({path for path, text, _ in FITS if text}))
def test_what_is_looked_for_in_a_text_is_read(path: str) -> None:
    assert list(to_be_read([path, "src/main.py", "compose.yaml"])) == [path]


def test_every_sign_is_of_a_set_that_is_there_and_every_set_has_one_or_a_reason() -> None:
    signed = {marker.pack for marker in MARKERS}
    assert (signed - set(packs.extendable()), signed & set(WITHOUT_SIGNS)) == (set(), set())
    assert set(packs.names()) - signed - set(WITHOUT_SIGNS) == set()
    assert ANYWHERE in packs.extendable()


def test_of_each_sign_the_first_file_is_told_and_of_each_set_the_first_signs() -> None:
    files = {"a.tf": 'provider "aws" {}', "b.tf": "", "cdk.json": "", "amplify.yml": "", "samconfig.toml": ""}
    files["pyproject.toml"] = BOTO
    assert suggestions(files) == (
        Suggestion("terraform", ("a.tf",)),
        Suggestion("cloud-aws", ("cdk.json", "amplify.yml", "a.tf")),
    )
    assert MOST_REASONS == 3
    assert suggestions({"pyproject.toml": BOTO}) == (Suggestion("cloud-aws", ("pyproject.toml: boto3",)),)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("x\n  - builtin:git\n.tf", r"x\n  - builtin:git\n.tf"),
        ("\x1b[31m.tf", r"\x1b[31m.tf"),
        ("\udcff.tf", r"\udcff.tf"),
        ("a" * 200 + ".tf", "..." + "a" * 54 + ".tf"),
    ],
)
def test_a_name_is_one_short_line_whatever_it_is(path: str, shown: str) -> None:
    assert suggestions({path: ""})[0].why == (shown,)


def test_what_is_held_is_not_suggested() -> None:
    found = suggestions({"main.tf": "", "Dockerfile": ""})
    rules = ({"source": "builtin:terraform:12"}, {"source": ".rulez/rules.yaml:3"})
    assert [one.pack for one in without(found, rules)] == ["containers"]  # type: ignore[arg-type]
    assert [one.line for one in without(found, ())] == ["- builtin:terraform", "- builtin:containers"]
    assert listed(found) == "terraform (main.tf), containers (Dockerfile)"
