// An agent behind HTTP that runs on any number of machines: sessions in PostgreSQL, images in S3.
//
//   POST /sessions                         creates a session: { id }
//   PUT  /sessions/ID/prompts/PROMPT-ID    answers a prompt, which is the body: { answer }. Repeat it anywhere, as often as you like
//   GET  /sessions/ID                      { messages }

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { S3BlobStore } from "@treelog/blob-store-s3"
import { isTreelogError, SessionManager } from "@treelog/session-core"
import { fromPg, migrate, PostgresSessionStorage } from "@treelog/storage-postgres"
import pg from "pg"
import { answer, ContinuedElsewhere } from "./agent.js"

const { DATABASE_URL, S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_KEY, S3_SECRET } = process.env
const { PORT = "8080", LEASE_MS = "10000", THINK_MS = "0" } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 5 })
pool.on("error", console.error)
const client = fromPg(pool) // nothing here watches sessions, so no direct connection is needed: a pooler will do
await migrate(client) // all replicas may do it at once

const storage = new PostgresSessionStorage({ client, leaseMs: Number(LEASE_MS), notify: false, onError: console.error })
const sessions = new SessionManager({ storage, ...(S3_ENDPOINT && { blobs: bucket(S3_ENDPOINT) }) })

const server = createServer(async (request, response) => send(response, await handle(request).catch(failed)))
server.listen(Number(PORT), () => {
  const { port } = server.address() as AddressInfo
  process.send?.(port) ?? console.log(`http://localhost:${port}`)
})
process.once("SIGTERM", () => server.close(() => void pool.end()))

interface Answer {
  readonly status: number
  readonly body: object
}

async function handle(request: IncomingMessage): Promise<Answer> {
  const [, root, id, prompts, promptId, ...rest] = (request.url ?? "").split("/")
  const path = [root, id && "ID", prompts, promptId && "PROMPT-ID", ...rest].filter(Boolean).join("/")
  const route = `${request.method} ${path}`
  if (route === "POST sessions") {
    const session = await sessions.create("/hosted", { persist: "create" })
    await session.close()
    return { status: 201, body: { id: session.getSessionId() } }
  }
  if (route === "GET sessions/ID" && id) {
    const { messages } = await sessions.readContext({ id }) // from the end of the session; no lease
    return { status: 200, body: { messages } }
  }
  if (route === "PUT sessions/ID/prompts/PROMPT-ID" && id && promptId) {
    const text = await bodyOf(request)
    const session = await sessions.open({ id }) // exclusive: one replica at a time works on a session
    try {
      const said = await answer(session, promptId, text, Number(THINK_MS))
      await session.close()
      return { status: 200, body: { answer: said } }
    } catch (error) {
      await session.discard() // what was not stored is not stored later either: another replica may have continued
      throw error
    }
  }
  return { status: 404, body: { error: "There is no such route." } }
}

/** A busy session is one that another replica works on, or had when it was killed: then its lease lapses within LEASE_MS. */
function failed(error: unknown): Answer {
  if (isTreelogError(error, "SessionNotFoundError")) return { status: 404, body: { error: error.message } }
  const isBusy = isTreelogError(error, "SessionBusyError") || error instanceof ContinuedElsewhere
  if (isBusy) return { status: 423, body: { error: error.message } }
  console.error(error)
  return { status: 503, body: { error: "It may be stored or not: repeat the request." } }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  if (status === 423 || status === 503) response.setHeader("retry-after", 1)
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

/** Where images and long texts are, for all replicas. Without it, they stay in the sessions. */
function bucket(endpoint: string): S3BlobStore {
  const credentials = { accessKeyId: S3_KEY ?? "", secretAccessKey: S3_SECRET ?? "" }
  return new S3BlobStore({ endpoint, region: S3_REGION ?? "us-east-1", bucket: S3_BUCKET ?? "", credentials })
}
