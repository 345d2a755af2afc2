import { embeddedSource } from "./embedded-source.js"
import { liveSource } from "./live-source.js"
import type { SessionSource } from "./session-source.js"

/** The source of the page's session, from a meta element. Undefined for the page that waits for a file. */
export function pageSource(): SessionSource | undefined {
  const found = document.querySelector<HTMLMetaElement>("meta[name=treelog-session]")
  if (!found) return undefined
  const name = found.dataset.name ?? "session.jsonl"
  return found.content === "live" ? liveSource(name) : embeddedSource(name)
}
