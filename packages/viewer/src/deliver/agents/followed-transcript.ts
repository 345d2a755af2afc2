import { type SessionSource, TreelogError } from "@treelog/session-core"
import type { Followed } from "../routes/followed.js"
import { transcriptBytes } from "./agent-transcripts.js"
import { type Beginning, BeginningReader, beginningIn, beginningText } from "./beginning.js"

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
