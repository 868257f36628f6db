// Plays OpenCode for one plugin: loads it, calls its hooks with what a scenario says, tells what came of it.
//
// usage: node driver.mjs PLUGIN < scenario.json > played.json
//   scenario: {"directory": path, "steps": [step, ...], "logged"?: entries of the log to wait for before the steps,
//             "end"?: "leave" (no `dispose`, no exit: node ends when nothing is left to do) or "killed"}
//   step:     {"hook": name, "input": ..., "output": ...}, {"together": [step, ...]} for calls in parallel, or
//             {"write": path, "text": ...}, which has no result
//   played:   {"exports": {name: type}, "results": [{"output": ..., "error"?: message}, ...], "log": [message, ...]}
// Results stand in the order of the steps. `dispose` is called and awaited at the end, as OpenCode does.
import { readFileSync, writeFileSync, writeSync } from "node:fs"
import { pathToFileURL } from "node:url"

const scenario = JSON.parse(readFileSync(0, "utf8"))
const module = await import(pathToFileURL(process.argv[2]).href)
const log = []
const client = { app: { log: async ({ body }) => void log.push(body.message) } }
const context = { directory: scenario.directory, worktree: scenario.directory, client }
const hooks = await Object.values(module)[0](context)

async function play({ hook, input, output }) {
  // OpenCode goes on with the objects it handed out: one put in their place is ignored.
  const handedOut = Object.entries(output ?? {}).filter(([, value]) => typeof value === "object")
  let error
  try {
    await hooks[hook](input, output)
  } catch (thrown) {
    error = thrown.message
  }
  return { output: output && { ...output, ...Object.fromEntries(handedOut) }, error }
}

while (log.length < (scenario.logged ?? 0)) await new Promise((resolve) => setTimeout(resolve, 5))

const results = []
for (const step of scenario.steps) {
  if (step.write) writeFileSync(step.write, step.text)
  else if (step.together) results.push(...(await Promise.all(step.together.map(play))))
  else results.push(await play(step))
}
if (!scenario.end) await hooks.dispose()

const exports = Object.fromEntries(Object.entries(module).map(([name, value]) => [name, typeof value]))
writeSync(1, JSON.stringify({ exports, results, log }))
if (scenario.end === "killed") process.kill(process.pid, "SIGKILL")
if (!scenario.end) process.exit(0) // whatever `dispose` did not wait for is lost, as in OpenCode
