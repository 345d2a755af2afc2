// FNV-1a, of UTF-16 units.
export const EMPTY_HASH = 0x811c9dc5 | 0
export const HASH_PRIME = 0x01000193

/** FTS5 may cut longer tokens: sums leave them out. UTF-16 units. */
export const LONGEST = 10_000

/**
 * The hash of a token for sums over rows: odd, so that each other row gives another sum. 0 for a token that sums leave out, and for what is
 * no text, as a damaged row can have it. 32 bits.
 */
export function hashToSum(token: string): number {
  return typeof token !== "string" || token.length > LONGEST ? 0 : hashOf(token) | 1
}

/** 32 bits. */
export function hashOf(token: string): number {
  let hash = EMPTY_HASH
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), HASH_PRIME)
  return hash
}
