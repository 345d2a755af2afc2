import { foldPrompt } from "@treelog/session-core/prompt-history"
import type { Connection } from "../database/connection.js"
import { cwdId, cwdToken } from "./cwd-token.js"
import { deferDeletes } from "./deferred-deletes.js"
import { gramsOf } from "./grams.js"

/** What is indexed of a row. */
export interface IndexedText {
  readonly prompt: string
  readonly cwd: string | null
}

/**
 * Changes of `treelog_gram`, collected to be made all together at the end: FTS5 gathers what it is given in memory,
 * and a change of another table in between can make it write that out, at a third of the speed.
 */
export class TokenChanges {
  readonly #connection: Connection
  /** Of folders. */
  readonly #tokens = new Map<string, string>()
  readonly #changes: { put: boolean; position: number; tokens: string }[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The tokens of a row: its grams, and its folder. The same row gives the same ones when it is taken out again. */
  tokensOf({ prompt, cwd }: IndexedText): string {
    const grams = gramsOf(foldPrompt(prompt))
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
   * In the order of the positions: FTS5 writes out what it collected whenever a row id is not greater than the
   * last.
   * @param mostAtOnce where more than so many are removed, they are marked
   */
  make(mostAtOnce: number): void {
    if (this.#changes.filter(({ put }) => !put).length > mostAtOnce) deferDeletes(this.#connection, "treelog_gram")
    const put = this.#connection.sql("INSERT INTO treelog_gram(rowid, grams) VALUES (?, ?)")
    const remove = this.#connection.sql("INSERT INTO treelog_gram(treelog_gram, rowid, grams) VALUES ('delete', ?, ?)")
    const changes = this.#changes.splice(0).sort((a, b) => a.position - b.position)
    for (const change of changes) (change.put ? put : remove).run(change.position, change.tokens)
  }
}
