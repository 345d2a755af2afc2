import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"

/** A statement of SQLite, and the values of its parameters. */
export type Statement = readonly [sql: string, ...values: (string | number | null)[]]

/** Runs the statements on a database, which is made where it is missing. @param path absolute */
export async function writeDatabase(path: string, statements: readonly Statement[]): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const db = (await loadDriver()).open(path)
  try {
    for (const [sql, ...values] of statements) db.prepare(sql).run(...values)
  } finally {
    db.close()
  }
}
