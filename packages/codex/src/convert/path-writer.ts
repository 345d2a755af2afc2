import type { ContentBlock } from "@treelog/session-core"
import type { Json } from "@treelog-internal/agent-files"
import { itemId } from "./item-id.js"
import type { PathState, PendingReply } from "./path-state.js"
import { fitsIn, type TokenCounts, usageOf } from "./usage.js"

/** Makes the id of what follows an item. */
export type ItemHash = typeof itemId

/** Adds entries to the end of a path. */
export class PathWriter {
  path: PathState
  /** Entries that are ready, in order. */
  readonly entries: Json[] = []
  /** The id of the last entry, on whichever path. */
  last: string | null = null
  /** Every id so far: equal items after a rollback have equal hashes. */
  readonly #ids = new Set<string>()
  readonly #hash: ItemHash

  constructor(path: PathState, hash: ItemHash = itemId) {
    this.path = path
    this.#hash = hash
  }

  /** The id of the next item. */
  nextItem(payload: Json): string {
    const id = this.#unused(this.#hash(this.path.item, payload))
    this.path.item = id
    this.path.hasItems = true
    this.path.sides = 0
    return id
  }

  /** An entry for an item that is no part of a reply. */
  addItem(id: string, type: string, timestamp: string, fields: Json): void {
    this.endReply()
    this.#add(id, type, timestamp, fields)
  }

  /** An entry for a line that is no item. It follows the reply, if one is not complete. */
  addSide(type: string, timestamp: string, fields: Json): void {
    const { pending } = this.path
    if (pending) pending.after.push({ type, timestamp, fields })
    else this.#addSide(type, timestamp, fields)
  }

  /** A compaction, which keeps nothing before itself. */
  addCompaction(timestamp: string, fields: Json): void {
    this.endReply()
    const id = this.#sideId("compaction", timestamp, fields)
    this.#add(id, "compaction", timestamp, { ...fields, firstKeptEntryId: id })
  }

  /** Blocks of one item of a reply. */
  addToReply(id: string, timestamp: string, blocks: readonly ContentBlock[]): void {
    if (this.path.pending?.isClosed) this.endReply()
    this.path.pending ??= this.#newReply(id, timestamp)
    this.path.pending.updated = timestamp
    this.path.pending.content.push(...blocks)
  }

  #newReply(id: string, timestamp: string): PendingReply {
    const { loose } = this.path
    this.path.loose = undefined
    return {
      id,
      timestamp,
      updated: timestamp,
      content: [],
      usage: loose,
      isClosed: false,
      isAborted: false,
      after: [],
    }
  }

  /** Usage of the reply before it, or else of what follows. */
  addUsage(usage: TokenCounts, timestamp: string): void {
    const { pending } = this.path
    this.measured(usage)
    if (pending) pending.isClosed = true
    if (pending && !pending.usage) pending.usage = usage
    else {
      this.endUsage(timestamp)
      this.path.loose = usage
    }
  }

  /** Keeps how many tokens the last response had. */
  measured({ total }: TokenCounts): void {
    if (fitsIn(this.path.window, total)) this.path.lastTokens = total
  }

  /** Usage that belongs to no reply becomes an entry of its own. */
  endUsage(timestamp: string): void {
    const { loose, provider, model, serviceTier } = this.path
    if (!loose) return
    this.path.loose = undefined
    this.addSide("usage", timestamp, {
      provider,
      ...(model !== undefined && { model }),
      usage: usageOf(loose, serviceTier),
    })
  }

  endReply(): void {
    const { pending, provider, model = "", isPartial, serviceTier } = this.path
    if (!pending) return
    this.path.pending = undefined
    const calls = pending.content.some(({ type }) => type === "toolCall")
    const message = {
      role: "assistant",
      content: pending.content,
      api: "openai-responses",
      provider,
      model,
      usage: usageOf(pending.usage, serviceTier),
      stopReason: pending.isAborted ? "aborted" : calls ? "toolUse" : "stop",
      ...(isPartial && { request: "rebuilt" }),
      timestamp: millis(pending.updated),
    }
    this.#add(pending.id, "message", pending.timestamp, { message })
    for (const { type, timestamp, fields } of pending.after) this.#addSide(type, timestamp, fields)
  }

  #addSide(type: string, timestamp: string, fields: Json): void {
    this.#add(this.#sideId(type, timestamp, fields), type, timestamp, fields)
  }

  #sideId(type: string, timestamp: string, fields: Json): string {
    return this.#unused(this.#hash(this.path.item, [this.path.sides++, type, timestamp, fields]))
  }

  #unused(id: string): string {
    let free = id
    for (let number = 2; this.#ids.has(free); number++) free = `${id}:${number}`
    this.#ids.add(free)
    return free
  }

  #add(id: string, type: string, timestamp: string, fields: Json): void {
    this.entries.push({ type, id, parentId: this.path.leaf, timestamp, ...fields })
    this.path.leaf = id
    this.last = id
  }
}

/** Milliseconds since 1970; 0 for what is no time. */
export function millis(timestamp: string): number {
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? 0 : time
}
