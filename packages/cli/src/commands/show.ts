import type { TranscriptItem } from "@treelog/session-core"
import { kindOf, sourceOf } from "@treelog/session-core/adapter"
import { transcriptLines } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import { NEWEST_OR } from "../define/shared-options.js"
import { positiveInteger } from "../define/values.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { startPaging } from "../io/start-paging.js"
import { shortEntryIds } from "../render/short-ids.js"
import { lastMessages, sessionHeading } from "../render/transcript.js"
import { findEntry } from "../sessions/find-entry.js"
import { openForReading } from "../sessions/open-to-read-or-write.js"
import { sessionCost } from "../sessions/session-cost.js"

export const command: CommandDefinition = {
  job: "read",
  bundledWith: ["store/folder-blobs", "store/session-manager"],
  summary: "print a session as readable text",
  description: "Print a branch of a session as readable text.",
  examples: [
    ["treelog show", "the newest session of this folder"],
    ["treelog show 01a1ffe2 --full", "without truncation"],
    ["treelog show --tail 5", "only the last five messages"],
    ["treelog show session.jsonl --leaf 5e40b9ff", "another branch of a file"],
  ],
  arguments: [["[session]", NEWEST_OR]],
  options: [
    ["--leaf <entry>", "the branch that ends at this entry (default: the current branch)"],
    ["-n, --tail <count>", "print only this many messages, the last of the branch", { parse: positiveInteger }],
    [
      "--full",
      "do not truncate instructions, tool results, thinking and calls; also what programs keep, such as queues and usage",
    ],
  ],
  run: show,
}

interface ShowOptions {
  readonly leaf?: string
  readonly full?: boolean
  /** Only the last messages, so many. */
  readonly tail?: number
}

async function show(
  context: CommandContext,
  ref: string | undefined,
  { leaf, full = false, tail }: ShowOptions,
): Promise<ExitCode> {
  const { style, options } = context
  const session = await openForReading(context, ref)
  const leafId = leaf === undefined ? session.getLeafId() : findEntry(session, leaf)
  const cost = await sessionCost(context.io, session.iterateEntries())
  const items = lastMessages(session.buildTranscript(leafId ?? undefined), tail)
  if (options.json) {
    const header = session.getHeader()
    const head = {
      sessionId: session.getSessionId(),
      path: session.getSessionFile(),
      ...sourceOf(header),
      leafId,
      ...(cost && { cost }),
    }
    await context.printJsonList(head, "items", items.map(jsonItem))
    return EXIT.ok
  }
  startPaging(context)
  await context.print([sessionHeading(session, items.length, style, cost)])
  await context.print(transcriptLines(items, { style, full, withData: full, shortId: shortEntryIds(session) }))
  if (items.length === 0) await context.log("There is nothing on this branch yet.")
  return EXIT.ok
}

/** The message is in the entry already. */
function jsonItem({ message: _, entry, ...item }: TranscriptItem): object {
  return { entry, description: kindOf(entry).describe(entry), ...item }
}
