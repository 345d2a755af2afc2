import { dirname, join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { joinBytes, LineSplitter } from "@treelog/session-core/adapter"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import {
  FileFacts,
  hasTable,
  type Json,
  joinedStores,
  LARGEST_FILE,
  LARGEST_RECORD,
  objectIn,
  parsedObject,
  partNameOf,
  type RecordStore,
  recordsIn,
  rootOf,
  type SessionRow,
  type SourceRecord,
  type StoreOptions,
  sessionDatabase,
  sessionFiles,
  storedFile,
  textIn,
  unpacked,
  wholeFile,
} from "../kit.js"

type Found = NonNullable<Awaited<ReturnType<RecordStore["find"]>>>

/** The database of an agent of OpenClaw, and what versions before 2026.8 wrote. */
const DATABASE = "agents/*/agent/openclaw-agent.sqlite"
const FILES = [
  ...["agents/*/sessions/*.jsonl", "agents/*/sessions/*.jsonl.reset.*"],
  // What it moved there when it began its database: `archive-tier.ID.jsonl.imported-TIME` is not in that.
  "agents/*/session-sqlite-import-archive/*.jsonl.imported-*",
]

interface Listed {
  readonly id: string
  readonly parent: string | null
  readonly updated: number
  readonly version: string
  readonly size: number
}

// Each of these reads one table. Who made a database to do harm left out its keys, and then a join of its rows has no end.
const WINDOWS =
  "SELECT session_id AS id, session_key AS key, created_at, updated_at FROM session_windows ORDER BY created_at, session_id"
const EVENTS = `
  SELECT session_id AS id, max(created_at) AS updated, max(seq) AS last_seq, count(*) AS count, sum(coalesce(length(event_json), 0)) AS size
  FROM transcript_events GROUP BY session_id`
const COLD = "SELECT session_id AS id, raw_bytes AS size, last_seq FROM session_transcript_cold_archives"
const REWRITTEN = "SELECT session_id AS id, generation FROM transcript_rewrite_watermarks"

/** Transcripts that ended with a reset; what was deleted is not read. */
const ENDED = `
  SELECT session_id AS id, max(created_at) AS updated, generation AS version, length(archive_blob) AS size, NULL AS parent
  FROM session_transcript_archives WHERE reason = 'reset' AND session_id NOT IN (SELECT session_id FROM session_windows)
  GROUP BY session_id ORDER BY created_at, session_id`

const WINDOW = `
  SELECT w.*, n.display_name AS node_name, n.label, n.current_session_id, n.fork_source_session_id, n.created_via
  FROM session_windows w LEFT JOIN session_nodes n ON n.session_key = w.session_key WHERE w.session_id = ?`

/** Sub-agents, by the keys that results of calls name. */
const CHILDREN = `
  SELECT n.session_key AS key, n.current_session_id AS id FROM session_nodes n JOIN session_windows w ON w.session_id = ?
  WHERE coalesce(n.spawned_by, n.parent_session_key) = w.session_key AND n.fork_source_session_id IS NULL`

const ARCHIVE = `
  SELECT encoding, archive_blob AS bytes FROM session_transcript_archives WHERE session_id = ? AND reason = 'reset' ORDER BY created_at DESC LIMIT 1`

/**
 * The sessions of all agents of OpenClaw. What was moved when a database took it over is read from that; a file that is still among the sessions may
 * have more than the database.
 */
export function openclawSessions(options: StoreOptions): RecordStore {
  const database = sessionDatabase(options, { file: DATABASE, sessions: sessionsIn, records: recordsOf })
  const files = sessionFiles(options, { paths: FILES, idOf: idOfFile })
  const storeOf = (key: string): RecordStore => (dirname(key).endsWith(".sqlite") ? database : files)
  const facts = new FileFacts(options)

  /** What the list of sessions beside a file says of it: its title, and the session that started it. */
  async function withListed(session: Found): Promise<Found> {
    const folder = dirname(session.key)
    const listed = ((await facts.of(join(folder, "sessions.json"), listedIn)) ?? {}) as Json
    const { owner, title } = (objectIn(listed, session.id ?? "") ?? {}) as { owner?: string; title?: string }
    const named =
      title === undefined ? session : { ...session, facts: { title }, version: `${session.version} ${title}` }
    const of = owner === undefined ? session.key : join(folder, `${owner}.jsonl`)
    if (of === session.key || !(await files.find(of))) return named
    return { ...named, part: { of, name: partNameOf(session.key), role: "subagent" } }
  }

  return {
    ...joinedStores([database, files], storeOf),
    async *list(filter) {
      const ids = new Set<string>()
      for await (const sessions of database.list(filter)) {
        for (const { id } of sessions) if (id !== undefined) ids.add(id)
        yield sessions
      }
      for await (const sessions of files.list(filter)) {
        const own = sessions.filter(({ id = "", key }) => !(ids.has(id) && MOVED.test(key)) && !NO_SESSION.test(key))
        const found: Found[] = []
        for (const session of own) found.push(await withListed(session))
        yield found
      }
    },
    async find(key) {
      const found = await storeOf(key).find(key)
      return found && storeOf(key) === files ? withListed(found) : found
    },
    async *records(session) {
      if (storeOf(session.key) === files) yield* files.records(session)
      else for await (const record of database.records(session)) yield* eventsOf(record, session.key, options.fs)
    },
  }
}

/** What the import to the database moved. */
const MOVED = /\.jsonl\.imported-/

/** Files that repeat what is in those of sessions, or are compressed. */
const NO_SESSION = /\.zst$|\.trajectory\.jsonl|\.checkpoint\.[\da-f-]{36}\.jsonl/

/** A session that was reset has its id and the time of that: the next one can have the same id. */
function idOfFile([, name = "", time = ""]: readonly string[]): string {
  const id = name.slice(name.lastIndexOf(".") + 1)
  return /^\d{4}-/.test(time) ? `${id}.reset.${time}` : id
}

/** Of each session, by its id: its title, and the outermost one that started it. */
function listedIn(bytes: Uint8Array): object {
  const sessions = parsedObject(new TextDecoder().decode(bytes)) ?? {}
  const nodes = new Map(Object.keys(sessions).map((key): [string, Json] => [key, objectIn(sessions, key) ?? {}]))
  const parents = new Map([...nodes].map(([key, node]) => [key, textIn(node, "spawnedBy")]))
  // An id names a file in the same folder, and no other.
  const idOf = (key: string): string => /^[\w-]+$/.exec(String(nodes.get(key)?.sessionId))?.[0] ?? ""
  return Object.fromEntries(
    [...nodes].map(([key, node]) => {
      const root = rootOf(key, parents)
      const title = textIn(node, "displayName") ?? textIn(node, "label")
      return [idOf(key), { ...(root !== key && { owner: idOf(root) }), ...(title !== undefined && { title }) }]
    }),
  )
}

function sessionsIn(db: SqliteDatabase): readonly SessionRow[] {
  const ended = hasTable(db, "session_transcript_archives") ? db.prepare(ENDED).all<Listed>() : []
  return [...windowsIn(db), ...ended].map(({ id, parent, updated, version, size }) => {
    const part = parent !== null && { part: { of: parent, role: "subagent" } }
    return { id, version, size, modified: updated, ...part }
  })
}

interface Window {
  readonly id: string
  readonly key: string
  readonly created_at: number
  readonly updated_at: number | null
}

/**
 * Each transcript, those that were moved to cold archives too; the parent of a sub-agent is the one that its session had when it began. A fork names the
 * key of its origin as its parent as well.
 */
function windowsIn(db: SqliteDatabase): Listed[] {
  const rowsOf = (table: string, sql: string): Map<unknown, Json> =>
    new Map(
      hasTable(db, table)
        ? db
            .prepare(sql)
            .all<Json>()
            .map((row) => [row.id, row])
        : [],
    )
  const nodes = rowsOf("session_nodes", "SELECT session_key AS id, * FROM session_nodes")
  const events = rowsOf("transcript_events", EVENTS)
  const cold = rowsOf("session_transcript_cold_archives", COLD)
  const rewritten = rowsOf("transcript_rewrite_watermarks", REWRITTEN)
  const windows = db.prepare(WINDOWS).all<Window>()
  /** By key, the newest of those that began no later than the one that is listed. */
  const newest = new Map<unknown, string>()
  let begun = 0
  return windows.flatMap(({ id, key, created_at, updated_at }) => {
    for (let next = windows[begun]; next && !(next.created_at > created_at); next = windows[++begun])
      newest.set(next.key, next.id)
    const [node = {}, event = {}, archive = {}] = [nodes.get(key), events.get(id), cold.get(id)]
    if (!event.count && (archive.last_seq ?? null) === null) return []
    const isFork = (node.fork_source_session_id ?? null) !== null
    const parent = isFork ? undefined : newest.get(node.spawned_by ?? node.parent_session_key)
    const names = [node.display_name, node.label].map((name) => String(name ?? "").slice(0, 1000))
    const state = [updated_at ?? 0, event.last_seq ?? archive.last_seq ?? 0, event.count ?? 0, event.size ?? 0]
    return {
      ...{ id, parent: parent ?? null },
      version: [...state, rewritten.get(id)?.generation ?? "", ...names, node.archived_at ?? ""].join(" "),
      updated: Math.max(updated_at ?? 0, Number(event.updated ?? 0)),
      size: Number(event.size ?? archive.size ?? 0),
    }
  })
}

/** What the tables say of the session, then its events, or the archive that they were moved to. */
function recordsOf(db: SqliteDatabase, id: string): Json[] {
  const window = db.prepare(WINDOW).get<Json>(id)
  if (!window) {
    const archive = hasTable(db, "session_transcript_archives") && db.prepare(ARCHIVE).get<Json>(id)
    return archive ? [archive] : []
  }
  const node = db.prepare("SELECT * FROM session_nodes WHERE session_key = ?").get<Json>(window.session_key as string)
  const children = Object.fromEntries(
    db
      .prepare(CHILDREN)
      .all<{ key: string; id: string }>(id)
      .map(({ key, id }) => [key, id]),
  )
  const events = db.prepare("SELECT * FROM transcript_events WHERE session_id = ? ORDER BY seq").all<Json>(id)
  const cold =
    events.length === 0 && hasTable(db, "session_transcript_cold_archives")
      ? db
          .prepare("SELECT archive_name, archive_blob FROM session_transcript_cold_archives WHERE session_id = ?")
          .all(id)
      : []
  return [{ type: "window", archived_at: node?.archived_at, ...window, children }, ...events, ...(cold as Json[])]
}

/** The records that a row stands for. */
async function* eventsOf(record: SourceRecord, key: string, fs: StoreOptions["fs"]): AsyncGenerator<SourceRecord> {
  const row = "value" in record ? record.value : {}
  if (!("value" in record) || row.type === "window") yield record
  else if (typeof row.event_json === "string") yield* recordsIn(lineOf(Buffer.from(row.event_json)))
  else if (row.event_zstd instanceof Uint8Array) {
    const pieces: Uint8Array[] = []
    for await (const piece of piecesOf(row.event_zstd, key, LARGEST_RECORD)) pieces.push(piece)
    yield* recordsIn(lineOf(joinBytes(pieces)))
  } else yield* archivedEvents(row, key, fs)
}

/** Archives are JSONL, compressed as a rule, in the database or in a file beside the folder of the database. */
async function* archivedEvents(row: Json, key: string, fs: StoreOptions["fs"]): AsyncGenerator<SourceRecord> {
  const folder = join(dirname(dirname(dirname(key))), "sessions", "cold")
  const stored = bytesOf(row.bytes) ?? bytesOf(row.archive_blob)
  const bytes = stored ?? wholeFile(fs, storedFile(fs, folder, String(row.archive_name), key)).bytes
  const splitter = new LineSplitter()
  const pieces = row.encoding === "identity" ? [bytes] : piecesOf(bytes, key, LARGEST_FILE)
  for await (const piece of pieces) for (const line of splitter.push(piece)) yield* recordsIn(line)
  for (const line of splitter.finish()) yield* recordsIn(line)
}

/** A column for bytes can hold a text. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === "string") return Buffer.from(value)
  return value instanceof Uint8Array ? value : undefined
}

function lineOf(bytes: Uint8Array) {
  return { number: 1, offset: 0, bytes, end: bytes.length, terminated: true }
}

/** What OpenClaw compressed, in pieces. Damaged bytes stay as they are: as a line, they are reported and kept. */
async function* piecesOf(bytes: Uint8Array, key: string, limit: number): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import("fzstd")
  try {
    yield* unpacked([bytes], Decompress, { key, limit })
  } catch (error) {
    if (isTreelogError(error) || !(error instanceof Error)) throw error
    yield bytes
  }
}
