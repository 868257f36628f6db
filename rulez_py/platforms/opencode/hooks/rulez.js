// rulez for OpenCode: `rulez install opencode` puts it into ~/.config/opencode/plugin/ (hooks/README.md).
//
// OpenCode has no command hooks, so this file is the hook.

const PLATFORM = "opencode"
const AGENT = "OpenCode"

// From dev/plugin_core.js (`make plugins`):
// Every call becomes one JSON object on the stdin of `rulez hook --platform PLATFORM`, and one JSON object comes back:
//   {"continue": true | false, "reason"?: text, "context"?: text for the model, "args"?: the tool's new arguments,
//    "result"?: the tool's redacted result,
//    "ask"?: true where a person may let pass what does not continue}
// Exit code 2 denies whatever stdout says. Everything else that is not exit 0 with a readable answer is a failure.
// To start rulez once per session and not per call, `rulez hook --stream` is asked first: it answers each line with the
// exit code, stdout and stderr of such a process. In any doubt about it the call is judged by a process of its own.
import { execFile, spawn } from "node:child_process"

const COMMAND = ["rulez"] // `rulez install` writes here which one it is
const [PROGRAM, ...FIRST] = process.env.RULEZ_BINARY ? [process.env.RULEZ_BINARY] : COMMAND
const WANTED_MS = Number(process.env.RULEZ_HOOK_TIMEOUT_MS)
const TIMEOUT_MS = WANTED_MS > 0 ? Math.min(WANTED_MS, 2 ** 31 - 1) : 30_000 // a timer takes no more
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const MAX_REASON_BYTES = 64 * 1024
const EXIT_GRACE_MS = 500
const MAX_FAILED_STREAMS = 3
const WINDOWS = process.platform === "win32"

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)
const isText = (value) => typeof value === "string" && value !== ""

/** Ends the process and everything it started. */
function kill(child) {
  if (!child.pid) return
  if (WINDOWS) {
    execFile("taskkill", ["/pid", String(child.pid), "/T", "/F"], { windowsHide: true }, () => {})
    return
  }
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    child.kill("SIGKILL")
  }
}

/** Chunks up to a limit, decoded only when whole, so that no character is cut in two. */
function collector(stream, limit, onOverflow) {
  const chunks = []
  let size = 0
  stream.on("error", () => {})
  stream.on("data", (chunk) => {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else onOverflow()
  })
  return () => Buffer.concat(chunks).toString("utf8")
}

function whyNotStarted(error) {
  return error.code === "ENOENT"
    ? `\`${PROGRAM}\` was not found; put rulez on the PATH that ${AGENT} sees, or set RULEZ_BINARY to its full path`
    : `\`${PROGRAM}\` could not be started (${error.message}); check RULEZ_BINARY and the file's permissions`
}

const TOO_SLOW =
  `\`${PROGRAM}\` gave no answer within ${TIMEOUT_MS} ms; ` +
  "look for a slow script in the policy, or raise RULEZ_HOOK_TIMEOUT_MS"
const start = (directory, stdio, ...more) =>
  spawn(PROGRAM, [...FIRST, "hook", "--platform", PLATFORM, ...more], {
    cwd: directory,
    stdio,
    detached: !WINDOWS, // its own process group, so that `kill` reaches what it started
    windowsHide: true,
  })

const TOO_MUCH = `\`${PROGRAM}\` answered with more than ${MAX_ANSWER_BYTES} bytes`

