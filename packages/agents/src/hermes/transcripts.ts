import { basename, join, sep } from "node:path"
import {
  type Json,
  joinedStores,
  objectIn,
  objectsIn,
  type RecordStore,
  type StoreOptions,
  sessionFiles,
  textIn,
  without,
} from "../kit.js"

const FOLDER = "sessions"
/** A transcript has a message in each line; versions without one wrote all of a session as a document. */
const PATHS = [`${FOLDER}/*.jsonl`, `${FOLDER}/session_*.json`]

/** The sessions of a database, and those that are in files alone: of versions that had none, and the oldest, which it lacks. */
export function withTranscripts(options: StoreOptions, database: RecordStore): RecordStore {
  const files = sessionFiles(options, { paths: PATHS, recordsOf: recordsOfDocument })
  const folder = join(options.folder, FOLDER) + sep
  const isFile = (key: string): boolean => key.startsWith(folder)
  return {
    ...database,
    ...joinedStores([database, files], (key) => (isFile(key) ? files : database)),
    async *list(filter) {
      const known = new Set<string | undefined>()
      for (const store of [database, files])
        for await (const sessions of store.list(filter)) {
          const found = sessions.filter(({ id, error }) => error || !known.has(id))
          for (const { id } of found) known.add(id)
          yield found
        }
    },
    async *records(session) {
      if (!isFile(session.key)) {
        yield* database.records(session)
        return
      }
      let head: Json | undefined
      let at = 0
      for await (const record of files.records(session)) {
        if (!("value" in record)) yield record
        else if (head === undefined) {
          const isHead = record.value.role === "session_meta"
          head = sessionRow(basename(session.key), isHead ? record.value : {}, record.value)
          yield isHead ? { ...record, value: head } : { value: head }
          if (!isHead) yield { ...record, value: messageRow(record.value, ++at, head) }
        } else yield { ...record, value: messageRow(record.value, ++at, head) }
      }
    },
    isKey: isFile,
  }
}

function recordsOfDocument(document: unknown): Json[] {
  const session = objectIn({ document }, "document") ?? {}
  const { session_start: timestamp, ...head } = without(session, ["messages"])
  return [{ ...head, role: "session_meta", timestamp }, ...objectsIn(session.messages)]
}

/** As a row of the database. @param first the record with the first time */
function sessionRow(name: string, head: Json, first: Json): Json {
  const [, date, time] = /(\d{8})_(\d{6})_/.exec(name) ?? []
  const named = date && time && `${date.replace(/(....)(..)/, "$1-$2-")}T${time.replace(/(..)(..)/, "$1:$2:")}`
  const started_at = secondsOf(head) ?? secondsOf(first) ?? secondsOf({ timestamp: named }) ?? 0
  return { ...head, record: "session", started_at }
}

/** As a row of the database: it has calls as JSON. One without a time has that of its session. */
function messageRow(message: Json, id: number, session: Json): Json {
  const { tool_calls, reasoning_details } = message
  const json = (value: unknown): unknown =>
    value === undefined || typeof value === "string" ? value : JSON.stringify(value)
  return {
    ...message,
    ...{ record: `message:${textIn(message, "role")}`, id, timestamp: secondsOf(message) ?? session.started_at },
    ...{ tool_calls: json(tool_calls), reasoning_details: json(reasoning_details) },
  }
}

/** Times of Python's `datetime` in the zone of the machine, or a number. */
function secondsOf({ timestamp }: Json): number | undefined {
  if (typeof timestamp === "number") return timestamp
  const millis = Date.parse(String(timestamp))
  return Number.isNaN(millis) ? undefined : millis / 1000
}
