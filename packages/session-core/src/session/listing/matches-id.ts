/** UUIDs, and ids of as many hexadecimal digits as other programs give. */
const RANDOM_ID = /^[0-9a-f-]{16,}$/i
const LEAST_OF_AN_END = 8

/**
 * Whether a reference may mean a session by its id: it is the beginning of it; or, of at least 8 characters, the end of a
 * random one, since time-ordered ids (UUIDv7) of one minute have the same beginning.
 */
export function matchesId(ref: string, id: string): boolean {
  if (id.startsWith(ref)) return true
  return ref.length >= LEAST_OF_AN_END && id.endsWith(ref) && RANDOM_ID.test(id)
}
