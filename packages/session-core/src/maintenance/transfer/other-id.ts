import type { SessionHeader } from "../../entry/entry.js"
import { jsonText } from "../../entry/json-text.js"
import { encodeText } from "../../log/format-line.js"
import { webDigest } from "../../ports/digest.js"

/**
 * The id of a session that cannot have its own, since that is the id of another session, or cannot be part of a name: a UUID, version 8,
 * which the same session gets each time, everywhere.
 */
export async function otherId({ id, timestamp, source }: SessionHeader): Promise<string> {
  const hash = await webDigest.sha256(encodeText(jsonText(["treelog other id", id, timestamp, source ?? null]) ?? ""))
  const variant = ((Number.parseInt(hash[16] ?? "", 16) & 0x3) | 0x8).toString(16)
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, variant + hash.slice(17, 20)]
  return [...groups, hash.slice(20, 32)].join("-")
}
