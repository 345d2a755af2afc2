import type { ServerResponse } from "node:http"
import type { Json } from "./blocks.js"

/** Writes events of a stream. */
export function sender(response: ServerResponse): (type: string, fields: Json) => void {
  return (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
}
