import { isEntry, type SessionEntry } from "../../entry/entry.js"
import { jsonText } from "../../entry/json-text.js"
import { isJsonObject, type JsonObject } from "../../entry/values.js"
import { TreelogError } from "../../errors.js"
import { joinBytes } from "../../log/bytes.js"
import { encodeLine, encodeText } from "../../log/format-line.js"
import { parseLine, toEntry } from "../../log/parse-line.js"
import { linesOf } from "../../log/split-lines.js"
import { freshEntryId } from "../../ports/ids.js"
import type { Lease, StorageStat } from "../../ports/session-storage.js"
import { storedLines } from "../../session/reader/read-stored.js"
import { underLease } from "../../session/rewrite/stored-session.js"
import type { SessionFactory } from "../../session/session-factory.js"
import { isLeafMarker, LEAF_MARKER } from "../../tree/leaf.js"

// A session that was imported before is stored with the entries of its source, and perhaps with entries that were added here. What the
// source has in addition is appended: by the ids of its entries, which are the same each time it is converted. Nothing is changed or
// removed. An entry that is stored with another content is stored once more, under an id that is made of its own and of its content, and
// with it what follows it: a branch. So an import that was interrupted goes on where it ended, and repeated it appends nothing.

/** How much is appended at a time. Bytes. */
const PIECE = 1024 * 1024

/** What an import added to a session that was stored before. */
export interface ImportedUpdate {
  readonly status: "appended" | "branched" | "unchanged"
  /** How many entries were added. */
  readonly added: number
  /** How many of them are stored already with another content: the source was rewritten. */
  readonly rewritten: number
}

/** What is compared of a stored entry. */
interface Known {
  readonly mark: string
  readonly parentId: string | null
  readonly isMarker: boolean
}

/**
 * Adds to a stored session what its source has in addition.
 * @param lines the lines of the source in the form in which they are stored, with the header
 * @throws SessionBusyError, SessionChangedError, StorageError
 */
export function updateImport(
  factory: SessionFactory,
  key: string,
  lines: AsyncIterable<Uint8Array>,
): Promise<ImportedUpdate> {
  return underLease(factory.storage, key, async (lease) => {
    const stat = await factory.storage.stat(key)
    if (!stat) throw new TreelogError("SessionChangedError", `The session is gone: ${key}`, { key, change: "gone" })
    const stored = await storedEntries(factory, key, stat)
    const update = new Update(stored.known)
    const writer = new Appender(lease, stat, stored.isTerminated)
    for await (const line of lines) for (const bytes of update.lineFor(line)) await writer.append(bytes)
    const leafId = update.leafAfter(stored.leafId)
    const marker = update.added > 0 && leafId !== update.lastId ? leafMarker(factory, leafId, stored.known) : undefined
    if (marker) await writer.append(encodeLine(marker))
    await writer.finish()
    const { added, rewritten } = update
    const isAside = rewritten > 0 || (added > 0 && leafId === stored.leafId)
    return { status: added === 0 ? "unchanged" : isAside ? "branched" : "appended", added, rewritten }
  })
}

class Update {
  readonly #known: ReadonlyMap<string, Known>
  /** Ids of the source, and under which ids these entries are stored. */
  readonly #ids = new Map<string, string>()
  /** Ids of entries that the source has, or had before it was rewritten. */
  readonly #ofSource = new Set<string>()
  #leafOfSource: string | null = null
  added = 0
  rewritten = 0
  /** The entry that was added last. */
  lastId: string | undefined

  constructor(known: ReadonlyMap<string, Known>) {
    this.#known = known
  }

  /** What is to be stored of a line: the line, another one with other ids, or nothing. */
  *lineFor(line: Uint8Array): Generator<Uint8Array> {
    for (const { value, entry } of entriesIn(line)) {
      if (isLeafMarker(entry)) this.#leafOfSource = this.#storedId(entry.parentId)
      else {
        const { id, mapped } = this.#place(value, entry)
        this.#ids.set(entry.id, id)
        this.#ofSource.add(entry.id).add(id)
        this.#leafOfSource = id
        if (this.#known.has(id)) continue
        this.added += 1
        this.lastId = id
        if (id !== entry.id) this.rewritten += 1
        yield mapped === value ? line : encodeLine(mapped)
      }
    }
  }

  /** Where what was added here goes on, that stays the leaf; otherwise it is the leaf of the source. */
  leafAfter(storedLeaf: string | null): string | null {
    return storedLeaf === null || this.#ofSource.has(storedLeaf) ? this.#leafOfSource : storedLeaf
  }

  /** The id under which an entry is stored or to be stored, and the entry with the ids that it refers to then. */
  #place(value: JsonObject, entry: SessionEntry): { id: string; mapped: JsonObject } {
    const mapped = this.#withStoredIds(value)
    const mark = markOf(mapped)
    const stored = this.#known.get(entry.id)
    if (!stored || stored.mark === mark) return { id: entry.id, mapped }
    const id = `${entry.id}~${mark}`
    // A compaction that keeps nothing names itself.
    const keepsNothing = mapped.firstKeptEntryId === entry.id
    return { id, mapped: { ...mapped, id, ...(keepsNothing && { firstKeptEntryId: id }) } }
  }

