import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { builtParts } from "./built-page.js"

/** As strict as a policy for a page with the parts can be. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ")

export interface HostServer {
  readonly url: string
  close(): Promise<void>
}

export interface HostSite {
  /** The body of `/`. */
  readonly body: string
  /** The module of `/`. */
  readonly script: string
  /** A style sheet of `/`. */
  readonly style?: string
  /** Answers everything else; undefined is "not found". */
  answer?(request: Request): Promise<Response | undefined> | Response | undefined
}

/** Serves a site that hosts the parts, which are in `/parts/`. Its policy allows no inline styles and scripts. */
export async function serveHostSite({ body, script, style = "", answer }: HostSite): Promise<HostServer> {
  const parts = await builtParts()
  const html = `<!doctype html><html lang="en"><title>Host</title><link rel="stylesheet" href="style.css">${body}<script type="module" src="script.js"></script></html>`
  const files = new Map<string, readonly [type: string, text: string]>([
    ["/", ["text/html; charset=utf-8", html]],
    ["/style.css", ["text/css", style]],
    ["/script.js", ["text/javascript", script]],
    ...[...parts].map(([name, text]) => [`/parts/${name}`, ["text/javascript", text]] as const),
  ])
  const server = createServer(async (request, response) => {
    const file = files.get(request.url ?? "")
    if (file) {
      response.writeHead(200, { "content-type": file[0], "content-security-policy": POLICY }).end(file[1])
      return
    }
    const left = new AbortController()
    response.once("close", () => left.abort())
    try {
      const { url = "", headers } = request
      const options = { headers: headers as Record<string, string>, signal: left.signal }
      await send(response, await answer?.(new Request(new URL(url, "http://host.test/"), options)))
    } catch (error) {
      response.destroy()
      // What is sent to a client that has left ends with an error; any other one fails the test.
      if (!left.signal.aborted) throw error
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function send(response: ServerResponse, answer: Response | undefined): Promise<void> {
  response.writeHead(answer?.status ?? 404, Object.fromEntries(answer?.headers ?? []))
  response.flushHeaders()
  for await (const chunk of answer?.body ? Readable.fromWeb(answer.body as never) : []) {
    if (response.destroyed) return
    response.write(chunk)
  }
  response.end()
}
