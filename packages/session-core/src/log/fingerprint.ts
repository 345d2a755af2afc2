/**
 * A number that other bytes hardly have: 53 bits, FNV-1a twice. It detects accidents, not attacks.
 */
export function fingerprint(bytes: Uint8Array): number {
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    low = Math.imul(low ^ byte, 0x01000193)
    high = Math.imul(high ^ byte, 0x85ebca6b)
  }
  return (high >>> 11) * 0x100000000 + ((low ^ (low >>> 15)) >>> 0)
}
