import { TreelogError } from "@treelog/session-core"

/** A StorageError for a small file of the user that is there and cannot be read; undefined where it is not there. */
export function readError(error: unknown, path: string): TreelogError<"StorageError"> | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (typeof code !== "string") throw error
  if (code === "ENOENT" || code === "ENOTDIR") return undefined
  const data = { key: path, operation: "read", errno: code }
  return new TreelogError("StorageError", `Cannot read ${path}: ${code}.`, data, { cause: error })
}
