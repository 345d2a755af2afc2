import type { SqliteConnection } from "@treelog-internal/sqlite"

// The id of a text begins with its time in steps, so that the newest rows have the highest ids and no search has to sort. If a step is
// full, the next ones are used: the id of a row is never below those of its time.

/** Milliseconds. */
const STEP = 1000
/** Ids of one step. */
const SLOTS = 1024

/** The first id of the step of a time. Milliseconds since 1970. */
export function firstIdOf(time: number): number {
  return Math.floor(time / STEP) * SLOTS
}

/** A row with this id, or with a lower one, is older than this. Milliseconds since 1970. */
export function endOfStep(id: number): number {
  return (Math.floor(id / SLOTS) + 1) * STEP
}

/** All rows that are older than a time, in milliseconds since 1970, have lower ids than this. */
export function idsEndAt(connection: SqliteConnection, time: number): number {
  const { spill = 0 } = connection.sql("SELECT spill FROM making").get<{ spill: number }>() ?? {}
  return firstIdOf(time) + SLOTS + spill
}

/** Gives out unused ids, in a transaction. */
export class RowIds {
  readonly #connection: SqliteConnection
  /** The next free id of a step, which may lie in a later one. */
  readonly #next = new Map<number, number>()
  /** How far an id lies behind the step of its time. */
  #spill = 0

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  take(time: number): number {
    const first = firstIdOf(time)
    let step = first
    let id = this.#next.get(step) ?? this.#free(step)
    while (id >= step + SLOTS) {
      step = Math.floor(id / SLOTS) * SLOTS
      id = Math.max(id, this.#next.get(step) ?? this.#free(step))
    }
    this.#next.set(step, id + 1)
    this.#next.set(first, id + 1)
    this.#spill = Math.max(this.#spill, step - first)
    return id
  }

  /** Stores how far ids lie behind their times. */
  store(): void {
    if (this.#spill > 0) this.#connection.sql("UPDATE making SET spill = max(spill, ?)").run(this.#spill)
  }

  #free(step: number): number {
    const last = this.#connection.sql("SELECT max(id) AS id FROM text WHERE id >= ? AND id < ?")
    const { id } = last.get<{ id: number | null }>(step, step + SLOTS) ?? { id: null }
    return id === null ? step : id + 1
  }
}
