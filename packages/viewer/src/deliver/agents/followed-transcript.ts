import { type SessionSource, TreelogError } from "@treelog/session-core"
import type { Followed } from "../routes/followed.js"
import { transcriptBytes } from "./agent-transcripts.js"

const NOTHING: Beginning = { size: 0, hash: "" }

/**
 * The transcript of a sub-agent, which may still be written. Its identity is the size and the hash of what was read of it, so that nothing
 * needs to be kept between requests.
 */
export function followedTranscript(
  { storage, key }: { readonly storage: Pick<SessionSource, "artifacts">; readonly key: string },
  id: string,
): Followed {
  const chunks = (): AsyncIterable<Uint8Array> => transcriptBytes(storage, key, id)
  return {
    async place(known = "") {
      const reader = new BeginningReader(beginningIn(known) ?? NOTHING)
      for await (const chunk of chunks()) reader.update(chunk)
      if (reader.size === 0) throw notFound(id)
      return { size: reader.size, identity: beginningText(reader.read), continues: reader.isExpected === true }
    },
    async *bytes(from, to, identity) {
      const expected = beginningIn(identity)
      if (!expected) throw changed(id)
      const reader = new BeginningReader(expected)
      for await (const chunk of chunks()) {
        const start = reader.size
        reader.update(chunk)
        if (reader.isExpected === false) throw changed(id)
        // A response keeps chunks longer than they are valid.
        const bytes = new Uint8Array(chunk.subarray(Math.max(0, from - start), Math.max(0, to - start)))
        if (bytes.length > 0) yield bytes
        if (reader.size >= to && reader.isExpected) return
      }
      if (reader.size === 0) throw notFound(id)
      if (!reader.isExpected) throw changed(id)
    },
  }
}

function notFound(id: string): TreelogError<"SessionNotFoundError"> {
  return new TreelogError("SessionNotFoundError", `There is no transcript with the id ${id}.`, { ref: id })
}

function changed(id: string): TreelogError<"SessionChangedError"> {
  const message = `Another transcript has the id ${id} now.`
  return new TreelogError("SessionChangedError", message, { key: id, change: "replaced" })
}

/** The first bytes of something that may grow: how many there are, and their hash. As text: `SIZE-HASH`. */
export interface Beginning {
  readonly size: number
  readonly hash: string
}

export function beginningText({ size, hash }: Beginning): string {
  return `${size}-${hash}`
}

/** Undefined for a text that is none. */
export function beginningIn(text: string): Beginning | undefined {
  const [, size, hash] = /^(\d{1,15})-([0-9a-f]{16})$/.exec(text) ?? []
  return size === undefined || hash === undefined ? undefined : { size: Number(size), hash }
}

/** Hashes bytes as they are read, and compares the first of them with a beginning. It detects other bytes, not attacks. */
export class BeginningReader {
  readonly #expected: Beginning
  #low = 0x811c9dc5
  #high = 0x1b873593
  size = 0
  /** Whether the bytes begin as expected; undefined until there are enough of them. */
  isExpected: boolean | undefined

  constructor(expected: Beginning) {
    this.#expected = expected
  }

  update(bytes: Uint8Array): void {
    const rest = this.isExpected === undefined ? this.#expected.size - this.size : 0
    this.#add(bytes.subarray(0, rest))
    if (this.size === this.#expected.size) this.isExpected ??= this.#hash === this.#expected.hash
    this.#add(bytes.subarray(rest))
  }

  get read(): Beginning {
    return { size: this.size, hash: this.#hash }
  }

  /** FNV-1a, twice, so that a chance match is unlikely. */
  #add(bytes: Uint8Array): void {
    let [low, high] = [this.#low, this.#high]
    for (const byte of bytes) {
      low = Math.imul(low ^ byte, 0x01000193)
      high = Math.imul(((high << 13) | (high >>> 19)) ^ byte, 0x85ebca6b)
    }
    this.#low = low
    this.#high = high
    this.size += bytes.length
  }

  get #hash(): string {
    return [this.#low, this.#high].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("")
  }
}
