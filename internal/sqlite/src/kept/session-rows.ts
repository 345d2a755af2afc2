import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "../driver/sqlite-driver.js"
import { inTransaction } from "../sqlite-connection.js"
import { toStorageError } from "../sqlite-fault.js"
import { createTable, type LostRow, type PlainTable, plainTables, quoted, type Row } from "./tables.js"

/** The rows of a statement, with integers that a number cannot hold. */
export function rowsFrom(
  statement: SqliteStatement & {
    setReadBigInts?(isWanted: boolean): unknown
    safeIntegers?(isWanted: boolean): unknown
  },
  ...values: SqliteValue[]
): Row[] {
  statement.setReadBigInts?.(true)
  statement.safeIntegers?.(true)
  return statement.all<Row>(...values)
}

export interface TableRows {
  readonly table: PlainTable
  readonly rows: readonly Row[]
}

/** Shorter ids may be part of other texts. */
const SHORTEST_ID = 8

/**
 * The rows of a session and of those that it started, whatever the tables are: rows that have its id as a value, or within their key, and rows beside
 * that of the session which name it.
 */
export function rowsOfSession(db: SqliteDatabase, id: string): TableRows[] {
  const tables = plainTables(db, "main")
  const ids = [id]
  for (const one of ids)
    for (const table of tables) {
      const [key, ...others] = table.key
      if (key === undefined || others.length > 0) continue
      const rows = rowsWith(db, table, one)
      if (rows.some((row) => row[key] === one))
        for (const { [key]: other } of rows) if (typeof other === "string" && !ids.includes(other)) ids.push(other)
    }
  return tables.flatMap((table) => {
    const rows = new Map<string, Row>()
    for (const one of ids) for (const row of rowsWith(db, table, one)) rows.set(textOf(Object.values(row)), row)
    return rows.size > 0 ? [{ table, rows: [...rows.values()] }] : []
  })
}

function rowsWith(db: SqliteDatabase, { name, columns, key }: PlainTable, id: string): Row[] {
  const named = columns.map((column) => `${quoted(column.name)} = ?`)
  const within = id.length < SHORTEST_ID ? [] : key.map((column) => `instr(${quoted(column)}, ?) > 0`)
  const either = [...named, ...within]
  const query = `SELECT * FROM main.${quoted(name)} WHERE ${either.join(" OR ")}`
  return rowsFrom(db.prepare(query), ...either.map(() => id))
}

/** A row as a text to compare. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    typeof one === "bigint" ? String(one) : one instanceof Uint8Array ? Buffer.from(one).toString("base64") : one,
  )
}

/**
 * Puts rows into a database, without changing any that is there.
 * @returns the rows that another one with the same key keeps out
 */
export function insertRows(db: SqliteDatabase, tables: readonly TableRows[]): LostRow[] {
  const left: LostRow[] = []
  const known = new Map(plainTables(db, "main").map((table) => [table.name, table]))
  for (const { table, rows } of tables) {
    const own = known.get(table.name)
    if (!own) continue
    const names = new Set(own.columns.map(({ name }) => name))
    for (const row of rows) {
      const columns = Object.keys(row).filter((name) => names.has(name))
      const found = own.key.length > 0 && rowAt(db, own, row)
      if (found) {
        if (columns.some((name) => textOf(found[name]) !== textOf(row[name]))) left.push({ table, row })
        continue
      }
      const marks = columns.map(() => "?")
      db.prepare(`INSERT INTO main.${quoted(table.name)} (${columns.map(quoted)}) VALUES (${marks})`).run(
        ...columns.map((name) => row[name] as SqliteValue),
      )
    }
  }
  return left
}

function rowAt(db: SqliteDatabase, { name, key }: PlainTable, row: Row): Row | undefined {
  const where = key.map((column) => `${quoted(column)} IS ?`).join(" AND ")
  const values = key.map((column) => row[column] as SqliteValue)
  return rowsFrom(db.prepare(`SELECT * FROM main.${quoted(name)} WHERE ${where}`), ...values)[0]
}

/**
 * Stores rows as they were, with the rest of their sessions as it is, in the first of several databases that do not have them otherwise.
 * @param kept the copy, an absolute path
 * @param ids of all sessions in it
 * @param pathOf the database with this number, whose folder is there. From 1
 * @returns the sessions whose rows were stored
 */
export function storeFormerRows(
  driver: SqliteDriver,
  kept: string,
  lost: readonly LostRow[],
  ids: readonly string[],
  pathOf: (number: number) => string,
): string[] {
  const sessions = bySession(lost, ids)
  const copy = driver.open(kept)
  try {
    for (const [id, rows] of sessions) {
      const rest = rowsOfSession(copy, id)
      let left: readonly LostRow[] = rows
      for (let number = 1; left.length > 0; number++) left = storedIn(driver.open(pathOf(number)), left, rest)
    }
  } finally {
    copy.close()
  }
  return [...sessions.keys()]
}

