// rulez for Amp: `rulez install amp --unproven` puts it into ~/.config/amp/plugins/ (hooks/README.md).
//
// Amp has no command hooks, so this plugin is the hook.
//
// Nothing may be printed to stdout: Amp talks with its plugins there.

const PLATFORM = "amp"
const AGENT = "Amp"

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

/** What Amp is about to run, for the dialog; written as JSON, so that nothing in it acts on the terminal. */
function shown(tool, input) {
  const text = `${tool} ${JSON.stringify(input)}`
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} ... (${text.length - MAX_SHOWN} characters more)` : text
}

/** The reason against a call, null where there is none, or a person who is there has allowed it. */
async function refusal(answer, ctx, event) {
  if (answer.deny === null || !answer.asks) return answer.deny
  let allowed = false
  try {
    // Without `requireHuman` another agent may answer in the person's name.
    allowed = await ctx.ui.confirm({
      title: "rulez: may Amp do this?",
      message: `${answer.deny}\n\n${shown(event.tool, answer.args ?? event.input)}`,
      confirmButtonText: "Allow",
      requireHuman: true,
    })
  } catch {
    // no person to ask here
  }
  return allowed === true ? null : `${answer.deny} (no person has allowed it)`
}

/** Puts texts behind a tool's output; null where it has no place for them. */
function withTexts(output, texts) {
  const text = texts.join("\n\n")
  if (typeof output === "string") return `${output}\n\n${text}`
  if (Array.isArray(output)) return [...output, { type: "text", text }]
  if (isObject(output) && typeof output.output === "string") return { ...output, output: `${output.output}\n\n${text}` }
  return null
}

export default function rulez(amp) {
  const root = amp.system?.workspaceRoot
  const directory = root ? amp.helpers.filePathFromURI(root) : process.cwd()
  const executor = amp.system?.executor?.kind ?? "unknown"
  let waiting = [] // texts for the model, until its next prompt
  let stream

  const consult = (name, event, fields) => {
    stream ??= keepStream(directory)
    const call = { hook_event_name: name, session_id: event.thread?.id, cwd: directory, executor, ...fields }
    return ask(call, directory, stream)
  }

  /** The same for events that guard nothing: a failure is an empty answer, and Amp's log has it. */
  const consultIfPossible = async (name, event, fields) => {
    try {
      return await consult(name, event, fields)
    } catch (error) {
      amp.logger?.log(`rulez: ${name}: ${error.message}`)
      return { deny: null, asks: false, context: "", args: null, result: null }
    }
  }

  const called = (event) => ({ tool_name: event.tool, tool_use_id: event.toolUseID, tool_input: event.input })

  // INVARIANT: no way through here but a readable "continue": true, or a person's word where it asks.
  amp.on("tool.call", async (event, ctx) => {
    try {
      const answer = await consult("tool.call", event, called(event))
      const message = await refusal(answer, ctx, event)
      if (message !== null) return { action: "reject-and-continue", message }
      return answer.args ? { action: "modify", input: answer.args } : { action: "allow" }
    } catch (error) {
      const message = `rulez could not judge this call, so it was blocked: ${error.message}`
      return { action: "reject-and-continue", message }
    }
  })

  amp.on("tool.result", async (event) => {
    const done = event.status === "done"
    const said = { tool_response: { output: (done ? event.output : event.error) ?? null, status: event.status } }
    const failed = done ? {} : { error: event.error || event.status }
    const answer = await consultIfPossible("tool.result", event, { ...called(event), ...said, ...failed })
    if (answer.deny !== null) return { status: "error", error: answer.deny } // the tool has run
    const redacted = isObject(answer.result) && "output" in answer.result
    if (!done) {
      if (answer.context) waiting.push(answer.context)
      return redacted && isText(answer.result.output) ? { status: event.status, error: answer.result.output } : undefined
    }
    const output = redacted ? answer.result.output : event.output
    if (answer.context) {
      const told = withTexts(output, [answer.context])
      if (told !== null) return { status: "done", output: told }
      waiting.push(answer.context)
    }
    return redacted ? { status: "done", output } : undefined
  })

  amp.on("agent.start", async (event) => {
    const answer = await consultIfPossible("agent.start", event, { prompt: event.message })
    const content = [...new Set([...waiting, answer.context])].filter(isText).join("\n\n")
    waiting = []
    return content ? { message: { content, display: false } } : {}
  })

  amp.on("agent.end", async (event) => {
    await consultIfPossible("agent.end", event, { status: event.status })
  })

  amp.on("session.start", async (event) => {
    const answer = await consultIfPossible("session.start", event, {})
    if (answer.context) waiting.push(answer.context)
  })

  amp.onDispose?.(async () => {
    const last = stream
    stream = undefined
    last?.end()
    await last?.gone()
  })
}
