// What the generators of test sessions take from Node and cannot have in a page. No test there writes files or reads blobs.

export const createHash = () => {
  const hash = { update: () => hash, digest: () => "0".repeat(64) }
  return hash
}

function unavailable(): never {
  throw new Error("There are no files in a page.")
}

export const openSync = unavailable
export const writeSync = unavailable
export const closeSync = unavailable

const encoder = new TextEncoder()

/** Text, base64 or numbers as bytes, of which `toString` gives base64. */
function from(value: string | readonly number[], encoding?: "base64"): Uint8Array {
  if (encoding === "base64") return Uint8Array.from(atob(value as string), (character) => character.charCodeAt(0))
  const bytes = typeof value === "string" ? encoder.encode(value) : Uint8Array.from(value)
  return Object.assign(bytes, { toString: () => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) })
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** 0 where they are the same; their order is not asked for here. */
function compare(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return 1
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return 1
  return 0
}

Object.assign(globalThis, {
  Buffer: { from, concat, compare, byteLength: (text: string) => encoder.encode(text).length },
})
