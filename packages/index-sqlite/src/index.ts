export type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "@treelog-internal/sqlite"
export { SqliteSessionIndex, type SqliteSessionIndexOptions } from "./sqlite-session-index.js"
