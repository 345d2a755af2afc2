import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SqliteDatabase } from "./sqlite-driver.js"

/**
 * Opens a copy of a database that is not opened as bytes: in a temporary folder that only this user can read, and that is
 * removed as soon as the copy is open; on Windows, where an open file cannot be removed, when it is closed.
 * @param write - writes the copy to a path
 */
export function copyInFile(write: (path: string) => void, open: (path: string) => SqliteDatabase): SqliteDatabase {
  const folder = mkdtempSync(join(tmpdir(), "treelog-sqlite-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  let db: SqliteDatabase
  try {
    const path = join(folder, "copy.db")
    write(path)
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
