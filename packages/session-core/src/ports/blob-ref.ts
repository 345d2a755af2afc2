import { TreelogError } from "../errors.js"

const HASH = /^[0-9a-f]{64}$/
const REF = /^blob:sha256:([0-9a-f]{64})$/

/** The hash in a `blob:sha256:<hex>` reference; undefined for any other string. */
export function hashInRef(text: string): string | undefined {
  return REF.exec(text)?.[1]
}

/** The reference to the blob with this hash: `blob:sha256:<hex>`. */
export function blobRef(hash: string): string {
  return `blob:sha256:${hash}`
}

/** Checks that a string is 64 lower-case hex digits, before it is used in a path. @throws InvalidArgumentError */
export function assertHash(hash: string): void {
  if (HASH.test(hash)) return
  const data = { argument: "hash", value: hash }
  throw new TreelogError("InvalidArgumentError", "A blob's hash is 64 lower-case hex digits.", data)
}
