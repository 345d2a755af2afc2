import { refusal, respond } from "./respond.js"
import type { RouteContext } from "./route-context.js"

/** Sends a blob of a session that the request may see. @throws BlobDamagedError */
export async function sendBlob({ blobs }: Pick<RouteContext, "blobs">, hash: string): Promise<Response> {
  if (!blobs || !/^[0-9a-f]{64}$/.test(hash)) return refusal(404, "There is no such blob.")
  const bytes = await blobs.get(hash)
  return bytes
    ? respond(bytes as Uint8Array<ArrayBuffer>, "application/octet-stream")
    : refusal(404, "There is no such blob.")
}
