import { TreelogError, type TreelogErrorData } from "@treelog/session-core"

export function sessionExists(key: string): TreelogError<"SessionExistsError"> {
  return new TreelogError("SessionExistsError", `A session exists already: ${key}`, { key })
}

export function sessionNotFound(key: string): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", `No session is stored at ${key}`, { ref: key })
}

/** The path does not lead to a regular file. */
export function notAFile(key: string, isFolder: boolean): TreelogError<"InvalidSessionError"> {
  const found = isFolder ? "a folder" : "a pipe, a device or another special file"
  return new TreelogError("InvalidSessionError", `Not a session but ${found}: ${key}`, { key, found })
}

export function sessionChanged(
  key: string,
  change: TreelogErrorData["SessionChangedError"]["change"],
): TreelogError<"SessionChangedError"> {
  const message = `The session is no longer what was read (${change}): ${key}`
  return new TreelogError("SessionChangedError", message, { key, change })
}
