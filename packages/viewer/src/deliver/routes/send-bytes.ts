import { TreelogError } from "@treelog/session-core"
import { refusal, respond, streamResponse } from "./respond.js"
import type { RouteContext } from "./route-context.js"
import type { StoredSession } from "./stored-session.js"

/** Bytes per read. */
const BLOCK = 1 << 20

/** Sends bytes of a session. @throws SessionChangedError if it was replaced before the first of them */
export async function sendBytes(
  session: Pick<StoredSession, "storage" | "key">,
  asked: URLSearchParams,
): Promise<Response> {
  const [from, to] = [placeIn(asked.get("from")), placeIn(asked.get("to"))]
  const identity = asked.get("identity")
  if (from === undefined || to === undefined || identity === null)
    throw new TreelogError(
      "InvalidArgumentError",
      "A range has `from` and `to`, in bytes, and the `identity` of what is stored.",
      { argument: "from, to, identity", value: asked.toString() },
    )
  const chunks = rangeOf(session, from, to, identity)
  const first = await chunks.next()
  if (first.done) return respond(null, "application/jsonl")
  return streamResponse(startingWith(first.value, chunks), "application/jsonl")
}

async function* rangeOf(
  { storage, key }: Pick<StoredSession, "storage" | "key">,
  from: number,
  to: number,
  identity: string,
): AsyncGenerator<Uint8Array> {
  for (let offset = from; offset < to; ) {
    const bytes = await storage.readRange(key, offset, Math.min(BLOCK, to - offset), identity)
    if (bytes.length === 0) return
    yield bytes
    offset += bytes.length
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

function placeIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Sends a blob of a session that the request may see. @throws BlobDamagedError */
export async function sendBlob({ blobs }: Pick<RouteContext, "blobs">, hash: string): Promise<Response> {
  if (!blobs || !/^[0-9a-f]{64}$/.test(hash)) return refusal(404, "There is no such blob.")
  const bytes = await blobs.get(hash)
  return bytes
    ? respond(bytes as Uint8Array<ArrayBuffer>, "application/octet-stream")
    : refusal(404, "There is no such blob.")
}
