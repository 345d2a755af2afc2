import { TreelogError, type TreelogErrorData } from "../errors.js"

type Change = TreelogErrorData["SessionChangedError"]["change"]

const WHAT_CHANGED: Readonly<Record<Change, string>> = {
  gone: "was removed",
  replaced: "was replaced by another one",
  shrunk: "is shorter than it was",
  grown: "has grown",
}

/** What a storage throws where the stored session is not the one that was read. */
export function sessionChanged(key: string, change: Change): TreelogError<"SessionChangedError"> {
  const message = `${key} ${WHAT_CHANGED[change]} since it was read. Nothing was written to it; open it again.`
  return new TreelogError("SessionChangedError", message, { key, change })
}

/** What a storage throws instead of overwriting a session. */
export function sessionExists(key: string): TreelogError<"SessionExistsError"> {
  return new TreelogError("SessionExistsError", `There is a session at ${key} already.`, { key })
}
