// All requests of the page to a server are sent here: to the routes that the README lists under "Sessions over HTTP".

import { readableLine } from "../text/readable-text.js"

/** An error response of the server, or a response that cannot be read. */
export class StoreError extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, code: string | undefined, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Parameters of a request; undefined ones are left out. */
export type QueryParams = Readonly<Record<string, string | undefined>>

/** Sends a request of the page; undefined where the routes do not have its path. */
export type SendRequest = (request: Request) => Promise<Response | undefined>

/**
 * Requests a route.
 * @param path relative to the routes
 * @throws StoreError for an error response; TypeError without a connection
 */
export type AskRoutes = (path: string, params: QueryParams, signal: AbortSignal) => Promise<Response>

/** @param base the address of the routes, relative to the page, with `/` at its end, or empty */
export function askRoutes(base: string, send: SendRequest = (request) => fetch(request)): AskRoutes {
  return async (path, params, signal) => {
    const given = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined)
    const query = given.length > 0 ? `?${new URLSearchParams(given)}` : ""
    const response = await send(new Request(new URL(`${base}${path}${query}`, document.baseURI), { signal }))
    if (response?.ok) return response
    const { code, message = `The server answered with ${response?.status ?? "nothing"}.` } = await refusalIn(response)
    throw new StoreError(response?.status ?? 404, code, message)
  }
}

/** Requests a route whose answer is JSON. @throws as `AskRoutes`, and StoreError for what is no JSON */
export async function askJson<Answer>(
  ask: AskRoutes,
  path: string,
  params: QueryParams = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Answer> {
  const response = await ask(path, params, signal)
  return jsonOf(await response.text()) as Answer
}

/** The error that the routes send as JSON. A proxy may send something else, which is not shown. */
async function refusalIn(
  response: Response | undefined,
): Promise<{ readonly code?: string; readonly message?: string }> {
  const text = (await response?.text()) ?? ""
  if (!response?.headers.get("content-type")?.startsWith("application/json")) return {}
  return jsonOf(text, response.status) as { readonly code?: string; readonly message?: string }
}

/** @throws StoreError for a text that is not JSON */
export function jsonOf(text: string, status = 200): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new StoreError(status, undefined, "The answer of the server is no JSON, or was cut.")
  }
}

/** The message for a request that failed. Safe to display: a server may repeat what was requested. */
export function faultText(error: unknown): string {
  if (error instanceof StoreError) return readableLine(error.message, 400)
  return error instanceof TypeError ? "No connection to the server. Trying again …" : readableLine(String(error), 400)
}

/** An id as a part of an address. Lone surrogates, which a damaged id may contain, cannot be encoded. */
export function encodedId(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, "\ufffd"))
}

/** An id as a part of a path, where `.` and `..` mean folders, however they are written: no session and no sub-agent is found by those. */
export function idInPath(id: string): string {
  return encodedId(/^\.{1,2}$/.test(id) ? "\ufffd" : id)
}
