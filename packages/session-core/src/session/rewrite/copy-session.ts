import { CURRENT_VERSION, type SessionEntry, type SessionHeader } from "../../entry/entry.js"
import type { NewEntry } from "../../entry/new-entry.js"
import { encodeLine, encodeText, formatLine, formatRecord } from "../../log/format-line.js"
import type { Place } from "../../log/line.js"
import { parseLine } from "../../log/parse-line.js"
import type { Part } from "../../log/splice.js"
import { spliceLine } from "../../log/splice-line.js"
import { sanitizeLine } from "../../persist/sanitize-entry.js"
import { freshEntryId } from "../../ports/ids.js"
import type { SessionSource } from "../../ports/session-source.js"
import { run, step } from "../../steps.js"
import { openLeased } from "../open-session.js"
import { assembled, type Source } from "../reader/assembled.js"
import type { Session } from "../session.js"
import { unknownEntry, unsupportedError } from "../session-errors.js"
import type { SessionFactory } from "../session-factory.js"
import { type CreateOptions, leaseOptions } from "../session-options.js"
import { sessionParts } from "../session-parts.js"
import { SessionState } from "../session-state.js"
import { opensFile } from "../writer/writing-store.js"
import { type BranchItem, branchItems, type EntryLinks } from "./branch-parts.js"
import { copyParts, readToCopy } from "./stored-session.js"

/** Copies a stored session, all branches, into a new one of another folder. Lines are copied as bytes. */
export async function forkSession(
  factory: SessionFactory,
  from: string,
  cwd: string,
  options: CreateOptions,
): Promise<Session> {
  const { stat, log } = await readToCopy(factory.storage, from)
  const own = forkHeader(factory, from, cwd, options)
  const parts = copyParts(log, (header) => ({ ...header, ...own }))
  return storeCopy(factory, own, parts, { from, identity: stat.identity }, options)
}

/** What the header of a fork has of its own. */
export function forkHeader(factory: SessionFactory, from: string, cwd: string, options: CreateOptions): SessionHeader {
  return { ...factory.newHeader(cwd, options), parentSession: options.parentSession ?? from }
}

/** Copies the path from the root to an entry into a new session. */
export async function branchSession(factory: SessionFactory, source: Session, leafId: string): Promise<Session> {
  if (source.pending > 0) await source.flush()
  // All that is known of the source is read in this one step: it may change while the copy is made.
  const { header: parent, store, titleSlot, writing } = sessionParts(source)
  const { identity } = store
  const from = source.getSessionFile()
  const origin = from ?? parent.id
  if (parent.version !== CURRENT_VERSION) throw unsupportedError({ header: parent }, origin)
  const header = { ...parent, ...factory.newHeader(source.getCwd()), parentSession: origin }
  const items = itemsOf(source, leafId, header)
  const state = new SessionState()
  if (from === undefined) return withEntries(factory.inMemory({ header, state }), items)
  // A branch that was never answered gets its file with the first answer, as any new session does that is persisted from there.
  if (writing.persist === "pi" && !items.some((item) => opensFile(item.entry(), "assistant"))) {
    const content = { header, titleSlot, state }
    // Artifacts are copied with promises: where there are none, appends can write without.
    const artifactsFrom = (await hasArtifacts(factory.storage, from)) ? from : undefined
    return withEntries(factory.writing(factory.keyFor(header), content, writing, { artifactsFrom }), items)
  }
  const lines = await lineParts(items, (entry) => sanitizeLine(formatLine(entry), factory.blobStore))
  return storeCopy(factory, header, [...headParts(source, header), ...lines], { from, identity }, writing)
}

async function hasArtifacts(storage: SessionSource, key: string): Promise<boolean> {
  for await (const _ of storage.artifacts(key)) return true
  return false
}

function withEntries(session: Session, items: readonly BranchItem[]): Session {
  return appendEntries(
    session,
    items.map((item) => item.entry()),
  )
}

/**
 * Appends an entry as it is: with its id, parent and time, which `Session.append` makes, and with the order of its fields. For programs
 * whose own entries are to be stored. The leaf follows.
 * @throws what `Session.append` throws for the store and for an entry that cannot be serialized
 */
