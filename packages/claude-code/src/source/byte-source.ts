/** Bytes that can be read again, such as an open file. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number
  /** Reads `length` bytes from `offset`; fewer only if the source ends before. The result is valid until the next read. */
  read(offset: number, length: number): Uint8Array
}

/** Bytes that are read at once. */
export const BLOCK = 256 * 1024
