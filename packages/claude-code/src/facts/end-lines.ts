import { type Line, LineSplitter, linesOf, parseLine } from "@treelog/session-core/adapter"
import type { Json } from "@treelog-internal/agent-files"
import { BLOCK, type ByteSource } from "../source/byte-source.js"
import { headOf, type RecordHead } from "../source/record-head.js"
import { CLAUDE_RECORDS } from "../source/source-index.js"

export interface SeenRecord {
  readonly value: Json
  readonly head: RecordHead
}

/** The lines between the ends of a file. Bytes. */
export interface Middle {
  readonly source: ByteSource
  readonly from: number
  readonly to: number
}

const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })
/** The beginning of a line of the conversation. Titles and other notes begin in other ways. */
const OF_CONVERSATION = /* @__PURE__ */ encoder.encode('{"parentUuid":')
const TITLE = /"type"\s*:\s*"(?:custom-title|agent-name|ai-title|summary)"/
/** A title has its type within so many bytes. */
const TITLE_HEAD = 512
const LF = 0x0a
const OPEN = 0x7b
const CLOSE = 0x7d
const UUID = /"uuid":"([^"\\]+)"/g

/** The lines at the ends of a file, and those between them, which are read where the ends are not enough. */
export class EndLines {
  readonly #lines: readonly Line[]
  /** How many are at the start. */
  readonly #headCount: number
  readonly #records: (readonly SeenRecord[] | undefined)[] = []
  readonly #parts: readonly Uint8Array[]
  readonly #middle: Middle | undefined
  #uuids: Set<string> | undefined

  /** @param tail empty where the head is the whole file */
  constructor(head: Uint8Array, tail: Uint8Array, middle?: Middle) {
    this.#parts = [head, tail]
    this.#middle = middle
    const lines = [...linesOf(head)]
    this.#headCount = lines.length
    this.#lines = [...lines, ...linesOf(tail)]
  }

  *head(): Generator<SeenRecord> {
    for (let at = 0; at < this.#headCount; at++) yield* this.#recordsAt(at)
  }

  /** The lines that may have a title. */
  *titles(): Generator<SeenRecord> {
    for (let at = 0; at <= this.#lines.length; at++) {
      if (at === this.#headCount)
        for (const line of this.#middleLines()) if (mayHaveTitle(line.bytes)) yield* recordsOf(line)
      const bytes = this.#lines[at]?.bytes
      if (bytes && mayHaveTitle(bytes)) yield* this.#recordsAt(at)
    }
  }

  /** Whether a line has this uuid. Most lines that name one belong to other sessions. */
  hasUuid(uuid: string): boolean {
    this.#uuids ??= new Set(this.#uuidTexts())
    return this.#uuids.has(uuid)
  }

  *fromStart(): Generator<SeenRecord> {
    yield* this.head()
    for (const line of this.#middleLines()) yield* recordsOf(line)
    for (let at = this.#headCount; at < this.#lines.length; at++) yield* this.#recordsAt(at)
  }

  *fromEnd(): Generator<SeenRecord> {
    for (let at = this.#lines.length - 1; at >= this.#headCount; at--) yield* [...this.#recordsAt(at)].reverse()
    for (const line of this.#middleFromEnd()) yield* recordsOf(line).reverse()
    for (let at = this.#headCount - 1; at >= 0; at--) yield* [...this.#recordsAt(at)].reverse()
  }

  *#uuidTexts(): Generator<string> {
    for (const bytes of this.#parts) for (const [, uuid = ""] of decoder.decode(bytes).matchAll(UUID)) yield uuid
    for (const { bytes } of this.#middleLines())
      for (const [, uuid = ""] of decoder.decode(bytes).matchAll(UUID)) yield uuid
  }

  *#middleLines(): Generator<Line> {
    const { source, from, to } = this.#middle ?? { from: 0, to: 0 }
    const splitter = new LineSplitter({ line: 1, offset: from })
    for (let offset = from; source && offset < to; ) {
      const bytes = source.read(offset, Math.min(4 * BLOCK, to - offset))
      if (bytes.length === 0) break
      yield* splitter.push(bytes)
      offset += bytes.length
    }
    yield* splitter.finish()
  }

  *#middleFromEnd(): Generator<Line> {
    if (!this.#middle) return
    const { source, from, to } = this.#middle
    let end = to
    for (let size = BLOCK; end > from; size *= 2) {
      const start = Math.max(from, end - size)
      const bytes = source.read(start, end - start).slice()
      // What precedes the first line end belongs to a line that begins before.
      const first = start === from ? 0 : bytes.indexOf(LF) + 1
      if (first === 0 && start > from) continue
      yield* [...linesOf(bytes.subarray(first))].reverse()
      end = start + first
    }
  }

  #recordsAt(at: number): readonly SeenRecord[] {
    const line = this.#lines[at]
    if (!line) return []
    this.#records[at] ??= recordsOf(line)
    return this.#records[at]
  }
}

function recordsOf(line: Line): SeenRecord[] {
  return parseLine(line, CLAUDE_RECORDS).records.map(({ value, place }) => ({
    value,
    head: headOf(value, place.length),
  }))
}

/** Whether it begins with a title, or has one glued to its end. */
function mayHaveTitle(bytes: Uint8Array): boolean {
  const last = bytes.lastIndexOf(OPEN)
  const isGlued = last > 0 && bytes[last - 1] === CLOSE
  return (!startsWith(bytes, OF_CONVERSATION) && hasTitleAt(bytes, 0)) || (isGlued && hasTitleAt(bytes, last))
}

function hasTitleAt(bytes: Uint8Array, at: number): boolean {
  return TITLE.test(decoder.decode(bytes.subarray(at, at + TITLE_HEAD)))
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}
