import type { Session, SessionContext } from "@treelog/session-core"
import type { CommandContext } from "../command-context.js"
import { composeSessions } from "../compose.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { findEntryOrRoot } from "../find-entry.js"
import { type LlmFormat, providerOf } from "../llm-request.js"
import { openForReading } from "../open-session.js"
import { printLlmRequest } from "../print-llm-request.js"
import { contextLines } from "../render/context-lines.js"
import { shortEntryIds } from "../render/short-ids.js"
import { sayDiagnostics } from "../say-diagnostics.js"
import { blobsFolderOf } from "../session-blobs.js"
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
  const session = await openForReading(context, ref)
  const leafId = leaf === undefined ? session.getLeafId() : findEntryOrRoot(session, leaf)
  const replacedBy = replacingProvider(options)
  const built = await session.readContext({ leafId, ...(replacedBy !== undefined && { provider: replacedBy }) })
  if (llm) {
    await printLlmRequest(context, { session, leafId, built }, { format: llm, provider, repair })
    await sayWhatIsMissing(context, session, built)
  } else if (context.options.json) await context.printJson(built)
  else {
    await context.print(contextLines(built, { style: context.style, full, shortId: shortEntryIds(session) }))
    await sayWhatIsMissing(context, session, built)
  }
  return EXIT.ok
}

/** Whose compaction stands for what it replaced: with --llm only where the format can carry what it left in its place. */
function replacingProvider({ llm, provider }: ContextCommandOptions): string | undefined {
  if (llm === undefined) return provider
  return llm === "openai-responses" ? (provider ?? providerOf(llm)) : undefined
}

async function sayWhatIsMissing(context: CommandContext, session: Session, built: SessionContext): Promise<void> {
  await sayDiagnostics(context, built.diagnostics)
  if (!built.diagnostics.some(({ kind }) => kind === "missing-blob")) return
  const folder = blobsFolderOf(composeSessions(context), session.getSessionFile() ?? "")
  await context.say(`Blobs were looked for in ${folder}; --blobs names another folder.`)
}
