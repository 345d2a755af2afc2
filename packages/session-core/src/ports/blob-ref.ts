import { TreelogError } from "../errors.js"

const HASH = /^[0-9a-f]{64}$/
const PREFIX = "blob:sha256:"

/** The hash that a reference names; undefined for any string that is no reference. Nothing else ever becomes a hash. */
export function hashInRef(text: string): string | undefined {
  if (text.length !== PREFIX.length + 64 || !text.startsWith(PREFIX)) return undefined
  const hash = text.slice(PREFIX.length)
  return HASH.test(hash) ? hash : undefined
}

/** The reference that stands in an entry for the blob with this hash. */
export function blobRef(hash: string): string {
  return `${PREFIX}${hash}`
}

/** @throws InvalidArgumentError for what is not 64 lower-case hex digits: such a thing must never meet a path */
export function assertHash(hash: string): void {
  if (HASH.test(hash)) return
  throw new TreelogError("InvalidArgumentError", "A blob's hash is 64 lower-case hex digits.", {
    argument: "hash",
    value: hash,
  })
}
