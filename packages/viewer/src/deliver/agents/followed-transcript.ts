import { isTreelogError, type SessionStorage, TreelogError } from "@treelog/session-core"
import type { Followed, Place } from "../routes/followed.js"
import { polls } from "../routes/polls.js"
import { transcriptBytes } from "./agent-transcripts.js"
import { type Beginning, BeginningReader, beginningIn, beginningText } from "./beginning.js"

/** To see whether it has changed, a transcript is read from its start: waiting so many times as long leaves the processor to others. */
const WAIT_FOR_COST = 10

const NOTHING: Beginning = { size: 0, hash: "" }

/**
 * The transcript of a sub-agent, which may still be written. Its identity is a beginning of it, which stays the same while there is only
 * appended, so that nothing needs to be kept between requests. One that is smaller than before has changed, too.
 */
export class FollowedTranscript implements Followed {
  readonly #chunks: () => AsyncIterable<Uint8Array>
  readonly #id: string
  /** What was read last, and what identifies it. */
  #read: Beginning
  #identity: Beginning
  #wasFound = false
  /** How long it took to read it. Milliseconds. */
  #cost = 0

  /** @param identity that of what the reader has, if anything */
  constructor(
    { storage, key }: { readonly storage: Pick<SessionStorage, "artifacts">; readonly key: string },
    id: string,
    identity = "",
  ) {
    this.#chunks = () => transcriptBytes(storage, key, id)
    this.#id = id
    this.#read = beginningIn(identity) ?? NOTHING
    this.#identity = this.#read
  }

  async place(): Promise<Place | undefined> {
    const start = performance.now()
    const reader = new BeginningReader(this.#read)
    try {
      for await (const chunk of this.#chunks()) reader.update(chunk)
    } catch (error) {
      // Its session was removed.
      if (!this.#wasFound || !isTreelogError(error, "SessionNotFoundError")) throw error
    }
    this.#cost = performance.now() - start
    if (reader.size === 0 && !this.#wasFound) throw this.#notFound()
    if (reader.size === 0) return undefined
    this.#wasFound = true
    this.#read = reader.read
    if (!reader.isExpected) this.#identity = this.#read
    return { size: this.#read.size, identity: beginningText(this.#identity) }
  }

  changes(signal: AbortSignal): AsyncIterable<void> {
    return polls(signal, () => this.#cost * WAIT_FOR_COST)
  }

  async *bytes(from: number, to: number, identity: string): AsyncGenerator<Uint8Array> {
    const expected = beginningIn(identity)
    if (!expected) throw this.#changed()
    const reader = new BeginningReader(expected)
    for await (const chunk of this.#chunks()) {
      const start = reader.size
      reader.update(chunk)
      if (reader.isExpected === false) throw this.#changed()
      // A response keeps chunks longer than they are valid.
      const bytes = new Uint8Array(chunk.subarray(Math.max(0, from - start), Math.max(0, to - start)))
      if (bytes.length > 0) yield bytes
      if (reader.size >= to && reader.isExpected) return
    }
    if (reader.size === 0) throw this.#notFound()
    if (!reader.isExpected) throw this.#changed()
  }

  #notFound(): TreelogError<"SessionNotFoundError"> {
    return new TreelogError("SessionNotFoundError", `There is no transcript with the id ${this.#id}.`, {
      ref: this.#id,
    })
  }

  #changed(): TreelogError<"SessionChangedError"> {
    const message = `Another transcript has the id ${this.#id} now.`
    return new TreelogError("SessionChangedError", message, { key: this.#id, change: "replaced" })
  }
}
