import type { SqliteDatabase, SqliteDriver } from "./sqlite-driver.js"

/** The part of `node:sqlite` that is used. Node's types have it from version 22 on. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => SqliteDatabase
}

/** Node's own SQLite: Node 22.13 and newer. */
export function nodeDriver(): SqliteDriver | undefined {
  const sqlite = loadQuietly()
  if (sqlite === undefined) return undefined
  const { DatabaseSync } = sqlite
  return { name: `node:sqlite of Node ${process.versions.node}`, open: (path) => new DatabaseSync(path) }
}

/** Without the warning of Node 22 that it is experimental, which commands would show to users who did not choose it. */
function loadQuietly(): NodeSqlite | undefined {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule?.("node:sqlite") as NodeSqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
