import { TreelogError, type TreelogErrorData } from "../errors.js"

type Change = TreelogErrorData["SessionChangedError"]["change"]

const WHAT_CHANGED: Readonly<Record<Change, string>> = {
  gone: "was removed",
  replaced: "was replaced by another one",
  shrunk: "is shorter than it was",
  grown: "has grown",
}

/**
 * What a storage throws where the stored session is not the one that was read.
 * @param wasWritten whether lines were written to what was read, which may be stored in another place now
 */
export function sessionChanged(key: string, change: Change, wasWritten = false): TreelogError<"SessionChangedError"> {
  const message = wasWritten
    ? `${key} ${WHAT_CHANGED[change]} while lines were written to it. Open it again, where it is now, and look whether it has them.`
    : `${key} ${WHAT_CHANGED[change]} since it was read. Nothing was written to it; open it again.`
  return new TreelogError("SessionChangedError", message, { key, change })
}

/** What a storage throws instead of overwriting a session. */
export function sessionExists(key: string): TreelogError<"SessionExistsError"> {
  return new TreelogError("SessionExistsError", `There is a session at ${key} already.`, { key })
}
