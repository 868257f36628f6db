// A stand-in for VS Code around the hook runtime of its own Copilot extension, as published.
//
//     node vscode_runtime.cjs EXTENSION.js PROJECT HOOK_FILE... < REQUESTS
//
// VS Code's agent needs a window and a sign-in. Its hooks do not: the class that starts a hook's command, the one that
// builds the payload and merges the answers, and the function that carries them out run here as published. What is ours
// is the reading of the hook files, as src/vs/workbench/contrib/chat/common/promptSyntax/hookSchema.ts does it, and what
// the tool loop does with the result.
//
// A request is a line of JSON, {event, tool, given}: `tool` has `PreToolUse` called with what is `given` as its input,
// else `event` with what is `given` besides. So is each answer.
"use strict"
const fs = require("node:fs")
const Module = require("node:module")
const path = require("node:path")
const readline = require("node:readline")

const [bundle, project, ...files] = process.argv.slice(2)

// --- The three pieces, found by what does not change when the bundle is made anew: the names of fields. ---

let text = fs.readFileSync(bundle, "utf8")
const NAME = "([A-Za-z_$][\\w$]*)"
function only(pattern, what) {
  const found = [...text.matchAll(new RegExp(NAME + pattern, "g"))]
  if (found.length !== 1) throw new Error(`${found.length} times in this version: ${what}`)
  return found[0][1]
}
const executor = only(
  "=class\\{constructor\\(\\w+,\\w+\\)\\{this\\._logService=\\w+;this\\._outputChannel=\\w+\\}async executeCommand\\(",
  "the class that starts a command",
)
const service = only(
  "=class\\{constructor\\([\\w,]+\\)\\{this\\._sessionTranscriptService=\\w+;this\\._logService=\\w+;this\\._hookExecutor=",
  "the class that merges the answers",
)
const carriesOut = only(
  "\\(\\w+\\)\\{let\\{hookType:\\w+,results:\\w+,outputStream:\\w+,logService:",
  "the function that carries an answer out",
)
text += `\n;module.exports = { Executor: ${executor}, Service: ${service}, carryOut: ${carriesOut} };`

// --- In the place of `vscode`, and of what this Node or this installation lacks: something that answers everything. ---

const answering = (above) => ({
  get: (target, key) => {
    if (key === Symbol.toPrimitive) return () => ""
    if (key === "prototype") return target.prototype
    return key === "then" || typeof key === "symbol" ? undefined : anything
  },
  apply: () => anything,
  construct: () => ({}),
  has: () => true,
  getPrototypeOf: above,
})
const above = new Proxy(function () {}, answering(() => null))
const anything = new Proxy(function () {}, answering(() => above))

const module_ = new Module(bundle)
module_.filename = bundle
module_.paths = Module._nodeModulePaths(path.dirname(bundle))
const require_ = module_.require.bind(module_)
module_.require = (name) => {
  if (name === "vscode") return anything
  try {
    return require_(name)
  } catch (error) {
    if (["MODULE_NOT_FOUND", "ERR_UNKNOWN_BUILTIN_MODULE"].includes(error.code)) return anything
    throw error
  }
}
module_._compile(text, bundle)
const { Executor, Service, carryOut } = module_.exports

// The extension host goes on where a hook has ended before it was given its input.
process.on("uncaughtException", (error) => {
  if (error.code !== "EPIPE") throw error
})

// --- The hooks of the files. ---

const EVENTS = { preToolUse: "PreToolUse", postToolUse: "PostToolUse", userPromptSubmitted: "UserPromptSubmit", sessionStart: "SessionStart", agentStop: "Stop", subagentStop: "SubagentStop" }
const KNOWN = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "SubagentStart", "SubagentStop", "Stop"]

const hooks = {}
for (const file of files) {
  for (const [name, groups] of Object.entries(JSON.parse(fs.readFileSync(file, "utf8")).hooks)) {
    const event = EVENTS[name] ?? name
    if (!KNOWN.includes(event)) continue
    for (const entry of groups.flatMap((group) => group.hooks ?? [group])) {
      const command = entry.linux ?? entry.bash ?? entry.command
      const cwd = { fsPath: project, scheme: "file", path: project }
      const more = { env: entry.env, timeout: entry.timeout ?? entry.timeoutSec }
      if (command) (hooks[event] ??= []).push({ command, cwd, ...more })
    }
  }
}

// --- The calls. ---

const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const output = { appendLine() {} }
const transcript = { flush: async () => {}, getTranscriptPath: () => ({ fsPath: path.join(project, "transcript.jsonl") }) }
const telemetry = { sendMSFTTelemetryEvent() {} }
const tools = { validateToolInput: (_, given) => ({ inputObj: JSON.parse(given) }) }
const span = { setAttribute() {}, setStatus() {}, recordException() {}, end() {} }
const otel = { startSpan: () => span, config: { maxAttributeSizeChars: 1000 } }
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) }
const runtime = new Service(transcript, quiet, new Executor(quiet, output), output, telemetry, tools, otel)

async function answer({ event, tool, given }, stream) {
  if (tool) return (await runtime.executePreToolUseHook(tool, given, "call-1", hooks, "session-1", token, stream)) ?? null
  const results = await runtime.executeHook(event, hooks, given, "session-1", token)
  const outputs = []
  carryOut({ hookType: event, results, outputStream: stream, logService: quiet, onSuccess: (one) => outputs.push(one) })
  return outputs
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const shown = []
    const stream = { hookProgress: (_, stopped, warning) => shown.push(stopped ?? warning) }
    let said
    try {
      said = { said: await answer(JSON.parse(line), stream) }
    } catch (error) {
      said = { aborted: error.stopReason ?? String(error.stack) }
    }
    process.stdout.write(`${JSON.stringify({ ...said, shown })}\n`)
  }
  process.exit(0)
}
main()
