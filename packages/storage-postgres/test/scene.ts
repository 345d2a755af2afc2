import {
  fromPg,
  migrate,
  type PostgresClient,
  PostgresSessionStorage,
  type PostgresSessionStorageOptions,
} from "@treelog/storage-postgres"
import { testDatabase } from "@treelog-internal/test-kit/postgres"
import pg from "pg"
import { afterAll, beforeAll } from "vitest"

export const EXCLUSIVE = { access: "exclusive", waitMs: 0 } as const
export const SHARED = { access: "shared", waitMs: 0 } as const

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** A migrated database for the tests of a file, with storages on it. */
export function scene() {
  const database = testDatabase()
  const pool = new pg.Pool({ ...database, max: 8 })
  const client = fromPg(pool, { direct: pool })
  const statements: string[] = []
  const recorded: PostgresClient = {
    ...client,
    query: (text, values) => {
      statements.push(text)
      return client.query(text, values)
    },
    transaction: (work) => {
      statements.push("begin")
      return client.transaction((query) =>
        work((text, values) => {
          statements.push(text)
          return query(text, values)
        }),
      )
    },
  }
  beforeAll(async () => void (await migrate(client)))
  afterAll(() => pool.end())
  return {
    database,
    pool,
    client,
    /** The statements that were sent since the last call; a transaction counts as one more. */
    sent: () => statements.splice(0),
    storage: (options: Partial<PostgresSessionStorageOptions> = {}) =>
      new PostgresSessionStorage({ client: recorded, notify: false, ...options }),
    rows: async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows,
  }
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

let sessions = 0

/** A key that no other test uses. */
export function newKey(): string {
  return `pg:/home/user/project/session-${process.pid}-${++sessions}`
}
