import { createHash, randomBytes } from "node:crypto"

/** SHA-256 of texts one after the other, in hexadecimal. */
export function digestOf(...texts: readonly string[]): string {
  const hash = createHash("sha256")
  for (const text of texts) hash.update(`${text}\0`)
  return hash.digest("hex")
}

/** For the name of a temporary file. */
export function token(): string {
  return randomBytes(8).toString("hex")
}
