import type { SecretPlace } from "../../wire.js"
import { jsonResponse, startedResponse } from "../routes/respond.js"
import type { SessionSharing } from "./session-sharing.js"

/** Places that are sent of each kind. */
const MOST_PLACES = 100

/** Sends what would be taken out, the most frequent kind first: `{ kinds: [{ kind, count, places }] }`. */
export async function sendSecrets(sharing: SessionSharing, key: string): Promise<Response> {
  const kinds = new Map<string, { readonly kind: string; count: number; readonly places: SecretPlace[] }>()
  for await (const { kind, entryId, place, agent } of sharing.findSecrets(key)) {
    const known = kinds.get(kind) ?? { kind, count: 0, places: [] }
    kinds.set(kind, known)
    known.count += 1
    if (known.places.length < MOST_PLACES) known.places.push({ entryId, place, agent })
  }
  return jsonResponse({ kinds: [...kinds.values()].sort((a, b) => b.count - a.count) })
}

/** Sends the session as a file to save. */
export async function sendSharedPage(sharing: SessionSharing, key: string): Promise<Response> {
  const response = await startedResponse(bytesOf(sharing.page(key)), "text/html; charset=utf-8")
  response.headers.set("content-disposition", "attachment")
  // If it is opened here instead of saved, it gets no access to this server.
  response.headers.set("content-security-policy", "sandbox; frame-ancestors 'none'")
  return response
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  for await (const text of texts) yield utf8.encode(text)
}
