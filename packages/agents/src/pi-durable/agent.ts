import { type AgentDefinition, type RecordStore, sessionDatabase } from "../kit.js"
import { DurableConverter } from "./convert.js"
import { jsonlSessions } from "./jsonl.js"
import { piDurable } from "./place.js"
import { recordsIn, sessionsIn } from "./sqlite.js"

export const agent: AgentDefinition = {
  place: piDurable,
  conversionVersion: 1,
  lostResult: { text: "Tool result unavailable: history ends before this call completed.", isError: true },
  converter: (session) => new DurableConverter(session),
  /** All stores in a folder, or the one that is named: databases, and folders of JSONL. */
  store(options) {
    const inside = ["*.sqlite", "*.sqlite3", "*.db"].flatMap((name) => [name, `*/${name}`])
    const isFile = /\.(?:sqlite3?|db)$/.test(options.sessions)
    const file = isFile ? [options.sessions] : inside.map((name) => `${options.sessions}/${name}`)
    const databases = sessionDatabase(options, { file, sessions: sessionsIn, records: recordsIn })
    const folders = jsonlSessions(options)
    const storeOf = (key: string): RecordStore => (folders.isKey?.(key) ? folders : databases)
    return {
      async *list(filter) {
        yield* databases.list(filter)
        yield* folders.list(filter)
      },
      find: (key) => storeOf(key).find(key),
      records: (session) => storeOf(session.key).records(session),
      files: () => [],
      watched: (session) => storeOf(session.key).watched(session),
      useNotes(notes) {
        databases.useNotes?.(notes)
        folders.useNotes?.(notes)
      },
    }
  },
}
