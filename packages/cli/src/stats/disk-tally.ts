import { join } from "node:path"
import type { Session } from "@treelog/session-core"
import { artifactsFolder, nodeFs } from "@treelog/storage-fs"
import type { BlobPlace } from "../blobs/blob-place.js"
import { namedBlobs } from "../blobs/copy-named-blobs.js"
import { blobsOf } from "../blobs/session-blobs.js"
import type { Sessions } from "../sessions/command-sessions.js"

/** Disk space of sessions. */
export interface DiskUse {
  /** Bytes. */
  readonly disk: { readonly session: number; readonly artifacts: number; readonly blobs: number }
  /** The blobs that they name, each once, and the folders or buckets in which they were looked for. */
  readonly blobs: { readonly folders: readonly string[]; readonly count: number; readonly missing: number }
}

/** Adds up the disk space of sessions. */
export class DiskTally {
  readonly #sessions: Sessions
  /** By the name of the place; empty for none. */
  readonly #blobs = new Map<string, { readonly place: BlobPlace | undefined; readonly hashes: Set<string> }>()
  #session = 0
  #artifacts = 0

  constructor(sessions: Sessions) {
    this.#sessions = sessions
  }

  async add(session: Session, path: string): Promise<void> {
    const artifacts = this.#sessions.files && artifactsFolder(path)
    const place = blobsOf(this.#sessions, path)
    const known = this.#blobs.get(place?.name ?? "") ?? { place, hashes: new Set() }
    this.#blobs.set(place?.name ?? "", known)
    for (const hash of namedBlobs(session.getEntries())) known.hashes.add(hash)
    this.#session += (await this.#sessions.storage.stat(path))?.size ?? 0
    this.#artifacts += artifacts === undefined ? 0 : await folderSize(artifacts)
  }

  async use(): Promise<DiskUse> {
    let [count, missing, bytes] = [0, 0, 0]
    for (const { place, hashes } of this.#blobs.values()) {
      const store = await place?.open("read")
      count += hashes.size
      for (const hash of hashes) {
        const size = await store?.size(hash)
        if (size === undefined) missing += 1
        bytes += size ?? 0
      }
    }
    return {
      disk: { session: this.#session, artifacts: this.#artifacts, blobs: bytes },
      blobs: { folders: [...this.#blobs.keys()].filter(Boolean), count, missing },
    }
  }
}

/** Bytes of all files in a folder and below it; 0 where there is none. Links count for nothing: what they lead to is elsewhere. */
export async function folderSize(folder: string): Promise<number> {
  let size = 0
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const { name } of await unlessGone(nodeFs.readdir(next), [])) {
      const path = join(next, name)
      const stat = await unlessGone(nodeFs.lstat(path, { bigint: true }), undefined)
      if (stat?.isDirectory()) folders.push(path)
      else if (stat?.isFile()) size += Number(stat.size)
    }
  }
  return size
}

async function unlessGone<Result, Otherwise>(work: Promise<Result>, otherwise: Otherwise): Promise<Result | Otherwise> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return otherwise
    throw error
  }
}
