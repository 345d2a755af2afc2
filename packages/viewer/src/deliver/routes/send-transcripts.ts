import { isTreelogError } from "@treelog/session-core"
import { listTranscripts } from "../agents/agent-transcripts.js"
import { followedTranscript } from "../agents/followed-transcript.js"
import { jsonResponse, refusal } from "./respond.js"
import { type FollowedRequest, sendFollowed } from "./send-followed.js"
import type { StoredSession } from "./stored-session.js"

/** Sends what the page needs to find the transcripts of a session's sub-agents: `{ transcripts: [{ id, prompt }] }`. */
export async function sendTranscripts({ storage, key }: Pick<StoredSession, "storage" | "key">): Promise<Response> {
  return jsonResponse({ transcripts: await listTranscripts(storage, key) })
}

/** Sends a part of one transcript, as of a session. */
export async function sendTranscript(
  session: Pick<StoredSession, "storage" | "key">,
  id: string,
  request: FollowedRequest,
): Promise<Response> {
  try {
    return await sendFollowed(followedTranscript(session, id), request, { id })
  } catch (error) {
    if (!isTreelogError(error, "SessionNotFoundError")) throw error
    return refusal(404, "This session has no such transcript.")
  }
}
