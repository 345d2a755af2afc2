import { type SessionManager, type SessionSource, TreelogError } from "@treelog/session-core"
import { readHeader, repositoryIn } from "@treelog/session-core/adapter"
import { IndexUpdates } from "./index-updates.js"
import { answerTo, nothingHere, refusal } from "./respond.js"
import type { AnswerContext, SessionRoutesOptions } from "./route-context.js"
import { sendSearch, sendUsage } from "./send-answers.js"
import { sendList } from "./send-list.js"
import { sendPart } from "./send-part.js"
import { type ServedSource, sessionsOf } from "./served-sessions.js"

/**
 * The sessions of a storage over HTTP, for the parts of this package and for pages of your own: a handler from `Request` to `Response` for
 * any server. Sessions are named by their ids, never by paths, and nothing is written. The README lists the routes.
 * @returns a handler, which resolves to undefined for paths that are none of its own
 */
export function createSessionRoutes(options: SessionRoutesOptions): SessionRoutes {
  const { sessions: manager, index, blobs, base = "", authorize, prices, projectOf, signal, now = Date.now } = options
  const sessions = sessionsOf(manager, index)
  const updates = new IndexUpdates(sessions, signal)
  return async (request) => {
    const url = new URL(request.url)
    if (!url.pathname.startsWith(`${base}/`)) return undefined
    const names = namesIn(url.pathname.slice(base.length))
    if (!ROUTES.has(names[0] ?? "") || names.length > (names[2] === "agents" ? 5 : 4)) return undefined
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed()
    if (url.search.length > LONGEST_QUERY) return refusal(414, "The query is too long.")
    const scope = await authorize(request)
    if (!scope) return refusal(403, "You have no access to these sessions.")
    const { cwd } = scope
    const seen: AnswerContext["seen"] =
      cwd === undefined ? undefined : { cwd, has: (one) => manager.isOfFolder(one, cwd) }
    const context: AnswerContext = { sessions, updates, seen, prices, projectOf, nameOf: () => "", now }
    const [first, id, ...path] = names
    const answer = await (first === "sessions" && id !== undefined
      ? storedSession(manager, seen, id).then(({ key, cwd }) =>
          sendPart({ blobs, price: prices?.at(), storage: manager.storage, key }, path, url.searchParams, { id, cwd }),
        )
      : answerAbout(context, request.signal, url, names)
    ).catch(answerTo)
    return request.method === "HEAD" ? withoutBody(answer) : answer
  }
}

export type SessionRoutes = (request: Request) => Promise<Response | undefined>

/** Longer queries are refused. UTF-16 units of the encoded query. */
const LONGEST_QUERY = 8_000

const ROUTES: ReadonlySet<string> = new Set(["sessions", "search", "usage"])

/**
 * Finds a session by its full id.
 * @throws SessionNotFoundError, also for a session that the request may not see; AmbiguousSessionError, InvalidSessionError, StorageError
 */
async function storedSession(
  sessions: SessionManager<SessionSource>,
  seen: AnswerContext["seen"],
  id: string,
): Promise<{ readonly key: string; readonly cwd: string }> {
  const key = await sessions.resolve({ id })
  const header = await readHeader(sessions.storage, key)
  const cwd = typeof header?.cwd === "string" ? header.cwd : ""
  if (!header || seen?.has({ cwd, repository: repositoryIn(header) }) === false)
    throw new TreelogError("SessionNotFoundError", `There is no session with the id ${id}.`, { ref: id })
  return { key, cwd }
}

export async function answerAbout<From extends ServedSource>(
  context: AnswerContext<From>,
  signal: AbortSignal,
  url: URL,
  [first, ...more]: readonly string[],
): Promise<Response> {
  if (more.length > 0) return nothingHere()
  if (first === "search") return sendSearch(context, url)
  if (first === "usage") return sendUsage(context, url)
  return first === "sessions" ? sendList(context, url, signal) : nothingHere()
}

function notAllowed(): Response {
  const answer = refusal(405, "Only GET requests are answered here.")
  answer.headers.set("allow", "GET, HEAD")
  return answer
}

async function withoutBody({ status, headers, body }: Response): Promise<Response> {
  await body?.cancel()
  return new Response(null, { status, headers })
}

/** The decoded parts of a path that begins with `/`. A part that is not encoded correctly is empty. */
export function namesIn(path: string): string[] {
  return path.slice(1).split("/").map(nameIn)
}

/** A decoded part of a path; empty if it is not encoded correctly. */
export function nameIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return ""
    throw error
  }
}
