import { jsonText } from "@treelog/session-core/json"
import { isObject, sha256 } from "@treelog-internal/agent-files"

/** Digits in hexadecimal. */
const LENGTH = 32

/**
 * The id of an item: the first 16 bytes of SHA-256 over the id of the item before, and its payload as canonical JSON. So the copies
 * of an item in forks and in migrated files have one id.
 * @param before the thread's id for the first item
 */
export function itemId(before: string, payload: unknown): string {
  return sha256()
    .update(`${before}\n${canonicalJson(payload)}`)
    .digest("hex")
    .slice(0, LENGTH)
}

/** JSON with the keys of objects in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  try {
    return sortedText(value)
  } catch (error) {
    // Values that are nested too deeply keep the order of their keys: only those whose keys were reordered get another id.
    if (!(error instanceof RangeError)) throw error
    return jsonText(value) ?? "null"
  }
}

function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedText(value[key])}`)
  return `{${members.join(",")}}`
}
