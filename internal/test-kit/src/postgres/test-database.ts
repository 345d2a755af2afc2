import pg from "pg"
import { beforeAll, inject } from "vitest"
import type { PostgresServer } from "./start-postgres.js"

/** The database of a test file, and the server that it is in. */
export interface TestDatabase extends PostgresServer {
  readonly database: string
}

let databases = 0

/** Makes a database before the tests of a file. It ends with the server: connections that are still closing would object to a drop. */
export function testDatabase(): TestDatabase {
  const server = inject("postgres")
  const database = `test_${process.pid}_${Date.now()}_${++databases}`
  beforeAll(async () => {
    const client = new pg.Client({ ...server, database: "postgres" })
    await client.connect()
    await client.query(`create database ${database}`)
    await client.end()
  })
  return { ...server, database }
}
