import type { Resize } from "./apply-log.js"

// Applies the rollback journal of a database that is not in WAL mode (sqlite.org/fileformat2.html, section 3), which has the pages as
// they were before an unfinished transaction.

const HEADER = 28
const MAGIC = Buffer.from("d9d505f920a163d7", "hex")
/** The record count that means all records up to the end of the file. */
const UNCOUNTED = 0xffffffff

/** Bytes that identify a transaction; `""` if there is none. */
export function journalHeader(journal: Buffer): string {
  return hasHeader(journal, 0) ? journal.toString("hex", 0, HEADER) : ""
}

/** The database as it was before the transaction. */
export function applyJournal(database: Buffer, journal: Buffer, resize: Resize): Buffer {
  if (!hasHeader(journal, 0)) return database
  const pageSize = journal.readUInt32BE(24)
  const sectorSize = journal.readUInt32BE(20)
  const count = journal.readUInt32BE(16)
  if (pageSize < 512 || sectorSize < 32) return database
  const bytes = resize(database, count * pageSize)
  const recordSize = pageSize + 8
  for (let at = 0; hasHeader(journal, at); ) {
    const nonce = journal.readUInt32BE(at + 12)
    const stated = journal.readUInt32BE(at + 8)
    at += sectorSize
    const whole = Math.max(0, Math.floor((journal.length - at) / recordSize))
    const records = stated === UNCOUNTED ? whole : stated
    for (let record = 0; record < Math.min(records, whole); record++, at += recordSize) {
      const page = journal.readUInt32BE(at)
      const content = journal.subarray(at + 4, at + 4 + pageSize)
      if (journal.readUInt32BE(at + 4 + pageSize) !== sumOf(content, nonce)) return bytes
      if (page >= 1 && page <= count) content.copy(bytes, (page - 1) * pageSize)
    }
    if (records > whole) return bytes
    at = Math.ceil(at / sectorSize) * sectorSize
  }
  return bytes
}

function hasHeader(journal: Buffer, at: number): boolean {
  return journal.length >= at + HEADER && journal.compare(MAGIC, 0, 8, at, at + 8) === 0
}

function sumOf(content: Buffer, nonce: number): number {
  let sum = nonce
  for (let at = content.length - 200; at > 0; at -= 200) sum = (sum + (content[at] ?? 0)) >>> 0
  return sum
}
