import { isTreelogError, type Session, type TranscriptItem } from "@treelog/session-core"
import { entryLine, transcriptLines } from "@treelog-internal/text"
import { UsageError } from "../../errors/exit-codes.js"
import { shortEntryIds } from "../../render/short-ids.js"
import type { Look } from "../../render/table.js"
import { sessionHeading } from "../../render/transcript.js"
import { branchThrough } from "../../search/hit-context.js"
import { sayer } from "../../search/hit-printer.js"
import { readOnlyManager } from "../../store/command-sessions.js"
import { type Found, type Preview, type PreviewPart, type Readable, type Source, sessionOf } from "./found.js"

/** The question before what was found, and the answer behind it; of a session in which nothing was, its last ones. */
export async function previewOf({ source, title }: Found<Source>): Promise<Preview> {
  if (source.kind === "prompt") return { after: { who: "prompt", text: title } }
  const { hit } = source
  try {
    const { items, at } = await openAt(source)
    const asked = lastPrompt(items.slice(0, at))
    const after = items.slice((hit ? at : asked) + 1).filter(isAnswer)
    return {
      before: part(items[asked]),
      after: part(hit ? after[0] : after.at(-1)),
      ...(hit && { hit: { who: sayer(hit), snippet: hit.snippet } }),
    }
  } catch (error) {
    // It was deleted or replaced meanwhile.
    if (isTreelogError(error, "SessionNotFoundError")) return {}
    throw error
  }
}

/** A session as lines to read, from what was found on, or else from its last question. */
export async function readableOf({ source }: Found<Source>, { style }: Look, columns: number): Promise<Readable> {
  const { session, items, at } = await openAt(source)
  const own = { ...style, width: columns }
  const look = { style: own, full: true, withData: false, shortId: shortEntryIds(session) }
  const isFound = at < items.length
  const from = isFound ? at : Math.max(0, lastPrompt(items))
  const snippet = isFound && source.kind !== "prompt" ? source.hit?.snippet : undefined
  return {
    found: [...new Set(snippet?.matches.map(([begin, end]) => snippet.text.slice(begin, end)))],
    lines: transcriptLines(items.slice(from), look),
    earlier: () => [sessionHeading(session, items.length, own), ...transcriptLines(items.slice(0, from), look)],
  }
}

interface OpenAt {
  readonly session: Session
  readonly items: readonly TranscriptItem[]
  /** Where the entry is; behind the last item where no entry is meant. */
  readonly at: number
}

async function openAt(source: Source): Promise<OpenAt> {
  const place = sessionOf(source)
  if (!place) throw new UsageError("A prompt of the history is not a session.")
  const { store, openedBy, entryId } = place
  const session = await (await readOnlyManager(store, openedBy)).open(openedBy, { access: "read" })
  try {
    const isThere = entryId !== undefined && session.getEntry(entryId) !== undefined
    const items = branchThrough(session, isThere ? entryId : undefined)
    const at = isThere ? items.findIndex(({ entry }) => entry.id === entryId) : -1
    return { session, items, at: at === -1 ? items.length : at }
  } finally {
    await session.close()
  }
}

/** Where the last of the items is that the user said; -1 without any. */
function lastPrompt(items: readonly TranscriptItem[]): number {
  return items.map(({ message }) => message?.role === "user").lastIndexOf(true)
}

/** Whether the assistant says something there, and not only calls tools. */
function isAnswer({ message }: TranscriptItem): boolean {
  const { role, content } = (message ?? {}) as { role?: string; content?: unknown }
  return role === "assistant" && Array.isArray(content) && content.some(({ type }) => type === "text")
}

function part(item: TranscriptItem | undefined): PreviewPart | undefined {
  return item && entryLine(item.entry)
}
