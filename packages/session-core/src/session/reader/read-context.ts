import { type ContextOptions, contextOf, type SessionContext } from "../../context/build-context.js"
import { pathOfEntries } from "../../context/entry-path.js"
import { settingsAt } from "../../context/settings.js"
import { CURRENT_VERSION } from "../../entry/entry.js"
import { versionOf } from "../../log/session-log.js"
import { BackwardSplitter } from "../../log/split-lines.js"
import { type BlobReader, restoreMessages } from "../../persist/restore-entry.js"
import { BackwardPath } from "./backward-path.js"
import { readBackward, type StoredBlock } from "./read-backward.js"
import { atOnce, headerOf, type ReadableStorage, readUnchanged, statToRead } from "./read-stored.js"

/** The context with images and long texts restored; without a blob store as it is. */
export async function restoredContext(context: SessionContext, blobs: BlobReader | undefined): Promise<SessionContext> {
  if (!blobs) return context
  const { messages, diagnostics } = await restoreMessages(context.messages, blobs, context.entries)
  return { ...context, messages, diagnostics: [...context.diagnostics, ...diagnostics] }
}

/** For which place and for whom the context of a stored session is. */
export interface ContextFromEndOptions extends ContextOptions {
  /** Default: where the file stands. */
  readonly leafId?: string | undefined
  /** Where images and long texts are. Without it, their references stay. */
  readonly blobs?: BlobReader | undefined
}

/**
 * What the model would get of a stored session, read from its end (FORMAT.md, section 6), for programs that want nothing else and
 * load no more code than that takes: the cost is that of the entries in the context, not of the file. It is what
 * `SessionManager.readContext` gives; undefined where that has to read everything: an older version, a leaf that is not found, lines that
 * are not plainly one entry.
 * @param key the storage's key of the session: a path, for files
 * @throws InvalidSessionError, SessionChangedError, StorageError
 */
export async function readContextFromEnd(
  storage: ReadableStorage,
  key: string,
  { leafId, blobs, ...options }: ContextFromEndOptions = {},
): Promise<SessionContext | undefined> {
  const end = (await storage.end?.(key, { withParts: false })) ?? []
  const length = leafId === undefined ? end.length : end.findIndex(({ id }) => id === leafId) + 1
  if (length > 0) return restoredContext(contextOf(pathOfEntries(end.slice(0, length)), options), blobs)
  const path = await readUnchanged(() => pathFromEnd(storage, key, leafId))
  return path?.isComplete ? restoredContext(contextOn(path, options), blobs) : undefined
}

async function pathFromEnd(
  storage: ReadableStorage,
  key: string,
  leafId: string | undefined,
): Promise<BackwardPath | undefined> {
  const stat = await statToRead(storage, key)
  if (!stat) return undefined
  const ranges = await storage.openRanges?.(key, stat.identity)
  try {
    const header = await headerOf(ranges ? atOnce(ranges) : storage, key, stat)
    if (!header || versionOf(header) !== CURRENT_VERSION) return undefined
    const path = new BackwardPath(leafId)
    await follow(path, readBackward({ storage, key, stat, ranges }))
    return path
  } finally {
    ranges?.close()
  }
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
