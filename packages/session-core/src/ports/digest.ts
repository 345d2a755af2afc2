/** Where digests come from: Node's crypto, the web's, or one of the caller's. */
export interface Digest {
  /** SHA-256 as 64 lower-case hex digits. */
  sha256(bytes: Uint8Array): Promise<string>
}

/** SHA-256 by WebCrypto, which browsers, workers and Node have. */
export const webDigest: Digest = {
  async sha256(bytes) {
    // Where memory is shared, WebCrypto refuses by itself.
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>))
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
  },
}
