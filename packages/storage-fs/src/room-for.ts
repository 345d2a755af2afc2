/** A Buffer is searched faster than another array of bytes. Each byte of it is written or cut off: none need be zero before. */
export function roomFor(length: number, into: Uint8Array | undefined): Buffer {
  const fits = into !== undefined && into.length >= length
  return fits ? Buffer.from(into.buffer, into.byteOffset, length) : Buffer.allocUnsafeSlow(length)
}
