import {
  type BlobSource,
  buildTranscript,
  type Diagnostic,
  isEntry,
  messageText,
  type Session,
  type SessionEntry,
  type SessionHeader,
  type TranscriptItem,
} from "@treelog/session-core"
import { restoreEntry, streamBranch } from "@treelog/session-core/adapter"
import { addUsages, type Cost, costOf, type ModelUsage, type PriceUsage, usagesOf } from "@treelog/session-core/search"
import { type ExportLine, exportLines } from "./export-lines.js"
import type { ExportedImage } from "./message-markdown.js"
import type { Redactor } from "./redaction.js"
import { isLeftEmpty, type Parts, withoutParts } from "./without-parts.js"

/** What is exported of a session. */
export interface ExportScope extends Parts {
  /** The entry at which the branch ends; undefined for all branches. */
  readonly leafId: string | null | undefined
  /** Where images and long texts are restored from; undefined where they stay references. */
  readonly blobs: BlobSource | undefined
  /** Undefined where only what was reported is known. */
  readonly price: PriceUsage | undefined
  /** The address of an image in Markdown; undefined leaves the image out. */
  imageAddress(image: ExportedImage): string | undefined
  /** The bytes of the session as they are stored. */
  stored(): AsyncIterable<Uint8Array>
}

/** The session as a whole, redacted. */
export interface ExportHead {
  readonly header: SessionHeader
  readonly sessionId: string
  readonly name: string | undefined
  readonly cwd: string
  /** Where the exported branch ends; for all branches, the leaf of the session. */
  readonly leafId: string | null
  /** What the exported branch cost, or all of them; missing where no usage was reported. */
  readonly cost?: Cost
}

/** An item of the transcript. `isTurn`: it does not follow the item before, since another branch begins. */
export interface ExportItem {
  readonly item: TranscriptItem
  readonly isTurn: boolean
}

/** A session as formats get it: redacted, without the parts that are not wanted, one entry at a time. */
export class ExportEntries {
  readonly #session: Session
  readonly #redactor: Redactor
  readonly #scope: ExportScope
  readonly #diagnostics = new Map<string, Diagnostic>()
  /** Entries so far. */
  count = 0
  /** Lines that cannot be read, and were left out. */
  leftOut = 0

  constructor(session: Session, redactor: Redactor, scope: ExportScope) {
    this.#session = session
    this.#redactor = redactor
    this.#scope = scope
  }

  get isWhole(): boolean {
    return this.#scope.leafId === undefined
  }

  get imageAddress(): ExportScope["imageAddress"] {
    return this.#scope.imageAddress
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()]
  }

  head(): ExportHead {
    const session = this.#session
    return this.#redactor.value({
      header: session.getHeader(),
      sessionId: session.getSessionId(),
      name: session.getSessionName(),
      cwd: session.getCwd(),
      leafId: this.#scope.leafId ?? session.getLeafId(),
      ...this.#cost(),
    })
  }

  /** What the user said first, redacted; empty where that is nothing. */
  firstSaid(): string {
    for (const entry of this.#session.iterateEntries()) {
      // A damaged entry has no message.
      const said = isEntry(entry, "message") && entry.message?.role === "user" ? entry.message : {}
      const text = messageText(said).trim()
      if (text !== "") return this.#redactor.repeated(text)
    }
    return ""
  }

  #cost(): { cost?: Cost } {
    const { leafId, price } = this.#scope
    const usages: ModelUsage[] = []
    const entries =
      leafId === undefined ? this.#session.iterateEntries() : leafId === null ? [] : this.#session.getBranch(leafId)
    for (const entry of entries) addUsages(usages, usagesOf(entry))
    return usages.length === 0 ? {} : { cost: costOf(usages, price) }
  }

  /** The entries of the branch as people read them; of all branches, in the order of the file. */
  async *items(): AsyncGenerator<ExportItem> {
    let last: string | undefined
    for await (const { entry, item } of this.#redacted((entry) => !isLeftEmpty(entry, this.#scope))) {
      const [redacted] = buildTranscript([entry])
      if (!redacted) continue
      const { inContext, edited } = item
      const isTurn = this.isWhole && last !== undefined && last !== item.entry.parentId
      last = item.entry.id
      yield { item: { ...redacted, inContext, ...(edited !== undefined && { edited }) }, isTurn }
    }
  }

  /** The entries of the branch, or all of them in the order of the file. */
  async *entries(): AsyncGenerator<SessionEntry> {
    for await (const { entry } of this.#redacted(() => true)) yield entry
  }

  /** The lines of the session as they are stored, header first; of a branch, those of a session that is that branch alone. */
  async *lines(): AsyncGenerator<ExportLine> {
    const { leafId } = this.#scope
    if (leafId === null) return
    const bytes = leafId === undefined ? this.#scope.stored() : streamBranch(this.#session, leafId)
    for await (const line of this.linesOf(bytes)) {
      if (line.isEntry) this.count += 1
      yield line
    }
  }

  /** The lines of these bytes in the same form. */
  async *linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ExportLine> {
    for await (const line of exportLines(bytes, this.#redactor, (record) => this.#prepared(record)))
      if (line === "left out") this.leftOut += 1
      else yield line
  }

  async *#redacted(
    isWanted: (entry: SessionEntry) => boolean,
  ): AsyncGenerator<{ entry: SessionEntry; item: TranscriptItem }> {
    const { leafId } = this.#scope
    const items =
      leafId === undefined ? eachAlone(this.#session.iterateEntries()) : this.#session.iterateTranscript(leafId ?? "")
    for (const item of items) {
      const entry = await this.#prepared(item.entry)
      if (!isWanted(entry)) continue
      this.count += 1
      yield { item, entry: this.#redactor.value(entry) }
    }
  }

  async #prepared<Entry extends object>(entry: Entry): Promise<Entry> {
    const { blobs } = this.#scope
    const wanted = withoutParts(entry, this.#scope)
    if (!blobs) return wanted
    const { value, diagnostics } = await restoreEntry(wanted, blobs)
    for (const diagnostic of diagnostics) this.#diagnostics.set(diagnostic.message, diagnostic)
    return value
  }
}

/** Entries of several branches: what the model gets of them depends on the leaf. */
function* eachAlone(entries: Iterable<SessionEntry>): Generator<TranscriptItem> {
  for (const entry of entries) for (const item of buildTranscript([entry])) yield { ...item, inContext: true }
}
