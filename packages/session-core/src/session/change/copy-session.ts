import { isEntry, type SessionEntry } from "../../entry/entry.js"
import { CURRENT_VERSION, type SessionHeader } from "../../entry/header.js"
import type { JsonObject } from "../../entry/json-object.js"
import type { NewEntry } from "../../entry/new-entry.js"
import { TreelogError } from "../../errors.js"
import { encodeLine, encodeText, formatLine } from "../../log/format-line.js"
import { parseLine } from "../../log/parse-line.js"
import { resplice } from "../../log/resplice.js"
import { assemble, type Part } from "../../log/splice.js"
import { sanitizeLine } from "../../persist/sanitize-line.js"
import type { BlobStore } from "../../ports/blob-store.js"
import { freshEntryId } from "../entry-id.js"
import { openToWrite } from "../open-session.js"
import type { Session } from "../session.js"
import type { SessionFactory } from "../session-factory.js"
import type { CreateOptions } from "../session-options.js"
import { SessionState } from "../session-state.js"
import { readStoredLog } from "../stored/read-stored.js"
import { assertSupported, unsupportedError } from "../supported.js"
import { type BranchItem, branchItems, childHeader } from "./branch-parts.js"
import { copyParts } from "./copy-parts.js"

/** Copies a stored session, all branches, into a new one of another folder. Lines are copied as bytes. */
export async function forkSession(
  factory: SessionFactory,
  from: string,
  cwd: string,
  options: CreateOptions,
): Promise<Session> {
  const stat = await factory.storage.stat(from)
  const log = stat && (await readStoredLog(factory.storage, from, stat))
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
  const { state, header: parent, titleSlot, store: sourceStore } = source.parts
  const from = source.getSessionFile()
  if (parent.version !== CURRENT_VERSION) throw unsupportedError({ header: parent }, from ?? parent.id)
  const header = childHeader(parent, { ...factory.newHeader(source.getCwd()), parentSession: from ?? parent.id })
  const taken = new Set<string>()
  const make = ({ type, ...rest }: NewEntry, parentId: string | null): SessionEntry => {
    const id = freshEntryId(factory.ids, (candidate) => state.tree.has(candidate) || taken.has(candidate))
    taken.add(id)
    return { type, id, parentId, timestamp: header.timestamp, ...rest }
  }
  const names = { now: source.getSessionName(), byHeader: titleSlot?.title ?? header.title }
  const items = branchItems(state, leafId, names, make)
  if (from === undefined) return factory.inMemory({ header, state: stateOf(items) })
  if (source.pending > 0) await source.flush()
  const slot: Part[] = titleSlot ? [rangeOf(titleSlot.place), NEWLINE] : []
  const lines: Part[] = []
  for (const item of items) lines.push(...(await partsOf(item, state, factory.blobs)))
  return store(
    factory,
    header,
    [...slot, { bytes: encodeLine(header) }, ...lines],
    { from, identity: sourceStore.identity },
    source.parts.writing,
  )
}

/**
 * Gives a session to another folder. The header goes first: a move that is cut short leaves a session that belongs to the
 * new folder already, and can be moved again.
 * @returns the new key
 */
export async function moveSession(factory: SessionFactory, key: string, cwd: string): Promise<string> {
  const { storage } = factory
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  try {
    const expected = await storage.stat(key)
    const log = expected && (await readStoredLog(storage, key, expected))
    if (!expected || !log)
      throw new TreelogError("SessionNotFoundError", `There is no session at ${key}.`, { ref: key })
    assertSupported(log, key)
    const to = factory.keyFor({ ...log.header, cwd })
    if (to !== key && (await storage.stat(to)))
      throw new TreelogError("SessionExistsError", `There is a session at ${to} already.`, { key: to })
    const parts = copyParts(log, (header) => ({ ...header, cwd }))
    const keepAs = log.version === CURRENT_VERSION ? {} : { keepAs: `.v${log.version}.bak` }
    await lease.replace(assembled(factory, parts, { from: key, identity: expected.identity }), { expected, ...keepAs })
    if (to !== key) await lease.move(to)
    return to
  } finally {
    await lease.release()
  }
}

interface Source {
  readonly from: string
  readonly identity: string | undefined
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
    await lease.create(assembled(factory, parts, source), { artifactsFrom: source.from })
    await lease.sync()
  } finally {
    await lease.release()
  }
  return openToWrite(factory, key, options)
}

function assembled(
  { storage }: SessionFactory,
  parts: Iterable<Part>,
  { from, identity }: Source,
): AsyncGenerator<Uint8Array> {
  return assemble(parts, (offset, length) => storage.readRange(from, offset, length, identity))
}

const NEWLINE: Part = { bytes: encodeText("\n") }

/** The line of the source, as it is or chained anew; for what has no line there, a new one. */
async function partsOf(
  { entry, source }: BranchItem,
  state: SessionState,
  blobs: BlobStore | undefined,
): Promise<Part[]> {
  const line = source && state.line(source.ordinal)
  if (!source || !line?.verbatim) return [{ bytes: encodeText(await sanitizeLine(formatLine(entry), blobs)) }]
  if (source.entry === entry) return [rangeOf(line.place), NEWLINE]
  const links = linksOf(entry)
  return [{ ...rangeOf(line.place), change: (raw) => relinked(raw, links) }, NEWLINE]
}

/** The line with other links. It is parsed again, since what was large in it may be elsewhere than in memory. */
function relinked(raw: Uint8Array, links: JsonObject): Uint8Array {
  const [record] = parseLine({ number: 1, offset: 0, bytes: raw, end: raw.length, terminated: true }).records
  return record ? resplice(raw, record.value, { ...record.value, ...links }) : raw
}

function linksOf(entry: SessionEntry): JsonObject {
  const { parentId } = entry
  return isEntry(entry, "compaction") ? { parentId, firstKeptEntryId: entry.firstKeptEntryId } : { parentId }
}

function rangeOf({ offset, length }: { offset: number; length: number }): Part {
  return { from: offset, to: offset + length }
}

function stateOf(items: readonly BranchItem[]): SessionState {
  const state = new SessionState()
  for (const { entry } of items) {
    state.add(entry)
    state.follow(entry)
  }
  return state
}
