import { TreelogError } from "@treelog/session-core"
import { chooseDriver, type SqliteDriver } from "@treelog-internal/sqlite"

/** Loads the driver of SQLite. @throws HistoryUnavailableError with a message of one line that says what to do */
export async function loadDriver(): Promise<SqliteDriver> {
  const found = await chooseDriver()
  if ("open" in found) return found
  const { reason, needs, command, cause } = found
  const message = `The prompt history needs ${needs}. Run: ${command}`
  throw new TreelogError("HistoryUnavailableError", message, { reason }, { cause })
}
