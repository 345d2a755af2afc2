// What needs more of a session than its end, and so the code that opens it.

import type { SessionContext } from "@treelog/session-core"
import { blobsOf, readOnlyManager } from "../../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { shortEntryIds } from "../../render/short-ids.js"
import { commandSessions } from "../../sessions/command-sessions.js"
import { findEntryOrRoot } from "../../sessions/find-entry.js"
import { openForReading } from "../../sessions/open-to-read-or-write.js"
import { printLlmRequest, providerOf } from "./llm-request.js"
import { type ContextCommandOptions, printContext, reportMissing } from "./print-context.js"

/** The context at any leaf, for people or for a model's API. */
export async function showOpened(
  context: CommandContext,
  ref: string | undefined,
  options: ContextCommandOptions,
): Promise<ExitCode> {
  const { leaf, llm, full = false, repair = false, provider } = options
  const session = await openForReading(context, ref)
  const leafId = leaf === undefined ? session.getLeafId() : findEntryOrRoot(session, leaf)
  const replacedBy = replacingProvider(options)
  const built = await session.readContext({ leafId, ...(replacedBy !== undefined && { provider: replacedBy }) })
  const blobs = blobsOf(await commandSessions(context), session.getSessionFile() ?? "")?.name
  if (llm) {
    await printLlmRequest(context, { session, leafId, built }, { format: llm, provider, repair })
    await reportMissing(context, built, blobs)
  } else await printContext(context, built, { full, shortId: shortEntryIds(session), blobs })
  return EXIT.ok
}

/** The context at the leaf of a session that has to be read completely. */
export async function readWhole(
  context: CommandContext,
  key: string,
  provider: string | undefined,
): Promise<SessionContext> {
  const manager = await readOnlyManager(await commandSessions(context), key)
  return manager.readContext(key, provider === undefined ? {} : { provider })
}

/** Whose compaction stands for what it replaced: with --llm only where the format can carry what it left in its place. */
function replacingProvider({ llm, provider }: ContextCommandOptions): string | undefined {
  if (llm === undefined) return provider
  return llm === "openai-responses" ? (provider ?? providerOf(llm)) : undefined
}
