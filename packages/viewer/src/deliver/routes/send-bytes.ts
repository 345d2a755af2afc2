import { TreelogError } from "@treelog/session-core"
import type { Followed } from "./followed.js"
import { startedResponse } from "./respond.js"

/** Sends bytes. @throws SessionChangedError if something else was stored before the first of them was sent */
export async function sendBytes(followed: Followed, asked: URLSearchParams): Promise<Response> {
  const [from, to] = [placeIn(asked.get("from")), placeIn(asked.get("to"))]
  const identity = asked.get("identity")
  if (from === undefined || to === undefined || identity === null)
    throw new TreelogError(
      "InvalidArgumentError",
      "A range has `from` and `to`, in bytes, and the `identity` of what is stored.",
      { argument: "from, to, identity", value: asked.toString() },
    )
  return startedResponse(followed.bytes(from, to, identity), "application/jsonl")
}

function placeIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
