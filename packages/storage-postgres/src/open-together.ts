import type { FoundSession, StoredRanges } from "@treelog/session-core/adapter"
import type { PostgresRow } from "./client.js"
import type { Database } from "./database.js"

/** How much is read in one statement, and held until its sessions are read. Bytes. */
const TOGETHER = 8 * 1024 * 1024

/** Values: a JSON array of keys. Their sessions, with all bytes. */
const READ_MANY = `select session.key, session.object::text, (
    select string_agg(bytes, ''::bytea order by start) from treelog.piece
    where piece.tenant = $1 and piece.object = session.object
  ) as bytes
  from treelog.session join json_array_elements_text($2::text::json) as wanted on wanted = session.key
  where tenant = $1`

/** Opens sessions, in their order, with one statement for many. Those that are too long for that are not among them. */
export function openTogether(
  database: Database,
  sessions: readonly FoundSession[],
): Map<string, () => Promise<StoredRanges | undefined>> {
  const opened = new Map<string, () => Promise<StoredRanges | undefined>>()
  let group: FoundSession[] = []
  let left = 0
  let rows: () => Promise<Map<string, PostgresRow>> = async () => new Map()
  for (const session of sessions) {
    const { key, stat } = session
    if (stat === undefined || stat.size > TOGETHER / 4) continue
    if (stat.size > left) {
      group = []
      rows = readOnce(database, group)
      left = TOGETHER
    }
    group.push(session)
    left -= stat.size
    const ofGroup = rows
    opened.set(key, async () => {
      const known = await ofGroup()
      const row = known.get(key)
      known.delete(key)
      return row?.object === stat.identity ? rangesOf(row.bytes as Uint8Array | null) : undefined
    })
  }
  return opened
}

/** Reads when it is first needed. */
function readOnce(database: Database, group: readonly FoundSession[]): () => Promise<Map<string, PostgresRow>> {
  let reading: Promise<Map<string, PostgresRow>> | undefined
  return () => {
    reading ??= readMany(database, group)
    return reading
  }
}

async function readMany(database: Database, group: readonly FoundSession[]): Promise<Map<string, PostgresRow>> {
  const keys = JSON.stringify(group.map(({ key }) => key))
  const rows = await database.query({ key: "sessions", operation: "list" }, READ_MANY, [keys])
  return new Map(rows.map((row) => [String(row.key), row]))
}

function rangesOf(bytes: Uint8Array | null): StoredRanges {
  return { read: (offset, length) => bytes?.subarray(offset, offset + length) ?? new Uint8Array(), close: () => {} }
}
