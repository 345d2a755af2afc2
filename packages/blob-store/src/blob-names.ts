import { randomBytes } from "node:crypto"

// What the names in a folder of blobs say. Every name that this package makes is one of these.

const BLOB = /^[0-9a-f]{64}$/
const SIDECAR = /^[0-9a-f]{64}[.][A-Za-z0-9]{1,16}$/
const QUARANTINED = /^[0-9a-f]{64}[.]damaged-/
const TEMPORARY = /^[.]put-[0-9a-f]{32}[.]tmp$/

/** Where a sweep puts what it takes away. */
export const TRASH = ".trash"

/**
 * - `sidecar`: `<hash>.<ext>`, which oh-my-pi keeps beside a blob for programs that want an extension;
 * - `quarantined`: bytes that were not those that were stored;
 * - `temporary`: a blob that is being written, or whose writer died;
 * - `unknown`: nothing of ours.
 */
export type NameKind = "blob" | "sidecar" | "quarantined" | "temporary" | "trash" | "unknown"

export function kindOfName(name: string): NameKind {
  if (BLOB.test(name)) return "blob"
  if (SIDECAR.test(name)) return "sidecar"
  if (QUARANTINED.test(name)) return "quarantined"
  if (TEMPORARY.test(name)) return "temporary"
  return name === TRASH ? "trash" : "unknown"
}

/** The hash that a blob's or a sidecar's name begins with. */
export function hashInName(name: string): string {
  return name.slice(0, 64)
}

export function temporaryName(): string {
  return `.put-${randomBytes(16).toString("hex")}.tmp`
}

/** A time as it stands in names: `2026-03-07T14-00-00-000Z`. */
export function timeInName(ms: number): string {
  return new Date(ms).toISOString().replace(/[:.]/g, "-")
}
