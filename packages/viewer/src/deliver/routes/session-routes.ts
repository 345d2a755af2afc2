import { answerTo } from "./answer-to.js"
import { IndexUpdates } from "./index-updates.js"
import { jsonResponse, refusal } from "./respond.js"
import type { RouteContext, SessionRoutesOptions } from "./route-context.js"
import { sendSearch, sendUsage } from "./send-answers.js"
import { sendBlob, sendBytes } from "./send-bytes.js"
import { sendChanges } from "./send-changes.js"
import { sendList } from "./send-list.js"
import { stateOf, storedSession } from "./stored-session.js"

/**
 * The sessions of a storage over HTTP, for the parts of this package and for pages of your own: a handler from `Request` to `Response` for
 * any server. Sessions are named by their ids, never by paths, and nothing is written. The README lists the routes.
 * @returns a handler, which resolves to undefined for paths that are none of its own
 */
export function createSessionRoutes(
  options: SessionRoutesOptions,
): (request: Request) => Promise<Response | undefined> {
  const { base = "", index, authorize, signal, now = Date.now } = options
  const updates = index && new IndexUpdates(index, signal)
  return async (request) => {
    const url = new URL(request.url)
    if (!url.pathname.startsWith(`${base}/`)) return undefined
    const [first = "", id, part, ...rest] = url.pathname
      .slice(base.length + 1)
      .split("/")
      .map(nameIn)
    if (!ROUTES.has(first) || rest.length > 1) return undefined
    if (request.method !== "GET") return refusal(405, "There is only something to get here.")
    const scope = await authorize(request)
    if (!scope) return refusal(403, "This is not yours to see.")
    const context: RouteContext = { ...options, scope, updates, now }
    try {
      if (first === "sessions" && id !== undefined) return await sendSession(context, request, url, [id, part, rest[0]])
      if (id !== undefined) return refusal(404, "There is nothing here.")
      if (first === "search") return await sendSearch(context, url)
      return first === "usage" ? await sendUsage(context, url) : sendList(context, url, request.signal)
    } catch (error) {
      return answerTo(error)
    }
  }
}

const ROUTES: ReadonlySet<string> = new Set(["sessions", "search", "usage"])

async function sendSession(
  context: RouteContext,
  request: Request,
  { searchParams }: URL,
  [id, part, name]: readonly [string, string | undefined, string | undefined],
): Promise<Response> {
  const session = await storedSession(context, id)
  if (part === "blobs" && name !== undefined) return sendBlob(context, name)
  if (name !== undefined) return refusal(404, "There is nothing here.")
  if (part === undefined) return jsonResponse(await stateOf(session))
  if (part === "bytes") return sendBytes(session, searchParams)
  const { signal = request.signal } = context
  return part === "changes"
    ? sendChanges(session, AbortSignal.any([request.signal, signal]))
    : refusal(404, "There is nothing here.")
}

/** A part of a path. What is not encoded as it should be names nothing. */
function nameIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return ""
    throw error
  }
}
