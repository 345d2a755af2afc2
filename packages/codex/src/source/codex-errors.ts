import { TreelogError } from "@treelog/session-core"

export function noHead(key: string): TreelogError<"InvalidSessionError"> {
  const found = "no session_meta in the first line"
  return new TreelogError("InvalidSessionError", `Not a rollout of Codex (${found}): ${key}`, { key, found })
}
