import { isTreelogError } from "@treelog/session-core"
import type { Reading } from "../session/read-session.js"
import { readableLine } from "../text/readable-text.js"

/** What the page is at. Names and messages are fit to be shown. */
export type Phase =
  | { readonly kind: "waiting"; readonly choice: readonly File[] }
  | { readonly kind: "reading"; readonly name: string }
  | { readonly kind: "shown"; readonly name: string; readonly reading: Reading }
  | { readonly kind: "failed"; readonly name: string; readonly message: string }

/** Why nothing can be shown, for people. */
export function failureText(error: unknown): string {
  if (isTreelogError(error, "InvalidSessionError"))
    return `This is no session: it has ${error.data.found}. Sessions are .jsonl files whose first line is a header.`
  return readableLine(error instanceof Error ? error.message : error, 600)
}
