/** What a rollback takes back: all that follows a prompt, or the request of another agent. */
export interface Turn {
  /** Undefined where no person began it. */
  readonly prompt?: string | undefined
  readonly before: Place
}

/** Where a path was, and the settings there: numbers of its texts, -1 of what is not known. */
export type Place = readonly [leaf: string | null, item: string, ...settings: number[]]

/** Turns as plain JSON. */
export interface SavedTurns {
  readonly count: number
  /** Of an array, without its brackets. */
  readonly json: string
}

const NONE: SavedTurns = { count: 0, json: "" }

/** The turns of a path. Those of an earlier conversion are read when they are needed, as few lines do. */
export class TurnList {
  #earlier: SavedTurns
  readonly #added: Turn[] = []

  constructor(saved = NONE) {
    this.#earlier = saved
  }

  get length(): number {
    return this.#earlier.count + this.#added.length
  }

  /** Those of this conversion, or all. */
  get added(): readonly Turn[] {
    return this.#added
  }

  get all(): readonly Turn[] {
    this.#read()
    return this.#added
  }

  add(turn: Turn): void {
    this.#added.push(turn)
  }

  /** Removes the last ones, or all if there are not so many. @returns the first of them */
  removeLast(count: number): Turn | undefined {
    if (count > this.#added.length) this.#read()
    const [first] = count > 0 ? this.#added.splice(Math.max(0, this.#added.length - count)) : []
    return first
  }

  #read(): void {
    this.#added.unshift(...JSON.parse(`[${this.#earlier.json}]`))
    this.#earlier = NONE
  }

  copy(): TurnList {
    const copy = new TurnList(this.#earlier)
    copy.#added.push(...this.#added)
    return copy
  }

  get saved(): SavedTurns {
    const { count, json } = this.#earlier
    const added = JSON.stringify(this.#added).slice(1, -1)
    return { count: this.length, json: count > 0 && added !== "" ? `${json},${added}` : json + added }
  }
}
