import { sep } from "node:path"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import { isEntry, isTreelogError, type SessionEntry } from "@treelog/session-core"
import type { SessionArtifact } from "@treelog/session-core/adapter"
import { fileChunks } from "@treelog-internal/fs"
import type { AgentSource, FileNotes, SourceSession } from "../agent-source.js"
import { conversionError } from "../conversion-error.js"
import { factsOf } from "../facts-of.js"
import { pathToLast } from "../path-to-last.js"
import type { AgentDefinition } from "./agent-definition.js"
import { convertRecords, sessionBytes } from "./record-conversion.js"
import type { StoreOptions } from "./record-store.js"

/** The sessions of an agent that is defined by its records. */
export function recordSource(definition: AgentDefinition, options: Omit<StoreOptions, "notes">): AgentSource {
  const { place, conversionVersion } = definition
  let kept: FileNotes | undefined
  const notes: FileNotes = {
    get: (...asked) => kept?.get(...asked),
    put: (...note) => kept?.put(...note),
  }
  const store = definition.store({ ...options, notes })
  // Another database in the same folder is another store.
  const folder = store.database ?? options.folder
  const convert = (session: SourceSession) => convertRecords(definition, store, session)

  /** A compaction says all that the model gets from then on. */
  async function contextPath(session: SourceSession): Promise<readonly SessionEntry[] | undefined> {
    const values = await store.recordsOfEnd?.(session)
    if (!values) return undefined
    async function* records() {
      for (const value of values ?? []) yield { value }
    }
    const { entries, isLacking } = await convertRecords(definition, { records }, session)
    const path = pathToLast(entries)
    const at = path.map(({ type }) => type).lastIndexOf("compaction")
    // A reply says which model the session has.
    const isReply = (entry: SessionEntry): boolean => isEntry(entry, "message") && entry.message.role === "assistant"
    const isEnough = !isLacking && at >= 0 && path.slice(at).some(isReply)
    return isEnough ? path : undefined
  }

  /** The parts of the session; and its records, where no file holds them alone. */
  async function* artifacts(session: SourceSession): AsyncGenerator<SessionArtifact> {
    for await (const sessions of store.list({ parts: true }))
      for (const one of sessions)
        if (one.part?.of === session.key) yield { name: one.part.name, chunks: chunksOfPart(one) }
    const { parts } = definition.holdsTranscripts ? await convert(session) : { parts: [] }
    for (const { name, ...part } of parts) yield { name, chunks: sessionBytes(part) }
    if (store.files(session).length > 0) return
    yield { name: "source.jsonl.gz", chunks: Readable.from(recordLines(session)).pipe(createGzip()) }
  }

  /** A part that cannot be read is its file, as it is. */
  async function* chunksOfPart(part: SourceSession): AsyncGenerator<Uint8Array> {
    try {
      yield* sessionBytes(await convert(part))
    } catch (error) {
      if (!isTreelogError(error, "InvalidSessionError")) throw error
      for (const path of store.files(part).slice(0, 1)) yield* fileChunks(options.fs, path)
    }
  }

  async function* recordLines(session: SourceSession): AsyncGenerator<Uint8Array> {
    for await (const record of store.records(session))
      if ("value" in record) yield Buffer.from(`${JSON.stringify(record.value)}\n`)
  }

  return {
    agent: place.name,
    folder,
    conversionVersion,
    useNotes(given) {
      kept = given
    },
    /** All at once: what a session used is known only with all of its parts. */
    async *list(filter) {
      const all: SourceSession[] = []
      try {
        for await (const sessions of store.list(filter)) {
          filter.signal?.throwIfAborted()
          for (const session of sessions) if (filter.parts || !session.part) all.push(session)
        }
      } catch (error) {
        throw filter.signal?.aborted ? error : conversionError(folder, error)
      }
      yield newestCopies(all)
    },
    listsAll: () => true,
    find: (key) => store.find(key),
    /** What a full reading gives, so that a list never says anything else: it is kept until the session changes. */
    facts: async (session) => factsOf(await convert(session), session),
    convert,
    end: async (session, { withParts }) => (withParts ? undefined : contextPath(session)),
    artifacts,
    files: (session) => store.files(session),
    watched: (session) => store.watched(session),
    isKey: (key) => store.isKey?.(key) || key.startsWith(folder + sep),
  }
}

/** Of a session that several files have, such as one that was archived or copied, the newest; of those that were copied together, the largest. */
function newestCopies(all: readonly SourceSession[]): readonly SourceSession[] {
  const newest = new Map<string, SourceSession>()
  for (const session of all) {
    if (session.id === undefined || session.part || session.error) continue
    const other = newest.get(session.id)
    if (!other || isNewer(session, other)) newest.set(session.id, session)
  }
  return all.filter((session) => session.part || session.error || !session.id || newest.get(session.id) === session)
}

/** Who copies a folder without the times of its files writes them one after the other: such times say nothing. Milliseconds. */
const COPIED_TOGETHER = 2_000

function isNewer(session: SourceSession, other: SourceSession): boolean {
  const later = session.modified - other.modified
  return Math.abs(later) < COPIED_TOGETHER && session.size !== other.size ? session.size > other.size : later > 0
}
