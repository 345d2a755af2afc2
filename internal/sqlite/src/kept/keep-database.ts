// A copy of the rows of a database, from which nothing is deleted: what its program deletes stays, and what it changes is changed. All is done in one
// transaction of the copy, whose journal SQLite syncs: after a kill it is what it was before. The database is read in a copy (open-copy.ts).

import type { SqliteDatabase, SqliteDriver, SqliteValue } from "../driver/sqlite-driver.js"
import { retryBusy } from "../retry-busy.js"
import { PATIENCE } from "../snapshot/foreign-database.js"
import { openCopy } from "../snapshot/open-copy.js"
import { inTransaction } from "../sqlite-connection.js"
import { toStorageError } from "../sqlite-fault.js"
import { rowsFrom } from "./session-rows.js"
import { createIndexes, createTable, type LostRow, type PlainTable, plainTables, quoted, type Row } from "./tables.js"

export interface KeepRowsOptions {
  readonly driver: SqliteDriver
  /** The database, an absolute path. It is only read. */
  readonly from: string
  /** Its copy, which is made where there is none. An absolute path. */
  readonly to: string
  /** Whether what a row has now lacks something that it had. */
  readonly loses: (before: Row, now: Row) => boolean
  /** Called with the rows that lose something, as they were, before anything is changed. */
  readonly onLost: (lost: readonly LostRow[]) => Promise<void>
}

export interface KeptRows {
  /** Rows that were new or different. */
  readonly rows: number
  /** The `databaseVersion` of what was read; undefined where a later change could have the same. */
  readonly version: string | undefined
  /** Whether the tables are others than those of the copy, which then has not one row more. */
  readonly isOther: boolean
}

/** Brings the copy of a database up to date; undefined where there is none, or an empty one. @throws StorageError */
export async function keepRows({ driver, from, to, loses, onLost }: KeepRowsOptions): Promise<KeptRows | undefined> {
  const copy = await retryBusy(() => openCopy(driver, from), PATIENCE).catch((error: unknown) => {
    throw toStorageError(error, "The database", from, "copy")
  })
  if (!copy) return undefined
  const { db, version } = copy
  try {
    db.exec(`ATTACH DATABASE '${to.replaceAll("'", "''")}' AS kept`)
    db.exec("PRAGMA kept.synchronous = FULL; PRAGMA temp_store = MEMORY")
    const tables = plainTables(db, "main")
    const known = new Map(plainTables(db, "kept").map((table) => [table.name, table]))
    if (known.size > 0 && tables.some((table) => isOtherTable(table, known.get(table.name))))
      return { rows: 0, version, isOther: true }
    const lost = tables.flatMap((table) => lostRows(db, table, known.get(table.name), loses))
    if (lost.length > 0) await onLost(lost)
    let rows = 0
    inTransaction(
      db,
      () => {
        for (const table of tables) rows += keepTable(db, table, known.get(table.name))
        for (const index of createIndexes(db, "kept", tables)) db.exec(index)
      },
      "DEFERRED",
    )
    return { rows, version, isOther: false }
  } catch (error) {
    throw toStorageError(error, "The database", from, "copy")
  } finally {
    db.close()
  }
}

/** A table that is new, or whose key or columns are not those that the copy has, or these and more. */
function isOtherTable(table: PlainTable, known: PlainTable | undefined): boolean {
  if (!known) return true
  const columns = new Set(table.columns.map(({ name }) => name))
  return table.key.join("\0") !== known.key.join("\0") || !known.columns.every(({ name }) => columns.has(name))
}

/** What a row of the database and the one with its key in the copy have in common: `s` and `k`. */
function comparison({ columns, key }: PlainTable): { readonly joined: string; readonly isSame: string } {
  const joined = key.map((column) => `k.${quoted(column)} IS s.${quoted(column)}`).join(" AND ")
  const others = columns.filter(({ name }) => !key.includes(name)).map(({ name }) => quoted(name))
  return { joined, isSame: others.map((column) => `k.${column} IS s.${column}`).join(" AND ") || "1" }
}

function lostRows(
  db: SqliteDatabase,
  table: PlainTable,
  known: PlainTable | undefined,
  loses: KeepRowsOptions["loses"],
): LostRow[] {
  if (!known || known.key.length === 0) return []
  const { joined, isSame } = comparison(known)
  const columns = known.columns.map(({ name }, at) => `k.${quoted(name)} AS b${at}, s.${quoted(name)} AS n${at}`)
  const query = `SELECT ${columns} FROM main.${quoted(table.name)} s JOIN kept.${quoted(table.name)} k ON ${joined} WHERE NOT (${isSame})`
  const lost: LostRow[] = []
  for (const both of rowsFrom(db.prepare(query))) {
    const rowOf = (side: string): Row =>
      Object.fromEntries(known.columns.map(({ name }, at) => [name, both[`${side}${at}`] as SqliteValue]))
    if (loses(rowOf("b"), rowOf("n"))) lost.push({ table: known, row: rowOf("b") })
  }
  return lost
}

/** @returns how many rows were new or different */
function keepTable(db: SqliteDatabase, table: PlainTable, known: PlainTable | undefined): number {
  const { name, columns, key } = table
  const [own, kept] = [`main.${quoted(name)}`, `kept.${quoted(name)}`]
  const names = columns.map((column) => quoted(column.name))
  if (!known) db.exec(createTable("kept", table))
  const before = new Set(known?.columns.map((column) => column.name))
  for (const column of known ? columns : [])
    if (!before.has(column.name)) db.exec(`ALTER TABLE ${kept} ADD COLUMN ${quoted(column.name)}`)
  if (key.length === 0)
    return changes(db, `INSERT INTO ${kept} (${names}) SELECT ${names} FROM ${own} EXCEPT SELECT ${names} FROM ${kept}`)
  const { joined, isSame } = comparison(table)
  const changed = `LEFT JOIN ${kept} k ON ${joined} WHERE k.${quoted(key[0] ?? "")} IS NULL OR NOT (${isSame})`
  const values = columns.map((column) => `s.${quoted(column.name)}`)
  return changes(db, `INSERT OR REPLACE INTO ${kept} (${names}) SELECT ${values} FROM ${own} s ${known ? changed : ""}`)
}

function changes(db: SqliteDatabase, sql: string): number {
  db.exec(sql)
  return Number(db.prepare("SELECT changes() AS count").get<{ count: number }>()?.count ?? 0)
}
