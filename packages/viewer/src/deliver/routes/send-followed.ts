import type { Followed } from "./followed.js"
import { jsonResponse, refusal } from "./respond.js"
import { sendBytes } from "./send-bytes.js"
import { sendChanges } from "./send-changes.js"

/** What is asked of a session or a transcript. */
export interface FollowedRequest {
  /** `bytes`, `changes`, or undefined for what it is now. */
  readonly part: string | undefined
  readonly asked: URLSearchParams
  /** Aborts when the reader leaves, or the server stops. */
  readonly signal: AbortSignal
}

/** Sends a part of a session or a transcript, or what it is now. @param about what is known of it besides its size and its identity */
export async function sendFollowed(
  followed: Followed,
  { part, asked, signal }: FollowedRequest,
  about: object,
): Promise<Response> {
  if (part === "bytes") return sendBytes(followed, asked)
  if (part === "changes") return sendChanges(followed, signal)
  const place = part === undefined ? await followed.place() : undefined
  return place ? jsonResponse({ ...about, ...place }) : refusal(404, "There is nothing here.")
}
