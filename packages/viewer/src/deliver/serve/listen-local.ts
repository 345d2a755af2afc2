import { timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"
import { TreelogError } from "@treelog/session-core"
import { missingPage } from "../page-for.js"
import { nothingHere, pageResponse, refusal } from "../routes/respond.js"

/** Where a server listens, and who may ask it. */
export interface ListenOptions {
  /** The secret that gives access, part of the URL. At least 16 characters of `A-Z a-z 0-9 - _`. */
  readonly token: string
  /** 0 for any free port. */
  readonly port: number
}

/** What is shown to a person who follows a link to nothing. */
export interface MissingOptions {
  /** The result of `viewerPage`, if you have it. */
  readonly page?: string | undefined
  /** The name of the page at the token. */
  readonly homeName: string
}

/** A running server of a page. */
export interface ServedPage {
  /** The URL of the page, for browsers on this machine. */
  readonly url: string
  /** Stops the server, and ends all requests and the update of the index. */
  close(): Promise<void>
}

/** Answers a request with the right token. @param path behind the token, without its first slash, with the query */
export type Answer = (path: string, signal: AbortSignal) => Promise<Response>

/**
 * Listens on 127.0.0.1. Requests need the token in their path, and pages of other sites have no access, not even by DNS rebinding.
 * @param stop called when the server closes, before it waits for requests that still run
 * @throws InvalidArgumentError for a token that is too short or a port that is in use
 */
export async function listenLocal(
  { token, port: wanted, page, homeName }: ListenOptions & MissingOptions,
  answer: Answer,
  stop: () => void,
): Promise<ServedPage> {
  if (!/^[\w-]{16,}$/.test(token))
    throw new TreelogError("InvalidArgumentError", "A token has at least 16 characters of A-Z, a-z, 0-9, - and _.", {
      argument: "token",
      value: token?.length,
    })
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await listen(server, wanted)
  const { port } = server.address() as AddressInfo
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const closed = new AbortController()
    response.once("close", () => closed.abort())
    const path = pathBehindToken(request, token)
    const refused = !isForThisServer(request, port)
      ? refusal(403, "This server answers to its own address only.")
      : path === undefined
        ? nothingHere()
        : request.method !== "GET" && refusal(405, "Only GET requests are answered here.")
    const answered = refused || (await answer(path ?? "", closed.signal).catch(faultOf))
    if (answered.status !== 404 || !isNavigation(request)) return send(response, answered)
    const { message } = (await answered.json()) as { readonly message: string }
    // Those who lack the token do not learn it from a link.
    const home = path === undefined ? undefined : { href: `/${token}/`, name: homeName }
    await send(response, pageResponse(await missingPage(message, home, page), 404))
  }
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    close: async () => {
      stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") return reject(error)
      const message = `Port ${port} is not available (${error.code}); without a port, a free one is used.`
      reject(new TreelogError("InvalidArgumentError", message, { argument: "port", value: port }, { cause: error }))
    })
    server.listen(port, "127.0.0.1", resolve)
  })
}

/**
 * Whether a request is meant for this server. Rejects DNS rebinding, where the `Host` header names another site, and requests from
 * pages of other sites, which browsers mark with `Sec-Fetch-Site`; all but following a link, whose answer that page does not get.
 */
function isForThisServer({ headers }: IncomingMessage, port: number): boolean {
  const { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": shownIn } = headers
  const isLink = mode === "navigate" && shownIn === "document"
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isLink) return false
  return headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`
}

/** Whether a browser asks for what it shows as a page; older ones say so only by what they accept. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const { "sec-fetch-dest": shownIn, accept = "" } = headers
  return shownIn === undefined ? accept.includes("text/html") : shownIn === "document"
}

/** The path after the token, without its first slash; undefined if the token is wrong. */
function pathBehindToken({ url = "" }: IncomingMessage, token: string): string | undefined {
  const [, candidate = "", path] = /^\/([^/?#]*)\/(.*)$/s.exec(url) ?? []
  return path !== undefined && isSame(candidate, token) ? path : undefined
}

/** Compares in constant time, so that the time reveals nothing of the token. */
function isSame(candidate: string, token: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A client has the token, so it may read what is wrong. */
function faultOf(error: unknown): Response {
  return refusal(500, error instanceof Error ? error.message : String(error))
}

/** Sends a response of the fetch API as it is made. When the connection closes, its body is cancelled. */
async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers))
  response.flushHeaders()
  if (body) await pipeline(Readable.fromWeb(body as ReadableStream), response)
  else response.end()
}
