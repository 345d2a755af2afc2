import { TreelogError } from "@treelog/session-core"

/** The error for calls that were waiting when the history was closed: they must not open the database again. */
export function historyClosed(): TreelogError<"HistoryUnavailableError"> {
  return new TreelogError("HistoryUnavailableError", "The history is closed.", { reason: "closed" })
}
