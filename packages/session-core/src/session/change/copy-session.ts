import type { SessionEntry } from "../../entry/entry.js"
import { CURRENT_VERSION, type SessionHeader } from "../../entry/header.js"
import type { NewEntry } from "../../entry/new-entry.js"
import { TreelogError } from "../../errors.js"
import { encodeLine, encodeText, formatLine } from "../../log/format-line.js"
import { parseLine } from "../../log/parse-line.js"
import { resplice } from "../../log/resplice.js"
import type { Part } from "../../log/splice.js"
import { sanitizeLine } from "../../persist/sanitize-line.js"
import { freshEntryId } from "../entry-id.js"
import { openToWrite } from "../open-session.js"
import type { Session } from "../session.js"
import type { SessionFactory } from "../session-factory.js"
import type { CreateOptions } from "../session-options.js"
import { SessionState } from "../session-state.js"
import { assembled, type Source } from "../stored/assembled.js"
import { readToCopy } from "../stored/read-stored.js"
import { assertSupported, unsupportedError } from "../supported.js"
import { type BranchItem, branchItems, childHeader, type EntryLinks } from "./branch-parts.js"
import { copyParts } from "./copy-parts.js"

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
  return store(factory, header, parts, { from, identity: stat.identity }, options)
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
  const lines: Part[] = []
  for (const item of items)
    lines.push(...(await partsOf(item, state, async (entry) => sanitizeLine(formatLine(entry), factory.blobs))))
  return store(
    factory,
    header,
    [...headParts(source, header), ...joined(lines)],
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

/** Stores a copy as a new session, with the artifacts of its source, and opens it. */
async function store(
  factory: SessionFactory,
  header: SessionHeader,
  parts: Iterable<Part>,
  source: Source,
  options: CreateOptions,
): Promise<Session> {
  const key = factory.keyFor(header)
  const lease = await factory.storage.lease(key, { access: "exclusive", waitMs: 0 })
  try {
    await lease.create(assembled(factory.storage, parts, source), { artifactsFrom: source.from })
    await lease.sync()
  } finally {
    await lease.release()
  }
  return openToWrite(factory, key, options)
}

const NEWLINE: Part = { bytes: encodeText("\n") }

/** The same parts; lines that follow each other in the source, with nothing but a line end between them, are one. */
function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  for (const part of parts) {
    const [before, between] = result.slice(-2)
    const follows = before && isRange(before) && between === NEWLINE && isRange(part) && part.from === before.to + 1
    if (follows) result.splice(-2, 2, { from: before.from, to: part.to })
    else result.push(part)
  }
  return result
}

function isRange(part: Part): part is { readonly from: number; readonly to: number } {
  return "from" in part && part.change === undefined
}

/** The line of the source, as it is or chained anew; for what has no line there, a new one. */
async function partsOf(
  item: BranchItem,
  state: SessionState,
  lineOf: (entry: SessionEntry) => Promise<string>,
): Promise<Part[]> {
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
