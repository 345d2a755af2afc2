import { isTreelogError } from "@treelog/session-core"
import { type PageOptions, pageFor } from "../page-for.js"
import { answerTo } from "../routes/answer-to.js"
import { namesIn } from "../routes/path-names.js"
import { jsonResponse, nothingHere, pageResponse, refusal, respond } from "../routes/respond.js"
import { type PartSource, sendPart } from "../routes/send-part.js"
import { sendSecrets, sendSharedPage } from "../share/send-shared.js"
import type { SessionSharing } from "../share/session-sharing.js"
import { type SearchedSession, searchSession } from "./search-session.js"

/** A session that has a page. */
export interface OpenedSession extends PartSource, Omit<PageOptions, "rates"> {
  readonly sharing?: SessionSharing | undefined
  /** Where the page searches. */
  readonly searched: SearchedSession | undefined
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
  if (name === "search" && rest === undefined) return sendSearch(session, searchParams)
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

/** Sends the ids of the entries that match a query; 204 if no index has the session. */
async function sendSearch({ searched }: OpenedSession, params: URLSearchParams): Promise<Response> {
  const query = params.get("query")
  if (query === null) return refusal(400, "A search has a `query`.")
  try {
    const found = await searchSession(searched, query)
    return found ? jsonResponse(found) : respond(null, "application/json", 204)
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError")) throw error
    return refusal(400, error.message)
  }
}
