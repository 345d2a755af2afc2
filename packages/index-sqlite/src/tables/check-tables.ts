import { pragma, type SqliteConnection } from "@treelog-internal/sqlite"
import { gramsOf } from "../tokens/grams.js"
import { COPY, FIRST } from "./copies.js"
import { damagedTables } from "./damaged-tables.js"
import { neighbourSum, sumOf } from "./table-sum.js"
import { WRONG_USAGE_SUMS } from "./usage-sums.js"

/** What FTS5 has of each token: the sum of the ids of its rows. */
const SUMS = "SELECT term AS token, sum(doc % 4294967296) % 4294967296 AS ids FROM"

/**
 * Checks what no comparison with the sessions shows: the pages and indexes, the words, where they stand, which copy of an entry counts,
 * and the sums of what was used.
 * To be called in a transaction, since others may write. @throws an error of a damaged file
 */
export function checkTables(connection: SqliteConnection): void {
  const { sum } = connection.sql("SELECT sum FROM making").get<{ sum: number }>() ?? {}
  if (sum !== (wordSum(connection) + neighboursSum(connection) + entrySum(connection)) >>> 0)
    throw damagedTables("words")
  if (vocabularySum(connection, "part_vocabulary") !== partSum(connection)) throw damagedTables("parts of words")
  if (connection.sql(WRONG_COPIES).get() !== undefined) throw damagedTables("copies")
  if (connection.sql(WRONG_USAGE_SUMS).get() !== undefined) throw damagedTables("sums")
  // At last: it has FTS5 check what is stored against what FTS5 remembers, which only the queries above bring up to date.
  if (pragma(connection.db, "integrity_check(1)") !== "ok") throw damagedTables("tables")
}

/** Of the words, and of the newest row of each that terms match by its characters. */
function wordSum(connection: SqliteConnection): number {
  let sum = vocabularySum(connection, "words_vocabulary")
  const words = connection.sql("SELECT text, newest FROM word")
  for (const { text, newest } of words.iterate<{ text: string; newest: number }>())
    sum = (sum + sumOf(text, newest)) | 0
  return sum
}

function vocabularySum(connection: SqliteConnection, vocabulary: "words_vocabulary" | "part_vocabulary"): number {
  let sum = 0
  const tokens = connection.sql(`${SUMS} ${vocabulary} GROUP BY term`)
  for (const { token, ids } of tokens.iterate<{ token: string; ids: number }>()) sum = (sum + sumOf(token, ids)) | 0
  return sum
}

/** What the parts of all words should be. */
function partSum(connection: SqliteConnection): number {
  let sum = 0
  for (const { n, text } of connection.sql("SELECT n, text FROM word").iterate<{ n: number; text: string }>())
    for (const gram of gramsOf(String(text))) sum = (sum + sumOf(gram, n)) | 0
  return sum
}

function neighboursSum(connection: SqliteConnection): number {
  let sum = 0
  const all = connection.sql("SELECT row, within, filter FROM neighbours")
  for (const { row, within, filter } of all.iterate<{ row: number; within: number; filter: Uint8Array }>())
    sum = (sum + neighbourSum(filter, row, within)) | 0
  return sum
}

function entrySum(connection: SqliteConnection): number {
  const find = connection.sql("SELECT sum(row % 4294967296) % 4294967296 AS rows FROM entry")
  return find.get<{ rows: number | null }>()?.rows ?? 0
}

/** Of the entries with one identity, one counts, and where it is not the only one, it knows that. */
const WRONG_COPIES = `
  SELECT id FROM entry WHERE session <> 0 GROUP BY time, id, stamp, content
  HAVING sum(copies <> ${COPY}) <> 1 OR (count(*) > 1 AND sum(copies = ${FIRST}) <> 1) LIMIT 1`
