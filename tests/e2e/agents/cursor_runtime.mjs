// A stand-in for the agent around Cursor's own hook runtime, which is taken out of `@cursor/sdk` as published.
//
//     node cursor_runtime.mjs SDK/dist/esm/34.js MODEL_URL PROMPT
//
// Cursor's agent needs Cursor's service. Its hooks do not: their loader, validator, executor and merge, and the wrappers
// around each tool that call them, run here as published. What is ours is the loop (prompt, model, tool, result) and
// what a tool does once the wrapper lets it.
// RULEZ_PERMITTED=0: the person's settings let no shell command run. RULEZ_PERSON=1: questions go to stdout, one JSON
// line each, and an answer comes on stdin (`yes` or `no`).
import { spawn } from "node:child_process"
import fs from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import readline from "node:readline"

const [runtime, model, prompt] = process.argv.slice(2)
const sdk = path.dirname(runtime)
const project = process.cwd()
const permitted = process.env.RULEZ_PERMITTED !== "0"
const person = process.env.RULEZ_PERSON === "1" ? readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]() : null
const MCP = JSON.parse(process.env.RULEZ_MCP)
const MCP_TOOL = "make_file"

// --- What webpack's runtime does for its modules, as far as the hooks need it. ---

const require = createRequire(`${sdk}/x.js`)
const bundled = {}
for (const file of fs.readdirSync(sdk).filter((name) => /^\d+\.js$/.test(name))) {
  try {
    Object.assign(bundled, (await import(path.join(sdk, file))).__webpack_esm_modules__ ?? {})
  } catch {
    // Chunks for other runtimes.
  }
}
const loaded = {}
/** In the place of what is not in these chunks: messages of Cursor's protocol, which the wrappers only make. */
const standIn = () =>
  function (fields) {
    if (new.target) Object.assign(this, fields)
  }
const nothing = () => new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => "" : key === "prototype" ? {} : standIn()) })
function load(id) {
  if (loaded[id]) return loaded[id].exports
  const module = (loaded[id] = { exports: {} })
  if (bundled[id]) bundled[id](module, module.exports, load)
  else if (id.startsWith("node:") || !id.startsWith(".")) {
    try {
      const found = require(id.replace(/\?.*$/, ""))
      module.exports = Object.assign({}, found, { default: found, __esModule: true })
    } catch {
      module.exports = nothing()
    }
  } else module.exports = nothing()
  return module.exports
}
Object.assign(load, {
  d: (to, from) => Object.keys(from).forEach((key) => Object.defineProperty(to, key, { enumerable: true, get: from[key], configurable: true })),
  r: () => {},
  o: (object, key) => Object.prototype.hasOwnProperty.call(object, key),
  n: (module) => {
    const get = () => (module?.__esModule ? module.default : module?.default ?? module)
    load.d(get, { a: get })
    return get
  },
  t: (id) => load(id),
  e: () => Promise.resolve(),
  g: globalThis,
  nmd: (module) => module,
  hmd: (module) => module,
})

const { vk: createHooks, Pq: createWrapper } = load("../cursor-sdk-local-runtime/dist/core/hooks-runtime.js")
const kinds = load("../agent-exec/dist/index.js")
const KINDS = { shell: kinds.qkk, write: kinds.Lnu, read: kinds._As, mcp: kinds.Yib, grep: kinds.u8v, fetch: kinds.IGA, delete: kinds.RpG }

// --- What the tools do once the wrapper lets them. ---

const said = (value) => ({ result: { case: "success", value } })
const failed = (error) => ({ result: { case: "error", value: { error } } })

async function agreed(args) {
  if (!args.hookApprovalRequirement) return permitted
  if (!person) return false
  console.log(JSON.stringify({ asked: args.hookApprovalRequirement.reason, command: args.command }))
  return (await person.next()).value === "yes"
}

function run(command, cwd) {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, CURSOR_AGENT: "1" } })
    let out = ""
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (out += chunk))
    child.on("exit", (code) => setTimeout(() => resolve(said({ stdout: out, stderr: "", exitCode: code ?? 1 })), 50))
  })
}

function callServer(tool, given) {
  return new Promise((resolve) => {
    const server = spawn(MCP[0], MCP.slice(1), { stdio: ["pipe", "pipe", "ignore"] })
    const send = (id, method, params) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    readline.createInterface({ input: server.stdout }).on("line", (line) => {
      const message = JSON.parse(line)
      if (message.id !== 2) return send(2, "tools/call", { name: tool, arguments: given })
      server.stdin.end()
      const text = message.result.content[0].text
      resolve(said({ content: [{ content: { case: "text", value: { text } } }], isError: false }))
    })
    send(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "cursor", version: "1" } })
  })
}

