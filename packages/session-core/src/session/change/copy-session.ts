import type { SessionEntry } from "../../entry/entry.js"
import { CURRENT_VERSION, type SessionHeader } from "../../entry/header.js"
import type { NewEntry } from "../../entry/new-entry.js"
import { TreelogError } from "../../errors.js"
import { encodeLine, encodeText, formatLine } from "../../log/format-line.js"
import type { Place } from "../../log/line.js"
import { parseLine } from "../../log/parse-line.js"
import { resplice } from "../../log/resplice.js"
import type { Part } from "../../log/splice.js"
import { sanitizeLine } from "../../persist/sanitize-line.js"
import { freshEntryId } from "../entry-id.js"
import type { Session } from "../session.js"
import type { SessionFactory } from "../session-factory.js"
import type { CreateOptions } from "../session-options.js"
import { SessionState } from "../session-state.js"
import { assembled } from "../stored/assembled.js"
import { readToCopy } from "../stored/read-stored.js"
import { assertSupported, unsupportedError } from "../supported.js"
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
  if (!stat || !log) throw new TreelogError("SessionNotFoundError", `There is no session at ${from}.`, { ref: from })
  assertSupported(log, from)
  const header = childHeader(log.header, {
    ...factory.newHeader(cwd, options),
    parentSession: options.parentSession ?? from,
  })
  const parts = copyParts(log, ({ version }) => ({ ...header, ...(version !== undefined && { version }) }))
  return storeCopy(factory, header, parts, { from, identity: stat.identity }, options)
}

/** Copies the way from the root to an entry into a session of its own. */
export async function branchSession(factory: SessionFactory, source: Session, leafId: string): Promise<Session> {
  const { state, header: parent, store: sourceStore } = source.parts
  const from = source.getSessionFile()
  if (parent.version !== CURRENT_VERSION) throw unsupportedError({ header: parent }, from ?? parent.id)
  const header = childHeader(parent, { ...factory.newHeader(source.getCwd()), parentSession: from ?? parent.id })
  const items = itemsOf(factory, source, leafId, header)
  if (from === undefined) return factory.inMemory({ header, state: stateOf(items, state) })
  if (source.pending > 0) await source.flush()
  const parts = await joinedParts(items, state, async (entry) => sanitizeLine(formatLine(entry), factory.blobs))
  return storeCopy(
    factory,
    header,
    [...headParts(source, header), ...parts],
    { from, identity: sourceStore.identity },
    source.parts.writing,
  )
}

/** The same as bytes that nobody stores, with the header of the source. */
export async function* branchBytes(
  factory: SessionFactory,
  source: Session,
  leafId: string,
): AsyncGenerator<Uint8Array> {
  const { state, header, store: sourceStore } = source.parts
  const from = source.getSessionFile()
  if (source.pending > 0) await source.flush()
  const stored = from === undefined ? undefined : { from, identity: sourceStore.identity }
  if (stored) yield* assembled(factory.storage, headParts(source, header), stored)
  else yield encodeLine(header)
  for (const item of itemsOf(factory, source, leafId, header)) {
    const parts = await partsOf(item, state, async (entry) => formatLine(entry))
    yield* stored ? assembled(factory.storage, parts, stored) : bytesOf(parts)
  }
}

/** Of a session in memory no entry has a line. */
function* bytesOf(parts: Iterable<Part>): Generator<Uint8Array> {
  for (const part of parts) if ("bytes" in part) yield part.bytes
}

function itemsOf(factory: SessionFactory, source: Session, leafId: string, header: SessionHeader): BranchItem[] {
  const { state, titleSlot } = source.parts
  const taken = new Set<string>()
  const make = ({ type, ...rest }: NewEntry, parentId: string | null): SessionEntry => {
    const id = freshEntryId(factory.ids, (candidate) => state.tree.has(candidate) || taken.has(candidate))
    taken.add(id)
    return { type, id, parentId, timestamp: header.timestamp, ...rest }
  }
  const names = { now: source.getSessionName(), byHeader: titleSlot?.title ?? header.title }
  return branchItems(state, leafId, names, make)
}

function headParts({ parts: { titleSlot } }: Session, header: SessionHeader): Part[] {
  const slot: Part[] = titleSlot ? [rangeOf(titleSlot.place), NEWLINE] : []
  return [...slot, { bytes: encodeLine(header) }]
}

const NEWLINE: Part = { bytes: /* @__PURE__ */ encodeText("\n") }

type LineOf = (entry: SessionEntry) => Promise<string>

/** The parts of all items; lines that follow each other in the source, with nothing but a line end between them, are one. */
async function joinedParts(items: readonly BranchItem[], state: SessionState, lineOf: LineOf): Promise<Part[]> {
  const parts: Part[] = []
  /** The range that goes on as long as the next line follows it. */
  let from = 0
  let to = 0
  const endRange = (): void => {
    if (to > from) parts.push({ from, to }, NEWLINE)
    to = from
  }
  for (const item of items) {
    const place = copiedPlace(item, state)
    if (!place) {
      endRange()
      parts.push(...(await partsOf(item, state, lineOf)))
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

/** Where the line stands of an item that is copied as it is. */
function copiedPlace(item: BranchItem, state: SessionState): Place | undefined {
  if ("entry" in item || item.links) return undefined
  const line = state.line(item.ordinal)
  return line?.verbatim ? line.place : undefined
}

/** The line of the source, as it is or chained anew; for what has no line there, a new one. */
async function partsOf(item: BranchItem, state: SessionState, lineOf: LineOf): Promise<Part[]> {
  const line = "ordinal" in item ? state.line(item.ordinal) : undefined
  if ("entry" in item || !line?.verbatim) return [{ bytes: encodeText(await lineOf(entryOf(item, state))) }]
  const { links } = item
  if (!links) return [rangeOf(line.place), NEWLINE]
  return [{ ...rangeOf(line.place), change: (raw) => relinked(raw, links) ?? formatted(item, state) }, NEWLINE]
}

/** The line with other links, unless it is damaged. It is parsed again, since what was large in it may be elsewhere than in memory. */
function relinked(raw: Uint8Array, links: EntryLinks): Uint8Array | undefined {
  const [record] = parseLine({ number: 1, offset: 0, bytes: raw, end: raw.length, terminated: true }).records
  return record && resplice(raw, record.value, { ...record.value, ...links })
}

/** An entry that stands for a damaged line: it holds nothing that would have to be sanitized. */
function formatted(item: BranchItem, state: SessionState): Uint8Array {
  return encodeText(formatLine(entryOf(item, state)).trimEnd())
}

function entryOf(item: BranchItem, state: SessionState): SessionEntry {
  if ("entry" in item) return item.entry
  const entry = state.entryAt(item.ordinal) as SessionEntry
  return item.links ? ({ ...entry, ...item.links } as SessionEntry) : entry
}

function rangeOf({ offset, length }: { offset: number; length: number }): Part {
  return { from: offset, to: offset + length }
}

function stateOf(items: readonly BranchItem[], source: SessionState): SessionState {
  const state = new SessionState()
  for (const item of items) {
    const entry = entryOf(item, source)
    state.add(entry)
    state.follow(entry)
  }
  return state
}
