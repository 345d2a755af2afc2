import type { SqliteConnection } from "@treelog-internal/sqlite"
import { EMPTY_HASH, HASH_PRIME, hashToSum } from "../tokens/token-hash.js"

// A number of 32 bits that follows from which rows have which tokens, whatever the order in which they were stored. The sum of what was
// stored is kept beside it, so that damage shows which leaves every table readable.

/** The sum of a token in one row, or of one token in several: of the sum of their ids. */
export function sumOf(token: string, ids: number): number {
  return Math.imul(hashToSum(token), ids | 0)
}

/** The sum of the neighbours of words in one row. */
export function neighbourSum(filter: Uint8Array, id: number, within: number): number {
  let hash = EMPTY_HASH
  for (const byte of filter) hash = Math.imul(hash ^ byte, HASH_PRIME)
  return Math.imul((hash ^ within) | 1, id | 0)
}

/** The sum of everything that is stored in a transaction. */
export class TableSum {
  #sum = 0

  add(sum: number): void {
    this.#sum = (this.#sum + sum) | 0
  }

  store(connection: SqliteConnection): void {
    connection.sql("UPDATE making SET sum = (sum + ?) & 0xffffffff").run(this.#sum >>> 0)
  }
}