/** Runs the executable once -> {code, signal, stdout, stderr}. Rejects where it cannot, or takes longer than `ms`. */
function run(input, directory, ms) {
  return new Promise((resolve, reject) => {
    const notStarted = (error) => reject(new Error(whyNotStarted(error)))
    let child, timer
    try {
      child = start(directory, ["pipe", "pipe", "pipe"])
    } catch (error) {
      return notStarted(error)
    }
    child.on("error", (error) => {
      clearTimeout(timer)
      notStarted(error)
    })
    if (!child.stdout) return notStarted(new Error("no pipes to it")) // node has no descriptors left
    const letGo = () => {
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const giveUp = (why) => {
      clearTimeout(timer)
      reject(new Error(why))
      kill(child)
      letGo()
    }
    timer = setTimeout(() => giveUp(TOO_SLOW), ms)
    const stdout = collector(child.stdout, MAX_ANSWER_BYTES, () => giveUp(TOO_MUCH))
    const stderr = collector(child.stderr, MAX_REASON_BYTES, () => {})
    const finish = (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, stdout: stdout(), stderr: stderr().trim() })
    }
    child.on("close", finish)
    child.on("exit", (code, signal) => {
      // Something the process left running may hold its stdout open; what it wrote itself is already in the pipe.
      setTimeout(() => {
        finish(code, signal)
        letGo()
      }, EXIT_GRACE_MS).unref?.()
    })
    child.stdin.on("error", () => {}) // EPIPE: it may answer without reading
    child.stdin.end(input)
  })
}

/** A line of the stream as what one process would have given; null where it is something else, or more than that. */
function readLine(line) {
  try {
    const { exit_code: code, stdout, stderr } = JSON.parse(line)
    if (!Number.isInteger(code) || typeof stdout !== "string" || typeof stderr !== "string") return null
    return { code, signal: null, stdout, stderr: stderr.trim() }
  } catch {
    return null
  }
}

/**
 * Keeps `rulez hook --stream` for one session, from the first call on, and starts another one where it failed.
 *
 * It judges one call at a time, and while it waits for one it keeps nobody from ending. It ends with its stdin, so also
 * when the agent is killed.
 */
function keepStream(directory) {
  let child // undefined where the next call has to start one
  let exit // a promise of its end
  let asked // the call under way: {settle, refuse, timer, chunks, size}
  let failed = 0 // streams in a row that gave no good answer
  let answered = false
  let ended = false

  const hold = (held) => {
    for (const each of [child, child.stdin, child.stdout]) each?.[held ? "ref" : "unref"]?.()
  }

  /** Takes the call under way from the stream. */
  const release = () => {
    const call = asked
    asked = undefined
    clearTimeout(call?.timer)
    return call
  }

  /** Ends a stream that cannot be relied on -> the call it owed an answer. */
  const drop = () => {
    const lost = child
    child = undefined
    kill(lost)
    lost.stdin?.destroy()
    lost.stdout?.destroy()
    if (!ended) lost.unref?.() // else `gone` waits for it
    if (asked) failed += 1
    return release()
  }

  const take = (chunk) => {
    if (!asked) return drop() // nothing was asked
    asked.chunks.push(chunk)
    asked.size += chunk.length
    if (asked.size > MAX_ANSWER_BYTES) return drop().settle(null)
    if (!chunk.includes(10)) return
    const answer = readLine(Buffer.concat(asked.chunks).toString("utf8"))
    if (!answer) return drop().settle(null)
    failed = 0
    answered = true
    hold(false)
    release().settle(answer)
  }

  const open = () => {
    const opened = start(directory, ["pipe", "pipe", "ignore"], "--stream")
    child = opened
    exit = new Promise((resolve) => opened.once("exit", resolve).once("error", resolve))
    const lose = () => {
      if (opened === child) drop()?.settle(null)
    }
    opened.on("error", lose)
    opened.on("exit", () => {
      // Its answer may still be in the pipe, which something it left running may hold open.
      if (asked) setTimeout(lose, EXIT_GRACE_MS).unref?.()
      else lose()
    })
    opened.stdin.on("error", lose)
    opened.stdout.on("error", lose)
    opened.stdout.on("end", lose)
    opened.stdout.on("data", (chunk) => {
      if (opened === child) take(chunk)
    })
  }

  return {
    /**
     * What one process would give for `input`; null where a process has to be asked: the stream has another call, or
     * did not answer this one. Rejects where no time is left for that.
     */
    ask: (input) =>
      new Promise((settle, refuse) => {
        if (ended || asked || failed >= MAX_FAILED_STREAMS) return settle(null)
        try {
          if (!child) open()
        } catch {
          child = undefined
          failed += 1
          return settle(null)
        }
        const timer = setTimeout(() => {
          const call = drop()
          // What never answered at all is no stream: a wrapper that reads to the end of its input, for instance.
          if (!answered) failed = MAX_FAILED_STREAMS
          call.refuse(new Error(TOO_SLOW))
        }, TIMEOUT_MS)
        asked = { settle, refuse, timer, chunks: [], size: 0 }
        hold(true)
        child.stdin.write(`${input}\n`)
      }),

    /** No more calls; the one under way is still answered. */
    end: () => {
      ended = true
      child?.stdin.end()
    },

    /** Waits until it is gone, and sees to it. */
    gone: async () => {
      if (!child) return
      const last = child
      last.ref?.()
      const timer = setTimeout(() => kill(last), EXIT_GRACE_MS)
      await exit
      clearTimeout(timer)
    },
  }
}

