/** The largest block of a frame. Bytes. */
const BLOCK = 64 * 1024

/** A zstd frame with these bytes, in blocks that are not compressed: Node 20 has no compressor. */
export function zstdFrame(bytes: Uint8Array): Uint8Array {
  // The magic number, no optional fields, a window of 128 KB.
  const parts: Uint8Array[] = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38)]
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK)
    const head = (block.length << 3) | (at + BLOCK >= bytes.length ? 1 : 0)
    parts.push(Uint8Array.of(head & 0xff, (head >> 8) & 0xff, (head >> 16) & 0xff), block)
  }
  return Buffer.concat(parts)
}
