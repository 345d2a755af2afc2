import {
  type IndexedState,
  type IndexTables,
  isMatchedWithinWords,
  type PlacedFacts,
} from "@treelog/session-core/search"
import type { TextTokenizer } from "../tokens/text-tokens.js"

type IndexChange = Parameters<IndexTables["put"]>[0]

/** A change of a session, without its entries; without a state, its removal. */
export interface PackedChange {
  readonly former: IndexedState | undefined
  readonly state?: IndexedState
  readonly from?: number
  /** How many entries it has. */
  readonly entries?: number
}

/**
 * Changes with all that is derived from their entries without the tables, the tokens of texts among it. In few arrays, the entries of each
 * change from the last one on: to send as many objects to a thread takes half of what the thread gains.
 */
export interface PackedChanges {
  readonly changes: readonly PackedChange[]
  readonly numbers: Float64Array<ArrayBuffer>
  readonly strings: readonly string[]
  readonly filters: Uint8Array<ArrayBuffer>
}

/** What an entry has besides its texts, and how many these are. */
export interface PackedEntry extends Omit<PlacedFacts, "texts" | "targetId"> {
  readonly texts: number
}

/** A text with its tokens. */
export interface PackedText {
  readonly role: PlacedFacts["texts"][number]["role"]
  readonly model: string | undefined
  readonly tool: string | undefined
  readonly words: string
  readonly pairs: string
  readonly neighbours: Uint8Array | undefined
}

type Lists = Pick<PlacedFacts, "usages" | "readFiles" | "changedFiles">

const NO_LISTS: Lists = { usages: [], readFiles: [], changedFiles: [] }
/** In place of a length, and of a string that is none. */
const [NONE, NO_STRING] = [-1, ""]

/** Collects changes. */
export class ChangePacker {
  readonly #tokenizer: TextTokenizer
  #changes: PackedChange[] = []
  #numbers: number[] = []
  #strings: string[] = []
  #filters = new Uint8Array(2 ** 16)
  #filled = 0

  constructor(tokenizer: TextTokenizer) {
    this.#tokenizer = tokenizer
  }

  add({ former, state, from, facts }: IndexChange): void {
    this.#changes.push({ former, state, from, entries: facts.length })
    for (let at = facts.length - 1; at >= 0; at--) this.#addEntry(facts[at] as PlacedFacts)
  }

  remove(former: IndexedState): void {
    this.#changes.push({ former })
  }

  /** What was collected since the last call. */
  take(): PackedChanges {
    const filters = this.#filters.slice(0, this.#filled)
    const taken = { changes: this.#changes, numbers: new Float64Array(this.#numbers), strings: this.#strings, filters }
    this.#changes = []
    this.#numbers = []
    this.#strings = []
    this.#filled = 0
    return taken
  }

  #addEntry({
    id,
    timestamp,
    time,
    offset,
    length,
    digest,
    content,
    texts,
    usages,
    readFiles,
    changedFiles,
  }: PlacedFacts): void {
    const isListed = usages.length + readFiles.length + changedFiles.length > 0
    this.#numbers.push(time, offset, length, digest, content, texts.length)
    this.#strings.push(id, timestamp, isListed ? JSON.stringify({ usages, readFiles, changedFiles }) : NO_STRING)
    for (const { role, text, model = NO_STRING, tool = NO_STRING } of texts) {
      const { words, pairs, neighbours } = this.#tokenizer.tokens(text, isMatchedWithinWords(role))
      this.#numbers.push(neighbours?.length ?? NONE)
      this.#strings.push(role, model, tool, words, pairs)
      if (neighbours) this.#addFilter(neighbours)
    }
  }

  #addFilter(filter: Uint8Array): void {
    const filled = this.#filled + filter.length
    if (filled > this.#filters.length) {
      const longer = new Uint8Array(2 * filled)
      longer.set(this.#filters)
      this.#filters = longer
    }
    this.#filters.set(filter, this.#filled)
    this.#filled = filled
  }
}

/** Reads the entries of changes, each followed by its texts. */
export class ChangeReader {
  readonly #packed: PackedChanges
  #number = 0
  #string = 0
  #filter = 0

  constructor(packed: PackedChanges) {
    this.#packed = packed
  }

  entry(): PackedEntry {
    const [id, timestamp, lists] = [this.#nextString(), this.#nextString(), this.#nextString()]
    return {
      id,
      timestamp,
      time: this.#nextNumber(),
      offset: this.#nextNumber(),
      length: this.#nextNumber(),
      digest: this.#nextNumber(),
      content: this.#nextNumber(),
      texts: this.#nextNumber(),
      ...(lists === NO_STRING ? NO_LISTS : (JSON.parse(lists) as Lists)),
    }
  }

  text(): PackedText {
    const length = this.#nextNumber()
    const role = this.#nextString() as PackedText["role"]
    const [model, tool] = [this.#nextString() || undefined, this.#nextString() || undefined]
    const [words, pairs] = [this.#nextString(), this.#nextString()]
    const filter = this.#packed.filters.subarray(this.#filter, this.#filter + Math.max(0, length))
    this.#filter += filter.length
    return { role, model, tool, words, pairs, neighbours: length === NONE ? undefined : filter }
  }

  #nextNumber(): number {
    return this.#packed.numbers[this.#number++] as number
  }

  #nextString(): string {
    return this.#packed.strings[this.#string++] as string
  }
}
