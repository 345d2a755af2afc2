import { askRoutes } from "./ask-routes.js"
import { embeddedSource } from "./embedded-source.js"
import { servedSource } from "./live-source.js"
import type { SessionSource } from "./session-source.js"

/** The source of the page's session, from a meta element. Undefined for the page that waits for a file. */
export function pageSource(): SessionSource | undefined {
  const found = document.querySelector<HTMLMetaElement>("meta[name=treelog-session]")
  if (!found) return undefined
  const name = found.dataset.name ?? "session.jsonl"
  // Addresses are relative to the page, whose address has the token.
  return found.content === "live"
    ? servedSource(name, askRoutes(""), found.dataset.shares !== undefined)
    : embeddedSource(name)
}
