import { foldText } from "@treelog/session-core/prompt-history"
import { gramsOf } from "@treelog-internal/sqlite"
import type { Connection } from "../database/connection.js"
import { cwdId, cwdToken } from "./cwd-token.js"
import { deferDeletes } from "./deferred-deletes.js"

/** The indexed fields of a row. */
export interface IndexedText {
  readonly prompt: string
  readonly cwd: string | null
}

/**
 * Collects changes of `treelog_gram` and applies them together at the end: FTS5 buffers changes in memory, and a change of another
 * table in between can flush the buffer, which triples the time.
 */
export class TokenChanges {
  readonly #connection: Connection
  /** The tokens of folders. */
  readonly #tokens = new Map<string, string>()
  readonly #changes: { put: boolean; position: number; tokens: string }[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The tokens of a row: its grams and its folder. They are the same when the row is removed. */
  tokensOf({ prompt, cwd }: IndexedText): string {
    const grams = gramsOf(foldText(prompt))
    return cwd === null ? grams : `${grams} ${this.#tokenOf(cwd)}`
  }

  #tokenOf(cwd: string): string {
    const token = this.#tokens.get(cwd) ?? cwdToken(cwdId(this.#connection, cwd))
    this.#tokens.set(cwd, token)
    return token
  }

  put(position: number, tokens: string): void {
    this.#changes.push({ put: true, position, tokens })
  }

  remove(position: number, tokens: string): void {
    this.#changes.push({ put: false, position, tokens })
  }

  /**
   * Applies the changes in the order of positions: FTS5 flushes its buffer when a row id is not greater than the
   * last.
   * @param mostAtOnce if more rows are removed, their deletion is deferred
   */
  make(mostAtOnce: number): void {
    if (this.#changes.filter(({ put }) => !put).length > mostAtOnce) deferDeletes(this.#connection, "treelog_gram")
    const put = this.#connection.sql("INSERT INTO treelog_gram(rowid, grams) VALUES (?, ?)")
    const remove = this.#connection.sql("INSERT INTO treelog_gram(treelog_gram, rowid, grams) VALUES ('delete', ?, ?)")
    const changes = this.#changes.splice(0).sort((a, b) => a.position - b.position)
    for (const change of changes) (change.put ? put : remove).run(change.position, change.tokens)
  }
}
