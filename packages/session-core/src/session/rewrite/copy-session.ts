import type { SessionEntry } from "../../entry/entry.js"
import { CURRENT_VERSION, type SessionHeader } from "../../entry/header.js"
import type { NewEntry } from "../../entry/new-entry.js"
import { encodeLine, encodeText, formatLine, formatRecord } from "../../log/format-line.js"
import { parseLine } from "../../log/parse-line.js"
import type { Part } from "../../log/splice.js"
import { spliceLine } from "../../log/splice-line.js"
import { sanitizeLine } from "../../persist/sanitize-line.js"
import { freshEntryId } from "../entry-id.js"
import { assembled } from "../reader/assembled.js"
import { readToCopy } from "../reader/read-stored.js"
import type { Session } from "../session.js"
import type { SessionContent } from "../session-content.js"
import { noSessionAt } from "../session-errors.js"
import type { SessionFactory } from "../session-factory.js"
import type { CreateOptions, WritingOptions } from "../session-options.js"
import { sessionParts } from "../session-parts.js"
import { SessionState } from "../session-state.js"
import { assertSupported, unsupportedError } from "../supported.js"
import { opensFile } from "../writer/writing-store.js"
import { type BranchItem, branchItems, childHeader, type EntryLinks } from "./branch-parts.js"
import { copyParts } from "./copy-parts.js"
import { storeCopy } from "./store-copy.js"

/** Copies a stored session, all branches, into a new one of another folder. Lines are copied as bytes. */
export async function forkSession(
  factory: SessionFactory,
  from: string,
  cwd: string,
  options: CreateOptions,
): Promise<Session> {
  const stat = await factory.storage.stat(from)
  const log = stat && (await readToCopy(factory.storage, from, stat))
  if (!stat || !log) throw noSessionAt(from)
  assertSupported(log, from)
  const header = childHeader(log.header, {
    ...factory.newHeader(cwd, options),
    parentSession: options.parentSession ?? from,
  })
  const parts = copyParts(log, ({ version }) => ({ ...header, ...(version !== undefined && { version }) }))
  return storeCopy(factory, header, parts, { from, identity: stat.identity }, options)
}

/** Copies the path from the root to an entry into a new session. */
export async function branchSession(factory: SessionFactory, source: Session, leafId: string): Promise<Session> {
  if (source.pending > 0) await source.flush()
  // All that is known of the source is asked for in this one step: it goes on while the copy is made.
  const { header: parent, store, titleSlot, writing } = sessionParts(source)
  const from = source.getSessionFile()
  if (parent.version !== CURRENT_VERSION) throw unsupportedError({ header: parent }, from ?? parent.id)
  const header = childHeader(parent, { ...factory.newHeader(source.getCwd()), parentSession: from ?? parent.id })
  const items = itemsOf(factory, source, leafId, header)
  if (from === undefined) return factory.inMemory({ header, state: stateOf(items) })
  if (writing.persistFrom === "assistant" && !items.some((item) => opensFile(item.entry(), "assistant")))
    return unwritten(factory, { header, titleSlot, state: new SessionState() }, items, from, writing)
  const { identity } = store
  const parts = [...headParts(source, header), ...(await joinedParts(items, factory))]
  return storeCopy(factory, header, parts, { from, identity }, writing)
}

/** A branch that was never answered gets its file with the first answer, as any new session does that is persisted from there. */
function unwritten(
  factory: SessionFactory,
  content: SessionContent,
  items: readonly BranchItem[],
  artifactsFrom: string,
  options: WritingOptions,
): Session {
  const session = factory.writing(factory.keyFor(content.header), content, options, { artifactsFrom })
  for (const item of items) {
    const entry = item.entry()
    sessionParts(session).store.append(entry, formatRecord(entry))
    content.state.follow(entry)
  }
  return session
}

