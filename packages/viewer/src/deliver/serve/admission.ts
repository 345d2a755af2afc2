import { timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

/**
 * Whether a request is meant for this server. Rejects DNS rebinding, where the `Host` header names another site, and requests from
 * pages of other sites, which browsers mark with `Sec-Fetch-Site`.
 */
export function isForThisServer({ headers }: IncomingMessage, port: number): boolean {
  const site = headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  return headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`
}

/** The path after the token, without its first slash; undefined if the token is wrong. */
export function pathBehindToken({ url = "" }: IncomingMessage, token: string): string | undefined {
  const [, candidate = "", path] = /^\/([^/?#]*)\/(.*)$/s.exec(url) ?? []
  return path !== undefined && isSame(candidate, token) ? path : undefined
}

/** Compares in constant time, so that the time reveals nothing of the token. */
function isSame(candidate: string, token: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
