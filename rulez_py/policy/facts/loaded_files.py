"""Files that programs load by themselves, by name (`python -m dev.runners` writes this module).

Each line is a language and names of `loads` in programs' entries: `NAME` or `*ENDING`. The language is one of code,
`xml`, or `any`: it is unknown what runs of it. A name may be in several lines.
"""

from __future__ import annotations

LOADED = """
any *.bzl *.cmake *.gradle *.gradle.kts *.just *.rsp *.tf .bacon.toml .bazelrc .cargo/config
any .cargo/config.toml .dir-locals.el .exrc .ghci .gitlab-ci.yml .gitmodules .justfile .lefthook.yml
any .lintstagedrc .lintstagedrc.json .lintstagedrc.yaml .lldbinit .mise.toml .npmrc .overcommit.yml
any .pdm.toml .pnpmfile.cjs .pre-commit-config.yaml .vimrc .yarnrc .yarnrc.yml BUILD BUILD.bazel
any CMakeLists.txt CMakePresets.json Cargo.toml Earthfile Justfile Makefile.toml Procfile Procfile.dev
any SConscript SConstruct Taskfile.dist.yaml Taskfile.dist.yml Taskfile.yaml Taskfile.yml Tiltfile
any WORKSPACE bacon.toml build.ninja build.py build.rs build.zig composer.json default.nix deno.json
any deno.jsonc devbox.json devspace.yaml flake.nix gradle.properties hatch.toml justfile jvm.config
any lefthook.yaml lefthook.yml lint-staged.config.js meson.build mise.toml nodemon.json nx.json
any package.json pdm.toml pixi.toml poe_tasks.toml project.json pyproject.toml setup.cfg shell.nix
any skaffold.yaml taskfile.yaml taskfile.yml tox.ini tox.toml wscript
compose compose.override.yaml compose.yaml compose.yml docker-compose.override.yml docker-compose.yaml
compose docker-compose.yml
javascript *.config.cjs *.config.js *.config.mjs *.config.ts *rc.js .eslintrc.cjs .eslintrc.js .eslintrc.mjs
javascript .mocharc.js .prettierrc.cjs .prettierrc.js .prettierrc.mjs Gruntfile.js eslint.config.cjs
javascript eslint.config.js eslint.config.mjs eslint.config.ts gruntfile.js gulpfile.cjs gulpfile.js
javascript gulpfile.mjs prettier.config.js prettier.config.mjs
lua .nvim.lua
python SConscript SConstruct Sconstruct Snakefile conf.py conftest.py dodo.py duties.py environment.py
python fabfile.py hatch_build.py locustfile.py noxfile.py setup.py sitecustomize.py tasks.py
python usercustomize.py wscript
r .Rprofile _targets.R
ruby *.gemspec *.rake *.thor .irbrc .pryrc Appfile Capfile Fastfile Gemfile Guardfile Podfile Rakefile
ruby Rakefile.rb Thorfile Vagrantfile rakefile
xml *.csproj *.fsproj *.proj *.props *.targets *.vbproj *.vcxproj Directory.Build.props
xml Directory.Build.targets build.xml extensions.xml pom.xml
"""
