import { transcriptLines } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { startPaging } from "../../pager/start-paging.js"
import { shortEntryIds } from "../../render/short-ids.js"
import { openForReading } from "../../sessions/open-to-read-or-write.js"
import { sessionHeading } from "../show.js"

/** Prints a session from the turn of an entry on: on the current branch if the entry is on it, otherwise on the one that ends at it. */
export async function readFrom(context: CommandContext, path: string, entryId: string): Promise<ExitCode> {
  const session = await openForReading(context, path)
  const current = session.buildTranscript()
  const items = current.some(({ entry }) => entry.id === entryId) ? current : session.buildTranscript(entryId)
  const at = items.findIndex(({ entry }) => entry.id === entryId)
  const from = items
    .slice(0, at + 1)
    .map(({ message }) => message?.role === "user")
    .lastIndexOf(true)
  const shown = items.slice(Math.max(0, from))
  startPaging(context)
  await context.print([sessionHeading(session, shown.length, context.style)])
  await context.print(
    transcriptLines(shown, { style: context.style, full: true, withData: false, shortId: shortEntryIds(session) }),
  )
  return EXIT.ok
}
