import { isTreelogError } from "@treelog/session-core"

type Driver = Awaited<ReturnType<typeof import("./index-driver.js").loadDriver>>

/** The driver of the index; undefined where there is none. Loaded where there is something to read with it. */
export async function loadDriver(): Promise<Driver | undefined> {
  const { loadDriver: load } = await import("./index-driver.js")
  try {
    return await load()
  } catch (error) {
    if (isTreelogError(error, "IndexUnavailableError")) return undefined
    throw error
  }
}
