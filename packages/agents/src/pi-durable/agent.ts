import { join } from "node:path"
import { type AgentDefinition, joinedStores, sessionDatabase } from "../kit.js"
import { DurableConverter } from "./convert.js"
import { jsonlSessions } from "./jsonl.js"
import { piDurable } from "./place.js"
import { recordsIn, sessionsIn } from "./sqlite.js"

export const agent: AgentDefinition = {
  place: piDurable,
  lostResult: { text: "Tool result unavailable: history ends before this call completed.", isError: true },
  converter: (session) => new DurableConverter(session),
  store(options) {
    const { sessions } = options
    const inside = ["*.sqlite", "*.sqlite3", "*.db"].flatMap((name) => [`${sessions}/${name}`, `${sessions}/*/${name}`])
    const file = /\.(?:sqlite3?|db)$/.test(sessions) ? sessions : inside
    const databases = sessionDatabase(options, { file, sessions: sessionsIn, records: recordsIn })
    const folders = jsonlSessions(options)
    const joined = joinedStores([databases, folders], (key) => (folders.isKey?.(key) ? folders : databases))
    // What pi itself writes in the same folder is another store.
    return { ...joined, database: join(options.folder, sessions) }
  },
}
