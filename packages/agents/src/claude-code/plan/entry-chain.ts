import type { SessionEntry } from "@treelog/session-core"
import type { EntryBody } from "../entries/entry-bodies.js"
import type { Node } from "../link/node.js"
import type { SourceRecord } from "../source/source-record.js"

/** The entries of a transcript as they are made: each behind the one that was added last, or behind those of the node above. */
export class EntryChain {
  readonly #entries: SessionEntry[] = []
  readonly #startTime: string
  /** By position of a record: its time, or that of one before. */
  readonly #times: string[] = []
  /** The end of what precedes the first node. */
  #start: string | null
  /** The node that was begun last. */
  node: Node | undefined

  /**
   * @param startTime of what precedes the first record that has a time
   * @param node the one before the records
   */
  constructor(records: readonly SourceRecord[], startTime: string, start: string | null = null, node?: Node) {
    this.#startTime = startTime
    this.#start = start
    this.node = node
    let last = startTime
    for (const { time } of records) {
      last = time ?? last
      this.#times.push(last)
    }
  }

  get start(): string | null {
    return this.#start
  }

  /** Begins the entries of a node. */
  begin(node: Node): void {
    node.lastId = this.endOf(node.parent)
    this.node = node
  }

  /** The entry on which hangs what follows a node, or what precedes all nodes. */
  endOf(node: Node | undefined): string | null {
    return node ? (node.lastId ?? null) : this.#start
  }

  /** @param at the position of the record that it is made of */
  add(id: string, body: EntryBody, at: number, timestamp = this.timeAt(at)): void {
    const { type, ...fields } = body
    this.#entries.push({ type, id, parentId: this.endOf(this.node), timestamp, ...fields } as SessionEntry)
    if (this.node) this.node.lastId = id
    else this.#start = id
  }

  /** What was added since the last call. */
  take(): SessionEntry[] {
    return this.#entries.splice(0)
  }

  timeAt(at: number): string {
    return this.#times[at] ?? this.#startTime
  }

  /** Milliseconds since 1970; 0 where the time cannot be read. */
  millisAt(at: number): number {
    return Date.parse(this.timeAt(at)) || 0
  }
}
