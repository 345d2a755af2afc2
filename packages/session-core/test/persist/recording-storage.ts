import type { Chunks, Lease, LeaseOptions, StorageStat } from "@treelog/session-core/adapter"
import { AsyncMemoryStorage } from "../async-memory-storage.js"

/** A memory storage that notes each line when it is stored. */
export class RecordingStorage extends AsyncMemoryStorage {
  readonly #note: (line: string) => void

  constructor(note: (line: string) => void) {
    super()
    this.#note = note
  }

  override async lease(key: string, options: LeaseOptions): Promise<Lease> {
    const note = (bytes: Uint8Array) => {
      for (const line of new TextDecoder().decode(bytes).split("\n")) if (line !== "") this.#note(line)
    }
    return recorded(await super.lease(key, options), note)
  }

  /** The stored lines of a session, parsed; the header is the first. */
  async linesOf(key: string): Promise<Record<string, unknown>[]> {
    const { size } = (await this.stat(key)) ?? { size: 0 }
    const text = new TextDecoder().decode(await this.readRange(key, 0, size))
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
  }
}

function recorded(lease: Lease, note: (bytes: Uint8Array) => void): Lease {
  return {
    get key() {
      return lease.key
    },
    async create(chunks: Chunks, options): Promise<StorageStat> {
      const pieces: Uint8Array[] = []
      for await (const chunk of chunks) pieces.push(chunk)
      note(Buffer.concat(pieces))
      return lease.create(pieces, options)
    },
    append(bytes, expected) {
      note(bytes)
      return lease.append(bytes, expected)
    },
    sync: () => lease.sync(),
    replace: (chunks, options) => lease.replace(chunks, options),
    move: (to) => lease.move(to),
    remove: () => lease.remove(),
    release: () => lease.release(),
  }
}
