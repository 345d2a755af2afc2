/** A source of SHA-256 digests: Node's crypto, WebCrypto, or your own. */
export interface Digest {
  /** SHA-256 as 64 lower-case hex digits. */
  sha256(bytes: Uint8Array): Promise<string>
}

/** SHA-256 by WebCrypto, which browsers, workers and Node provide. */
export const webDigest: Digest = {
  async sha256(bytes) {
    // WebCrypto itself rejects shared memory.
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)))
  },
}

export function hex(bytes: Uint8Array): string {
  let text = ""
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0")
  return text
}
