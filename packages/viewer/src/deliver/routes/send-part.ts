import { type BlobSource, isTreelogError, type SessionSource, TreelogError } from "@treelog/session-core"
import type { PriceUsage } from "@treelog/session-core/search"
import { listTranscripts } from "../agents/agent-transcripts.js"
import { followedTranscript } from "../agents/followed-transcript.js"
import { sendRates } from "../call-rates.js"
import { type Followed, followedSession } from "./followed.js"
import { jsonResponse, nothingHere, refusal, respond, startedResponse } from "./respond.js"

/** A stored session, and what belongs to it. */
export interface PartSource {
  readonly storage: SessionSource
  /** The session's key in the storage. */
  readonly key: string
  readonly blobs?: Pick<BlobSource, "get"> | undefined
  /** What estimates a cost that no program wrote, such as one made of `costOf` of `@treelog/prices`. Default: it is not known. */
  readonly price?: PriceUsage | undefined
}

/**
 * Sends a part of a session: its `state`, its `bytes`, the `rates` of its calls, one of its `blobs`, the list of its `agents`, or the state
 * or bytes of one of those.
 * @param about what is known of the session, for its state
 */
export async function sendPart(
  session: PartSource,
  [part, name, partOfAgent, ...more]: readonly string[],
  params: URLSearchParams,
  about: object,
): Promise<Response> {
  if (part === "agents" && name === undefined)
    return jsonResponse({ transcripts: await listTranscripts(session.storage, session.key) })
  if (part === "agents" && name !== undefined && more.length === 0)
    return sendTranscript(session, name, partOfAgent, params)
  if (part === "blobs" && name !== undefined && partOfAgent === undefined) return sendBlob(session, name)
  if (name !== undefined) return nothingHere()
  if (part === "rates") return sendRates(session.price, params)
  return sendFollowed(followedSession(session.storage, session.key), part, params, about)
}

/** Sends a part of the transcript of a sub-agent, as of a session. */
async function sendTranscript(
  session: PartSource,
  id: string,
  part: string | undefined,
  params: URLSearchParams,
): Promise<Response> {
  try {
    return await sendFollowed(followedTranscript(session, id), part, params, { id })
  } catch (error) {
    if (!isTreelogError(error, "SessionNotFoundError")) throw error
    return refusal(404, "This session has no such transcript.")
  }
}

/** @throws BlobDamagedError */
async function sendBlob({ blobs }: PartSource, hash: string): Promise<Response> {
  const bytes = /^[0-9a-f]{64}$/.test(hash) ? await blobs?.get(hash) : undefined
  return bytes
    ? respond(bytes as Uint8Array<ArrayBuffer>, "application/octet-stream")
    : refusal(404, "There is no such blob.")
}

/**
 * Sends bytes of a session or a transcript, or its state.
 * @param part `state` or `bytes`
 * @param about what is known of it besides its size and its identity
 */
async function sendFollowed(
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
