import { TreelogError } from "@treelog/session-core"

export function sessionNotFound(key: string): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", `No session is stored at ${key}`, { ref: key })
}

/** The path does not lead to a regular file. */
export function notAFile(key: string, isFolder: boolean): TreelogError<"InvalidSessionError"> {
  const found = isFolder ? "a folder" : "a pipe, a device or another special file"
  return new TreelogError("InvalidSessionError", `Not a session but ${found}: ${key}`, { key, found })
}
