import { timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

/**
 * Whether a request was meant for this server. A site whose name was made to lead to 127.0.0.1 sends its own name as the host, and
 * a page of another site is told apart by the browser that shows it.
 */
export function isForThisServer({ headers }: IncomingMessage, port: number): boolean {
  const site = headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  return headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`
}

/** The path behind the token, without its first slash; undefined where the token is another one. */
export function isGuest({ url = "" }: IncomingMessage, token: string): string | undefined {
  const [, given = "", path] = /^\/([^/?#]*)\/(.*)$/s.exec(url) ?? []
  return path !== undefined && isSame(given, token) ? path : undefined
}

/** In a time that tells nothing of where they differ. */
function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
