// What needs more of a session than its end, and so the code that opens it.

import type { Message, Session, SessionContext } from "@treelog/session-core"
import { contextFidelity, lastReply } from "@treelog/session-core/adapter"
import { jsonText } from "@treelog/session-core/json"
import {
  convertThinking,
  convertToLlm,
  repairContext,
  toAnthropicMessages,
  toModelMessages,
  toOpenAIInput,
  toOpenAIMessages,
} from "@treelog/session-core/messages"
import { cleanJson, plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { shortEntryIds } from "../../render/short-ids.js"
import { findEntryOrRoot } from "../../sessions/find-entry.js"
import { findToRead } from "../../sessions/find-session.js"
import { openFound } from "../../sessions/open-to-read-or-write.js"
import type { Sessions } from "../../store/command-sessions.js"
import { blobsOf, readOnlyManager } from "../../store/session-blobs.js"
import { type ContextCommandOptions, type LlmFormat, printContext, reportMissing } from "./print-context.js"

/** The context at any leaf, for people or for a model's API. */
export async function showOpened(
  context: CommandContext,
  ref: string | undefined,
  options: ContextCommandOptions,
): Promise<ExitCode> {
  const { leaf, llm, full = false, repair = false, provider } = options
  const found = await findToRead(context, ref)
  const session = await openFound(context, found)
  const leafId = leaf === undefined ? session.getLeafId() : findEntryOrRoot(session, leaf)
  const replacedBy = replacingProvider(options)
  const built = await session.readContext({ leafId, ...(replacedBy !== undefined && { provider: replacedBy }) })
  const blobs = blobsOf(found.source.sessions, found.key)?.name
  if (llm) {
    await printLlmRequest(context, { session, leafId, built }, { format: llm, provider, repair })
    await reportMissing(context, built, blobs)
  } else await printContext(context, built, { full, shortId: shortEntryIds(session), blobs })
  return EXIT.ok
}

/** The context at the leaf of a session that has to be read completely. */
export async function readWhole(
  sessions: Sessions,
  key: string,
  provider: string | undefined,
): Promise<SessionContext> {
  const manager = await readOnlyManager(sessions, key)
  return manager.readContext(key, provider === undefined ? {} : { provider })
}

/** Whose compaction stands for what it replaced: with --llm only where the format can carry what it left in its place. */
function replacingProvider({ llm, provider }: ContextCommandOptions): string | undefined {
  if (llm === undefined) return provider
  return llm === "openai-responses" ? (provider ?? providerOf(llm)) : undefined
}

interface LlmRequest {
  /** The part of a request that holds the conversation. */
  readonly request: object
  /** What was repaired; `index` counts the input messages. */
  readonly changes: ReturnType<typeof repairContext>["changes"]
  /** What no model can get, and without repair also why an API may refuse the request. */
  readonly diagnostics: readonly (ReturnType<typeof convertToLlm>["diagnostics"][number] | Refusal)[]
}

/** What a repair would change. */
interface Refusal {
  readonly kind: "needs-repair"
  readonly index: number
  readonly message: string
}

interface LlmOptions {
  /** The provider that gets its thinking as thinking; default: the format's provider, if it has one. */
  readonly provider: string | undefined
  readonly repair: boolean
}

function llmRequest(
  messages: readonly Message[],
  format: LlmFormat,
  { provider = providerOf(format), repair }: LlmOptions,
): LlmRequest {
  // The model that would go on with it.
  const last = lastReply(messages)
  const model = last?.provider === provider ? last?.model : undefined
  const target = provider === undefined ? undefined : { provider, model }
  const { messages: usable, changes } = repaired(messages, target)
  const { diagnostics } = convertToLlm(messages)
  if (repair) return { request: inFormat(usable, format, { target }), changes, diagnostics }
  const refusals = changes.map(({ index, message }): Refusal => {
    return { kind: "needs-repair", index, message: `An API may refuse this; --repair changes it: ${message}` }
  })
  return { request: inFormat(messages, format, { target }), changes: [], diagnostics: [...diagnostics, ...refusals] }
}

/** The provider of a format; the AI SDK's has none. */
function providerOf(format: LlmFormat): string | undefined {
  if (format === "ai-sdk") return undefined
  return format === "anthropic" ? "anthropic" : "openai"
}

/** Converts the thinking of other providers first, so that an answer that is empty without it is removed, too. */
function repaired(
  messages: readonly Message[],
  target: Parameters<typeof convertThinking>[1] | undefined,
): ReturnType<typeof repairContext> {
  return repairContext(target ? convertThinking(messages, target) : messages)
}

function inFormat(
  messages: readonly Message[],
  format: LlmFormat,
  options: Parameters<typeof toAnthropicMessages>[1],
): object {
  switch (format) {
    case "anthropic":
      return toAnthropicMessages(messages, { ...options, repair: false })
    case "openai":
      return { messages: toOpenAIMessages(messages, { ...options, repair: false }) }
    case "openai-responses":
      return { input: toOpenAIInput(messages, { ...options, repair: false }) }
    case "ai-sdk":
      return { messages: toModelMessages(messages, { ...options, repair: false }) }
  }
}

interface Source {
  readonly session: Session
  readonly leafId: string | null
  readonly built: SessionContext
}

/**
 * Prints a context as a model's API takes it: alone, so that it can be sent as it is, and on stderr what was repaired and left
 * out; or with `--json` all of it in a document.
 */
async function printLlmRequest(
  context: CommandContext,
  { session, leafId, built }: Source,
  { format, provider, repair }: { format: LlmFormat; provider: string | undefined; repair: boolean },
): Promise<void> {
  const { request, changes, diagnostics } = llmRequest(built.messages, format, { provider, repair })
  const placed = <Note extends { index: number }>(note: Note): Note & { entryId: string | null } => ({
    ...note,
    entryId: built.entries[note.index] ?? null,
  })
  const [repairs, leftOut] = [changes.map(placed), diagnostics.map(placed)]
  if (context.options.json) {
    const head = { sessionId: session.getSessionId(), path: session.getSessionFile(), leafId }
    const notes = {
      changes: repairs,
      diagnostics: [...built.diagnostics, ...leftOut],
      fidelity: contextFidelity(built),
    }
    await context.printJson({ ...head, llm: format, repaired: repair, request, ...notes })
    return
  }
  await context.print([cleanJson(jsonText(request))])
  const { exactness, reason } = contextFidelity(built)
  if (exactness !== "exact") await context.log(`${exactness}: ${reason}`)
  for (const { entryId, kind, message } of [...repairs, ...leftOut])
    await context.log(`${entryId ?? "-"} ${kind} ${message}`)
  if (repair)
    await context.log(changes.length === 0 ? "Nothing to repair." : `${plural(changes.length, "thing")} repaired.`)
}
