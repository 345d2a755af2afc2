import type { StoredRanges } from "../../ports/session-source.js"
import type { BlobStorage } from "./blob-storage.js"

// What understands a session asks for bytes and has them at once; a page can only wait for them. So work that finds bytes missing
// ends with an error that says which, they are read, and the work is done again. Entries that were read stay with the session's
// state, so that each time it gets further.

/** Who reads one entry will often read those beside it. Bytes. */
const WINDOW = 1_048_576

class NotReadYet extends Error {
  readonly read: () => Promise<void>

  constructor(read: () => Promise<void>) {
    super("These bytes have to be read first.")
    this.read = read
  }
}

/** Does the work, and again as often as it finds bytes missing. It must not change anything that it cannot do twice. */
export async function whenRead<T>(work: () => T): Promise<T> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof NotReadYet)) throw error
      await error.read()
    }
  }
}

/** Ranges of a blob: some lines that are kept, and the piece that was read last. */
export class AwaitedRanges implements StoredRanges {
  readonly #storage: BlobStorage
  readonly #lines = new Map<number, Uint8Array>()
  #keepsLines = true
  #window: { readonly from: number; readonly bytes: Uint8Array } = { from: 0, bytes: new Uint8Array() }

  constructor(storage: BlobStorage) {
    this.#storage = storage
  }

  /** Reads a line, to be kept. */
  async keep(offset: number, length: number): Promise<void> {
    this.#lines.set(offset, await this.#storage.readRange(this.#storage.key, offset, length))
  }

  /** From here on nothing is kept but the piece that was read last. */
  settle(): void {
    this.#keepsLines = false
    this.#lines.clear()
  }

  read(offset: number, length: number): Uint8Array {
    const line = this.#lines.get(offset)
    if (line) return line
    const { from, bytes } = this.#window
    const end = Math.min(offset + length, this.#storage.known.size)
    if (offset >= from && end <= from + bytes.length) return bytes.subarray(offset - from, end - from)
    throw new NotReadYet(() => (this.#keepsLines ? this.keep(offset, length) : this.#move(offset, length)))
  }

  close(): void {}

  async #move(offset: number, length: number): Promise<void> {
    const bytes = await this.#storage.readRange(this.#storage.key, offset, Math.max(length, WINDOW))
    this.#window = { from: offset, bytes }
  }
}
