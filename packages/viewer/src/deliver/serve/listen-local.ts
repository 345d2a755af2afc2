import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { TreelogError } from "@treelog/session-core"
import { isForThisServer, pathBehindToken } from "./admission.js"
import { refuse } from "./respond.js"

/** Where a server listens, and who may ask it. */
export interface ListenOptions {
  /** The secret that gives access, part of the URL. At least 16 characters of `A-Z a-z 0-9 - _`. */
  readonly token: string
  /** 0 for any free port. */
  readonly port: number
}

/** A running server of a page. */
export interface ServedPage {
  /** The URL of the page, for browsers on this machine. */
  readonly url: string
  /** Stops the server, and ends all requests and the update of the index. */
  close(): Promise<void>
}

/** Responds to a request with the right token. @param path behind the token, without its first slash */
export type RespondTo = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>

/**
 * Listens on 127.0.0.1. Requests need the token in their path, and pages of other sites have no access, not even by DNS rebinding.
 * @param stop called when the server closes, before it waits for requests that still run
 * @throws InvalidArgumentError for a token that is too short or a port that is in use
 */
export async function listenLocal(
  { token, port: wanted }: ListenOptions,
  respond: RespondTo,
  stop: () => void,
): Promise<ServedPage> {
  if (!/^[\w-]{16,}$/.test(token))
    throw new TreelogError("InvalidArgumentError", "A token has at least 16 characters of A-Z, a-z, 0-9, - and _.", {
      argument: "token",
      value: token.length,
    })
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    if (!isForThisServer(request, port)) return refuse(response, 403, "This server answers to its own address only.")
    const path = pathBehindToken(request, token)
    if (path === undefined) return refuse(response, 404, "There is nothing here.")
    if (request.method !== "GET") return refuse(response, 405, "There is only something to get here.")
    respond(request, response, path).catch((error) => fail(response, error))
  })
  await listen(server, wanted)
  const { port } = server.address() as AddressInfo
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
