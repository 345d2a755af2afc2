import { TreelogError } from "@treelog/session-core"

export function sessionExists(key: string): TreelogError<"SessionExistsError"> {
  return new TreelogError("SessionExistsError", `A session exists already: ${key}`, { key })
}