/** The same as bytes that nobody stores, with the header of the source. */
export async function* branchBytes(
  factory: SessionFactory,
  source: Session,
  leafId: string,
): AsyncGenerator<Uint8Array> {
  if (source.pending > 0) await source.flush()
  const { header, store } = sessionParts(source)
  const from = source.getSessionFile()
  const items = itemsOf(factory, source, leafId, header)
  const stored = from === undefined ? undefined : { from, identity: store.identity }
  if (stored) yield* assembled(factory.storage, headParts(source, header), stored)
  else yield encodeLine(header)
  for (const item of items) {
    const parts = await partsOf(item, async (entry) => formatLine(entry))
    yield* stored ? assembled(factory.storage, parts, stored) : bytesOf(parts)
  }
}

/** Of a session in memory no entry has a line. */
function* bytesOf(parts: Iterable<Part>): Generator<Uint8Array> {
  for (const part of parts) if ("bytes" in part) yield part.bytes
}

function itemsOf(factory: SessionFactory, source: Session, leafId: string, header: SessionHeader): BranchItem[] {
  const { state, titleSlot } = sessionParts(source)
  const taken = new Set<string>()
  const make = ({ type, ...rest }: NewEntry, parentId: string | null): SessionEntry => {
    const id = freshEntryId(factory.ids, (candidate) => state.tree.has(candidate) || taken.has(candidate))
    taken.add(id)
    return { type, id, parentId, timestamp: header.timestamp, ...rest }
  }
  const names = { now: source.getSessionName(), byHeader: titleSlot?.title ?? header.title }
  return branchItems(state, leafId, names, make)
}

function headParts(session: Session, header: SessionHeader): Part[] {
  const { titleSlot } = sessionParts(session)
  const slot: Part[] = titleSlot ? [rangeOf(titleSlot.place), NEWLINE] : []
  return [...slot, { bytes: encodeLine(header) }]
}

const NEWLINE: Part = { bytes: /* @__PURE__ */ encodeText("\n") }

type LineOf = (entry: SessionEntry) => Promise<string>

/** The parts of all items; lines that follow each other in the source, with nothing but a line end between them, are one. */
async function joinedParts(items: readonly BranchItem[], { blobs }: SessionFactory): Promise<Part[]> {
  const parts: Part[] = []
  /** The range that goes on as long as the next line follows it. */
  let from = 0
  let to = 0
  const endRange = (): void => {
    if (to > from) parts.push({ from, to }, NEWLINE)
    to = from
  }
  for (const item of items) {
    const { place, links } = item
    if (!place || links) {
      endRange()
      parts.push(...(await partsOf(item, async (entry) => sanitizeLine(formatLine(entry), blobs))))
      continue
    }
    if (to === from || place.offset !== to + 1) {
      endRange()
      from = place.offset
    }
    to = place.offset + place.length
  }
  endRange()
  return parts
}

/** The line of the source, as it is or chained anew; for what has no line there, a new one. */
async function partsOf(item: BranchItem, lineOf: LineOf): Promise<Part[]> {
  const { place, links } = item
  if (!place) return [{ bytes: encodeText(await lineOf(item.entry())) }]
  if (!links) return [rangeOf(place), NEWLINE]
  return [{ ...rangeOf(place), change: (raw) => relinked(raw, links) ?? formatted(item) }, NEWLINE]
}

/** The line with other links, unless it is damaged. It is parsed again, since what was large in it may be elsewhere than in memory. */
function relinked(raw: Uint8Array, links: EntryLinks): Uint8Array | undefined {
  const [record] = parseLine({ number: 1, offset: 0, bytes: raw, end: raw.length, terminated: true }).records
  return record && spliceLine(raw, record.value, { ...record.value, ...links })
}

/** An entry that stands for a damaged line: it holds nothing that would have to be sanitized. */
function formatted(item: BranchItem): Uint8Array {
  return encodeText(formatLine(item.entry()).trimEnd())
}

function rangeOf({ offset, length }: { offset: number; length: number }): Part {
  return { from: offset, to: offset + length }
}

function stateOf(items: readonly BranchItem[]): SessionState {
  const state = new SessionState()
  for (const item of items) {
    const entry = item.entry()
    state.add(entry)
    state.follow(entry)
  }
  return state
}
