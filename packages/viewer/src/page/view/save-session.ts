import type { PageSession } from "../session/page-session.js"

/** Lets the browser download the bytes of the session. */
export function saveSession(session: PageSession, name: string): void {
  const url = URL.createObjectURL(new Blob(session.bytes.pieces(), { type: "application/jsonl" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name.endsWith(".jsonl") ? name : `${name}.jsonl`
  link.click()
  // Later, since the browser may not have read it yet.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
