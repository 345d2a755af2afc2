import type { Diagnostic } from "../../entry/diagnostic.js"
import type { SessionState } from "../session-state.js"

/** A diagnostic of an entry, with its id and its place in the file. */
export function faultAt(state: SessionState, ordinal: number, kind: Diagnostic["kind"], message: string): Diagnostic {
  const place = state.line(ordinal)?.place
  const head = state.headAt(ordinal)
  return {
    kind,
    ...(place && { line: place.line, offset: place.offset }),
    ...(head && { entryId: head.id }),
    message,
  }
}
