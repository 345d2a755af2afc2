import { joinBytes } from "../../log/bytes.js"
import { encodeText } from "../../log/format-line.js"
import { webDigest } from "../../ports/digest.js"
import type { StoredObject } from "./stored-range.js"

const LF = 0x0a
/** So much of the line in which two sessions differ goes into the id. Bytes. */
const LONGEST = 64 * 1024

/**
 * The id of the sibling of a session: a UUID, version 8, of the id that both have and of where the sibling begins to differ. Neither
 * changes when one of them is appended to, so that every copy of the same two sessions finds the same id.
 * @param differsAt offset in `source`. Bytes
 */
export async function siblingId(id: string, { storage, key, stat }: StoredObject, differsAt: number): Promise<string> {
  const length = Math.min(LONGEST, stat.size - differsAt)
  const rest = length > 0 ? await storage.readRange(key, differsAt, length, stat.identity) : new Uint8Array()
  const end = rest.indexOf(LF)
  const line = end === -1 ? rest : rest.subarray(0, end)
  const hash = await webDigest.sha256(joinBytes([encodeText(`sibling\n${id}\n${differsAt}\n`), line]))
  const variant = ((Number.parseInt(hash[16] ?? "", 16) & 0x3) | 0x8).toString(16)
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, variant + hash.slice(17, 20)]
  return [...groups, hash.slice(20, 32)].join("-")
}
