/** The bytes `[from, to)` as a text of as many characters, each with the code of its byte, to search it for ASCII. By default all. */
export const byteText = /* @__PURE__ */ latin1Reader()

/** Finds the next byte of a value from an index on; -1 where there is none. Node's own search is ten times as fast as that of an array. */
export function indexOfByte(bytes: Uint8Array, byte: number, from: number): number {
  return searchBytes.call(bytes, byte, from)
}

const searchBytes = /* @__PURE__ */ (() => globalThis.Buffer?.prototype?.indexOf ?? Uint8Array.prototype.indexOf)()

/** The most bytes that are passed as arguments of one call. */
const CHUNK = 4096

/**
 * Node's own function is four times as fast as its `TextDecoder` for lines: a list of sessions is read at twice the speed. In pages, a
 * `TextDecoder` takes half the time of this, and leaves so much garbage that reading a large file takes twice the memory.
 */
function latin1Reader(): (bytes: Uint8Array, from?: number, to?: number) => string {
  const latin1Slice = globalThis.Buffer?.prototype?.latin1Slice
  if (latin1Slice) return (bytes, from = 0, to = bytes.length) => latin1Slice.call(bytes, from, to)
  return (bytes, from = 0, to = bytes.length) => {
    let text = ""
    for (let at = from; at < to; at += CHUNK) text += fromBytes(bytes.subarray(at, Math.min(at + CHUNK, to)))
    return text
  }
}

/** `apply` takes anything that is like an array. */
function fromBytes(bytes: Uint8Array): string {
  return String.fromCharCode.apply(undefined, bytes as unknown as number[])
}
