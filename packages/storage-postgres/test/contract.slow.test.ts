import { PGlite } from "@electric-sql/pglite"
import { sessionStorageContract } from "@treelog/session-core/testing"
import {
  fromPg,
  fromPglite,
  fromPostgres,
  migrate,
  type PostgresClient,
  PostgresSessionStorage,
} from "@treelog/storage-postgres"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { testDatabase } from "@treelog-internal/test-kit/postgres"
import pg from "pg"
import postgres from "postgres"
import { afterAll, beforeAll, describe, expect, inject, it, test } from "vitest"

const database = testDatabase()
const pool = new pg.Pool({ ...database, max: 4 })
const sql = postgres({ ...database, max: 4 })
const pglite = new PGlite()
/** Where there is one: `npm run test:engines` starts it. */
const pooler = inject("pgbouncer")
const pooled = pooler && new pg.Pool({ ...database, ...pooler, max: 8 })
const pooledSql = pooler && postgres({ ...database, ...pooler, max: 8 })
const client = fromPg(pool, { direct: pool })

beforeAll(async () => {
  await migrate(client)
  await migrate(fromPglite(pglite))
})
afterAll(() => Promise.all([pool.end(), sql.end(), pglite.close(), pooled?.end(), pooledSql?.end()]))

const candidates: (readonly [name: string, PostgresClient, options?: { rowLevelSecurity: boolean }])[] = [
  ["pg", client],
  ["pg, with the tenant set in each transaction", fromPg(pool), { rowLevelSecurity: true }],
  ["postgres", fromPostgres(sql, { direct: sql })],
  ["PGlite", fromPglite(pglite)],
  ...(pooled ? [["pg through pgbouncer", fromPg(pooled)] as const] : []),
  ...(pooledSql ? [["postgres through pgbouncer", fromPostgres(pooledSql), { rowLevelSecurity: true }] as const] : []),
]

let tenants = 0

/** What no caller gets must not fail either. */
const errors: unknown[] = []
const onError = (error: unknown) => void errors.push(error)

for (const [name, driver, options] of candidates)
  sessionStorageContract(
    { describe, it },
    {
      name: `PostgresSessionStorage with ${name}`,
      example: new PostgresSessionStorage({ client: driver }),
      processes: true,
      durable: true,
      losesAnswers: true,
      findsNewest: true,
      setup: async () => {
        // Each test has a tenant of its own.
        const tenant = `tenant ${++tenants}`
        let passed = 0
        const clock = { now: () => performance.now() + passed }
        const make = () => new PostgresSessionStorage({ client: driver, tenant, clock, onError, ...options })
        return {
          ...losingNextAnswer(make()),
          reopen: async () => make(),
          lapse: async (key) => {
            passed += 30_000
            const lapsed = "update treelog.lease set expires = now() where tenant = $1 and key = $2"
            await driver.query(lapsed, [tenant, key])
          },
          teardown: async () => {},
        }
      },
    },
  )

test("nothing failed in the background", () => expect(errors).toEqual([]))
