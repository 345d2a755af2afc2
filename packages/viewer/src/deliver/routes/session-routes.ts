import { answerTo } from "./answer-to.js"
import { IndexUpdates } from "./index-updates.js"
import { namesIn } from "./path-names.js"
import { nothingHere, refusal } from "./respond.js"
import type { RouteContext, SessionRoutesOptions } from "./route-context.js"
import { sendSearch, sendUsage } from "./send-answers.js"
import { sendList } from "./send-list.js"
import { sendPart } from "./send-part.js"
import { storedSession } from "./stored-session.js"

/**
 * The sessions of a storage over HTTP, for the parts of this package and for pages of your own: a handler from `Request` to `Response` for
 * any server. Sessions are named by their ids, never by paths, and nothing is written. The README lists the routes.
 * @returns a handler, which resolves to undefined for paths that are none of its own
 */
export function createSessionRoutes(options: SessionRoutesOptions): SessionRoutes {
  return routesOf(options, options.index && new IndexUpdates(options.index, options.signal))
}

export type SessionRoutes = (request: Request) => Promise<Response | undefined>

/** The same, where the page asks for updates of the index elsewhere too. */
export function routesOf(options: SessionRoutesOptions, updates: IndexUpdates | undefined): SessionRoutes {
  const { base = "", authorize, now = Date.now } = options
  return async (request) => {
    const url = new URL(request.url)
    if (!url.pathname.startsWith(`${base}/`)) return undefined
    const names = namesIn(url.pathname.slice(base.length))
    if (!ROUTES.has(names[0] ?? "") || names.length > (names[2] === "agents" ? 5 : 4)) return undefined
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed()
    if (url.search.length > LONGEST_QUERY) return refusal(414, "The query is too long.")
    const scope = await authorize(request)
    if (!scope) return refusal(403, "You have no access to these sessions.")
    const context: RouteContext = { ...options, scope, updates, now }
    const answer = await answerFor(context, request, url, names).catch(answerTo)
    return request.method === "HEAD" ? withoutBody(answer) : answer
  }
}

/** Longer queries are refused. UTF-16 units of the encoded query. */
const LONGEST_QUERY = 8_000

const ROUTES: ReadonlySet<string> = new Set(["sessions", "search", "usage"])

async function answerFor(
  context: RouteContext,
  request: Request,
  url: URL,
  [first, id, ...path]: readonly string[],
): Promise<Response> {
  if (first === "sessions" && id !== undefined) return sendSession(context, url, [id, ...path])
  if (id !== undefined) return nothingHere()
  if (first === "search") return sendSearch(context, url)
  return first === "usage" ? sendUsage(context, url) : sendList(context, url, request.signal)
}

function notAllowed(): Response {
  const answer = refusal(405, "Only GET requests are answered here.")
  answer.headers.set("allow", "GET, HEAD")
  return answer
}

/** The response to HEAD. */
async function withoutBody({ status, headers, body }: Response): Promise<Response> {
  await body?.cancel()
  return new Response(null, { status, headers })
}

async function sendSession(
  context: RouteContext,
  { searchParams }: URL,
  [id = "", ...names]: readonly string[],
): Promise<Response> {
  const { storage, key, cwd } = await storedSession(context, id)
  return sendPart({ ...context, storage, key }, names, searchParams, { id, cwd })
}
