import type { PageSession } from "../session/page-session.js"

/** Lets the browser save the bytes of the session as they came. */
export function saveSession(session: PageSession, name: string): void {
  const url = URL.createObjectURL(new Blob(session.bytes.pieces(), { type: "application/jsonl" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name.endsWith(".jsonl") ? name : `${name}.jsonl`
  link.click()
  // Not before the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
