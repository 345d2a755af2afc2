import { join } from "node:path"
import type { Session } from "@treelog/session-core"
import { listedSession } from "@treelog/session-core/adapter"
import { artifactsFolder } from "@treelog/storage-fs"
import { entriesIn, lstatIfThere, nodeFs } from "@treelog-internal/fs"
import { blobsOf, type Sessions } from "../store/command-sessions.js"
import { namedBlobs } from "./copy-named-blobs.js"

/** Disk space of a session. */
export interface DiskUse {
  /** Bytes. */
  readonly disk: { readonly session: number; readonly artifacts: number; readonly blobs: number }
  /** The blobs that it names, each once, and the folder or bucket in which they were looked for. */
  readonly blobs: { readonly folders: readonly string[]; readonly count: number; readonly missing: number }
}

export async function diskUse(sessions: Sessions, session: Session, path: string): Promise<DiskUse> {
  const { storage, files } = sessions
  const artifacts = files && artifactsFolder(path)
  const place = blobsOf(sessions, path)
  const store = await place?.read()
  const hashes = namedBlobs(session.getEntries())
  let [missing, bytes] = [0, 0]
  for (const hash of hashes) {
    const size = await store?.size(hash)
    if (size === undefined) missing += 1
    bytes += size ?? 0
  }
  return {
    disk: {
      // What an agent stores is of another size than what is read of it.
      session: (sessions.agent ? await listedSession(storage, path) : await storage.stat(path))?.size ?? 0,
      artifacts: artifacts === undefined ? 0 : await folderSize(artifacts),
      blobs: bytes,
    },
    blobs: { folders: place ? [place.name] : [], count: hashes.size, missing },
  }
}

/** Bytes of all files in a folder and below it; 0 where there is none. Links count for nothing: what they lead to is elsewhere. */
export async function folderSize(folder: string): Promise<number> {
  let size = 0
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const { name } of await entriesIn(nodeFs, next)) {
      const path = join(next, name)
      const stat = await lstatIfThere(nodeFs, path)
      if (stat?.isDirectory()) folders.push(path)
      else if (stat?.isFile()) size += Number(stat.size)
    }
  }
  return size
}
