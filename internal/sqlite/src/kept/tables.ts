import type { SqliteDatabase, SqliteValue } from "../driver/sqlite-driver.js"

/** A table whose rows are stored: neither a view, nor virtual, nor with columns that are computed. */
export interface PlainTable {
  readonly name: string
  readonly columns: readonly TableColumn[]
  /** The columns of its primary key, in order; none of a table without one. */
  readonly key: readonly string[]
}

export interface TableColumn {
  readonly name: string
  readonly type: string
}

/** A row of a table, by its columns. */
export type Row = Readonly<Record<string, SqliteValue | bigint>>

/** A row of a copy that lacks something, or that another one keeps out. */
export interface LostRow {
  readonly table: PlainTable
  readonly row: Row
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly pk: number
  readonly hidden: number
}

/** The plain tables of a database of another program. @param schema `main`, or the name of one that is attached */
export function plainTables(db: SqliteDatabase, schema: string): PlainTable[] {
  const rows = db
    .prepare(
      `SELECT name, sql FROM ${schema}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all<{ name: string; sql: string | null }>()
  const virtual = rows.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql ?? "")).map(({ name }) => `${name}_`)
  return rows.flatMap(({ name, sql }) => {
    if (!/^CREATE TABLE/i.test(sql ?? "") || virtual.some((prefix) => name.startsWith(prefix))) return []
    const columns = db.prepare(`PRAGMA ${schema}.table_xinfo(${quoted(name)})`).all<ColumnRow>()
    if (columns.some(({ hidden }) => Number(hidden) !== 0)) return []
    const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
    return [{ name, columns: columns.map(({ name, type }) => ({ name, type })), key: key.map(({ name }) => name) }]
  })
}

/** A name within a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A type as a table has it: words and numbers, since it stands in a statement. */
function typeOf({ type }: TableColumn): string {
  return /^[\w ]*(?:\([\d, ]*\))?$/.test(type) ? type : ""
}

/** The statement that makes a table of the same columns and key, without what else its program wants of its rows. */
export function createTable(schema: string, { name, columns, key }: PlainTable): string {
  const parts = columns.map((column) => `${quoted(column.name)} ${typeOf(column)}`)
  if (key.length > 0) parts.push(`PRIMARY KEY (${key.map(quoted).join(", ")})`)
  return `CREATE TABLE ${schema}.${quoted(name)} (${parts.join(", ")})`
}

/** The indexes of a database by columns alone, as statements that make them. */
export function createIndexes(db: SqliteDatabase, schema: string, tables: readonly PlainTable[]): string[] {
  return tables.flatMap(({ name: table, columns }) => {
    const known = new Set(columns.map(({ name }) => name))
    const indexes = db
      .prepare(`PRAGMA main.index_list(${quoted(table)})`)
      .all<{ name: string; origin: string; partial: number }>()
    return indexes.flatMap(({ name, origin, partial }) => {
      const own = db.prepare(`PRAGMA main.index_info(${quoted(name)})`).all<{ name: string | null }>()
      if (origin === "pk" || Number(partial) !== 0 || !own.every((one) => one.name !== null && known.has(one.name)))
        return []
      const named = own.map((one) => quoted(one.name ?? "")).join(", ")
      return [`CREATE INDEX IF NOT EXISTS ${schema}.${quoted(`kept_${name}`)} ON ${quoted(table)} (${named})`]
    })
  })
}
