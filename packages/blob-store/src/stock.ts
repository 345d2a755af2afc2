import { join } from "node:path"
import { hashInName, kindOfName } from "./blob-names.js"
import type { FsPort } from "./fs-port.js"
import { namesIn } from "./names-in.js"
import { statIfThere } from "./open-file.js"
import { modifiedOf } from "./stored-stat.js"

export interface StockFile {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

/** What is in a folder of blobs, as far as it is ours. */
export interface Stock {
  readonly blobs: readonly StockFile[]
  /** By the hash of their blob. */
  readonly sidecars: ReadonlyMap<string, readonly StockFile[]>
  /** Blobs that are being written, or whose writer died. */
  readonly temporary: readonly StockFile[]
}

export async function takeStock(fs: FsPort, folder: string): Promise<Stock> {
  const blobs: StockFile[] = []
  const temporary: StockFile[] = []
  const sidecars = new Map<string, StockFile[]>()
  for (const name of await namesIn(fs, folder)) {
    const kind = kindOfName(name)
    if (kind !== "blob" && kind !== "sidecar" && kind !== "temporary") continue
    const file = await stockFile(fs, folder, name)
    if (file === undefined) continue
    if (kind === "blob") blobs.push(file)
    else if (kind === "temporary") temporary.push(file)
    else sidecars.set(hashInName(name), [...(sidecars.get(hashInName(name)) ?? []), file])
  }
  return { blobs, sidecars, temporary }
}

/** Undefined when it is gone, or no file. */
export async function stockFile(fs: FsPort, folder: string, name: string): Promise<StockFile | undefined> {
  const stat = await statIfThere(fs, join(folder, name))
  return stat?.isFile() ? { name, size: Number(stat.size), modified: modifiedOf(stat) } : undefined
}
