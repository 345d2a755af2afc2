import type { SecretPlace } from "../../wire.js"
import { type PageOptions, pageFor } from "../page-for.js"
import { answerTo, jsonResponse, nothingHere, pageResponse, startedResponse } from "../routes/respond.js"
import { type PartSource, sendPart } from "../routes/send-part.js"
import { namesIn } from "../routes/session-routes.js"
import { type ListenOptions, listenLocal, type ServedPage } from "./listen-local.js"

/** Options of `serveSession`. */
export interface ServeOptions extends PartSource, Omit<PageOptions, "rates">, ListenOptions {
  /** Makes a file of the session without its secrets. Without it, the page has no button for that. */
  readonly sharing?: SessionSharing | undefined
  /** The command line that goes on with the session. Without it, the page has no button that copies it. */
  readonly resume?: string | undefined
}

/**
 * Serves the viewer with a session on 127.0.0.1, and follows changes of the session. Requests need the token in their path, and
 * pages of other sites have no access, not even by DNS rebinding. Writes nothing.
 * @throws InvalidArgumentError for a token that is too short or a port that is in use
 */
export function serveSession(options: ServeOptions): Promise<ServedPage> {
  return listenLocal(
    { ...options, homeName: "The session" },
    (path) => answerSession(options, path),
    () => {},
  )
}

/** Makes files of sessions for others, without their secrets. */
export interface SessionSharing {
  /** Finds what would be taken out. Never the secrets. */
  findSecrets(key: string): AsyncIterable<SharedSecret>
  /** The session as one HTML file without them. */
  page(key: string): AsyncIterable<string>
}

/** Where a secret is, and of what kind. */
export interface SharedSecret extends SecretPlace {
  readonly kind: string
}

export interface OpenedSession extends Omit<ServeOptions, keyof ListenOptions> {
  /** The address of the page of all sessions, if there is one, relative to the page of this one. */
  readonly home?: string
}

/** Answers a request for the page of a session, and those of that page. @param path relative to the page, with the query */
export async function answerSession(session: OpenedSession, path: string): Promise<Response> {
  const { pathname, searchParams } = new URL(`http://127.0.0.1/${path}`)
  const names = namesIn(pathname)
  const [name, rest, ...more] = names
  const { sharing, key } = session
  if (name === "" && rest === undefined) return sendPage(session)
  try {
    if (name !== "share") return await sendPart(session, names, searchParams, {})
    if (sharing && rest === undefined) return await sendSecrets(sharing, key)
    return sharing && rest === "session.html" && more.length === 0 ? await sendSharedPage(sharing, key) : nothingHere()
  } catch (error) {
    return answerTo(error)
  }
}

async function sendPage(session: OpenedSession): Promise<Response> {
  const { before, after } = await pageFor("live", { ...session, canShare: session.sharing !== undefined })
  return pageResponse(before + after)
}

/** Places that are sent of each kind. */
const MOST_PLACES = 100

/** Sends what would be taken out, the most frequent kind first: `{ kinds: [{ kind, count, places }] }`. */
async function sendSecrets(sharing: SessionSharing, key: string): Promise<Response> {
  const kinds = new Map<string, { readonly kind: string; count: number; readonly places: SecretPlace[] }>()
  for await (const { kind, entryId, place, agent } of sharing.findSecrets(key)) {
    const known = kinds.get(kind) ?? { kind, count: 0, places: [] }
    kinds.set(kind, known)
    known.count += 1
    if (known.places.length < MOST_PLACES) known.places.push({ entryId, place, agent })
  }
  return jsonResponse({ kinds: [...kinds.values()].sort((a, b) => b.count - a.count) })
}

/** Sends the session as a file to save. */
async function sendSharedPage(sharing: SessionSharing, key: string): Promise<Response> {
  const response = await startedResponse(bytesOf(sharing.page(key)), "text/html; charset=utf-8")
  response.headers.set("content-disposition", "attachment")
  // If it is opened here instead of saved, it gets no access to this server.
  response.headers.set("content-security-policy", "sandbox; frame-ancestors 'none'")
  return response
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  for await (const text of texts) yield utf8.encode(text)
}
