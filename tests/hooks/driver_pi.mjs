// Plays Pi for one extension: loads it, calls its handlers with what a scenario says, tells what came of it.
//
// usage: node driver_pi.mjs EXTENSION < scenario.json > played.json
//   scenario: {"directory": path, "steps": [step, ...], "hasUI"?: whether Pi has a dialog, "answers"?: true | false |
//             "throws": what the person says in it, "end"?: "leave" (no `session_shutdown`)}
//   step:     {"on": event's type, "event": its other fields}, or {"together": [step, ...]} for calls in parallel
//   played:   {"results": [{"returned", "event", "error"?: message}, ...], "asked": [[title, message], ...],
//             "told": [text, ...], "sent": [[message, options], ...]}
// `session_shutdown` is called and awaited at the end, as Pi does.
import { readFileSync, writeSync } from "node:fs"
import { pathToFileURL } from "node:url"

const scenario = JSON.parse(readFileSync(0, "utf8"))
const handlers = {}
const asked = []
const told = []
const sent = []
const pi = {
  on: (type, handler) => void (handlers[type] = handler),
  sendMessage: (message, options) => void sent.push([message, options]),
}
const ctx = {
  cwd: scenario.directory,
  mode: scenario.hasUI ? "tui" : "print",
  hasUI: scenario.hasUI ?? false,
  sessionManager: { getSessionId: () => "ses_1" },
  ui: {
    confirm: async (title, message) => {
      asked.push([title, message])
      if (scenario.answers === "throws") throw new Error("the dialog is gone")
      return scenario.answers
    },
    notify: (text) => void told.push(text),
  },
}
const module = await import(pathToFileURL(process.argv[2]).href)
await module.default(pi)

async function play({ on, event }) {
  const given = { type: on, ...event }
  try {
    const returned = await handlers[on](given, ctx)
    return { returned, event: given }
  } catch (thrown) {
    return { event: given, error: thrown.message }
  }
}

const results = []
for (const step of scenario.steps) {
  if (step.together) results.push(...(await Promise.all(step.together.map(play))))
  else results.push(await play(step))
}
if (!scenario.end) await play({ on: "session_shutdown", event: { reason: "quit" } })
writeSync(1, JSON.stringify({ results, asked, told, sent }))
if (!scenario.end) process.exit(0) // whatever `session_shutdown` did not wait for is lost
