import { isEntry, isLeafMarker, LEAF_MARKER, type SessionEntry } from "../../entry/entry.js"
import { jsonText } from "../../entry/json-text.js"
import { isJsonObject, type JsonObject } from "../../entry/values.js"
import { joinBytes } from "../../log/bytes.js"
import { encodeLine, encodeText } from "../../log/format-line.js"
import type { Line } from "../../log/line.js"
import { isBlank, parseLine, toEntry } from "../../log/parse-line.js"
import { sanitizeEntry } from "../../persist/sanitize-entry.js"
import { HASHING_BLOBS } from "./blob-copier.js"
import { ContentHash } from "./content-hash.js"

// What a session has in addition to a stored one of the same id is found by the ids and the contents of its entries. Nothing that is stored
// is changed or removed. An entry that is stored with another content is stored once more, under an id that is made of its own and of its
// content, which names the other one in `otherContentOf`, and with it what follows it: a branch beside the one that was current, which stays
// current. So a merge that was interrupted continues where it ended, and repeated it appends nothing. Two machines
// that merge each other's session come to rest: both have all entries then.

/** What is compared of a stored entry. */
interface Known {
  readonly id: string
  readonly mark: string
  readonly parentId: string | null
  readonly isMarker: boolean
}

/** The entries and the other lines of a stored session. */
export class KnownLines {
  readonly entries = new Map<string, Known>()
  /** Hashes of lines without an entry. */
  readonly others = new Set<string>()
  /** The leaf, but for markers at its end. */
  leafId: string | null = null
  /** The bytes of the last line, if it has no line end. */
  open = new Uint8Array()

  static async of(lines: AsyncIterable<Line>): Promise<KnownLines> {
    const known = new KnownLines()
    let leafId: string | null = null
    for await (const line of lines) {
      if (!line.terminated) known.open = new Uint8Array(line.bytes)
      const records = parseLine(line).records
      if (records.length === 0) known.others.add(hashOf(line))
      for (const { value } of records) {
        const entry = entryOf(value)
        if (!entry) continue
        const [mark, isMarker] = [await markOf(value), isLeafMarker(entry)]
        known.entries.set(entry.id, { id: entry.id, mark, parentId: entry.parentId, isMarker })
        leafId = isEntry(entry, "leaf") ? entry.targetId : entry.id
      }
    }
    known.leafId = known.#withoutMarkers(leafId)
    return known
  }

  #withoutMarkers(leafId: string | null): string | null {
    let id = leafId
    for (let steps = this.entries.size; id !== null && steps > 0; steps--) {
      const entry = this.entries.get(id)
      if (!entry?.isMarker) break
      id = entry.parentId
    }
    return id
  }
}

/** What a merge adds to a stored session. */
export class Merge {
  /** How many entries. */
  added = 0
  /** How many entries both have. */
  common = 0
  /** How many of them are stored with another content, too. */
  rewritten = 0
  /** Whether what was stored continues beside what is added. */
  isBranch = false
  readonly #known: KnownLines
  readonly #open: Uint8Array
  readonly #isOriginal: boolean
  /** Ids of the source, and under which ids these entries are stored. */
  readonly #ids = new Map<string, string>()
  /** Ids of entries that the source has; of the original, also of those that it had before it was rewritten. */
  readonly #ofSource = new Set<string>()
  #leafOfSource: string | null = null
  /** The entry that was added last. */
  #last: { readonly id: string; readonly timestamp: string } | undefined

  /**
   * @param open what is stored behind the last line end
   * @param isOriginal whether what is stored is a copy of the source: then what the source rewrote takes its place
   */
  constructor(known: KnownLines, open: Uint8Array, isOriginal: boolean) {
    this.#known = known
    this.#open = open
    this.#isOriginal = isOriginal
  }

