import { CodexStorage, type SqliteDriver } from "@treelog/codex"
import { isTreelogError } from "@treelog/session-core"
import type { OpenAgent } from "./agent-storage.js"

/** The sessions of Codex in its own folder. */
export const open: OpenAgent = ({ env, onCacheError, onWarning }) =>
  new CodexStorage({
    env,
    onCacheError,
    onTitlesError: (error) =>
      onWarning(error, `${error.message}. Sessions without another name are shown without one.`),
    loadDriver,
  })

/** The driver of the index; undefined where there is none. Loaded where there is something to read with it. */
async function loadDriver(): Promise<SqliteDriver | undefined> {
  const { loadDriver: load } = await import("@treelog/index-sqlite")
  try {
    return await load()
  } catch (error) {
    if (isTreelogError(error, "IndexUnavailableError")) return undefined
    throw error
  }
}