const WORK = {
  shell: async (args) => ((await agreed(args)) ? run(args.command, args.workingDirectory || project) : failed("The user did not let this run.")),
  write: async (args) => (fs.mkdirSync(path.dirname(args.path), { recursive: true }), fs.writeFileSync(args.path, args.fileText), said({ path: args.path })),
  read: async (args) => said({ output: { case: "content", value: fs.readFileSync(args.path, "utf8") } }),
  delete: async (args) => (fs.rmSync(args.path), said({ path: args.path })),
  grep: async (args) => run(`grep -rn -- '${args.pattern}' '${args.path}'`, project),
  fetch: async (args) => said({ content: await (await fetch(args.url)).text() }),
  mcp: async (args) => ((await agreed(args)) ? callServer(args.toolName, args.given) : failed("The user did not let this run.")),
}
const inner = {
  get: (kind) => ({
    execute: async (_, args) => {
      const name = Object.keys(KINDS).find((key) => KINDS[key].symbol === kind.symbol)
      try {
        return await WORK[name](args)
      } catch (error) {
        return failed(error.message)
      }
    },
  }),
  entries: () => [],
}

// --- The session. ---

const workspaceState = { projectRoot: project, workingDirectory: project, workspaceRoots: [project] }
const hooksRuntime = await createHooks({ globalContext: { cursor_version: "1.0.32", user_email: null } }).createHooksRuntime({ workspaceState })
const { hookExecutor } = hooksRuntime.createSessionRuntime()
const mcpLease = { getClient: async () => ({ config: { command: MCP[0], args: MCP.slice(1) } }) }
const wrapped = createWrapper().wrapResources({ workspaceServices: { hooksRuntime, mcpLease }, resources: inner, sessionState: {}, metadata: { conversationId: "c", generationId: "g", model: "scripted" } })
const context = new Proxy({ signal: new AbortController().signal }, { get: (object, key) => (key in object ? object[key] : () => undefined) })
const base = { conversation_id: "c", generation_id: "g", model: "scripted" }
const hook = async (step, more) => (await hookExecutor.executeHookForStep(step, { ...base, ...more })) ?? {}

const absolute = (name) => path.resolve(project, name)
const TOOLS = {
  Shell: (given, toolCallId) => ["shell", { command: given.command, workingDirectory: given.working_directory ?? "", toolCallId }],
  Write: (given, toolCallId) => ["write", { path: absolute(given.path), fileText: given.contents, toolCallId }],
  Read: (given, toolCallId) => ["read", { path: absolute(given.path), toolCallId }],
  Delete: (given, toolCallId) => ["delete", { path: absolute(given.path), toolCallId }],
  Grep: (given, toolCallId) => ["grep", { pattern: given.pattern, path: absolute(given.path), toolCallId }],
  Fetch: (given, toolCallId) => ["fetch", { url: given.url, toolCallId }],
  [`demo-${MCP_TOOL}`]: (given, toolCallId) => {
    const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, { toJson: () => value }]))
    return ["mcp", { providerIdentifier: "demo", toolName: MCP_TOOL, args, given, toolCallId }]
  },
}

function textOf({ result: { case: kind, value } }) {
  if (kind !== "success") return value.reason || value.error || value.errorMessage || kind
  if (value.content && Array.isArray(value.content)) return value.content.map((one) => one.content.value.text).join("\n")
  return value.stdout ?? value.output?.value ?? value.content ?? "done"
}

async function use(name, given, id) {
  if (name === "Task") {
    // The service begins subagents, and has the runtime call this hook before.
    const answer = await hook("preToolUse", { tool_name: "Task", tool_input: given, tool_use_id: id, cwd: project })
    return answer.permission === "deny" ? answer.user_message : await talk([{ role: "user", content: given.prompt }])
  }
  const [kind, args] = TOOLS[name](given, id)
  const hookContextCollector = []
  let text
  try {
    text = textOf(await wrapped.get(KINDS[kind]).execute(context, args, { hookContextCollector }))
  } catch (error) {
    text = error.reason ?? error.message
  }
  // What runs after a call is not waited for.
  await new Promise((resolve) => setTimeout(resolve, 30))
  const told = JSON.stringify(hookContextCollector)
  return hookContextCollector.length ? `${text}\n\n${told}` : text
}

/** Plays one conversation to its end -> the model's last words. */
async function talk(messages) {
  const tools = ["Task", ...Object.keys(TOOLS)].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }))
  for (;;) {
    const answer = await fetch(`${model}/v1/chat/completions`, { method: "POST", body: JSON.stringify({ model: "scripted", messages, tools }) })
    const { message } = (await answer.json()).choices[0]
    messages.push(message)
    if (!message.tool_calls) return message.content
    const results = message.tool_calls.map((call) => use(call.function.name, JSON.parse(call.function.arguments), call.id))
    for (const [number, content] of (await Promise.all(results)).entries()) messages.push({ role: "tool", tool_call_id: message.tool_calls[number].id, content })
  }
}

const begun = await hook("sessionStart", { is_background_agent: false })
const messages = [{ role: "system", content: begun.additional_context ?? "You are an agent." }]
let next = prompt
for (let round = 0; next && round < 6; round++) {
  const asked = round ? {} : await hook("beforeSubmitPrompt", { prompt: next, attachments: [] })
  if (asked.continue === false) {
    console.log(asked.user_message)
    break
  }
  messages.push({ role: "user", content: asked.additional_context ? `${next}\n\n${asked.additional_context}` : next })
  console.log(await talk(messages))
  next = (await hook("stop", { status: "completed", loop_count: round })).followup_message?.trim()
}
await hook("sessionEnd", { reason: "completed", duration_ms: 1, is_background_agent: false, final_status: "completed" })
process.exit(0)
