// The routes of sessions on Node's http, for the parts of @treelog/viewer/parts or for pages of your own:
//   AGENT_DIR=~/.pi/agent SECRET=… PORT=8080 npm run example -- viewer/node-server

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { createSessionRoutes } from "@treelog/viewer/routes"

const { AGENT_DIR: agentDir, SECRET = "", PORT = "8080" } = process.env
const routes = createSessionRoutes({
  sessions: new SessionManager({ storage: new FileSessionStorage(agentDir ? { agentDir } : {}) }),
  base: "/api",
  authorize: ({ headers }) => (SECRET && headers.get("authorization") === `Bearer ${SECRET}` ? {} : undefined),
})

export const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    if (!response.headersSent) response.writeHead(500)
    response.end()
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") console.error(error) // not the reader, who left
  })
})
server.listen(Number(PORT), "127.0.0.1")

async function answer({ method = "GET", url = "/", headers }: IncomingMessage, response: ServerResponse) {
  const left = new AbortController()
  response.once("close", () => left.abort())
  const options = { method, headers: { authorization: headers.authorization ?? "" }, signal: left.signal }
  const found = await routes(new Request(new URL(url, "http://localhost"), options))
  response.writeHead(found?.status ?? 404, Object.fromEntries(found?.headers ?? []))
  if (found?.body) await pipeline(Readable.fromWeb(found.body as ReadableStream), response)
  else response.end()
}
