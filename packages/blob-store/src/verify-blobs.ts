import { join, resolve } from "node:path"
import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { type FsPort, nodeFs, statIfThere, toStorageError } from "@treelog-internal/fs"
import { kindOfName, type NameKind } from "./blob-names.js"
import { namesIn } from "./names-in.js"
import { hashOfFile, withFile } from "./open-file.js"

/** What was found under one name in a folder of blobs. */
export type BlobCheck =
  | { readonly state: "ok"; readonly hash: string; readonly size: number }
  /** The bytes have another hash. They are left where they are; `get` quarantines them. */
  | { readonly state: "damaged"; readonly hash: string; readonly size: number; readonly actual: string }
  | { readonly state: "unreadable"; readonly hash: string; readonly error: TreelogError }
  /** No blob: what it is says its name, or nothing does. */
  | { readonly state: "foreign"; readonly name: string; readonly what: Exclude<NameKind, "blob"> | "folder" }

/** How blobs are verified. */
export interface VerifyBlobsOptions {
  readonly fs?: FsPort
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads every blob in a folder and compares it with its hash. Changes nothing, and continues after damage. A folder that
 * is not there holds nothing.
 * @throws StorageError when the folder itself cannot be read
 */
export async function* verifyBlobs(
  folder: string,
  { fs = nodeFs, signal }: VerifyBlobsOptions = {},
): AsyncGenerator<BlobCheck> {
  const blobs = resolve(folder)
  try {
    for (const name of await namesIn(fs, blobs)) {
      signal?.throwIfAborted()
      const what = kindOfName(name)
      const check = what === "blob" ? await checkBlob(fs, join(blobs, name), name) : foreign(name, what)
      if (check !== undefined) yield check
    }
  } catch (error) {
    throw toStorageError(error, blobs, "verify")
  }
}

/** Undefined when it went away meanwhile. */
async function checkBlob(fs: FsPort, path: string, hash: string): Promise<BlobCheck | undefined> {
  try {
    const stat = await statIfThere(fs, path)
    if (stat !== undefined && !stat.isFile()) return foreign(hash, "folder")
    return await withFile(fs, path, async (file, { size }) => {
      const actual = await hashOfFile(file)
      const found = { hash, size: Number(size) }
      return actual === hash ? { state: "ok", ...found } : { state: "damaged", ...found, actual }
    })
  } catch (error) {
    const reason = toStorageError(error, path, "read")
    if (!isTreelogError(reason)) throw error
    return { state: "unreadable", hash, error: reason }
  }
}

function foreign(name: string, what: Exclude<NameKind, "blob"> | "folder"): BlobCheck {
  return { state: "foreign", name, what }
}
