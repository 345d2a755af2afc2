import { TreelogError } from "@treelog/session-core"
import { chooseDriver, type SqliteDriver } from "@treelog-internal/sqlite"

/** Loads the driver of SQLite. @throws IndexUnavailableError with a message of one line that says what to do */
export async function loadDriver(): Promise<SqliteDriver> {
  const found = await chooseDriver()
  if ("open" in found) return found
  const { reason, needs, command, cause } = found
  const message = `The index of sessions needs ${needs}. Run: ${command}`
  throw new TreelogError("IndexUnavailableError", message, { reason }, { cause })
}

/** The error for calls after `close`. */
export function indexClosed(): TreelogError<"IndexUnavailableError"> {
  return new TreelogError("IndexUnavailableError", "The index is closed.", { reason: "closed" })
}
