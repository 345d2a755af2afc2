// Applies the log of a database in WAL mode (sqlite.org/fileformat2.html, section 4): pages, of which the last one of each transaction
// has the number of pages of the database after it.

/** Returns a copy of the database with another size in bytes. */
export type Resize = (database: Buffer, size: number) => Buffer

const HEADER = 32
const FRAME_HEADER = 24
/** The last bit is the byte order of the checksums. */
const MAGIC = 0x377f0682

/** Bytes that identify the current content of the log; `""` if it has no pages. */
export function logHeader(log: Buffer): string {
  return hasHeader(log) ? log.toString("hex", 0, HEADER) : ""
}

/** The database with all pages that the log commits. Pages of unfinished transactions are ignored, as SQLite does. */
export function applyLog(database: Buffer, log: Buffer, resize: Resize): Buffer {
  const committed = committedPages(log)
  if (committed === undefined) return database
  const { pageSize, pages, count } = committed
  const bytes = resize(database, count * pageSize)
  for (const [page, at] of pages) if (page <= count) log.copy(bytes, (page - 1) * pageSize, at, at + pageSize)
  return bytes
}

function hasHeader(log: Buffer): boolean {
  return log.length >= HEADER && (log.readUInt32BE(0) & ~1) >>> 0 === MAGIC
}

interface CommittedPages {
  readonly pageSize: number
  /** The offset in the log of the newest content of each page. */
  readonly pages: ReadonlyMap<number, number>
  /** The number of pages of the database. */
  readonly count: number
}

function committedPages(log: Buffer): CommittedPages | undefined {
  if (!hasHeader(log)) return undefined
  const pageSize = log.readUInt32BE(8)
  const sum = new Sum(log, (log.readUInt32BE(0) & 1) === 0)
  sum.add(0, 24)
  if (!sum.isAt(24) || pageSize < 512) return undefined
  const salt = log.subarray(16, 24)
  const pages = new Map<number, number>()
  let waiting = new Map<number, number>()
  let count = 0
  for (let at = HEADER; at + FRAME_HEADER + pageSize <= log.length; at += FRAME_HEADER + pageSize) {
    // Frames of earlier content have other salts.
    if (log.compare(salt, 0, 8, at + 8, at + 16) !== 0) break
    sum.add(at, at + 8)
    sum.add(at + FRAME_HEADER, at + FRAME_HEADER + pageSize)
    if (!sum.isAt(at + 16)) break
    waiting.set(log.readUInt32BE(at), at + FRAME_HEADER)
    const committed = log.readUInt32BE(at + 4)
    if (committed === 0) continue
    for (const [page, content] of waiting) pages.set(page, content)
    waiting = new Map()
    count = committed
  }
  return count === 0 ? undefined : { pageSize, pages, count }
}

/** The cumulative checksum of the log, which each frame contains. */
class Sum {
  readonly #view: DataView
  readonly #isLittleEndian: boolean
  #first = 0
  #second = 0

  constructor(log: Buffer, isLittleEndian: boolean) {
    this.#view = new DataView(log.buffer, log.byteOffset, log.byteLength)
    this.#isLittleEndian = isLittleEndian
  }

  add(from: number, to: number): void {
    for (let at = from; at < to; at += 8) {
      this.#first = (this.#first + this.#view.getUint32(at, this.#isLittleEndian) + this.#second) >>> 0
      this.#second = (this.#second + this.#view.getUint32(at + 4, this.#isLittleEndian) + this.#first) >>> 0
    }
  }

  isAt(at: number): boolean {
    return this.#view.getUint32(at) === this.#first && this.#view.getUint32(at + 4) === this.#second
  }
}
