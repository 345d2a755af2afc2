import { type DriverFault, loadBetterSqlite3 } from "./better-sqlite3-driver.js"
import { bunDriver } from "./bun-driver.js"
import { nodeDriver } from "./node-driver.js"
import type { SqliteDriver } from "./sqlite-driver.js"

let chosen: SqliteDriver | undefined

/**
 * The driver for this process: better-sqlite3 where it is installed and loads, otherwise the one that the runtime includes (Node 22.13
 * and newer, Bun). Chosen once; if there is none, the next call looks again.
 * @param from the path or URL of a file of the package that depends on better-sqlite3
 */
export async function chooseDriver(from: string = import.meta.url): Promise<SqliteDriver | DriverFault> {
  if (chosen !== undefined) return chosen
  const installed = loadBetterSqlite3(from)
  const found = "open" in installed ? installed : includedDriver()
  if (found === undefined) return orNewerNode(installed as DriverFault)
  chosen = found
  return found
}

/** The driver that this runtime includes, if its SQLite has full-text search. */
export function includedDriver(): SqliteDriver | undefined {
  const driver = process.versions.bun === undefined ? nodeDriver() : bunDriver()
  return driver !== undefined && hasFullTextSearch(driver) ? driver : undefined
}

function hasFullTextSearch(driver: SqliteDriver): boolean {
  const db = driver.open(":memory:")
  try {
    return db.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined
  } finally {
    db.close()
  }
}

function orNewerNode(fault: DriverFault): DriverFault {
  return { ...fault, command: `${fault.command}, or use Node 22.13 or newer, which includes SQLite` }
}