/**
 * One exchange -> {deny: reason or null, asks, context, args, result}.
 *
 * What `asks` is denied, unless the agent lets a plugin ask a person, and they allow it.
 * Throws where there is no usable answer; the message tells a person what failed and how to mend it.
 */
async function ask(call, directory, stream) {
  const until = performance.now() + TIMEOUT_MS
  let input
  try {
    input = JSON.stringify(call)
  } catch (error) {
    throw new Error(`the call could not be written as JSON (${error.message})`)
  }
  const streamed = await stream.ask(input)
  const { code, signal, stdout, stderr } = streamed ?? (await run(input, directory, until - performance.now()))
  let answer = null
  try {
    answer = JSON.parse(stdout)
  } catch {
    // judged below, together with the exit code
  }
  const reason = isText(answer?.reason) ? answer.reason : stderr || "denied by the policy"
  if (code === 2) return { deny: reason }
  const advice = `run \`${PROGRAM} hook --platform ${PLATFORM}\` by hand to see why`
  const said = stderr ? `: ${stderr}` : ""
  if (signal) throw new Error(`\`${PROGRAM}\` was ended by ${signal}${said}; ${advice}`)
  if (code !== 0) throw new Error(`\`${PROGRAM}\` ended with exit code ${code}${said}; ${advice}`)
  if (!stdout.trim()) throw new Error(`\`${PROGRAM}\` answered nothing${said}; ${advice}`)
  if (typeof answer?.continue !== "boolean") {
    throw new Error(`\`${PROGRAM}\` answered something else than {"continue": true or false}${said}; ${advice}`)
  }
  const asks = !answer.continue && answer.ask === true
  if (!answer.continue && !asks) return { deny: reason }
  const args = answer.args ?? null
  if (args !== null && !isObject(args)) {
    throw new Error(`\`${PROGRAM}\` answered \`args\` that are not an object; ${advice}`)
  }
  const context = isText(answer.context) ? answer.context : ""
  return { deny: asks ? reason : null, asks, context, args, result: answer.result ?? null }
}

/** Agents look only at the object they handed out: a new one in its place would be ignored and the original run. */
function rewriteInPlace(target, args) {
  if (!isObject(target)) throw new Error("the policy rewrites the arguments of this call, but they are not an object")
  for (const key of Object.keys(target)) delete target[key]
  Object.assign(target, args)
}
// Here ends dev/plugin_core.js.

// From dev/plugin_opencode.js (`make plugins`):
// Every export must be a function, else the agent drops the whole file without a word; hence exactly one export.
// Nothing may be printed: the terminal interface lives in the same process.
import { randomBytes } from "node:crypto"

const REPORTED_EVENTS = new Set([
  "session.created",
  "session.idle",
  "session.compacted",
  "session.deleted",
  "session.error",
])

/** An id of the agent's own form (48 bits of time, 14 characters) that sorts behind the message's other parts. */
function partId() {
  const time = BigInt.asUintN(48, BigInt(Date.now()) * 0x1000n + 0xfffn)
  return "prt_" + time.toString(16).padStart(12, "0") + randomBytes(7).toString("hex")
}

