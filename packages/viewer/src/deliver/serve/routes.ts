import type { ServerResponse } from "node:http"
import { isTreelogError } from "@treelog/session-core"
import { sendRates } from "../call-rates.js"
import { pageFor } from "../page-for.js"
import { answerTo } from "../routes/answer-to.js"
import { followedSession } from "../routes/followed-session.js"
import { nameIn } from "../routes/path-part.js"
import { sendBlob } from "../routes/send-blob.js"
import { sendFollowed } from "../routes/send-followed.js"
import { sendTranscript, sendTranscripts } from "../routes/send-transcripts.js"
import { sendSecrets, sendSharedPage } from "../share/send-shared.js"
import { begin, refuse } from "./respond.js"
import { sendResponse } from "./send-response.js"
import type { Served } from "./served.js"

/** Responds to a request for the page of a session, and to those of that page. @param path relative to the page */
export async function respondTo(served: Served, response: ServerResponse, path: string): Promise<void> {
  const { pathname, searchParams: params } = new URL(`http://127.0.0.1/${path}`)
  const [, name, rest] = /^\/([^/]*)(?:\/(.*))?$/s.exec(pathname) ?? []
  const send = async (make: () => Response | Promise<Response>) => sendResponse(response, await answered(make))
  if (name === "" && rest === undefined) return sendPage(served, response)
  if ((name === "bytes" || name === "state") && rest === undefined)
    return send(() => sendFollowed(followedSession(served), { part: name, params }, {}))
  if (name === "rates" && rest === undefined) return send(() => sendRates(served.price, params))
  if (name === "search" && rest === undefined) return sendSearch(served, response, params)
  if (name === "blobs" && rest !== undefined) return send(() => sendBlob(served, rest))
  if (name === "agents" && rest === undefined) return send(() => sendTranscripts(served))
  const [agent = "", part, ...more] = rest?.split("/").map(nameIn) ?? []
  if (name === "agents" && agent !== "" && more.length === 0)
    return send(() => sendTranscript(served, agent, { part, params }))
  const { sharing, key } = served
  if (name === "share" && sharing && rest === undefined) return send(() => sendSecrets(sharing, key))
  if (name === "share" && sharing && rest === "session.html") return send(() => sendSharedPage(sharing, key))
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
  const { before, after } = await pageFor("live", { ...served, canShare: served.sharing !== undefined })
  begin(response, 200, "text/html; charset=utf-8")
  response.end(before + after)
}

/** Sends the ids of the entries that match a query; 204 if no index has the session. */
async function sendSearch({ indexed }: Served, response: ServerResponse, params: URLSearchParams): Promise<void> {
  const query = params.get("query")
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
