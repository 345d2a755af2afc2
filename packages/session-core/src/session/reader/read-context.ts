import { type ContextOptions, contextOf, type SessionContext } from "../../context/build-context.js"
import { pathOfEntries } from "../../context/entry-path.js"
import { settingsAt } from "../../context/settings.js"
import { CURRENT_VERSION } from "../../entry/entry.js"
import { versionOf } from "../../log/session-log.js"
import { BackwardSplitter } from "../../log/split-lines.js"
import { BackwardPath } from "./backward-path.js"
import { readBlocks, type StoredBlock } from "./read-blocks.js"
import { atOnce, headerOf, type ReadableStorage } from "./read-stored.js"

/**
 * The context of a stored session, found from its end: the cost is that of the entries that are in it, not of the file. It is
 * what reading everything gives; undefined where only that can decide (an older version, a leaf that is not found, lines that
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
  if (!stat) return undefined
  const ranges = await storage.openRanges?.(key, stat.identity)
  const path = new BackwardPath(leafId)
  try {
    const header = await headerOf(ranges ? atOnce(ranges) : storage, key, stat)
    if (!header || versionOf(header) !== CURRENT_VERSION) return undefined
    await follow(path, readBlocks({ storage, key, stat, ranges }, "backward"))
  } finally {
    ranges?.close()
  }
  return path.isComplete ? contextOn(path, options) : undefined
}

function contextOn(path: BackwardPath, options: ContextOptions): SessionContext {
  const entries = pathOfEntries(path.entries)
  const since = path.sinceCheckpoint
  if (!since) return contextOf(entries, options)
  return contextOf(entries, options, settingsAt(pathOfEntries(since.entries), since.settings))
}

/** As far as it leads, or can be followed so. */
async function follow(path: BackwardPath, blocks: AsyncIterable<StoredBlock>): Promise<void> {
  const splitter = new BackwardSplitter()
  for await (const block of blocks) if (!path.push(splitter.push(block)) || splitter.isLost) return
  path.push(splitter.finish())
}
