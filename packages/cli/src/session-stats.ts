import type { Session } from "@treelog/session-core"
import { artifactsFolder } from "@treelog/storage-fs"
import type { Sessions } from "./compose.js"
import { folderSize } from "./folder-size.js"
import { namedBlobs } from "./named-blobs.js"
import { blobsFolderOf, readingBlobs } from "./session-blobs.js"

/** What a session amounts to. */
export interface SessionStats {
  readonly sessionId: string
  readonly path: string
  readonly messages: number
  readonly entries: number
  /** Bytes. */
  readonly disk: { readonly session: number; readonly artifacts: number; readonly blobs: number }
  /** The blobs that it names, each once. */
  readonly blobs: { readonly folder: string; readonly count: number; readonly missing: number }
}

export async function sessionStats(sessions: Sessions, session: Session, path: string): Promise<SessionStats> {
  const entries = session.getEntries()
  const artifacts = artifactsFolder(path)
  const folder = await blobsFolderOf(sessions, path)
  const { bytes, ...blobs } = await sizesOf(namedBlobs(entries), folder)
  return {
    sessionId: session.getSessionId(),
    path,
    messages: entries.filter(({ type }) => type === "message").length,
    entries: entries.length,
    disk: {
      session: (await sessions.storage.stat(path))?.size ?? 0,
      artifacts: artifacts === undefined ? 0 : await folderSize(artifacts),
      blobs: bytes,
    },
    blobs: { folder, ...blobs },
  }
}

async function sizesOf(
  hashes: ReadonlySet<string>,
  folder: string,
): Promise<{ count: number; missing: number; bytes: number }> {
  const store = readingBlobs(folder)
  let [bytes, missing] = [0, 0]
  for (const hash of hashes) {
    const size = await store.size(hash)
    if (size === undefined) missing += 1
    bytes += size ?? 0
  }
  return { count: hashes.size, missing, bytes }
}
