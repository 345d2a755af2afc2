import { buildTranscript, type SessionInfo, type TranscriptItem } from "@treelog/session-core"
import { kindOf, listedSession, sourceOf } from "@treelog/session-core/adapter"
import type { Cost } from "@treelog/session-core/search"
import { plural, transcriptLines } from "@treelog-internal/text"
import { type CommandDefinition, NEWEST_OR, positiveInteger } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { startPaging } from "../io/start-paging.js"
import { shortEntryIds, shortIds } from "../render/short-ids.js"
import { headingOf, lastMessages, sessionHeading } from "../render/transcript.js"
import { type FoundSession, findToRead } from "../sessions/find-session.js"
import { findEntry, openFound } from "../sessions/open-to-read-or-write.js"
import { sessionCost } from "../sessions/prices.js"

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
  readonly tail?: number
}

async function show(context: CommandContext, ref: string | undefined, options: ShowOptions): Promise<ExitCode> {
  const { style } = context
  const found = await findToRead(context, ref)
  const { items, isEmpty, document, heading, shortId } =
    (await endOf(context, found, options)) ?? (await wholeOf(context, found, options))
  if (context.options.json) {
    await context.printJsonList(document, "items", jsonItems(items))
    return EXIT.ok
  }
  startPaging(context)
  const { full = false } = options
  await context.print([heading])
  await context.print(transcriptLines(items, { style, full, withData: full, shortId }))
  if (isEmpty) await context.log("There is nothing on this branch yet.")
  return EXIT.ok
}

interface Shown {
  /** Read as they are printed: memory need not hold the session. */
  readonly items: Iterable<TranscriptItem>
  readonly isEmpty: boolean
  /** What `--json` prints beside them. */
  readonly document: object
  readonly heading: string
  readonly shortId: (id: string) => string
}

/** The last messages of a session of an agent, where the end of its own file has so many. */
async function endOf(
  { style }: CommandContext,
  { source, key }: FoundSession,
  { leaf, tail }: ShowOptions,
): Promise<Shown | undefined> {
  if (leaf !== undefined || tail === undefined) return undefined
  const { storage } = source
  const path = await storage.end?.(key, { withParts: true })
  const all = path ? buildTranscript(path) : []
  const items = lastMessages(all, tail)
  const info = items.length < all.length ? await listedSession(storage, key) : undefined
  if (!path || !info || info.error) return undefined
  const facts = { ...(source.agent !== undefined && { agent: source.agent }), ...info }
  return {
    ...{ items, isEmpty: items.length === 0 },
    document: documentOf(info.id, key, facts, path.at(-1)?.id ?? null),
    heading: headingOf(facts, `the last ${plural(items.length, "entry", "entries")}`, style),
    shortId: shortIds(path.map(({ id }) => id)),
  }
}

async function wholeOf(context: CommandContext, found: FoundSession, { leaf, tail }: ShowOptions): Promise<Shown> {
  const session = await openFound(context, found)
  const leafId = leaf === undefined ? session.getLeafId() : findEntry(session, leaf)
  const cost = await sessionCost(context.io, session.iterateEntries())
  const all = session.iterateTranscript(leafId ?? undefined)
  const last = tail === undefined ? undefined : lastMessages(all, tail)
  const shown = last?.length ?? session.getBranchLength(leafId ?? undefined)
  return {
    ...{ items: last ?? all, isEmpty: shown === 0 },
    document: documentOf(session.getSessionId(), session.getSessionFile(), sourceOf(session.getHeader()), leafId, cost),
    heading: sessionHeading(session, shown, context.style, cost),
    shortId: shortEntryIds(session),
  }
}

function documentOf(
  sessionId: string,
  path: string | undefined,
  { agent, person }: Pick<SessionInfo, "agent" | "person">,
  leafId: string | null,
  cost?: Cost,
): object {
  return { sessionId, path, agent, person, leafId, cost }
}

/** The message is in the entry already. */
function* jsonItems(items: Iterable<TranscriptItem>): Generator<object> {
  for (const { message: _, entry, ...item } of items)
    yield { entry, description: kindOf(entry).describe(entry), ...item }
}
