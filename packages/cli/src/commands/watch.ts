import { buildTranscript, isTreelogError, type Session, type SessionEntry } from "@treelog/session-core"
import { kindOf, partOf } from "@treelog/session-core/adapter"
import { transcriptPrinter, turnLines } from "@treelog-internal/text"
import { type CommandDefinition, NEWEST_OR, positiveInteger } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { shortEntryIds } from "../render/short-ids.js"
import { lastMessages } from "../render/transcript.js"
import { type FoundSession, findToRead } from "../sessions/find-session.js"
import { openFound } from "../sessions/open-to-read-or-write.js"

export const command: CommandDefinition = {
  job: "read",
  summary: "follow a live session",
  description: "Print the entries of a session as other processes append them, until Ctrl-C. Writes nothing.",
  examples: [
    ["treelog watch", "the newest session of this folder"],
    ["treelog watch -n 10", "print the last ten messages first"],
    ["treelog watch 01a1ffe2 --from-start", "print all stored entries first"],
    ["treelog watch @last --json", "a line of JSON for each entry"],
    ["treelog watch --live --all", "what sessions do, of all folders"],
  ],
  arguments: [["[session]", NEWEST_OR]],
  options: [
    [
      "-n, --tail <count>",
      "first print this many messages, the last of the current branch",
      { parse: positiveInteger },
    ],
    ["--from-start", "first print the stored entries: all branches, in file order"],
    ["--full", "do not truncate"],
    ["--live", "what sessions do, as it changes"],
  ],
  run: watch,
}

interface WatchOptions {
  readonly fromStart?: boolean
  readonly full?: boolean
  readonly live?: boolean
  readonly tail?: number
}

export async function watch(
  context: CommandContext,
  ref: string | undefined,
  { fromStart = false, full = false, tail, live }: WatchOptions,
): Promise<ExitCode> {
  if (live && (ref !== undefined || fromStart || full || tail !== undefined))
    throw new UsageError("--live is about all sessions, and goes with no session and no other option.")
  if (live) return (await import("./watch/live.js")).watchLive(context)
  if (fromStart && tail !== undefined) throw new UsageError("Give --tail or --from-start, not both.")
  const found = await findToRead(context, ref)
  const session = await openFound(context, found)
  const stored = fromStart ? session.getEntries() : lastEntries(session, tail)
  const above = stored.length > 0 ? undefined : session.getLeafId()
  const print = entryPrinter(context, session, { full, above })
  await context.log(`Watching ${session.getSessionId()}; Ctrl-C ends.`)
  for (const entry of stored) await print(entry)
  for await (const entry of arrivals(context, found, session)) await print(entry)
  return EXIT.interrupted
}

function lastEntries(session: Session, tail: number | undefined): SessionEntry[] {
  return tail === undefined ? [] : lastMessages(session.iterateTranscript(), tail).map(({ entry }) => entry)
}

/** What is appended from now on, and parts that grow. Where the file is replaced, as by a migration, the new one is followed. */
async function* arrivals(context: CommandContext, found: FoundSession, session: Session): AsyncGenerator<SessionEntry> {
  const { interrupted } = context.io
  const known = new Set(session.getEntries().map(keyOf))
  for (let current = session; !interrupted.aborted; ) {
    try {
      for await (const entry of current.watch(interrupted)) {
        known.add(keyOf(entry))
        yield entry
      }
    } catch (error) {
      if (!isTreelogError(error, "SessionChangedError") || error.data.change === "gone") throw error
      current = await openFound(context, found)
      const added = current.getEntries().filter((entry) => !known.has(keyOf(entry)))
      if (!added.some(partOf)) await context.log("The file was rewritten; continuing with its new entries.")
      for (const entry of added) {
        known.add(keyOf(entry))
        yield entry
      }
    }
  }
}

/** A part is another one when it has grown. */
function keyOf(entry: SessionEntry): string {
  return partOf(entry) ? `${entry.id} ${kindOf(entry).describe(entry)}` : entry.id
}

/** @param above the entry that was printed last, or would have been; undefined where nothing was */
function entryPrinter(
  context: CommandContext,
  session: Session,
  { full, above }: { full: boolean; above: string | null | undefined },
): (entry: SessionEntry) => Promise<void> {
  const look = { style: context.style, full, withData: full, shortId: shortEntryIds(session) }
  const linesOf = transcriptPrinter(look)
  let last = above
  return async (entry) => {
    if (context.options.json) return context.printJson({ entry, description: kindOf(entry).describe(entry) })
    const [item] = buildTranscript([entry])
    if (!item) return
    const lines = linesOf(item)
    const goesOn = last === undefined || entry.parentId === last || lines.length === 0 || partOf(entry)
    await context.print([...(goesOn ? [] : turnLines(entry.parentId, look)), ...lines])
    last = entry.id
  }
}
