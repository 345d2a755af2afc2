import { TreelogError } from "../errors.js"

const HASH = /^[0-9a-f]{64}$/
const PREFIX = "blob:sha256:"

/** The hash in a `blob:sha256:<hex>` reference; undefined for any other string. */
export function hashInRef(text: string): string | undefined {
  if (text.length !== PREFIX.length + 64 || !text.startsWith(PREFIX)) return undefined
  const hash = text.slice(PREFIX.length)
  return HASH.test(hash) ? hash : undefined
}

/** The reference to the blob with this hash: `blob:sha256:<hex>`. */
export function blobRef(hash: string): string {
  return `${PREFIX}${hash}`
}

/** Checks that a string is 64 lower-case hex digits, before it is used in a path. @throws InvalidArgumentError */
export function assertHash(hash: string): void {
  if (HASH.test(hash)) return
  throw new TreelogError("InvalidArgumentError", "A blob's hash is 64 lower-case hex digits.", {
    argument: "hash",
    value: hash,
  })
}
