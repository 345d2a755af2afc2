import type { BlobSource, Message, SessionContext } from "@treelog/session-core"
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
import { blobsOf, readOnlyManager } from "../store/command-sessions.js"
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
  const place = blobsOf(source, key)
  const reading = async (): Promise<SessionContext> => {
    const forWhom = provider === undefined ? {} : { provider }
    const built = await readContextFromEnd(source.storage, key, { ...forWhom, ...(place && { blobs: blobsIn(place) }) })
    return built ?? (await readOnlyManager(source, key)).readContext(key, forWhom)
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
  const { leaf, llm, full = false } = options
  const found = await findToRead(context, ref)
  const session = await openFound(context, found)
  const leafId = leaf === undefined ? session.getLeafId() : findEntryOrRoot(session, leaf)
  const replacedBy = replacingProvider(options)
  const built = await session.readContext({ leafId, ...(replacedBy !== undefined && { provider: replacedBy }) })
  const blobs = blobsOf(found.source, found.key)?.name
  if (llm) {
    await printLlmRequest(context, { ...sessionFields(session), leafId }, built, { ...options, llm })
    await reportMissing(context, built, blobs)
  } else await printContext(context, built, { full, shortId: shortEntryIds(session), blobs })
  return EXIT.ok
}

/** Whose compaction stands for what it replaced: with --llm only where the format can carry what it left in its place. */
function replacingProvider({ llm, provider }: ContextCommandOptions): string | undefined {
  if (llm === undefined) return provider
  return llm === "openai-responses" ? (provider ?? providerOf(llm)) : undefined
}

/** The provider of a format; the AI SDK's has none. */
function providerOf(format: LlmFormat): string | undefined {
  if (format === "ai-sdk") return undefined
  return format === "anthropic" ? "anthropic" : "openai"
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

/**
 * Prints a context as a model's API takes it: alone, so that it can be sent as it is, and on stderr what was repaired and left
 * out; or with `--json` all of it in a document.
 * @param options `provider` gets its thinking as thinking; default: the format's provider, if it has one
 */
async function printLlmRequest(
  context: CommandContext,
  session: object,
  built: SessionContext,
  options: ContextCommandOptions & { readonly llm: LlmFormat },
): Promise<void> {
  const { messages } = built
  const { llm, provider = providerOf(llm), repair = false } = options
  // The model that would go on with it.
  const last = lastReply(messages)
  const model = last?.provider === provider ? last?.model : undefined
  const target = provider === undefined ? undefined : { provider, model }
  // The thinking of other providers is converted first, so that an answer that is empty without it is removed, too.
  const repaired = repairContext(target ? convertThinking(messages, target) : messages)
  const request = inFormat(repair ? repaired.messages : messages, llm, { target })
  const placed = <Note extends { index: number }>(note: Note): Note & { entryId: string | null } => ({
    ...note,
    entryId: built.entries[note.index] ?? null,
  })
  const refusals = repaired.changes.map(({ index, message }) => {
    return { kind: "needs-repair", index, message: `An API may refuse this; --repair changes it: ${message}` }
  })
  const changes = repair ? repaired.changes.map(placed) : []
  const leftOut = [...convertToLlm(messages).diagnostics, ...(repair ? [] : refusals)].map(placed)
  const fidelity = contextFidelity(built)
  if (context.options.json) {
    const diagnostics = [...built.diagnostics, ...leftOut]
    return context.printJson({ ...session, llm, repaired: repair, request, changes, diagnostics, fidelity })
  }
  await context.print([cleanJson(jsonText(request))])
  const { exactness, reason } = fidelity
  if (exactness !== "exact") await context.log(`${exactness}: ${reason}`)
  for (const { entryId, kind, message } of [...changes, ...leftOut])
    await context.log(`${entryId ?? "-"} ${kind} ${message}`)
  if (repair)
    await context.log(changes.length === 0 ? "Nothing to repair." : `${plural(changes.length, "thing")} repaired.`)
}
