import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { isObject } from "../rollout/json.js"

/**
 * The id of an item: the first 16 bytes of SHA-256 over the id of the item before, and its payload as canonical JSON. So the copies
 * of an item in forks and in migrated files have one id.
 * @param before the thread's id for the first item
 */
export function itemId(before: string, payload: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(`${before}\n${canonicalJson(payload)}`)).subarray(0, 16))
}

/** JSON with the keys of objects in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member) => (isObject(member) ? sortedKeys(member) : member)) ?? "null"
}

function sortedKeys(object: object): object {
  const entries = Object.entries(object)
  for (let index = 1; index < entries.length; index++) {
    const [before, after] = [entries[index - 1]?.[0] ?? "", entries[index]?.[0] ?? ""]
    if (before > after) return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return object
}
