import type { ServerResponse } from "node:http"
import { isTreelogError } from "@treelog/session-core"
import { pageFor } from "../page-for.js"
import { answerTo } from "../routes/answer-to.js"
import { sendBlob, sendBytes } from "../routes/send-bytes.js"
import { sendChanges } from "../routes/send-changes.js"
import { begin, refuse } from "./respond.js"
import { requestFor, sendResponse } from "./send-response.js"
import type { Served } from "./served.js"

/** Responds to a request for the page of a session, and to those of that page. @param path relative to the page */
export async function respondTo(served: Served, response: ServerResponse, path: string): Promise<void> {
  const { pathname, searchParams } = new URL(path, "http://127.0.0.1/")
  const [, name, rest] = /^\/([^/]*)(?:\/(.*))?$/s.exec(pathname) ?? []
  const send = async (make: () => Response | Promise<Response>) => sendResponse(response, await answered(make))
  if (name === "" && rest === undefined) return sendPage(served, response)
  if (name === "session" && rest === undefined) return send(() => sendBytes(served, searchParams))
  if (name === "events" && rest === undefined) {
    const { signal } = requestFor(response, path)
    return send(() => sendChanges(served, AbortSignal.any([signal, served.closing])))
  }
  if (name === "search" && rest === undefined) return sendSearch(served, response, searchParams)
  if (name === "blobs" && rest !== undefined) return send(() => sendBlob(served, rest))
  refuse(response, 404, "There is nothing here.")
}

async function answered(make: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await make()
  } catch (error) {
    return answerTo(error)
  }
}

async function sendPage(served: Served, response: ServerResponse): Promise<void> {
  const { before, after } = await pageFor("live", served)
  begin(response, 200, "text/html; charset=utf-8")
  response.end(before + after)
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
