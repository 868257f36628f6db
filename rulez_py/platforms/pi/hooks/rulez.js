// rulez for Pi: `rulez install pi` puts it into ~/.pi/agent/extensions/ (hooks/README.md).
//
// Pi has no command hooks, so this extension is the hook.
//
// Nothing may be printed to stdout: Pi's own answer is there.

const PLATFORM = "pi"
const AGENT = "Pi"

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

const MAX_SHOWN = 2000

/** What Pi is about to run, for the dialog; written as JSON, so that nothing in it acts on the terminal. */
function shown(tool, input) {
  const text = `${tool} ${JSON.stringify(input)}`
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} ... (${text.length - MAX_SHOWN} characters more)` : text
}

/** The reason against a call, null where there is none, or a person who is there has allowed it. */
async function refusal(answer, ctx, tool, input) {
  if (answer.deny === null || !answer.asks) return answer.deny
  const allowed =
    ctx.hasUI === true &&
    (await ctx.ui.confirm("rulez: may Pi do this?", `${answer.deny}\n\n${shown(tool, answer.args ?? input)}`, {
      signal: ctx.signal,
    })) === true
  return allowed ? null : `${answer.deny} (no person has allowed it)`
}

/** Tells the person; on the terminal of `pi --print`, which has no dialogs, beside the answer. */
function tell(ctx, text, kind) {
  try {
    if (ctx.hasUI) ctx.ui.notify(text, kind)
    else process.stderr.write(`${text}\n`)
  } catch {
    // the session is gone, or its terminal
  }
}

/** What a tool returned, without the pictures: rules read text. */
const withoutPictures = (content) =>
  Array.isArray(content) ? content.map((each) => (each?.type === "image" ? { type: "image" } : each)) : content

const textOf = (content) =>
  (Array.isArray(content) ? content : []).flatMap((each) => (isText(each?.text) ? [each.text] : [])).join("\n")

export default function rulez(pi) {
  const contexts = new Map() // call -> text from before the call, for its result
  const pending = new Set() // calls that Pi does not wait for
  let waiting = [] // texts for the model, or promises of them, until its next run
  let stream

  const consult = (event, ctx, fields) => {
    stream ??= keepStream(ctx.cwd)
    const session = { session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, mode: ctx.mode, has_ui: ctx.hasUI }
    return ask({ hook_event_name: event.type, ...session, ...fields }, ctx.cwd, stream)
  }

  /** The same for events that guard nothing: a failure is an empty answer, and the person is told. */
  const consultIfPossible = async (event, ctx, fields) => {
    try {
      return await consult(event, ctx, fields)
    } catch (error) {
      tell(ctx, `rulez: ${event.type}: ${error.message}`, "warning")
      return { deny: null, asks: false, context: "", args: null }
    }
  }

  const report = (event, ctx, fields) => {
    const call = consultIfPossible(event, ctx, fields).finally(() => pending.delete(call))
    pending.add(call)
    return call
  }

  pi.on("session_start", (event, ctx) => {
    const answer = report(event, ctx, { reason: event.reason })
    waiting.push(answer.then(({ context }) => context))
  })

  // INVARIANT: no way through these two but a readable "continue": true, or a person's word where it asks.
  pi.on("tool_call", async (event, ctx) => {
    try {
      const call = { tool_name: event.toolName, tool_use_id: event.toolCallId, tool_input: event.input }
      const answer = await consult(event, ctx, call)
      const reason = await refusal(answer, ctx, event.toolName, event.input)
      if (reason !== null) return { block: true, reason }
      if (answer.args) rewriteInPlace(event.input, answer.args)
      if (answer.context) contexts.set(event.toolCallId, answer.context)
    } catch (error) {
      return { block: true, reason: `rulez could not judge this call, so it was blocked: ${error.message}` }
    }
  })

  // What the person types after `!`. Without a result of ours Pi runs it.
  pi.on("user_bash", async (event, ctx) => {
    const input = { command: event.command }
    let reason
    try {
      reason = await refusal(await consult(event, ctx, { tool_name: "bash", tool_input: input }), ctx, "bash", input)
    } catch (error) {
      reason = `rulez could not judge this command, so it was blocked: ${error.message}`
    }
    if (reason === null) return undefined
    return { result: { output: `[rulez] ${reason}`, exitCode: 1, cancelled: false, truncated: false } }
  })

  pi.on("tool_result", async (event, ctx) => {
    const early = contexts.get(event.toolCallId)
    contexts.delete(event.toolCallId)
    const call = { tool_name: event.toolName, tool_use_id: event.toolCallId, tool_input: event.input }
    const said = { tool_response: { content: withoutPictures(event.content) } }
    const failed = event.isError ? { error: textOf(event.content) || "failed" } : {}
    const answer = await consultIfPossible(event, ctx, { ...call, ...said, ...failed })
    if (answer.deny !== null) return { content: [{ type: "text", text: answer.deny }], isError: true } // the tool has run
    const redacted = Array.isArray(answer.result?.content) ? answer.result.content : null
    const content = redacted?.map((each, at) => (each?.type === "image" ? event.content[at] : each)) ?? event.content
    // A rule for the tool as such fires before and after: what it says twice is said once.
    const texts = [...new Set([early, answer.context])].filter(isText)
    if (redacted || texts.length) return { content: [...content, ...texts.map((text) => ({ type: "text", text }))] }
  })

  // A failure lets the prompt pass: it does nothing by itself, and the tools it may lead to stay closed.
  pi.on("input", async (event, ctx) => {
    const answer = await consultIfPossible(event, ctx, { prompt: event.text, source: event.source })
    if (answer.deny !== null) {
      tell(ctx, `rulez blocked this prompt: ${answer.deny}`, "error")
      return { action: "handled" }
    }
    if (answer.context) {
      if (event.streamingBehavior) {
        const message = { customType: "rulez", content: answer.context, display: false }
        pi.sendMessage(message, { deliverAs: event.streamingBehavior })
      } else waiting.push(answer.context)
    }
    return { action: "continue" }
  })

  pi.on("before_agent_start", async () => {
    const texts = waiting
    waiting = []
    const content = [...new Set(await Promise.all(texts))].filter(isText).join("\n\n")
    if (content) return { message: { customType: "rulez", content, display: false } }
  })

  pi.on("session_before_compact", async (event, ctx) => {
    await consultIfPossible(event, ctx, { trigger: event.reason, custom_instructions: event.customInstructions })
  })
  pi.on("session_compact", (event, ctx) => void report(event, ctx, {}))
  pi.on("agent_settled", (event, ctx) => void report(event, ctx, {}))

  // Pi ends when this has returned.
  pi.on("session_shutdown", async (event, ctx) => {
    report(event, ctx, { reason: event.reason })
    await Promise.allSettled([...pending])
    const last = stream
    stream = undefined
    contexts.clear()
    waiting = []
    last?.end()
    await last?.gone()
  })
}
