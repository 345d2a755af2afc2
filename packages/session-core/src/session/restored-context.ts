import type { ContextOptions, SessionContext } from "../context/build-context.js"
import { type BlobReader, restoreMessages } from "../persist/restore-entry.js"
import { contextFromEnd } from "./reader/read-context.js"
import type { ReadableStorage } from "./reader/read-stored.js"

/** The context with images and long texts restored; without a blob store as it is. */
export async function restoredContext(context: SessionContext, blobs: BlobReader | undefined): Promise<SessionContext> {
  if (!blobs) return context
  const { messages, diagnostics } = await restoreMessages(context.messages, blobs, context.entries)
  return { ...context, messages, diagnostics: [...context.diagnostics, ...diagnostics] }
}

/** For which place and for whom the context of a stored session is. */
export interface ContextFromEndOptions extends ContextOptions {
  /** Default: where the file stands. */
  readonly leafId?: string
  /** Where images and long texts are. Without it, their references stay. */
  readonly blobs?: BlobReader | undefined
}

/**
 * What the model would get of a stored session, read from its end (FORMAT.md, section 6), for programs that want nothing else and
 * load no more code than that takes. It is what `SessionManager.readContext` gives; undefined where that has to read everything:
 * an older version, a leaf that is not found, lines that are not plainly one entry.
 * @param key the storage's key of the session: a path, for files
 * @throws InvalidSessionError, SessionChangedError, StorageError
 */
export async function readContextFromEnd(
  storage: ReadableStorage,
  key: string,
  { leafId, blobs, ...options }: ContextFromEndOptions = {},
): Promise<SessionContext | undefined> {
  const context = await contextFromEnd(storage, key, leafId, options)
  return context && restoredContext(context, blobs)
}
