import type { BlobSource } from "../../ports/blob-store.js"
import type { SessionSource } from "../../ports/session-source.js"
import { factoryOf } from "../../session/factory-of.js"
import type { SessionManager } from "../../session/session-manager.js"
import type { CopiedSession, CopySessionsOptions } from "./copy-options.js"
import { SessionCopier } from "./session-copier.js"

/** Where an imported session goes. */
export interface ImportOptions
  extends Pick<
    CopySessionsOptions,
    "artifactsOf" | "isOriginal" | "others" | "source" | "dryRun" | "signal" | "onProgress"
  > {
  /** The folder that the session is to belong to. Default: the one in its header, or none. */
  readonly cwd?: string | undefined
  /** Where the blobs are that it refers to: those that this storage's blob store lacks are copied. */
  readonly blobs?: BlobSource
  /** The storage that `from` is a key of: that of files, to import a file into a database. Default: the one that the session goes to. */
  readonly storage?: SessionSource
}

/**
 * Imports a session that is stored elsewhere: ids, parents, labels and leaf stay, an older version becomes the current one, and images and
 * long texts go to the blob store. A session that was imported before gets what its source has in addition. The source is only read.
 * @param from the storage's key of the source: a path, for files
 * @throws SessionNotFoundError, InvalidSessionError, UnsupportedVersionError, SessionBusyError, SessionChangedError, StorageError
 */
export function importSession(
  sessions: SessionManager,
  from: string,
  { cwd, blobs: theirs, storage: source = sessions.storage, ...options }: ImportOptions = {},
): Promise<CopiedSession> {
  const factory = factoryOf(sessions)
  const { blobStore, projectOf } = factory
  const copier = new SessionCopier(
    {
      ...options,
      from: source,
      to: factory.writable(cwd ?? from),
      slim: true,
      blobs: { from: theirs, to: blobStore },
      projectOf,
      ...(cwd !== undefined && { cwdOf: () => cwd }),
    },
    true,
  )
  return copier.copy({ key: from })
}
