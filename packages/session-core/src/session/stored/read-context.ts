import { type ContextOptions, contextOf, type SessionContext } from "../../context/build-context.js"
import { settingsAt } from "../../context/settings.js"
import { CURRENT_VERSION } from "../../entry/header.js"
import { runsBackward } from "../../log/backward-lines.js"
import { versionOf } from "../../log/session-log.js"
import { BackwardPath } from "./backward-path.js"
import { passingBlocks } from "./passing-blocks.js"
import { readHeader } from "./read-header.js"
import type { ReadableStorage } from "./read-stored.js"

/**
 * The context of a stored session, found from its end: the cost is that of the entries that are in it, not of the file. It is
 * what reading everything gives; undefined where only that can tell (an older version, a leaf that is not found, lines that
 * are not plainly one entry).
 * @param leafId undefined for where the file stands
 */
export async function contextFromEnd(
  storage: ReadableStorage,
  key: string,
  leafId: string | undefined,
  options: ContextOptions,
): Promise<SessionContext | undefined> {
  const stat = await storage.stat(key)
  const header = stat && (await readHeader(storage, key))
  if (!stat || !header || versionOf(header) !== CURRENT_VERSION) return undefined
  const path = new BackwardPath(leafId)
  const ranges = await storage.openRanges?.(key, stat.identity)
  try {
    for await (const run of runsBackward(passingBlocks({ storage, key, stat, ranges }, "backward"))) {
      if (!path.push(run)) return undefined
      if (path.isComplete) break
    }
  } finally {
    ranges?.close()
  }
  if (!path.isComplete) return undefined
  const since = path.sinceCheckpoint
  return since ? contextOf(path, options, settingsAt(since.path, since.settings)) : contextOf(path, options)
}
