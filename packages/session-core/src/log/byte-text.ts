/** The bytes `[from, to)` as a text of as many characters, each with the code of its byte, to search it for ASCII. By default all. */
export const byteText = /* @__PURE__ */ latin1Reader()

const searchBuffer = /* @__PURE__ */ (() => globalThis.Buffer?.prototype?.indexOf)()
/** Node's own searches, which count in 31 bits. Bytes. */
const LARGEST_SEARCHED = 0x7fffffff

/** The index of the next byte of a value; -1 where there is none. */
export function indexOfByte(bytes: Uint8Array, byte: number, from: number): number {
  if (searchBuffer && bytes.length <= LARGEST_SEARCHED) return searchBuffer.call(bytes, byte, from)
  return bytes.indexOf(byte, from)
}

/** Where a text of ASCII begins next; -1 where it does not stand. It is fast if its first character is rare. */
export function indexOfText(bytes: Uint8Array, text: string, from: number): number {
  if (searchBuffer && bytes.length <= LARGEST_SEARCHED) return searchBuffer.call(bytes, text, from, "latin1")
  const first = text.charCodeAt(0)
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1))
    if (byteText(bytes, at, Math.min(at + text.length, bytes.length)) === text) return at
  return -1
}

/** The most bytes that are passed as arguments of one call. */
const CHUNK = 4096

/**
 * Node's own function where there is one. In pages, a `TextDecoder` for each line would leave so much garbage that a large file takes twice the memory.
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
