import type { ServerResponse } from "node:http"
import { isTreelogError } from "@treelog/session-core"
import { pageFor } from "../page-for.js"
import { begin, refuse, write } from "./respond.js"
import { sendChanges } from "./send-changes.js"
import type { Served } from "./served.js"

/** Bytes per read. */
const BLOCK = 1 << 20

/** Responds to a request for the page of a session, and to those of that page. @param path relative to the page */
export async function respondTo(served: Served, response: ServerResponse, path: string): Promise<void> {
  const { pathname, searchParams } = new URL(path, "http://127.0.0.1/")
  const [, name, rest] = /^\/([^/]*)(?:\/(.*))?$/s.exec(pathname) ?? []
  if (name === "" && rest === undefined) return sendPage(served, response)
  if (name === "session" && rest === undefined) return sendRange(served, response, searchParams)
  if (name === "events" && rest === undefined) return sendChanges(served, response)
  if (name === "search" && rest === undefined) return sendSearch(served, response, searchParams)
  if (name === "blobs" && rest !== undefined) return sendBlob(served, response, rest)
  refuse(response, 404, "There is nothing here.")
}

async function sendPage(served: Served, response: ServerResponse): Promise<void> {
  const { before, after } = await pageFor("live", served)
  begin(response, 200, "text/html; charset=utf-8")
  response.end(before + after)
}

/** Sends bytes of the session, or 409 if it was replaced. */
async function sendRange({ storage, key }: Served, response: ServerResponse, asked: URLSearchParams): Promise<void> {
  const from = placeIn(asked.get("from"))
  const to = placeIn(asked.get("to"))
  const identity = asked.get("identity")
  if (from === undefined || to === undefined || identity === null)
    return refuse(response, 400, "A range has `from` and `to`, in bytes, and the `identity` of what is stored.")
  let isBegun = false
  try {
    for (let offset = from; offset < to && !response.destroyed; ) {
      const bytes = await storage.readRange(key, offset, Math.min(BLOCK, to - offset), identity)
      if (bytes.length === 0) break
      if (!isBegun) begin(response, 200, "application/jsonl")
      isBegun = true
      await write(response, bytes)
      offset += bytes.length
    }
  } catch (error) {
    const isGone = isTreelogError(error, "SessionChangedError") || isTreelogError(error, "SessionNotFoundError")
    if (!isGone || isBegun) throw error
    return refuse(response, 409, "Another session is stored now.")
  }
  if (!isBegun) begin(response, 200, "application/jsonl")
  response.end()
}

function placeIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Sends the ids of the entries that match a query; 204 if no index has the session. */
async function sendSearch({ indexed }: Served, response: ServerResponse, asked: URLSearchParams): Promise<void> {
  const query = asked.get("query")
  if (query === null) return refuse(response, 400, "A search has a `query`.")
  try {
    const answer = await indexed.find(query)
    begin(response, answer ? 200 : 204, "application/json")
    response.end(answer && JSON.stringify(answer))
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError")) throw error
    refuse(response, 400, error.message)
  }
}

async function sendBlob({ blobs }: Served, response: ServerResponse, hash: string): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return refuse(response, 404, "This names no blob.")
  try {
    const bytes = await blobs.get(hash)
    if (!bytes) return refuse(response, 404, "There is no such blob.")
    begin(response, 200, "application/octet-stream")
    response.end(bytes)
  } catch (error) {
    if (!isTreelogError(error, "BlobDamagedError")) throw error
    refuse(response, 422, error.message)
  }
}
