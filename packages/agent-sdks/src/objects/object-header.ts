import { TreelogError } from "@treelog/session-core"
import { parsedJson } from "@treelog/session-core/json"
import type { ObjectName } from "./object-name.js"

/** The first line of an object. Bytes; a longer line is not a header. */
export const LONGEST_HEADER = 4096

// Not the type of a session's header: treelog must not take an object for a session, migrate or repair it.
const TYPE = "treelog.object"
const VERSION = 1
const LF = 10

/** Whether an object is a file or a directory; the adapters without directories have only files. */
export type ObjectKind = "file" | "directory"

export interface ObjectHeader {
  readonly name: ObjectName
  readonly kind: ObjectKind
  /** Milliseconds since 1970. */
  readonly created: number
}

export function encodeHeader({ name, kind, created }: ObjectHeader): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ type: TYPE, version: VERSION, kind, created, name })}\n`)
}

/**
 * @param bytes the first bytes of an object
 * @returns the header, and the bytes that it takes
 * @throws InvalidSessionError when something else is stored under the key
 */
export function decodeHeader(key: string, bytes: Uint8Array): ObjectHeader & { readonly size: number } {
  const end = bytes.indexOf(LF)
  const text = new TextDecoder().decode(bytes.subarray(0, Math.max(end, 0)))
  const header = parsedHeader(text)
  if (header?.type !== TYPE || header.version !== VERSION) {
    const message = `${key} does not begin with the header of an object of this release. Give the adapter a prefix that nothing else uses.`
    throw new TreelogError("InvalidSessionError", message, { key, found: text.slice(0, 80) })
  }
  return { name: header.name, kind: header.kind, created: header.created, size: end + 1 }
}

function parsedHeader(text: string): (ObjectHeader & { type?: unknown; version?: unknown }) | undefined {
  return (parsedJson(text) ?? undefined) as (ObjectHeader & { type?: unknown; version?: unknown }) | undefined
}
