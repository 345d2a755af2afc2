import {
  type BlobStore,
  buildTranscript,
  type Diagnostic,
  type Session,
  type SessionEntry,
  type SessionHeader,
  type TranscriptItem,
} from "@treelog/session-core"
import { restoreEntry } from "@treelog/session-core/adapter"
import { inBatches, sizeOfValue } from "./batches.js"
import { type ExportLine, exportLines } from "./export-lines.js"
import type { Redactor } from "./redactor.js"
import { isLeftEmpty, type Parts, withoutParts } from "./without-parts.js"

/** What is exported of a session. */
export interface ExportScope extends Parts {
  /** The entry at which the branch ends; undefined for all branches. */
  readonly leafId: string | null | undefined
  /** Where pictures and long texts are restored from; undefined where they stay references. */
  readonly inline: BlobStore | undefined
}

/** What there is to say of the whole session. */
export interface ExportHead {
  readonly header: SessionHeader
  readonly sessionId: string
  readonly name: string | undefined
  readonly cwd: string
  /** Where the branch ends; where the session stands, for all branches. */
  readonly leafId: string | null
}

/** A session as formats get it: redacted, without the parts that are not wanted, entry by entry. */
export class ExportSource {
  readonly #session: Session
  readonly #redactor: Redactor
  readonly #scope: ExportScope
  readonly #lines: () => AsyncIterable<Uint8Array>
  readonly #diagnostics = new Map<string, Diagnostic>()
  #entries = 0
  #leftOut = 0

  /** @param lines the bytes of the session as they are stored */
  constructor(session: Session, redactor: Redactor, scope: ExportScope, lines: () => AsyncIterable<Uint8Array>) {
    this.#session = session
    this.#redactor = redactor
    this.#scope = scope
    this.#lines = lines
  }

  get isWhole(): boolean {
    return this.#scope.leafId === undefined
  }

  /** What was left alone among the entries that came last: signatures and pictures. */
  get opaque(): ReadonlySet<string> {
    return this.#redactor.opaque
  }

  /** How many entries were given so far, and how many lines could not be. */
  get summary(): { readonly entries: number; readonly leftOut: number; readonly diagnostics: readonly Diagnostic[] } {
    return { entries: this.#entries, leftOut: this.#leftOut, diagnostics: [...this.#diagnostics.values()] }
  }

  async head(): Promise<ExportHead> {
    const session = this.#session
    return this.#redactor.value({
      header: session.getHeader(),
      sessionId: session.getSessionId(),
      name: session.getSessionName(),
      cwd: session.getCwd(),
      leafId: this.#scope.leafId ?? session.getLeafId(),
    })
  }

  /** The entries of the branch as people read them; of all branches, in the order of the file. */
  async *items(): AsyncGenerator<TranscriptItem> {
    const { leafId } = this.#scope
    const items =
      leafId === undefined ? alone(this.#session.iterateEntries()) : this.#session.iterateTranscript(leafId ?? "")
    for await (const batch of inBatches(items, ({ entry }) => sizeOfValue(entry))) {
      const prepared: { item: TranscriptItem; entry: SessionEntry }[] = []
      for (const item of batch) {
        const entry = await this.#prepared(item.entry)
        if (!isLeftEmpty(entry, this.#scope)) prepared.push({ item, entry })
      }
      const entries = await this.#redactor.values(prepared.map(({ entry }) => entry))
      for (const [index, { item }] of prepared.entries()) {
        const [redacted] = buildTranscript(entries.slice(index, index + 1))
        if (!redacted) continue
        this.#entries += 1
        const { inContext, edited } = item
        yield { ...redacted, inContext, ...(edited !== undefined && { edited }) }
      }
    }
  }

  /** The entries of the branch, or all of them in the order of the file. */
  async *entries(): AsyncGenerator<SessionEntry> {
    const { leafId } = this.#scope
    const found =
      leafId === undefined ? this.#session.iterateEntries() : entriesOf(this.#session.iterateTranscript(leafId ?? ""))
    for await (const batch of inBatches(found, sizeOfValue)) {
      const prepared: SessionEntry[] = []
      for (const entry of batch) prepared.push(await this.#prepared(entry))
      for (const entry of await this.#redactor.values(prepared)) {
        this.#entries += 1
        yield entry
      }
    }
  }

  /** The lines of the session as they are stored, header first; of a branch, those of a session that is that branch alone. */
  async *lines(): AsyncGenerator<ExportLine> {
    const { leafId } = this.#scope
    if (leafId === null) return
    const bytes = leafId === undefined ? this.#lines() : this.#session.streamBranch(leafId)
    const how = { redactor: this.#redactor, prepare: (record: object) => this.#prepared(record) }
    for await (const line of exportLines(bytes, how)) {
      if (line === "left out") this.#leftOut += 1
      else {
        if (line.isEntry) this.#entries += 1
        yield line
      }
    }
  }

  async #prepared<Entry extends object>(entry: Entry): Promise<Entry> {
    const { inline } = this.#scope
    const wanted = withoutParts(entry, this.#scope)
    if (!inline) return wanted
    const { value, diagnostics } = await restoreEntry(wanted, inline)
    for (const diagnostic of diagnostics) this.#diagnostics.set(diagnostic.message, diagnostic)
    return value
  }
}

/** Entries of several branches: what of them the model gets depends on where one stands. */
function* alone(entries: Iterable<SessionEntry>): Generator<TranscriptItem> {
  for (const entry of entries) for (const item of buildTranscript([entry])) yield { ...item, inContext: true }
}

function* entriesOf(items: Iterable<TranscriptItem>): Generator<SessionEntry> {
  for (const { entry } of items) yield entry
}
