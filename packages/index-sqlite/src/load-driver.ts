import { createRequire } from "node:module"
import { TreelogError } from "@treelog/session-core"
import { chooseDriver, type SqliteDriver } from "@treelog-internal/sqlite"

/** Loads the driver of SQLite. @throws IndexUnavailableError with a message of one line that says what to do */
export async function loadDriver(): Promise<SqliteDriver> {
  const found = await chooseDriver(packageFile())
  if ("open" in found) return found
  const { reason, needs, command, cause } = found
  const message = `The index of sessions needs ${needs}. Run: ${command}`
  throw new TreelogError("IndexUnavailableError", message, { reason }, { cause })
}

/** The error for calls after `close`. */
export function indexClosed(): TreelogError<"IndexUnavailableError"> {
  return new TreelogError("IndexUnavailableError", "The index is closed.", { reason: "closed" })
}

/** A file of this package, which depends on better-sqlite3: it is found from there, too, where the code is bundled into another one. */
function packageFile(): string {
  try {
    return createRequire(import.meta.url).resolve("@treelog/index-sqlite/package.json")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return import.meta.url
    throw error
  }
}
