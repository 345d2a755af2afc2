import { type PageOptions, pageFor } from "../page-for.js"
import { answerTo } from "../routes/answer-to.js"
import { namesIn } from "../routes/path-names.js"
import { nothingHere, pageResponse } from "../routes/respond.js"
import { type PartSource, sendPart } from "../routes/send-part.js"
import { sendSecrets, sendSharedPage } from "../share/send-shared.js"
import type { SessionSharing } from "../share/session-sharing.js"

/** A session that has a page. */
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
