import type { SessionStorage } from "@treelog/session-core"
import type { BlobReader } from "@treelog/session-core/adapter"
import type { PriceUsage } from "@treelog/session-core/search"
import { sendRates } from "../call-rates.js"
import { followedSession } from "./followed-session.js"
import { nothingHere } from "./respond.js"
import { sendBlob } from "./send-blob.js"
import { sendFollowed } from "./send-followed.js"
import { sendTranscript, sendTranscripts } from "./send-transcripts.js"

/** A stored session, and what belongs to it. */
export interface PartSource {
  readonly storage: SessionStorage
  readonly key: string
  readonly blobs?: Pick<BlobReader, "get"> | undefined
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
  if (part === "agents" && name === undefined) return sendTranscripts(session)
  if (part === "agents" && name !== undefined && more.length === 0)
    return sendTranscript(session, name, { part: partOfAgent, params })
  if (part === "blobs" && name !== undefined && partOfAgent === undefined) return sendBlob(session, name)
  if (name !== undefined) return nothingHere()
  if (part === "rates") return sendRates(session.price, params)
  return sendFollowed(followedSession(session), { part, params }, about)
}
