import type { SessionContext } from "@treelog/session-core"
import type { CommandContext } from "../command-context.js"
import { composeSessions } from "../compose.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { findEntryOrRoot } from "../find-entry.js"
import { type LlmFormat, providerOf } from "../llm-request.js"
import { existingKey, NEWEST, openForReading, READING } from "../open-session.js"
import { printLlmRequest } from "../print-llm-request.js"
import { Progress } from "../progress.js"
import { contextLines } from "../render/context-lines.js"
import { shortEntryIds, shortIds } from "../render/short-ids.js"
import { sayDiagnostics } from "../say-diagnostics.js"
import { blobsFolderOf, readingManager } from "../session-blobs.js"
import { UsageError } from "../usage-error.js"

export interface ContextCommandOptions {
  readonly leaf?: string
  readonly provider?: string
  readonly full?: boolean
  readonly llm?: LlmFormat
  readonly repair?: boolean
}

export async function showContext(
  context: CommandContext,
  ref: string | undefined,
  options: ContextCommandOptions,
): Promise<ExitCode> {
  const { leaf, llm, full = false, repair = false, provider } = options
  if (repair && !llm) throw new UsageError("--repair goes with --llm; `treelog repair` mends the session itself.")
  if (llm && full) throw new UsageError("--full goes without --llm, which cuts nothing.")
  if (leaf === undefined && !llm) return showCurrent(context, ref, { full, provider })
  const session = await openForReading(context, ref)
  const leafId = leaf === undefined ? session.getLeafId() : findEntryOrRoot(session, leaf)
  const replacedBy = replacingProvider(options)
  const built = await session.readContext({ leafId, ...(replacedBy !== undefined && { provider: replacedBy }) })
  if (llm) {
    await printLlmRequest(context, { session, leafId, built }, { format: llm, provider, repair })
    await sayWhatIsMissing(context, session.getSessionFile() ?? "", built)
  } else await printContext(context, session.getSessionFile() ?? "", built, { full, shortId: shortEntryIds(session) })
  return EXIT.ok
}

/** The context where the file stands is found from its end: the session is not opened for it. */
async function showCurrent(
  context: CommandContext,
  ref = NEWEST,
  { full, provider }: { full: boolean; provider: string | undefined },
): Promise<ExitCode> {
  const sessions = composeSessions(context)
  const key = await existingKey(sessions, ref)
  const reading = readingManager(sessions, key).readContext(key, provider === undefined ? {} : { provider })
  const built = await new Progress(context).during(reading, () => READING)
  await printContext(context, key, built, { full, shortId: shortIds(built.entries) })
  return EXIT.ok
}

async function printContext(
  context: CommandContext,
  key: string,
  built: SessionContext,
  view: { full: boolean; shortId: (id: string) => string },
): Promise<void> {
  if (context.options.json) return context.printJson(built)
  await context.print(contextLines(built, { style: context.style, ...view }))
  await sayWhatIsMissing(context, key, built)
}

/** Whose compaction stands for what it replaced: with --llm only where the format can carry what it left in its place. */
function replacingProvider({ llm, provider }: ContextCommandOptions): string | undefined {
  if (llm === undefined) return provider
  return llm === "openai-responses" ? (provider ?? providerOf(llm)) : undefined
}

async function sayWhatIsMissing(context: CommandContext, key: string, built: SessionContext): Promise<void> {
  await sayDiagnostics(context, built.diagnostics)
  if (!built.diagnostics.some(({ kind }) => kind === "missing-blob")) return
  const folder = blobsFolderOf(composeSessions(context), key)
  await context.say(`Blobs were looked for in ${folder}; --blobs names another folder.`)
}
