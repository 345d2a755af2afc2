import { TreelogError } from "@treelog/session-core"
import type { Followed } from "./followed.js"
import { jsonResponse, nothingHere, startedResponse } from "./respond.js"

/**
 * Sends bytes of a session or a transcript, or its state.
 * @param part `state` or `bytes`
 * @param about what is known of it besides its size and its identity
 */
export async function sendFollowed(
  followed: Followed,
  part: string | undefined,
  params: URLSearchParams,
  about: object,
): Promise<Response> {
  if (part === "bytes") return sendBytes(followed, params)
  const place = part === "state" ? await followed.place(params.get("identity") ?? undefined) : undefined
  return place ? jsonResponse({ ...about, ...place }) : nothingHere()
}

/** Sends bytes. @throws SessionChangedError if something else was stored before the first of them was sent */
async function sendBytes(followed: Followed, params: URLSearchParams): Promise<Response> {
  const [from, to] = [placeIn(params.get("from")), placeIn(params.get("to"))]
  const identity = params.get("identity")
  if (from === undefined || to === undefined || identity === null)
    throw new TreelogError(
      "InvalidArgumentError",
      "A range has `from` and `to`, in bytes, and the `identity` of what is stored.",
      { argument: "from, to, identity", value: params.toString() },
    )
  return startedResponse(followed.bytes(from, to, identity), "application/jsonl")
}

function placeIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
