import type { Hash } from "node:crypto"

// Loaded when it is used: loading it takes a good part of what a list takes.
const crypto = () => process.getBuiltinModule("node:crypto")

export function sha256(): Hash {
  return crypto().createHash("sha256")
}

/** SHA-256 of texts one after the other, in hexadecimal. */
export function digestOf(...texts: readonly string[]): string {
  const hash = sha256()
  for (const text of texts) hash.update(`${text}\0`)
  return hash.digest("hex")
}

/** For the name of a temporary file. */
export function token(): string {
  return crypto().randomBytes(8).toString("hex")
}
