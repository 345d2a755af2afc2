import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SqliteDatabase } from "./sqlite-driver.js"

/**
 * Opens a copy of a database with a driver that cannot open bytes: in a temporary file that only this user can read, and that is
 * removed as soon as it is open; on Windows, where an open file cannot be removed, when it is closed.
 */
export function copyInFile(bytes: Uint8Array, open: (path: string) => SqliteDatabase): SqliteDatabase {
  const folder = mkdtempSync(join(tmpdir(), "treelog-sqlite-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  let db: SqliteDatabase
  try {
    const path = join(folder, "copy.db")
    writeFileSync(path, bytes, { mode: 0o600, flag: "wx" })
    db = open(path)
  } catch (error) {
    remove()
    throw error
  }
  if (process.platform !== "win32") {
    remove()
    return db
  }
  return {
    prepare: (sql) => db.prepare(sql),
    exec: (sql) => db.exec(sql),
    close() {
      db.close()
      remove()
    },
  }
}