/** A text part; a part of a message that exists already also carries the ids. */
function textPart(message, text, extra) {
  const ids = message ? { id: partId(), sessionID: message.sessionID, messageID: message.id } : {}
  return { ...ids, type: "text", text, ...extra }
}

/**
 * Puts a refusal in the place of a prompt, attached files included.
 *
 * A throw would stop the prompt as well, but the person would read "Unexpected server error" and nothing else, with the
 * reason in a log file. This way the session goes on, the model never sees the prompt, and the person reads the reason
 * twice: in place of the prompt, and in the reply.
 */
function refuse(parts, message, reason) {
  const text =
    `[rulez] The policy blocked this prompt: ${reason}\n\n` +
    "(To the model: the prompt was withheld from you. Use no tools and do not guess what it said. " +
    "Tell the user that the policy blocked the prompt, give the reason above word for word, and stop.)"
  const kept = parts.find((part) => part?.type === "text" && !part.synthetic && !part.ignored)
  if (kept) kept.text = text
  parts.splice(0, parts.length, kept ?? textPart(message, text))
}

/** Adds text to a tool's result: a string for the agent's own tools, a list of content blocks for MCP tools. */
function addToResult(output, text) {
  if (!text) return
  if (Array.isArray(output.content)) output.content.push({ type: "text", text })
  else output.output = typeof output.output === "string" && output.output ? `${output.output}\n\n${text}` : text
}

/** Puts a redacted result in a result's place: lists and objects stay the ones that the agent handed out. */
function replaceResult(output, result) {
  for (const [key, value] of Object.entries(result)) {
    if (Array.isArray(output[key]) && Array.isArray(value)) output[key].splice(0, Infinity, ...value)
    else if (isObject(output[key]) && isObject(value)) rewriteInPlace(output[key], value)
    else output[key] = value
  }
}

/** A failed tool call shows only as an event; everything else of `message.part.updated` is the text being streamed. */
const failedCall = (event) => {
  const part = event.type === "message.part.updated" ? event.properties?.part : undefined
  return part?.type === "tool" && part.state?.status === "error" ? part : undefined
}

