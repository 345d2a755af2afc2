/** The pieces in one array; a single piece is not copied. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1 && pieces[0]) return pieces[0]
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

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
