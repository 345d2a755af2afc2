import type { CommandContext } from "../command-context.js"
import { composeSessions } from "../compose.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { findEntryOrRoot } from "../find-entry.js"
import { openForReading } from "../open-session.js"
import { contextLines } from "../render/context-lines.js"
import { shortEntryIds } from "../render/short-ids.js"
import { blobsFolderOf } from "../session-blobs.js"

export interface ContextCommandOptions {
  readonly leaf?: string
  readonly provider?: string
  readonly full?: boolean
}

export async function showContext(
  context: CommandContext,
  ref: string | undefined,
  { leaf, provider, full = false }: ContextCommandOptions,
): Promise<ExitCode> {
  const { style, options } = context
  const session = await openForReading(context, ref)
  const leafId = leaf === undefined ? session.getLeafId() : findEntryOrRoot(session, leaf)
  const built = await session.readContext({ leafId, ...(provider !== undefined && { provider }) })
  if (options.json) {
    await context.printJson(built)
    return EXIT.ok
  }
  const shortId = shortEntryIds(session)
  await context.print(contextLines(built, { style, full, shortId }))
  for (const message of new Set(built.diagnostics.map(({ message }) => message))) await context.say(message)
  if (built.diagnostics.some(({ kind }) => kind === "missing-blob")) {
    const folder = await blobsFolderOf(composeSessions(context), session.getSessionFile() ?? "")
    await context.say(`Blobs were looked for in ${folder}; --blobs names another folder.`)
  }
  return EXIT.ok
}