export const Rulez = async (ctx) => {
  const agents = new Map() // session -> agent
  const parents = new Map() // session -> the session that started it
  const contexts = new Map() // call -> text from before the call, for its result
  const starts = new Map() // session -> the answer to its creation, under way or there, until its first prompt
  const settled = new Set() // calls we ended ourselves or have reported: no news to the executable
  const pending = new Set() // calls nobody waits for
  const stream = keepStream(ctx.directory)
  let mcpServers // undefined until the agent has told us: not knowing is not the same as having none

  const callKey = (sessionID, callID) => `${sessionID} ${callID}`

  const consult = (hook, sessionID, input, output) =>
    ask(
      {
        hook,
        input,
        output,
        platform: PLATFORM,
        directory: ctx.directory,
        worktree: ctx.worktree,
        agent: agents.get(sessionID),
        parentSessionID: parents.get(sessionID),
        mcpServers,
      },
      ctx.directory,
      stream,
    )

  /** The same for hooks that guard nothing: a failure is an empty answer, and a line in the agent's log. */
  const consultIfPossible = async (hook, sessionID, input, output) => {
    try {
      return await consult(hook, sessionID, input, output)
    } catch (error) {
      const entry = { service: "rulez", level: "error", message: `${hook}: ${error.message}` }
      Promise.resolve(entry)
        .then((body) => ctx.client?.app?.log?.({ body }))
        .catch(() => {})
      return { deny: null, context: "", args: null }
    }
  }

  const report = (event, sessionID) => {
    const call = consultIfPossible("event", sessionID, event, {}).finally(() => pending.delete(call))
    pending.add(call)
    return call
  }

  const forget = (sessionID) => {
    for (const kept of [contexts, settled]) {
      for (const key of [...kept.keys()]) if (key.startsWith(`${sessionID} `)) kept.delete(key)
    }
  }

  // Its answer comes with the first prompt after it: nobody waits for it.
  let loaded
  report({ type: "plugin.loaded", properties: {} }).then((answer) => (loaded = answer))

  return {
    config: async (config) => {
      mcpServers = Object.keys(config?.mcp ?? {})
    },

    // INVARIANT: no way through this hook but a readable "continue": true. The agent runs the tool unless we throw.
    "tool.execute.before": async (input, output) => {
      const key = callKey(input.sessionID, input.callID)
      settled.add(key)
      let answer
      try {
        answer = await consult("tool.execute.before", input.sessionID, input, output)
        if (answer.deny === null && answer.args) rewriteInPlace(output.args, answer.args)
      } catch (error) {
        throw new Error(`rulez could not judge this call, so it was blocked: ${error.message}`)
      }
      if (answer.deny !== null) throw new Error(answer.deny)
      settled.delete(key)
      if (answer.context) contexts.set(key, answer.context)
    },

    "tool.execute.after": async (input, output) => {
      const key = callKey(input.sessionID, input.callID)
      const early = contexts.get(key)
      contexts.delete(key)
      const answer = await consultIfPossible("tool.execute.after", input.sessionID, input, output)
      if (answer.deny !== null) {
        settled.add(key)
        throw new Error(answer.deny) // the tool has run; this withholds what it returned
      }
      if (isObject(answer.result)) replaceResult(output, answer.result)
      // A rule for the tool as such fires before and after: what it says twice is said once.
      for (const text of new Set([early, answer.context])) addToResult(output, text)
    },

    // A failure lets the prompt pass: it does nothing by itself, and the tools it may lead to stay closed.
    "chat.message": async (input, output) => {
      agents.set(input.sessionID, output.message?.agent ?? input.agent)
      const start = starts.get(input.sessionID)
      starts.delete(input.sessionID)
      const answer = await consultIfPossible("chat.message", input.sessionID, input, output)
      if (answer.deny !== null) refuse(output.parts, output.message, answer.deny)
      const told = [loaded?.context, (await start)?.context, answer.deny === null && answer.context]
      loaded = undefined
      for (const context of new Set(told)) {
        if (context) output.parts.push(textPart(output.message, context, { synthetic: true }))
      }
    },

    "command.execute.before": async (input, output) => {
      const answer = await consultIfPossible("command.execute.before", input.sessionID, input, output)
      if (answer.deny !== null) refuse(output.parts, null, answer.deny)
      else if (answer.context) output.parts.push(textPart(null, answer.context, { synthetic: true }))
    },

    "experimental.session.compacting": async (input, output) => {
      const answer = await consultIfPossible("experimental.session.compacting", input.sessionID, input, output)
      if (answer.context) output.context.push(answer.context)
    },

    // The agent waits for none of these, so only `dispose` keeps the last ones from being lost.
    event: async ({ event }) => {
      const info = event.type?.startsWith("session.") ? event.properties?.info : undefined
      if (info?.parentID) parents.set(info.id, info.parentID)
      const failed = failedCall(event)
      if (failed) {
        const key = callKey(failed.sessionID, failed.callID)
        contexts.delete(key)
        if (settled.has(key)) return
        settled.add(key)
        report(event, failed.sessionID)
      } else if (REPORTED_EVENTS.has(event.type)) {
        const sessionID = event.properties?.sessionID ?? info?.id
        const answer = report(event, sessionID)
        if (event.type === "session.created") starts.set(sessionID, answer)
        if (event.type === "session.idle" || event.type === "session.deleted") forget(sessionID)
        if (event.type === "session.deleted") {
          for (const known of [agents, parents, starts]) known.delete(sessionID)
        }
      }
    },

    dispose: async () => {
      stream.end()
      await Promise.allSettled([...pending])
      await stream.gone()
    },
  }
}
// Here ends dev/plugin_opencode.js.
