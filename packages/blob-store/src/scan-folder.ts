import { join } from "node:path"
import { type FsPort, statIfThere } from "@treelog-internal/fs"
import { hashInName, kindOfName } from "./blob-names.js"
import { namesIn } from "./names-in.js"
import { modifiedOf } from "./stored-stat.js"

export interface BlobFile {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

/** What is in a folder of blobs, as far as it is ours. */
export interface FolderContents {
  readonly blobs: readonly BlobFile[]
  /** By the hash of their blob. */
  readonly sidecars: ReadonlyMap<string, readonly BlobFile[]>
  /** Blobs that are being written, or whose writer died. */
  readonly temporary: readonly BlobFile[]
}

export async function scanFolder(fs: FsPort, folder: string): Promise<FolderContents> {
  const blobs: BlobFile[] = []
  const temporary: BlobFile[] = []
  const sidecars = new Map<string, BlobFile[]>()
  for (const name of await namesIn(fs, folder)) {
    const kind = kindOfName(name)
    if (kind !== "blob" && kind !== "sidecar" && kind !== "temporary") continue
    const file = await blobFile(fs, folder, name)
    if (file === undefined) continue
    if (kind === "blob") blobs.push(file)
    else if (kind === "temporary") temporary.push(file)
    else sidecars.set(hashInName(name), [...(sidecars.get(hashInName(name)) ?? []), file])
  }
  return { blobs, sidecars, temporary }
}

/** Undefined when it is gone, or no file. */
export async function blobFile(fs: FsPort, folder: string, name: string): Promise<BlobFile | undefined> {
  const stat = await statIfThere(fs, join(folder, name))
  return stat?.isFile() ? { name, size: Number(stat.size), modified: modifiedOf(stat) } : undefined
}
