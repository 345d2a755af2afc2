/**
 * A hash for finding the rows of a text in a folder, of 52 bits, so that it is exact as a JavaScript number. Texts with the same hash
 * are distinguished by comparing them. NaN for what is not text, as a damaged row can have it.
 */
export function textHash(text: string): number {
  if (typeof text !== "string") return Number.NaN
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x85ebca6b)
    high = Math.imul(high ^ unit, 0xc2b2ae35)
    low ^= low >>> 15
    high ^= high >>> 13
  }
  return (high & 0xfffff) * 0x1_0000_0000 + (low >>> 0)
}
