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
