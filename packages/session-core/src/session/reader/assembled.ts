import { assemble, type Part } from "../../log/splice.js"
import type { SessionSource } from "../../ports/session-source.js"
import { atOnce } from "./read-stored.js"

/** Where the bytes of new content come from. */
export interface Source {
  /** The storage's key. */
  readonly from: string
  readonly identity: string | undefined
}

/** New content that is made of what is stored, a block at a time. */
export async function* assembled(
  storage: Pick<SessionSource, "readRange" | "openRanges">,
  parts: Iterable<Part>,
  { from, identity }: Source,
): AsyncGenerator<Uint8Array> {
  // Each of many short reads would be some messages to another thread.
  const ranges = identity === undefined ? undefined : await storage.openRanges?.(from, identity)
  try {
    yield* assemble(parts, (offset, length) =>
      (ranges ? atOnce(ranges) : storage).readRange(from, offset, length, identity),
    )
  } finally {
    ranges?.close()
  }
}
