import { isTreelogError } from "@treelog/session-core"
import type { Reading } from "../../session/read-session.js"
import { readableLine } from "../../text/readable-text.js"

/** The state of the page. Names and messages are safe to display. */
export type Phase =
  | { readonly kind: "waiting"; readonly choice: readonly File[] }
  | { readonly kind: "reading"; readonly name: string }
  | { readonly kind: "shown"; readonly name: string; readonly reading: Reading }
  | { readonly kind: "failed"; readonly name: string; readonly message: string }

/** The message for a session that cannot be shown. */
export function failureText(error: unknown): string {
  if (isTreelogError(error, "InvalidSessionError"))
    return `This is not a session: it has ${error.data.found}. Sessions are .jsonl files whose first line is a header.`
  return readableLine(error instanceof Error ? error.message : error, 600)
}
