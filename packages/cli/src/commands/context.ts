import type { BlobSource, Message, Session, SessionContext } from "@treelog/session-core"
import { contextFidelity, lastReply, readContextFromEnd } from "@treelog/session-core/adapter"
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
import { type CommandDefinition, NEWEST_OR } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { shortEntryIds, shortIds } from "../render/short-ids.js"
import { findToRead } from "../sessions/find-session.js"
import { findEntryOrRoot, openFound, READING, sessionFields } from "../sessions/open-to-read-or-write.js"
import type { BlobPlace } from "../store/blob-place.js"
import { blobsOf, readOnlyManager, type Sessions } from "../store/command-sessions.js"
import {
  type ContextCommandOptions,
  LLM_FORMATS,
  type LlmFormat,
  printContext,
  reportMissing,
} from "./context/print-context.js"

export const command: CommandDefinition = {
  job: "in scripts",
  bundledWith: ["store/folder-blobs", "store/session-manager"],
  summary: "print what the model would get",
  description: "Print the context: the messages that the model would get.",
  examples: [
    ["treelog context", "of the newest session here"],
    ["treelog context 01a1ffe2 --leaf 5e40b9ff", "at another entry of the tree"],
    ["treelog context @last --json | jq .messages", "only the messages"],
    ["treelog context --llm anthropic --repair", "a request for Anthropic's API"],
  ],
  arguments: [["[session]", NEWEST_OR]],
  options: [
    ["--leaf <entry>", "the context at this entry; `root` means before the first entry"],
    ["--provider <name>", "for this provider: without what its own compaction replaced"],
    ["--llm <format>", "print the messages as a model's API takes them, as JSON", { choices: LLM_FORMATS }],
    ["--repair", "with --llm: repair what the API would reject, and list the changes on stderr"],
    ["--full", "do not truncate"],
  ],
  run: showContext,
}

// Usually the context at the leaf is wanted. It is read from the end of the file, without the code that opens a session.

export async function showContext(
  context: CommandContext,
  ref: string | undefined,
  options: ContextCommandOptions,
): Promise<ExitCode> {
  const { leaf, llm, full, repair } = options
  if (repair && !llm) throw new UsageError("--repair needs --llm; `treelog repair` repairs the session itself.")
  if (llm && full) throw new UsageError("--full does not apply to --llm, which never truncates.")
  if (leaf === undefined && !llm) return showCurrent(context, ref, options)
  return showOpened(context, ref, options)
}

async function showCurrent(
  context: CommandContext,
  ref: string | undefined,
  { full = false, provider }: ContextCommandOptions,
): Promise<ExitCode> {
  const { source, key } = await findToRead(context, ref)
  const place = blobsOf(source.sessions, key)
  const reading = async (): Promise<SessionContext> => {
    const forWhom = provider === undefined ? {} : { provider }
    const built = await readContextFromEnd(source.storage, key, { ...forWhom, ...(place && { blobs: blobsIn(place) }) })
    return built ?? readWhole(source.sessions, key, provider)
  }
  const built = await new Progress(context).during(reading(), () => READING)
  await printContext(context, built, { full, shortId: shortIds(built.entries), blobs: place?.name })
  return EXIT.ok
}

/** Most contexts have none: their code is loaded with the first. */
function blobsIn(place: BlobPlace): Pick<BlobSource, "get"> {
  let store: Promise<Pick<BlobSource, "get">> | undefined
  return {
    get: async (hash) => {
      store ??= place.read()
      return (await store).get(hash)
    },
  }
}

// What needs more of a session than its end, and so the code that opens it.

/** The context at any leaf, for people or for a model's API. */
async function showOpened(
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
async function readWhole(sessions: Sessions, key: string, provider: string | undefined): Promise<SessionContext> {
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
    const notes = {
      changes: repairs,
      diagnostics: [...built.diagnostics, ...leftOut],
      fidelity: contextFidelity(built),
    }
    await context.printJson({ ...sessionFields(session), leafId, llm: format, repaired: repair, request, ...notes })
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
