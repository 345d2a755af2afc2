import { sep } from "node:path"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import type { SessionInfo } from "@treelog/session-core"
import type { ListFilter, SessionArtifact } from "@treelog/session-core/adapter"
import type { AgentSource, FileNotes, SourceSession } from "../agent-source.js"
import type { Conversion } from "../conversion.js"
import { factsOf } from "../facts-of.js"
import type { AgentDefinition } from "./agent-definition.js"
import { type ConvertedSession, convertRecords, sessionBytes } from "./record-conversion.js"
import type { RecordStore, StoreOptions } from "./record-store.js"

/** The sessions of an agent that is defined by its records. */
export class RecordSource implements AgentSource {
  readonly agent: string
  readonly folder: string
  readonly conversionVersion: number
  readonly #definition: AgentDefinition
  readonly #store: RecordStore

  constructor(definition: AgentDefinition, options: StoreOptions) {
    this.agent = definition.place.name
    this.folder = options.folder
    this.conversionVersion = definition.conversionVersion
    this.#definition = definition
    this.#store = definition.store(options)
  }

  useNotes(notes: FileNotes): void {
    const own = (version: string): string => `${this.conversionVersion} ${version}`
    this.#store.useNotes?.({
      get: (path, version) => notes.get(path, own(version)),
      put: (path, version, note) => notes.put(path, own(version), note),
    })
  }

  /** All at once: what a session used is known only with all of its parts. */
  async *list(filter: ListFilter): AsyncGenerator<readonly SourceSession[]> {
    const all: SourceSession[] = []
    for await (const sessions of this.#store.list(filter)) {
      filter.signal?.throwIfAborted()
      for (const session of sessions) if (filter.parts || !session.part) all.push(session)
    }
    yield newestCopies(all)
  }

  find(key: string): Promise<SourceSession | undefined> {
    return this.#store.find(key)
  }

  /** What a full reading gives, so that a list never says anything else: it is kept until the session changes. */
  async facts(session: SourceSession): Promise<Omit<SessionInfo, "path">> {
    return factsOf(await this.#convert(session), session)
  }

  async convert(session: SourceSession): Promise<Conversion> {
    const converted = await this.#convert(session)
    return {
      report: converted.report,
      chunks: sessionBytes(converted),
      artifacts: () => this.#artifacts(session, converted),
    }
  }

  async files(session: SourceSession): Promise<readonly string[]> {
    return this.#store.files(session)
  }

  async watched(session: SourceSession): Promise<string> {
    return this.#store.watched(session)
  }

  isKey(key: string): boolean {
    return key.startsWith(this.folder + sep)
  }

  #convert(session: SourceSession): Promise<ConvertedSession> {
    return convertRecords(this.#definition, this.#store, session)
  }

  /** The parts of the session; and its records, where no file holds them alone. */
  async *#artifacts(session: SourceSession, { parts }: ConvertedSession): AsyncGenerator<SessionArtifact> {
    for await (const sessions of this.#store.list({ parts: true }))
      for (const one of sessions)
        if (one.part?.of === session.key) yield { name: one.part.name, chunks: sessionBytes(await this.#convert(one)) }
    for (const { name, ...part } of parts) yield { name, chunks: sessionBytes(part) }
    if (this.#store.files(session).length > 0) return
    yield { name: "source.jsonl.gz", chunks: Readable.from(this.#recordLines(session)).pipe(createGzip()) }
  }

  async *#recordLines(session: SourceSession): AsyncGenerator<Uint8Array> {
    for await (const record of this.#store.records(session))
      if ("value" in record) yield Buffer.from(`${JSON.stringify(record.value)}\n`)
  }
}

/** Of a session that several files have, such as one that was archived or copied, the newest. */
function newestCopies(all: readonly SourceSession[]): readonly SourceSession[] {
  const newest = new Map<string, SourceSession>()
  for (const session of all) {
    if (session.id === undefined || session.part || session.error) continue
    const other = newest.get(session.id)
    if (!other || session.modified > other.modified) newest.set(session.id, session)
  }
  return all.filter((session) => session.part || session.error || !session.id || newest.get(session.id) === session)
}