  /** The bytes to append. @param lines of the source in the form in which they are to be stored, with the header */
  async *chunks(lines: AsyncIterable<Line>): AsyncGenerator<Uint8Array> {
    let open = this.#open
    const piece = (bytes: Uint8Array): Uint8Array => {
      const behind = open
      open = new Uint8Array()
      if (behind.length === 0) return bytes
      // A merge that was killed in the middle of this line is completed.
      if (startsWith(bytes, behind)) return bytes.subarray(behind.length)
      return joinBytes([encodeText("\n"), bytes])
    }
    for await (const line of lines) for await (const bytes of this.#lineFor(line)) yield piece(bytes)
    const { leafId } = this.#known
    // Where what was added here continues, that stays the leaf; otherwise it is the leaf of the source.
    const leaf = leafId === null || this.#ofSource.has(leafId) ? this.#leafOfSource : leafId
    this.isBranch = this.rewritten > 0 || (this.added > 0 && leaf === leafId)
    if (this.added > 0 && leaf !== this.#last?.id) yield piece(encodeLine(this.#marker(leaf)))
  }

  /** What is to be stored of a line: the line, other ones with other ids, or nothing. */
  async *#lineFor(line: Line): AsyncGenerator<Uint8Array> {
    const { records } = parseLine(line)
    // What has no line end may be half written: it comes with the rest.
    if (records.length === 0 && line.terminated && !isBlank(line.bytes)) {
      const hash = hashOf(line)
      if (!this.#known.others.has(hash)) yield ended(line)
    }
    for (const { value } of records) {
      const entry = entryOf(value)
      if (!entry) continue
      if (isLeafMarker(entry)) {
        const target = isEntry(entry, "leaf") ? entry.targetId : entry.parentId
        this.#leafOfSource = this.#storedId(target)
        continue
      }
      const { id, mapped } = await this.#place(value, entry)
      this.#ids.set(entry.id, id)
      this.#ofSource.add(id)
      if (this.#isOriginal) this.#ofSource.add(entry.id)
      this.#leafOfSource = id
      if (this.#known.entries.has(id)) {
        this.common += 1
        continue
      }
      this.added += 1
      this.#last = { id, timestamp: entry.timestamp }
      if (id !== entry.id) this.rewritten += 1
      yield mapped === value && records.length === 1 ? ended(line) : encodeLine(mapped)
    }
  }

  /** The id under which an entry is stored or to be stored, and the entry with the ids that it refers to then. */
  async #place(value: JsonObject, entry: SessionEntry): Promise<{ id: string; mapped: JsonObject }> {
    const mapped = this.#withStoredIds(value)
    const stored = this.#known.entries.get(entry.id)
    const former = stored ? undefined : this.#known.entries.get(entry.id.replace(/~[^~]*$/, ""))
    if (!stored && !former) return { id: entry.id, mapped }
    const mark = await markOf(mapped)
    // The source has it as the other content of an entry, and what is stored is this content.
    if (!stored) return { id: former?.mark === mark ? former.id : entry.id, mapped }
    if (stored.mark === mark) return { id: entry.id, mapped }
    const id = `${entry.id}~${mark}`
    // A compaction that keeps nothing names itself.
    const keepsNothing = mapped.firstKeptEntryId === entry.id
    const otherContentOf = entry.id
    return { id, mapped: { ...mapped, id, otherContentOf, ...(keepsNothing && { firstKeptEntryId: id }) } }
  }

  #withStoredIds(value: JsonObject): JsonObject {
    const changes: Record<string, string | null> = {}
    for (const field of ["parentId", "targetId", "firstKeptEntryId", "providerReplayThroughEntryId"]) {
      const id = value[field]
      const storedId = typeof id === "string" ? this.#storedId(id) : null
      if (typeof id === "string" && storedId !== id) changes[field] = storedId
    }
    return Object.keys(changes).length > 0 ? { ...value, ...changes } : value
  }

  #storedId(id: string | null): string | null {
    return id === null ? null : (this.#ids.get(id) ?? id)
  }

  #marker(parentId: string | null): object {
    // Its id is a hash, the same each time: a merge that is repeated after a crash stores the same bytes.
    const hash = new ContentHash().addText(`${LEAF_MARKER} ${parentId} ${this.#last?.id}`)
    while (this.#known.entries.has(hash.toString()) || this.#ofSource.has(hash.toString())) hash.addText("again")
    const timestamp = this.#last?.timestamp
    return { type: "custom", id: hash.toString(), parentId, timestamp, customType: LEAF_MARKER }
  }
}

/** Whether two sessions with one id are copies of each other: they have an entry in common, and none with different contents. */
export async function areCopies(stored: AsyncIterable<Line>, source: AsyncIterable<Line>): Promise<boolean> {
  const known = await KnownLines.of(stored)
  const merge = new Merge(known, new Uint8Array(), false)
  for await (const _ of merge.chunks(source)) if (merge.rewritten > 0) return false
  return merge.common > 0 || known.entries.size === 0 || merge.added === 0
}

/** Undefined for a header, and for records that are not entries, such as omp's title. */
function entryOf(value: JsonObject): SessionEntry | undefined {
  return value.type === "session" ? undefined : toEntry({ value })
}

/**
 * Of what an entry says and where it stands: not of its details, which another release may convert to something else. It is the
 * same whether images and long texts are in the line or are blobs, and in whatever order its keys are.
 */
async function markOf(value: JsonObject): Promise<string> {
  const entry = await sanitizeEntry(value, HASHING_BLOBS)
  const message = isJsonObject(entry.message) ? entry.message : {}
  const { parentId = null } = entry
  const said = [parentId, ENTRY_FIELDS.map((field) => entry[field]), MESSAGE_FIELDS.map((field) => message[field])]
  return new ContentHash().addText(jsonText(withSortedKeys(said)) ?? "").toString()
}

const ENTRY_FIELDS = ["type", "customType", "content", "summary", "label", "name", "title"] as const
const MESSAGE_FIELDS = ["role", "content", "command", "code", "output", "summary"] as const

/** A copy with the keys of each object in one order, at any depth of nesting. */
function withSortedKeys(values: readonly unknown[]): unknown[] {
  const sorted = [...values]
  const left: object[] = [sorted]
  for (let holder = left.pop(); holder; holder = left.pop())
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value !== "object" || value === null) continue
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
      const copy = Array.isArray(value) ? [...value] : Object.fromEntries(entries)
      Object.defineProperty(holder, key, { value: copy, enumerable: true })
      left.push(copy)
    }
  return sorted
}

function hashOf({ bytes }: Line): string {
  return new ContentHash().addBytes(bytes).toString()
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.length < bytes.length && start.every((byte, at) => byte === bytes[at])
}

function ended({ bytes }: Line): Uint8Array {
  return joinBytes([bytes, encodeText("\n")])
}
