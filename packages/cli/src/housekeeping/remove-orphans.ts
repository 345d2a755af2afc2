import { removeOrphans } from "@treelog/blob-store"
import { isTreelogError } from "@treelog/session-core"
import { cleanLine, plural } from "@treelog-internal/text"
import { storedBlobsFolder } from "../blobs/session-blobs.js"
import type { CommandContext } from "../io/command-context.js"
import { failureLine } from "../render/result-lines.js"
import type { Sessions } from "../sessions/compose-sessions.js"
import { type Failure, failureOf } from "../sessions/stored-keys.js"

/** Removes what killed commands left in the whole store, and prints the path of each. Resolves to whether all could be read. */
export async function removeAllOrphans(context: CommandContext, sessions: Sessions): Promise<boolean> {
  let [count, isWhole] = [0, true]
  for await (const found of orphans(sessions)) {
    context.io.interrupted.throwIfAborted()
    if ("error" in found) {
      isWhole = false
      if (context.options.json) await context.printJson({ ...found, ok: false })
      else await context.print([failureLine(found, context.style)])
      continue
    }
    count += 1
    if (context.options.json) await context.printJson({ orphan: found.path, removed: true })
    else await context.print([`${cleanLine(found.path)} removed`])
  }
  await context.log(count === 0 ? "No orphaned files." : `${plural(count, "orphaned file")} removed.`)
  return isWhole
}

async function* orphans(sessions: Sessions): AsyncGenerator<{ readonly path: string } | Failure> {
  for await (const { path, error } of sessions.storage.removeOrphans()) yield error ? failureOf(path, error) : { path }
  const blobs = storedBlobsFolder(sessions)
  try {
    for (const path of await removeOrphans(blobs)) yield { path }
  } catch (error) {
    if (!isTreelogError(error)) throw error
    yield failureOf(blobs, error)
  }
}
