import { isTreelogError } from "@treelog/session-core"
import { isRecency } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import { NEWEST } from "./newest.js"

/**
 * Reads one session. Where `@last` and the like find none, in a folder that is no project and has none, they mean those of every folder: see
 * `everyFolder`. What changes a session calls `read` alone.
 */
export async function inEveryFolder<Result>(
  context: CommandContext,
  ref = NEWEST,
  read: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(context)
  } catch (error) {
    if (!isTreelogError(error, "SessionNotFoundError") || !isRecency(ref)) throw error
    const { everyFolder, everyStore } = await import("./every-store.js")
    const stores = await everyStore(context)
    const wide = await everyFolder(
      context,
      stores.map(({ sessions }) => sessions),
    )
    if (!wide) throw error
    return read(wide)
  }
}
