const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The records as a session's text, a line each. A string is taken as a line already. */
export function sessionText(...records: (object | string)[]): string {
  return records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join("")
}

/** The pieces as bytes: text as UTF-8, numbers as single bytes. */
export function bytesOf(...pieces: (string | number | Uint8Array)[]): Uint8Array {
  const encoded = pieces.map((piece) => {
    if (typeof piece === "string") return encoder.encode(piece)
    return typeof piece === "number" ? Uint8Array.of(piece) : piece
  })
  const whole = new Uint8Array(encoded.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of encoded) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
