import { FileBlobStore, nodeFs } from "@treelog/blob-store"

/** Blobs as files. For commands that change nothing, what is damaged is not quarantined: it stays under its name. */
export function folderBlobs(folder: string, access: "read" | "write"): FileBlobStore {
  if (access === "write") return new FileBlobStore(folder)
  const rename = async (): Promise<void> => {
    throw Object.assign(new Error("EROFS: commands that read rename nothing"), { code: "EROFS" })
  }
  return new FileBlobStore(folder, { fs: { ...nodeFs, rename } })
}
