import { TreelogError } from "../errors.js"

/** @param ref what the caller named the session by. Default: its key */
export function noSessionAt(key: string, ref = key): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", `There is no session at ${key}.`, { ref })
}
