// Plays Amp for one plugin: loads it, calls its handlers with what a scenario says, tells what came of it.
//
// usage: node driver_amp.mjs PLUGIN < scenario.json > played.json
//   scenario: {"directory": path, "steps": [step, ...], "answers"?: true | false | "throws": what the person says}
//   step:     {"on": event, "event": its fields}, or {"together": [step, ...]} for calls in parallel
//   played:   {"results": [{"returned", "error"?: message}, ...], "asked": [options, ...], "logged": [text, ...]}
import { readFileSync, writeSync } from "node:fs"
import { pathToFileURL } from "node:url"

const scenario = JSON.parse(readFileSync(0, "utf8"))
const handlers = {}
const asked = []
const logged = []
const disposed = []
const amp = {
  on: (name, handler) => void (handlers[name] = handler),
  onDispose: (callback) => void disposed.push(callback),
  logger: { log: (text) => void logged.push(text) },
  system: { workspaceRoot: { fsPath: scenario.directory }, executor: { kind: "local" } },
  helpers: { filePathFromURI: (uri) => uri.fsPath },
}
const ctx = {
  ui: {
    confirm: async (options) => {
      asked.push(options)
      if (scenario.answers === "throws") throw new Error("no dialog here")
      return scenario.answers
    },
  },
}
const module = await import(pathToFileURL(process.argv[2]).href)
await module.default(amp)

async function play({ on, event }) {
  try {
    return { returned: await handlers[on]({ thread: { id: "T-1" }, ...event }, ctx) }
  } catch (thrown) {
    return { error: thrown.message }
  }
}

const results = []
for (const step of scenario.steps) {
  if (step.together) results.push(...(await Promise.all(step.together.map(play))))
  else results.push(await play(step))
}
for (const callback of disposed) await callback()
writeSync(1, JSON.stringify({ results, asked, logged }))
process.exit(0)
