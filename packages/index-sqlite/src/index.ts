export type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "@treelog-internal/sqlite"
export type { IndexStatus } from "./index-status.js"
export { INDEX_VERSION } from "./schema.js"
export { SqliteSessionIndex, type SqliteSessionIndexOptions } from "./sqlite-session-index.js"
