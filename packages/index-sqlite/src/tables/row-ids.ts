import type { SqliteConnection } from "@treelog-internal/sqlite"

// The ids of newer texts are lower, so that FTS5 returns the newest first, no search has to sort, and a first build, which begins with the
// newest sessions, appends to the tables. Each step of time has some ids, and the texts of an entry have ids in a row. If a step is full,
// those of a later time are used: no id of a row is above those of its time.

/** Milliseconds. With shorter steps, ids that follow one another in a list of FTS5 would differ more, and take more bytes. */
const STEP = 128_000
/** Ids of one step. With fewer, many forks of one session would fill the steps of other times, and searches would read those. */
const SLOTS = 1024
/** The ids of 1970 end here. With a higher one, each id would take more bytes. */
const END = 2 ** 35

/** The first id of the step of a time. Milliseconds since 1970. */
export function firstIdOf(time: number): number {
  return END - (Math.floor(time / STEP) + 1) * SLOTS
}

/** All rows from a time on have ids below this. Milliseconds since 1970. */
export function idsEndAt(time: number): number {
  return firstIdOf(time) + SLOTS
}

/** A row with this id, or with a higher one, is older than this. Milliseconds since 1970. */
export function endOfStep(id: number): number {
  return (END / SLOTS - Math.floor(id / SLOTS)) * STEP
}

/** All rows that are older than a time, in milliseconds since 1970, have this id or higher ones. */
export function idsBeginAt(connection: SqliteConnection, time: number): number {
  const { spill = 0 } = connection.sql("SELECT spill FROM making").get<{ spill: number }>() ?? {}
  return firstIdOf(time) - spill
}

/** Gives out unused ids, in a transaction. */
export class RowIds {
  readonly #connection: SqliteConnection
  /** The next free id of a step. */
  readonly #next = new Map<number, number>()
  /** Of a step that is full, one of a later time that may have free ids. */
  readonly #later = new Map<number, number>()
  /** From this id on, a step has only the ids that `#next` knows of: a first build begins with the newest entries. */
  #unused: number
  /** How far an id lies before the step of its time. */
  #spill = 0

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    const last = connection.sql("SELECT row, texts FROM entry ORDER BY row DESC LIMIT 1")
    const { row, texts } = last.get<{ row: number; texts: number }>() ?? { row: Number.MIN_SAFE_INTEGER, texts: 0 }
    this.#unused = row + Math.max(1, texts)
  }

  /** @returns the first of so many ids in a row */
  take(time: number, count: number): number {
    const first = firstIdOf(time)
    let step = count > SLOTS ? this.#beforeAll(count) : first
    let id = this.#freeIn(step)
    const full: number[] = []
    while (count <= SLOTS && id + count > step + SLOTS) {
      full.push(step)
      step = this.#later.get(step) ?? step - SLOTS
      id = this.#freeIn(step)
    }
    // Each of them is passed once, however many times have theirs before it.
    for (const one of full) this.#later.set(one, step)
    this.#next.set(step, id + count)
    if (count > SLOTS) this.#unused = Math.max(this.#unused, id + count)
    this.#spill = Math.max(this.#spill, first - step)
    return id
  }

  /** Stores how far ids lie before their times. */
  store(): void {
    if (this.#spill > 0) this.#connection.sql("UPDATE making SET spill = max(spill, ?)").run(this.#spill)
  }

  /** The first id of a step that no entry has, or one behind the step. */
  #freeIn(step: number): number {
    const next = this.#next.get(step)
    if (next !== undefined) return next
    if (step >= this.#unused) return step
    const last = this.#connection.sql("SELECT row, texts FROM entry WHERE row < ? ORDER BY row DESC LIMIT 1")
    const { row, texts } = last.get<{ row: number; texts: number }>(step + SLOTS) ?? {
      row: Number.MIN_SAFE_INTEGER,
      texts: 0,
    }
    return Math.max(step, row + Math.max(1, texts))
  }

  /** A step before all entries: more texts than a step has ids could not be put between others. */
  #beforeAll(count: number): number {
    const { row } = this.#connection.sql("SELECT min(row) AS row FROM entry").get<{ row: number | null }>() ?? {}
    return Math.floor(((row ?? END) - count) / SLOTS) * SLOTS
  }
}
