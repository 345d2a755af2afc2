import { assemble, type Part } from "../../log/splice.js"
import type { SessionStorage } from "../../ports/session-storage.js"

/** Where the bytes of new content come from. */
export interface Source {
  /** The storage's key. */
  readonly from: string
  readonly identity: string | undefined
}

/** New content that is made of what is stored, a block at a time. */
export function assembled(
  storage: Pick<SessionStorage, "readRange">,
  parts: Iterable<Part>,
  { from, identity }: Source,
): AsyncGenerator<Uint8Array> {
  return assemble(parts, (offset, length) => storage.readRange(from, offset, length, identity))
}
