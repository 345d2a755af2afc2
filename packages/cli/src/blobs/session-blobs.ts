import { dirname, join, sep } from "node:path"
import { FileBlobStore, nodeFs } from "@treelog/blob-store"
import { type BlobStore, SessionManager } from "@treelog/session-core"
import type { Sessions } from "../sessions/compose-sessions.js"

/** Where the blobs of a stored session are. */
export function blobsFolderOf({ blobs, agentDir }: Sessions, session: string): string {
  return blobsFolder({ session, given: blobs, agentDir })
}

/** The blobs that are meant where no session is. */
export function storedBlobsFolder({ blobs, agentDir }: Sessions): string {
  return blobs ?? join(agentDir, "blobs")
}

/** For whatever reads a stored session together with what its blobs hold. */
export function readOnlyManager(sessions: Sessions, session: string): SessionManager {
  return managerWith(sessions, readOnlyBlobs(blobsFolderOf(sessions, session)))
}

/** For whatever writes it. */
export function writingManager(sessions: Sessions, session: string): SessionManager {
  return managerWith(sessions, new FileBlobStore(blobsFolderOf(sessions, session)))
}

export function managerWith({ storage }: Sessions, blobs: BlobStore): SessionManager {
  return new SessionManager({ storage, blobs })
}

/** Blobs for commands that change nothing: what is damaged is not quarantined, it stays under its name. */
export function readOnlyBlobs(folder: string): FileBlobStore {
  const rename = async (): Promise<void> => {
    throw Object.assign(new Error("EROFS: commands that read rename nothing"), { code: "EROFS" })
  }
  return new FileBlobStore(folder, { fs: { ...nodeFs, rename } })
}

/** Whether a sweep of the blobs finds the session without --root. */
export function isFoundByGc(session: string, blobs: string): boolean {
  return session.startsWith(join(dirname(blobs), "sessions") + sep)
}

/** @returns false also for what is not there */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await nodeFs.stat(path, { bigint: true })).isDirectory()
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return false
    throw error
  }
}

export interface BlobsQuestion {
  /** Absolute path of the session's file. */
  readonly session: string
  /** The folder of `--blobs`. An absolute path. */
  readonly given: string | undefined
  /** The store that commands work on. An absolute path. */
  readonly agentDir: string
}

/**
 * Where the blobs of a session are (FORMAT.md, section 1): of one in a store, which any folder `<X>` with `<X>/sessions` is
 * taken for, in that store; of any other one beside it, where no sweep of a store that does not know of it can take them.
 */
export function blobsFolder({ session, given, agentDir }: BlobsQuestion): string {
  return given ?? join(enclosingStore(session, agentDir) ?? dirname(session), "blobs")
}

/** The store that contains the session. Artifacts may have a folder `sessions` too, so the known store is tried first. */
function enclosingStore(session: string, agentDir: string): string | undefined {
  if (session.startsWith(join(agentDir, "sessions") + sep)) return agentDir
  const at = session.lastIndexOf(`${sep}sessions${sep}`)
  return at === -1 ? undefined : session.slice(0, at) || sep
}
