import { TreelogError } from "@treelog/session-core"

/** For work that waited while the history was closed: it must not open the database again. */
export function historyClosed(): TreelogError<"HistoryUnavailableError"> {
  return new TreelogError("HistoryUnavailableError", "The history is closed.", { reason: "closed" })
}
