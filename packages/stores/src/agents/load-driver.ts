import { loadDriver as load } from "@treelog/index-sqlite"
import { isTreelogError } from "@treelog/session-core"

/** The driver of the index; undefined where there is none. Loaded where there is something to read with it. */
export async function loadDriver(): Promise<Awaited<ReturnType<typeof load>> | undefined> {
  try {
    return await load()
  } catch (error) {
    if (isTreelogError(error, "IndexUnavailableError")) return undefined
    throw error
  }
}
