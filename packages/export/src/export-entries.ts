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
import { restoreEntry, sourceOf, streamBranch } from "@treelog/session-core/adapter"
import { addUsages, type Cost, costOf, type ModelUsage, type PriceUsage, usagesOf } from "@treelog/session-core/search"
import { type ExportLine, exportLines } from "./export-lines.js"
import type { ExportedImage } from "./message-markdown.js"
import { type ExportPart, isListed, type PartFacts, partFacts } from "./part-facts.js"
import type { Redactor } from "./redaction.js"
import type { PartName, Step } from "./step.js"
import { walkSteps } from "./walk-steps.js"
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
  /** What made the session, where its header does not say it. */
  readonly agent: string | undefined
  /** The transcripts of its sub-agents. Called twice. */
  parts(): AsyncIterable<ExportPart> | Iterable<ExportPart>
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
  readonly #diagnostics: Map<string, Diagnostic>
  /** Of a part: what is known of those of its session. Of the session, once that was asked for. */
  #facts: PartFacts | undefined
  readonly #isPart: boolean
  /** Entries so far. */
  count = 0
  /** Lines that cannot be read, and were left out. */
  leftOut = 0
  /** The names of the parts so far that are exported with the session. */
  readonly exportedParts: PartName[] = []

  constructor(
    session: Session,
    redactor: Redactor,
    scope: ExportScope,
    of?: { readonly facts: PartFacts; readonly diagnostics: Map<string, Diagnostic> },
  ) {
    this.#session = session
    this.#redactor = redactor
    this.#scope = scope
    this.#diagnostics = of?.diagnostics ?? new Map()
    this.#facts = of?.facts
    this.#isPart = of !== undefined
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
    const usages: ModelUsage[] = []
    for (const entry of this.#stored()) addUsages(usages, usagesOf(entry))
    return usages.length === 0 ? {} : { cost: this.costOf(usages) }
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

  /** What made the session; `unknown` where neither header nor store says it. */
  get agent(): string {
    return this.#redactor.repeated(sourceOf(this.#session.getHeader()).agent ?? this.#scope.agent ?? "unknown")
  }

  /** The version of what made the session; `unknown` where the header does not say it. */
  get agentVersion(): string {
    const source: unknown = this.#session.getHeader().source
    const isSaid = typeof source === "object" && source !== null && "version" in source
    return isSaid ? this.#redactor.repeated(String(source.version)) : "unknown"
  }

  /** The name of a part, which counts no secret of it: entries of the session have it too. */
  partId(name: PartName): string {
    return this.#redactor.repeated(name)
  }

  /** What calls cost: as reported, or else as estimated. */
  costOf(usages: readonly ModelUsage[]): Cost {
    return costOf(usages, this.#scope.price)
  }

  /** What the entries of the branch say, or all of them, step by step. */
  async *steps(): AsyncGenerator<Step> {
    const facts = await this.#partFacts()
    const isPart = this.#isPart
    const isListedPart = isPart && isListed(this.#session)
    const isCopy = (entry: SessionEntry): boolean => isPart && facts.isCopy(entry)
    yield* walkSteps({
      entries: () => this.#stored(),
      entry: (id) => this.#session.getEntry(id),
      redacted: async (entry) => {
        this.count += 1
        const isResult = isEntry(entry, "message") && entry.message?.role === "toolResult"
        return isResult && !this.#scope.tools ? undefined : this.#redactor.value(await this.#prepared(entry))
      },
      parts: isPart ? new Set() : facts.names,
      isCopy,
      usagesOf: (entry) => {
        if (isCopy(entry)) return []
        const usages = usagesOf(entry, isPart ? undefined : facts.names)
        return isListedPart ? facts.ofPart(usages) : entry.type === "usage" ? facts.own(usages) : usages
      },
    })
  }

  /** The parts to export with the session, one after another. */
  async *parts(): AsyncGenerator<{ readonly name: PartName; readonly role: string; readonly entries: ExportEntries }> {
    if (this.#isPart) return
    const facts = await this.#partFacts()
    for await (const { name, session } of this.#scope.parts()) {
      if (!facts.names.has(name)) continue
      this.exportedParts.push(name)
      const of = { facts, diagnostics: this.#diagnostics }
      const entries = new ExportEntries(session, this.#redactor, { ...this.#scope, leafId: undefined }, of)
      yield { name, role: facts.roles.get(name) ?? "subagent", entries }
      this.count += entries.count
    }
  }

  async #partFacts(): Promise<PartFacts> {
    this.#facts ??= await partFacts(this.#stored(), this.#scope.parts(), this.isWhole)
    return this.#facts
  }

  *#stored(): Generator<SessionEntry> {
    const { leafId } = this.#scope
    if (leafId === undefined) yield* this.#session.iterateEntries()
    else for (const { entry } of this.#session.iterateTranscript(leafId ?? "")) yield entry
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
