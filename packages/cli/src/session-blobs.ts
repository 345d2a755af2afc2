import { dirname, join, sep } from "node:path"
import { FileBlobStore, nodeFs } from "@treelog/blob-store"
import { type BlobStore, SessionManager } from "@treelog/session-core"
import { blobsFolder } from "./blobs-folder.js"
import type { Sessions } from "./compose.js"

/** Where the blobs of a stored session are. */
export function blobsFolderOf({ blobs, agentDir }: Sessions, session: string): string {
  return blobsFolder({ session, given: blobs, agentDir })
}

/** The blobs that are meant where no session is. */
export function storedBlobsFolder({ blobs, agentDir }: Sessions): string {
  return blobs ?? join(agentDir, "blobs")
}

/** For whatever reads a stored session together with what its blobs hold. */
export function readingManager(sessions: Sessions, session: string): SessionManager {
  return managerWith(sessions, readingBlobs(blobsFolderOf(sessions, session)))
}

/** For whatever writes it. */
export function writingManager(sessions: Sessions, session: string): SessionManager {
  return managerWith(sessions, new FileBlobStore(blobsFolderOf(sessions, session)))
}

export function managerWith({ storage }: Sessions, blobs: BlobStore): SessionManager {
  return new SessionManager({ storage, blobs })
}

/** Blobs for commands that change nothing: what is damaged is not quarantined, it stays under its name. */
export function readingBlobs(folder: string): FileBlobStore {
  const rename = async (): Promise<void> => {
    throw Object.assign(new Error("EROFS: commands that read rename nothing"), { code: "EROFS" })
  }
  return new FileBlobStore(folder, { fs: { ...nodeFs, rename } })
}

/** Whether a sweep of the blobs finds the session without being told of it. */
export function isKnownToSweeps(session: string, blobs: string): boolean {
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