export function appendEntry(session: Session, entry: SessionEntry): void {
  const { store } = sessionParts(session)
  store.assertWritable()
  store.add(entry)
}

/** Appends several entries at once. @throws as `appendEntry`; the entries before the one that fails are appended */
export function appendEntries(session: Session, entries: readonly SessionEntry[]): Session {
  const { store, state } = sessionParts(session)
  if (entries.length > 0) store.assertWritable()
  for (const entry of entries) {
    store.append(entry, formatRecord(entry))
    state.follow(entry)
  }
  store.writeThrough()
  return session
}

/**
 * What `Session.createBranchedSession` would store, piece by piece, but with the session's own header: nothing is written.
 * @throws EntryNotFoundError, StorageError, SessionChangedError
 */
export async function* streamBranch(session: Session, leafId: string): AsyncGenerator<Uint8Array> {
  if (session.pending > 0) await session.flush()
  const { header, state, store, ports } = sessionParts(session)
  if (!state.tree.has(leafId)) throw unknownEntry(header, leafId)
  const { identity } = store
  const from = session.getSessionFile()
  const items = itemsOf(session, leafId, header)
  if (from === undefined) {
    yield encodeLine(header)
    for (const item of items) yield encodeLine(item.entry())
    return
  }
  const lines = await lineParts(items, formatLine)
  yield* assembled(ports.storage, [...headParts(session, header), ...lines], { from, identity })
}

/** @param header of the branch */
function itemsOf(source: Session, leafId: string, header: SessionHeader): BranchItem[] {
  const { state, titleSlot, ports } = sessionParts(source)
  const taken = new Set<string>()
  const make = ({ type, ...rest }: NewEntry, parentId: string | null): SessionEntry => {
    const id = freshEntryId(ports.ids, (candidate) => state.tree.has(candidate) || taken.has(candidate))
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

/**
 * The lines of a branch: those of the source, as they are or with other links, and new ones. Lines that follow each other in the
 * source, with nothing but a line end between them, are one part.
 * @param format makes the line of an entry that has none in the source
 */
async function lineParts(
  items: readonly BranchItem[],
  format: (entry: SessionEntry) => string | Promise<string>,
): Promise<Part[]> {
  const parts: Part[] = []
  /** The range that grows as long as the next line follows it. */
  let range: { from: number; to: number } | undefined
  for (const item of items) {
    const { place, links } = item
    if (place && !links && range && place.offset === range.to + 1) {
      range.to = place.offset + place.length
      continue
    }
    range = place && rangeOf(place)
    if (!range) parts.push({ bytes: encodeText(await format(item.entry())) })
    else if (links) parts.push({ ...range, change: (raw) => relinked(raw, links) ?? formatted(item) }, NEWLINE)
    else parts.push(range, NEWLINE)
    if (links) range = undefined
  }
  return parts
}

/** The line with other links, unless it is damaged. It is parsed again, since what was large in it may be elsewhere than in memory. */
function relinked(raw: Uint8Array, links: EntryLinks): Uint8Array | undefined {
  const [record] = parseLine({ number: 1, offset: 0, bytes: raw, end: raw.length, terminated: true }).records
  return record && spliceLine(raw, record.value, { ...record.value, ...links })
}

/** An entry that stands for a damaged line: it holds nothing that would have to be sanitized. */
function formatted(item: BranchItem): Uint8Array {
  return encodeText(formatRecord(item.entry()))
}

function rangeOf({ offset, length }: Place): { from: number; to: number } {
  return { from: offset, to: offset + length }
}

/** Stores a copy as a new session, with the artifacts of its source, and opens it. */
async function storeCopy(
  factory: SessionFactory,
  header: SessionHeader,
  parts: Iterable<Part>,
  source: Source,
  options: CreateOptions,
): Promise<Session> {
  const key = factory.keyFor(header)
  const storage = factory.writable(key)
  const lease = await storage.lease(key, leaseOptions({ ...options, busyTimeoutMs: 0 }))
  const store = step(async () => {
    await lease.create(assembled(storage, parts, source), { artifactsFrom: source.from })
    await lease.sync()
  })
  return run(openLeased(factory, lease, options, store))
}
