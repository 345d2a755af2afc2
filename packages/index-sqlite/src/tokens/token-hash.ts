// FNV-1a, of UTF-16 units.
export const EMPTY_HASH = 0x811c9dc5 | 0
export const HASH_PRIME = 0x01000193

/** 32 bits. */
export function hashOf(token: string): number {
  let hash = EMPTY_HASH
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), HASH_PRIME)
  return hash
}
