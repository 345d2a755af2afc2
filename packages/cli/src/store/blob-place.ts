import type { BlobSource, BlobStore } from "@treelog/session-core"
import { bucketAddress, isAddress } from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import type { CommandContext } from "../io/command-context.js"
import type { ChosenStore } from "./chosen-store.js"

/** Where blobs are. The code that reads and writes them is loaded when they are opened. */
export interface BlobPlace {
  /** For people: an absolute path, or `s3://bucket/prefix`. */
  readonly name: string
  /** An absolute path; undefined for a bucket. */
  readonly folder: string | undefined
  /** Nothing is written: damaged blobs of a folder stay under their names. */
  read(): Promise<BlobSource>
  open(): Promise<BlobStore>
}

export function folderPlace(folder: string): BlobPlace {
  return {
    name: folder,
    folder,
    read: async () => new (await import("./folder-blobs.js")).FileBlobSource(folder),
    open: async () => new (await import("./folder-blobs.js")).FileBlobStore(folder),
  }
}

/**
 * @param text a folder, or `s3://bucket/prefix`
 * @throws UsageError
 */
export function placeNamed({ io }: Pick<CommandContext, "io">, text: string, by: string): BlobPlace {
  if (!isAddress(text)) return folderPlace(absoluteFolder(io, text))
  const address = bucketAddress(text, by)
  const open = async () => (await import("./bucket-blobs.js")).bucketBlobs(io.env, address)
  return { name: address.name, folder: undefined, read: open, open }
}

/**
 * The place that the user named for all blobs: with `--blobs`, or with TREELOG_BLOBS, which is that of TREELOG_STORE and of databases. A
 * store of files that an option names has its own.
 * @throws UsageError
 */
export function chosenPlace(
  { io, options }: Pick<CommandContext, "io" | "options">,
  store: ChosenStore,
): BlobPlace | undefined {
  if (options.blobs !== undefined) return placeNamed({ io }, options.blobs, "--blobs")
  return placeOfEnvironment({ io }, store)
}

/** The place of blobs that the environment names. @throws UsageError */
export function placeOfEnvironment(
  { io }: Pick<CommandContext, "io">,
  { name, isByOption }: ChosenStore,
): BlobPlace | undefined {
  const { TREELOG_BLOBS: text } = io.env
  const isFor = name.kind === "postgres" || !isByOption
  return text && isFor ? placeNamed({ io }, text, "TREELOG_BLOBS") : undefined
}