  #withStoredIds(value: JsonObject): JsonObject {
    const changes: Record<string, string | null> = {}
    for (const field of ["parentId", "targetId", "firstKeptEntryId"]) {
      const id = value[field]
      const storedId = typeof id === "string" ? this.#storedId(id) : null
      if (typeof id === "string" && storedId !== id) changes[field] = storedId
    }
    return Object.keys(changes).length > 0 ? { ...value, ...changes } : value
  }

  #storedId(id: string | null): string | null {
    return id === null ? null : (this.#ids.get(id) ?? id)
  }
}

/** Appends lines in pieces, after a line end if the stored bytes have none. */
class Appender {
  readonly #lease: Lease
  #stat: StorageStat
  #pieces: Uint8Array[] = []
  #length = 0
  #isTerminated: boolean

  constructor(lease: Lease, stat: StorageStat, isTerminated: boolean) {
    this.#lease = lease
    this.#stat = stat
    this.#isTerminated = isTerminated
  }

  async append(line: Uint8Array): Promise<void> {
    if (!this.#isTerminated) this.#pieces.push(encodeText("\n"))
    this.#isTerminated = true
    this.#pieces.push(line)
    this.#length += line.length
    if (this.#length >= PIECE) await this.#write()
  }

  async finish(): Promise<void> {
    await this.#write()
    await this.#lease.sync()
  }

  async #write(): Promise<void> {
    if (this.#pieces.length === 0) return
    this.#stat = await this.#lease.append(joinBytes(this.#pieces), this.#stat)
    this.#pieces = []
    this.#length = 0
  }
}

async function storedEntries(factory: SessionFactory, key: string, stat: StorageStat) {
  const known = new Map<string, Known>()
  let leafId: string | null = null
  let isTerminated = true
  for await (const line of storedLines(factory.storage, key, stat)) {
    isTerminated = line.terminated
    for (const { value } of parseLine(line).records) {
      const entry = entryOf(value)
      if (!entry) continue
      known.set(entry.id, { mark: markOf(value), parentId: entry.parentId, isMarker: isLeafMarker(entry) })
      leafId = isEntry(entry, "leaf") ? entry.targetId : entry.id
    }
  }
  return { known, isTerminated, leafId: withoutMarkers(leafId, known) }
}

/** The entry that leaf markers at the end hang on. */
function withoutMarkers(leafId: string | null, known: ReadonlyMap<string, Known>): string | null {
  let id = leafId
  for (let steps = known.size; id !== null && steps > 0; steps--) {
    const entry = known.get(id)
    if (!entry?.isMarker) break
    id = entry.parentId
  }
  return id
}

function* entriesIn(line: Uint8Array): Generator<{ value: JsonObject; entry: SessionEntry }> {
  for (const each of linesOf(line))
    for (const { value } of parseLine(each).records) {
      const entry = entryOf(value)
      if (entry) yield { value, entry }
    }
}

/** Undefined for a header. */
function entryOf(value: JsonObject): SessionEntry | undefined {
  return value.type === "session" ? undefined : toEntry({ value })
}

function leafMarker(factory: SessionFactory, parentId: string | null, known: ReadonlyMap<string, Known>): object {
  const id = freshEntryId(factory.ids, (taken) => known.has(taken))
  const timestamp = new Date(factory.clock.now()).toISOString()
  return { type: "custom", id, parentId, timestamp, customType: LEAF_MARKER }
}

/** Of what an entry says and where it stands: not of its details, which another release may convert to something else. */
function markOf({ type, parentId, message, summary, content, customType }: JsonObject): string {
  const { role, content: said } = isJsonObject(message) ? message : {}
  return hashOf(jsonText([type, parentId, role, said, summary, content, customType]) ?? "")
}

/** 53 bits in base 36 (cyrb53): entries are compared by it, and the ids of those that were changed contain it. */
function hashOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36)
}
