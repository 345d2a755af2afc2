// What the generators of test sessions take from Node and cannot have in a page. No test there writes files or looks at blobs.

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

Object.assign(globalThis, { Buffer: { from: (text: string) => new TextEncoder().encode(text) } })
