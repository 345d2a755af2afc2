import pg from "pg"
import { afterAll, beforeAll, inject } from "vitest"
import type { PostgresServer } from "./start-postgres.js"

/** The database of a test file, and the server that it is in. */
export interface TestDatabase extends PostgresServer {
  readonly database: string
}

let databases = 0

/** Makes a database before the tests of a file, and drops it after them. */
export function testDatabase(): TestDatabase {
  const server = inject("postgres")
  const database = `test_${process.pid}_${Date.now()}_${++databases}`
  const admin = async (sql: string) => {
    const client = new pg.Client({ ...server, database: "postgres" })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  beforeAll(() => admin(`create database ${database}`))
  afterAll(() => admin(`drop database ${database} with (force)`))
  return { ...server, database }
}
