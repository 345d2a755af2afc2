import type { ArrayStatement } from "./row-arrays.js"
import type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "./sqlite-driver.js"

/** The part of `bun:sqlite` that is used. */
interface BunStatement extends SqliteStatement {
  get<Row>(...values: SqliteValue[]): Row | undefined
  values(...values: SqliteValue[]): unknown[][]
  finalize(): void
}

interface BunDatabase {
  prepare(sql: string): BunStatement
  exec(sql: string): unknown
  close(): void
}

interface BunSqlite {
  readonly Database: new (path: string) => BunDatabase
}

export function bunDriver(): SqliteDriver | undefined {
  const sqlite = process.getBuiltinModule?.("bun:sqlite") as BunSqlite | undefined
  if (sqlite === undefined) return undefined
  const { Database } = sqlite
  return {
    name: `bun:sqlite of Bun ${process.versions.bun}`,
    open: (path) => adapt(new Database(path)),
  }
}

/** Bun keeps a closed database open until its statements are finalized or collected: its log would stay behind. */
function adapt(db: BunDatabase): SqliteDatabase {
  const statements: BunStatement[] = []
  return {
    prepare(sql): ArrayStatement {
      const statement = db.prepare(sql)
      statements.push(statement)
      return {
        run: (...values) => statement.run(...values),
        get: <Row>(...values: SqliteValue[]) => statement.get<Row>(...values) ?? undefined,
        all: (...values) => statement.all(...values),
        iterate: (...values) => statement.iterate(...values),
        values: (...values) => statement.values(...values),
      }
    },
    exec: (sql) => db.exec(sql),
    close() {
      for (const statement of statements.splice(0)) statement.finalize()
      db.close()
    },
  }
}
