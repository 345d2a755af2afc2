import { type Line, linesOf, parseLine } from "@treelog/session-core/adapter"
import type { JsonObject } from "../json-values.js"
import { headOf, type RecordHead } from "../source/record-head.js"
import { CLAUDE_RECORDS } from "../source/source-index.js"

export interface SeenRecord {
  readonly value: JsonObject
  readonly head: RecordHead
}

/** The beginning of a line of the conversation. Titles and other notes begin in other ways. */
const OF_CONVERSATION = /* @__PURE__ */ new TextEncoder().encode('{"parentUuid":')

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/** The lines at the ends of a file. A line is parsed when its records are asked for: a list needs few of them. */
export class EndLines {
  readonly #lines: readonly Line[]
  /** How many are at the start. */
  readonly #headCount: number
  readonly #records: (readonly SeenRecord[] | undefined)[] = []

  readonly #parts: readonly Uint8Array[]
  #texts: readonly string[] | undefined

  /** @param tail empty where the head is the whole file */
  constructor(head: Uint8Array, tail: Uint8Array) {
    this.#parts = [head, tail]
    const lines = [...linesOf(head)]
    this.#headCount = lines.length
    this.#lines = [...lines, ...linesOf(tail)]
  }

  *head(): Generator<SeenRecord> {
    for (let at = 0; at < this.#headCount; at++) yield* this.#recordsAt(at)
  }

  /** The lines that may be a title or another note. */
  *notes(): Generator<SeenRecord> {
    for (const [at, { bytes }] of this.#lines.entries())
      if (!OF_CONVERSATION.every((byte, index) => bytes[index] === byte)) yield* this.#recordsAt(at)
  }

  /** Whether a line has this uuid. Most lines that name one belong to other sessions, so that nothing is parsed for them. */
  hasUuid(uuid: string): boolean {
    this.#texts ??= this.#parts.map((bytes) => decoder.decode(bytes))
    if (!this.#texts.some((text) => text.includes(uuid))) return false
    for (const { value } of this.fromStart()) if (value.uuid === uuid) return true
    return false
  }

  *fromStart(): Generator<SeenRecord> {
    for (const at of this.#lines.keys()) yield* this.#recordsAt(at)
  }

  *fromEnd(): Generator<SeenRecord> {
    for (let at = this.#lines.length - 1; at >= 0; at--) yield* [...this.#recordsAt(at)].reverse()
  }

  #recordsAt(at: number): readonly SeenRecord[] {
    const line = this.#lines[at]
    if (!line) return []
    this.#records[at] ??= parseLine(line, CLAUDE_RECORDS).records.map(({ value, place }) => ({
      value,
      head: headOf(value, place.length),
    }))
    return this.#records[at]
  }
}
