import type { ContentBlock, LostResult } from "@treelog/session-core"
import type { Json } from "@treelog-internal/agent-files"
import { itemId } from "./item-id.js"
import type { NewSide, PathState, SavedPath } from "./path-state.js"
import { SeenTexts } from "./seen-texts.js"
import { fitsIn, type TokenCounts, usageOf } from "./usage.js"

/** Makes the id of what follows an item. */
export type ItemHash = typeof itemId

/** What is known of the entries so far, as plain JSON. */
export interface SavedWriter extends Partial<Pick<PathWriter, "time" | "last">> {
  readonly path?: SavedPath
  readonly ids?: string
}

/** Adds entries to the end of a path. */
export class PathWriter {
  path: PathState
  /** Of what is added: the time of the last line that had one. */
  time: string
  /** Entries that are ready, in order. */
  readonly entries: Json[] = []
  /** The id of the last entry, on whichever path. */
  last: string | null = null
  /** Whether something answers or takes back what was never added. */
  isLacking = false
  /** Every id so far, and the item that it was hashed with: equal items after a rollback have equal hashes. */
  readonly #ids = new Map<string, string>()
  #earlierIds = new SeenTexts()
  readonly #hash: ItemHash

  constructor(path: PathState, time: string, hash: ItemHash = itemId) {
    this.path = path
    this.time = time
    this.#hash = hash
  }

  /** What it knows of the entries so far, as plain JSON. Of the ids, those that may come again: what is hashed with an item that is followed anew. */
  get saved(): SavedWriter {
    const { path, time, last } = this
    const { origin, item, beforeContext, hasItems, turns } = path
    const bases = new Set([origin, item, beforeContext?.[1], ...turns.map(({ before }) => before[1])])
    const ids = new SeenTexts(this.#earlierIds.saved)
    for (const [id, base] of this.#ids) if (!hasItems || bases.has(base)) ids.add(id)
    return { path: path.saved, time, last, ids: ids.saved }
  }

  /** Goes on from what was saved, or is known otherwise. */
  restore({ path = {}, ids, ...fields }: SavedWriter): void {
    this.path.restore(path)
    // What was saved stays as it is.
    this.path = this.path.copy()
    Object.assign(this, fields)
    this.#earlierIds = new SeenTexts(ids)
  }

  /** The id of the next item. */
  nextItem(payload: Json): string {
    const id = this.#idBehind(this.path.item, payload)
    this.path.item = id
    this.path.hasItems = true
    this.path.sides = 0
    return id
  }

  /** An entry for an item that is no part of a reply. */
  addItem(id: string, type: string, fields: Json): void {
    this.endReply()
    this.#add(id, { type, timestamp: this.time, fields })
  }

  /** An entry for a line that is no item. It follows the reply, if one is not complete. @param isOmitted whether the model does not get it */
  addSide(type: string, fields: Json, isOmitted = false): void {
    const side: NewSide = { type, timestamp: this.time, fields, ...(isOmitted && { isOmitted }) }
    if (this.path.pending) this.path.pending.after.push(side)
    else this.#addSide(side)
  }

  /** What Codex says to the person, and not to the model. */
  addNotice(customType: string, content: string, details: Json): void {
    this.addSide("custom_message", { customType, content, display: true, details }, true)
  }

  /** A compaction, which keeps nothing before itself: ids are hashed anew from it on, so that they are known without what it replaced. */
  addCompaction(payload: Json, fields: Json): void {
    const id = this.#idBehind(this.path.origin, payload)
    Object.assign(this.path, { item: id, sides: 0 })
    this.#add(id, { type: "compaction", timestamp: this.time, fields: { ...fields, firstKeptEntryId: id } })
  }

  /** Blocks of one item of a reply. */
  addToReply(id: string, blocks: readonly ContentBlock[]): void {
    const { path, time } = this
    if (path.pending?.isClosed) this.endReply()
    if (!path.pending) {
      const flags = { isClosed: false, isAborted: false }
      path.pending = { id, timestamp: time, updated: time, content: [], usage: path.loose, ...flags, after: [] }
      path.loose = undefined
    }
    path.pending.updated = time
    path.pending.content.push(...blocks)
  }

  /** Usage of the reply before it, or else of what follows. */
  addUsage(usage: TokenCounts): void {
    const { pending } = this.path
    this.measured(usage)
    if (pending && !pending.usage) pending.usage = usage
    else {
      this.endUsage()
      this.path.loose = usage
    }
  }

  /** Ends the response, and keeps how many tokens it had. */
  measured({ total }: TokenCounts): void {
    const { pending, window } = this.path
    if (pending) pending.isClosed = true
    if (fitsIn(window, total)) this.path.lastTokens = total
  }

  /** Usage that belongs to no reply becomes an entry of its own. */
  endUsage(): void {
    const { loose, provider, model, serviceTier } = this.path
    if (!loose) return
    this.path.loose = undefined
    const usage = usageOf(loose, serviceTier)
    this.addSide("usage", { provider, ...(model !== undefined && { model }), usage })
  }

  endReply(): void {
    const { pending, provider, model = "", isPartial, serviceTier } = this.path
    if (!pending) return
    this.path.pending = undefined
    const { id, content, timestamp } = pending
    const calls = content.some(({ type }) => type === "toolCall")
    const message = {
      role: "assistant",
      content,
      api: "openai-responses",
      provider,
      model,
      usage: usageOf(pending.usage, serviceTier),
      stopReason: pending.isAborted ? "aborted" : calls ? "toolUse" : "stop",
      ...(isPartial && { request: "rebuilt" }),
      ...(calls && { lostResult: LOST }),
      ...(content.some(({ type }) => type === "thinking") && { foreignThinking: "kept" }),
      timestamp: millis(pending.updated),
    }
    this.#add(id, { type: "message", timestamp, fields: { message } })
    for (const side of pending.after) this.#addSide(side)
  }

  #addSide(side: NewSide): void {
    const targetId = this.#sideId(side)
    this.#add(targetId, side)
    const { timestamp, isOmitted } = side
    if (isOmitted) this.#addSide({ type: "context_edit", timestamp, fields: { targetId, replacement: null } })
  }

  #sideId({ type, timestamp, fields }: NewSide): string {
    return this.#idBehind(this.path.item, [this.path.sides++, type, timestamp, fields])
  }

  #idBehind(item: string, payload: unknown): string {
    const id = this.#hash(item, payload)
    // Nothing of an earlier conversion followed an item of this one.
    const isNew = this.#ids.has(item)
    let free = id
    for (let number = 2; this.#ids.has(free) || (!isNew && this.#earlierIds.has(free)); number++)
      free = `${id}:${number}`
    this.#ids.set(free, item)
    return free
  }

  #add(id: string, { type, timestamp, fields }: NewSide): void {
    this.entries.push({ type, id, parentId: this.path.leaf, timestamp, ...fields })
    this.path.leaf = id
    this.last = id
  }
}

/** What Codex puts behind a call without a result. */
const LOST: LostResult = { text: "aborted", isError: false, isBehindCall: true }

/** Milliseconds since 1970; 0 for what is no time. */
export function millis(timestamp: string): number {
  return Date.parse(timestamp) || 0
}
