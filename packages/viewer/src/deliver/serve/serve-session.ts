import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { TreelogError } from "@treelog/session-core"
import { isForThisServer, pathBehindToken } from "./admission.js"
import { IndexedSearch } from "./indexed-search.js"
import { refuse } from "./respond.js"
import { respondTo } from "./routes.js"
import type { ServeOptions } from "./serve-options.js"
import type { Served } from "./served.js"

/** A running server of a session. */
export interface ServedSession {
  /** The URL of the page, for browsers on this machine. */
  readonly url: string
  /** Stops the server, and ends all requests and the update of the index. */
  close(): Promise<void>
}

/**
 * Serves the viewer with a session on 127.0.0.1, and follows changes of the session. Requests need the token in their path, and
 * pages of other sites have no access, not even by DNS rebinding. Writes nothing but the index in `search`.
 * @throws InvalidArgumentError for a token that is too short or a port that is in use
 */
export async function serveSession(options: ServeOptions): Promise<ServedSession> {
  if (!/^[\w-]{16,}$/.test(options.token))
    throw new TreelogError("InvalidArgumentError", "A token has at least 16 characters of A-Z, a-z, 0-9, - and _.", {
      argument: "token",
      value: options.token.length,
    })
  const closing = new AbortController()
  const indexed = new IndexedSearch(options, closing.signal)
  const served: Served = { ...options, closing: closing.signal, indexed }
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    if (!isForThisServer(request, port)) return refuse(response, 403, "This server answers to its own address only.")
    const path = pathBehindToken(request, served.token)
    if (path === undefined) return refuse(response, 404, "There is nothing here.")
    respondTo(served, request, response, path).catch((error) => fail(response, error))
  })
  await listen(server, options.port)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/${served.token}/`,
    close: async () => {
      closing.abort()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await indexed.stopped()
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") return reject(error)
      const message = `Port ${port} cannot be had (${error.code}); leave it out, and a free one is taken.`
      reject(new TreelogError("InvalidArgumentError", message, { argument: "port", value: port }, { cause: error }))
    })
    server.listen(port, "127.0.0.1", resolve)
  })
}

/** Reports an error to the browser, if no bytes were sent yet. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else refuse(response, 500, error instanceof Error ? error.message : String(error))
}
