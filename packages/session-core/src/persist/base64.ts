/** The bytes of canonical base64, which encoding reproduces exactly; undefined for any other string. */
export function decodeCanonicalBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  // The bits under the padding must be zero, or encoding would give another string.
  const ending = text.slice(-4)
  if (btoa(atob(ending)) !== ending) return undefined
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

export function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  // A multiple of three, so that only the last piece is padded; few enough to be arguments.
  for (let from = 0; from < bytes.length; from += 24_576)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(from, from + 24_576))))
  return pieces.join("")
}
