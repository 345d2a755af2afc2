import { TreelogError } from "@treelog/session-core"
import type { SqliteDatabase, SqliteStatement, SqliteValue } from "../driver/sqlite-driver.js"
import { sqliteCode } from "../sqlite-fault.js"

// The schema of a database is code of its writer: a view without an end, a column that computes 400 MB. So what a query names has to be a table
// whose rows are stored, and answers have limits of time and of bytes.

/** What the texts and blobs of a row may have. Bytes; a unit of a text is counted as one. */
const LARGEST_ROW = 128 * 1024 * 1024
/** What all rows of an answer may have. */
const LARGEST_ANSWER = 512 * 1024 * 1024
/** How long all that is asked for at once may take. Milliseconds. */
const PATIENCE = 60_000

/** The names of tables in a query. */
const NAMED = /(?:\b(?:FROM|JOIN)\s+|\btable_info\()"?(\w+)/gi
/** How SQLite marks a column that is computed when it is read. */
const COMPUTED = 2

interface ForeignTables extends SqliteDatabase {
  /** From now on, the time is new. */
  begin(): void
}

/** The tables of a database that another program wrote. Statements throw StorageErrors for what is no table, and for too large answers. */
export function foreignTables(db: SqliteDatabase, path: string): ForeignTables {
  let end = Date.now() + PATIENCE
  let schema: ReadonlyMap<string, string> | undefined
  const plain = new Set<string>()

  function refuse(why: string, cause?: unknown): never {
    const data = { key: path, operation: "read", errno: undefined }
    throw new TreelogError("StorageError", `The database ${path} is not read: ${why}.`, data, { cause })
  }

  /** What the schema does not have is a name within the query, or missing. */
  function requirePlain(name: string): void {
    schema ??= schemaOf(db)
    const sql = schema.get(name.toLowerCase())
    if (sql !== undefined && !/^CREATE TABLE/i.test(sql)) refuse(`${name} is a view or a virtual table, not a table`)
    const columns = sql === undefined ? [] : db.prepare(`PRAGMA table_xinfo("${name}")`).all<Column>()
    const computed = columns.find(({ hidden }) => Number(hidden) === COMPUTED)
    if (computed) refuse(`the column ${computed.name} of ${name} is computed, not stored`)
    plain.add(name)
  }

  function prepare(sql: string): SqliteStatement {
    for (const [, name = ""] of sql.matchAll(NAMED)) if (!plain.has(name)) requirePlain(name)
    const statement: SqliteStatement & { setReadBigInts?(isWanted: boolean): void } = db.prepare(sql)
    // Node's driver throws for an integer that a number cannot hold.
    statement.setReadBigInts?.(true)
    function* rows<Row>(values: readonly SqliteValue[]): Generator<Row> {
      let total = 0
      for (const row of statement.iterate<Record<string, unknown>>(...values)) {
        const size = sizeOf(row)
        total += size
        if (size > LARGEST_ROW) refuse(`a row has more than ${LARGEST_ROW} bytes`)
        if (total > LARGEST_ANSWER) refuse(`what is asked for has more than ${LARGEST_ANSWER} bytes`)
        if (Date.now() > end) refuse(`to read it takes more than ${PATIENCE / 1000} seconds`)
        yield row as Row
      }
    }
    function* limited<Row>(...values: SqliteValue[]): Generator<Row> {
      try {
        yield* rows<Row>(values)
      } catch (error) {
        if (sqliteCode(error) === "SQLITE_TOOBIG" || isTooLong(error))
          refuse(`a row has more than ${LARGEST_ROW} bytes`, error)
        throw error
      }
    }
    return {
      run: (...values) => statement.run(...values),
      get: <Row>(...values: SqliteValue[]) => {
        for (const row of limited<Row>(...values)) return row
        return undefined
      },
      all: <Row>(...values: SqliteValue[]) => [...limited<Row>(...values)],
      iterate: limited,
    }
  }
  const begin = (): void => {
    end = Date.now() + PATIENCE
  }
  return { prepare, exec: (sql) => db.exec(sql), close: () => db.close(), begin }
}

interface Column {
  readonly name: string
  readonly hidden: number | bigint
}

/** The statement that made each table and each view, by name. SQLite takes none whose name or kind differs from what its row says. */
function schemaOf(db: SqliteDatabase): Map<string, string> {
  const rows = db.prepare("SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view')").all<Named>()
  return new Map(rows.map(({ name, sql }) => [String(name).toLowerCase(), String(sql)]))
}

interface Named {
  readonly name: unknown
  readonly sql: unknown
}

/** The size of a row, whose large integers become numbers. */
function sizeOf(row: Record<string, unknown>): number {
  let size = 0
  for (const name in row) {
    const value = row[name]
    if (typeof value === "string" || value instanceof Uint8Array) size += value.length
    else if (typeof value === "bigint") row[name] = Number(value)
  }
  return size
}

/** Whether a text is longer than a string can be. */
function isTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STRING_TOO_LONG"
}
