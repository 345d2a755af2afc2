export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
