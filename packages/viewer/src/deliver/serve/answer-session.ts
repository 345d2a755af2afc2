import type { SecretPlace } from "../../wire.js"
import { type PageOptions, pageFor } from "../page-for.js"
import { answerTo } from "../routes/answer-to.js"
import { namesIn } from "../routes/path-names.js"
import { jsonResponse, nothingHere, pageResponse, startedResponse } from "../routes/respond.js"
import { type PartSource, sendPart } from "../routes/send-part.js"

import type { SessionSharing } from "../share/session-sharing.js"

export interface OpenedSession extends PartSource, Omit<PageOptions, "rates"> {
  readonly sharing?: SessionSharing | undefined
  /** The address of the page of all sessions, if there is one, relative to the page of this one. */
  readonly home?: string
  /** The command line that goes on with the session. */
  readonly resume?: string | undefined
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
