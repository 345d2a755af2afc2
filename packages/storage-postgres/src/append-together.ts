import type { PostgresRow, PostgresValue } from "./client.js"
import type { Database, Purpose } from "./database.js"
import { APPEND, APPEND_MANY, APPEND_TOGETHER, MOST_TOGETHER, PIECE_BYTES } from "./statements.js"

/** Key, owner, object, expected size, bytes. */
type AppendValues = readonly [string, string, string, number, Uint8Array]

interface Waiting {
  readonly purpose: Purpose
  readonly values: AppendValues
  readonly answer: (rows: Promise<readonly PostgresRow[]>) => void
}

/**
 * Sends appends to several sessions that are made in one turn of the event loop as one statement. Each is behind its own fence: one that
 * is refused changes nothing for the others.
 */
export class AppendsTogether {
  readonly #database: Database
  #waiting: Waiting[] = []

  constructor(database: Database) {
    this.#database = database
  }

  /** @returns a row with the new size if the bytes were appended. @throws StorageError */
  add(purpose: Purpose, values: AppendValues): Promise<readonly PostgresRow[]> {
    const [key, , , , bytes] = values
    if (bytes.length > PIECE_BYTES) return this.#database.query(purpose, APPEND_MANY, values)
    // Two appends to one session have an order.
    if (this.#waiting.length === MOST_TOGETHER || this.#waiting.some((one) => one.values[0] === key)) this.#send()
    if (this.#waiting.length === 0) setImmediate(() => this.#send())
    return new Promise((answer) => this.#waiting.push({ purpose, values, answer }))
  }

  #send(): void {
    const waiting = this.#waiting
    this.#waiting = []
    const [first] = waiting
    if (first === undefined) return
    if (waiting.length === 1) {
      first.answer(this.#alone(first))
      return
    }
    const values = waiting.flatMap((one): readonly PostgresValue[] => one.values)
    const sent = this.#database.query(first.purpose, APPEND_TOGETHER[waiting.length] ?? "", values)
    for (const one of waiting)
      one.answer(
        sent.then(
          (rows) => rows.filter(({ key }) => key === one.values[0]),
          // Alone, each gets its own error; what was stored anyway is found by the lease.
          () => this.#alone(one),
        ),
      )
  }

  #alone({ purpose, values }: Waiting): Promise<readonly PostgresRow[]> {
    return this.#database.query(purpose, APPEND, values)
  }
}