/** Rows by the session that each is of. What is said of a session itself changes with each message, and is none of its rows. */
function bySession(lost: readonly LostRow[], ids: readonly string[]): Map<string, LostRow[]> {
  const sessions = new Map<string, LostRow[]>()
  const known = new Set(ids)
  for (const { table, row } of lost) {
    const keys = table.key.map((column) => String(row[column]))
    const named = Object.values(row).find((value) => typeof value === "string" && known.has(value))
    const id = typeof named === "string" ? named : ids.find((one) => keys.some((key) => key.includes(one)))
    if (id === undefined || keys.some((key) => key.endsWith(id))) continue
    const rows = sessions.get(id)
    if (rows) rows.push({ table, row })
    else sessions.set(id, [{ table, row }])
  }
  return sessions
}

/** @returns the rows of which the database has another content */
function storedIn(db: SqliteDatabase, lost: readonly LostRow[], rest: readonly TableRows[]): readonly LostRow[] {
  try {
    db.exec("PRAGMA synchronous = FULL")
    return inTransaction(db, () => {
      const known = new Set(plainTables(db, "main").map(({ name }) => name))
      for (const { table } of [...lost, ...rest]) {
        if (!known.has(table.name)) db.exec(createTable("main", table))
        known.add(table.name)
      }
      const left = insertRows(
        db,
        lost.map(({ table, row }) => ({ table, rows: [row] })),
      )
      if (left.length < lost.length) insertRows(db, rest)
      return left
    })
  } finally {
    db.close()
  }
}

export interface RestoredRows {
  /** How many are there again. */
  readonly rows: number
  /** How many are there with another content, which stays. */
  readonly others: number
}

/**
 * Puts the rows of a session of a copy back into the database, in one transaction; with them what they refer to. Nothing that is there is changed.
 * @throws StorageError, such as while the database is busy, or where it has other tables than the copy
 */
export function restoreRows(driver: SqliteDriver, copy: string, path: string, id: string): RestoredRows {
  const [from, to] = [driver.open(copy), driver.open(path)]
  try {
    to.exec(`PRAGMA busy_timeout = ${PATIENCE}`)
    return inTransaction(to, () => {
      const rows = withParents(from, to, rowsOfSession(from, id))
      const known = new Set(plainTables(to, "main").map(({ name }) => name))
      const missing = rows.find(({ table }) => !known.has(table.name))?.table.name
      if (missing !== undefined) throw noTable(path, missing)
      // Rows may refer to each other in any order.
      to.exec("PRAGMA defer_foreign_keys = ON")
      const before = totalChanges(to)
      const others = insertRows(to, rows).length
      return { rows: totalChanges(to) - before, others }
    })
  } catch (error) {
    throw toStorageError(error, "The database", path, "write")
  } finally {
    from.close()
    to.close()
  }
}

/** How long a writer of the database is waited for. Milliseconds. */
const PATIENCE = 3_000

/** A part of a session would be a session that lacks its messages. */
function noTable(path: string, table: string): TreelogError<"StorageError"> {
  const message = `The session cannot be restored to ${path}: the database has no table ${table} any more, so its agent has another version now. Nothing was changed; \`treelog import\` copies the session into a store that you can write.`
  return new TreelogError("StorageError", message, { key: path, operation: "write", errno: undefined })
}

function totalChanges(db: SqliteDatabase): number {
  return Number(db.prepare("SELECT total_changes() AS count").get<{ count: number }>()?.count ?? 0)
}

/** Rows, behind those that they refer to. */
function withParents(from: SqliteDatabase, to: SqliteDatabase, rows: readonly TableRows[]): TableRows[] {
  const tables = new Map(plainTables(from, "main").map((table) => [table.name, table]))
  const found = [...rows]
  const parents: TableRows[] = []
  for (const { table, rows } of found)
    for (const { table: name, from: own, to: other } of to
      .prepare(`PRAGMA foreign_key_list(${quoted(table.name)})`)
      .all<{ table: string; from: string; to: string | null }>()) {
      const parent = tables.get(name)
      const key = other ?? parent?.key[0]
      if (!parent || key === undefined || parent.name === table.name) continue
      const values = new Set(rows.map((row) => row[own]).filter((value) => value !== null && value !== undefined))
      for (const value of values) {
        const query = `SELECT * FROM main.${quoted(name)} WHERE ${quoted(key)} = ?`
        const missing = rowsFrom(from.prepare(query), value as SqliteValue)
        if (missing.length === 0 || found.some((one) => one.table.name === name && hasRow(one, missing))) continue
        parents.unshift({ table: parent, rows: missing })
      }
    }
  return [...parents, ...found]
}

function hasRow({ rows }: TableRows, wanted: readonly Row[]): boolean {
  const known = new Set(rows.map(textOf))
  return wanted.every((row) => known.has(textOf(row)))
}

/** Deletes the rows of a session from a copy. @throws StorageError */
export function removeRows(driver: SqliteDriver, copy: string, id: string): void {
  const db = driver.open(copy)
  try {
    inTransaction(db, () => {
      for (const { table, rows } of rowsOfSession(db, id))
        for (const row of rows) {
          const names = table.key.length > 0 ? table.key : Object.keys(row)
          const where = names.map((name) => `${quoted(name)} IS ?`).join(" AND ")
          db.prepare(`DELETE FROM main.${quoted(table.name)} WHERE ${where}`).run(
            ...names.map((name) => row[name] as SqliteValue),
          )
        }
    })
  } catch (error) {
    throw toStorageError(error, "The copy", copy, "write")
  } finally {
    db.close()
  }
}
