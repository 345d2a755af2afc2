import { fromPg, fromPostgres } from "@treelog/storage-postgres"
import { expect, test } from "vitest"
import { APPEND, LIST } from "./door.js"

/** A pool that records what it is asked to run. */
function recording() {
  const sent: { name?: string; prepare?: boolean }[] = []
  const query = async (config: object) => {
    sent.push(config)
    return { rows: [] }
  }
  const unsafe = async (_text: string, _values?: unknown[], options: { prepare?: boolean } = {}) => {
    sent.push(options)
    return []
  }
  const never = () => Promise.reject(new Error("no connection"))
  return { sent, pool: { query, connect: never }, sql: { unsafe, reserve: never, listen: never } }
}

test("frequent statements have names, each its own, where no pooler is in between", async () => {
  const { pool, sql, sent } = recording()
  for (const client of [fromPg(pool, { direct: pool }), fromPostgres(sql, { direct: sql })])
    for (const text of [APPEND, LIST]) await client.query(text)
  expect(sent[0]?.name).toMatch(/^treelog_[0-9a-f]{24}$/)
  expect(sent[1]?.name).toBeUndefined()
  expect(sent.slice(2)).toEqual([{ prepare: true }, { prepare: false }])
})

test("no statement has a name where there may be a pooler", async () => {
  const { pool, sql, sent } = recording()
  const other = recording()
  for (const client of [fromPg(pool), fromPg(pool, { direct: other.pool }), fromPostgres(sql)])
    await client.query(APPEND)
  expect(sent).toHaveLength(3)
  expect(sent.some(({ name, prepare }) => name !== undefined || prepare === true)).toBe(false)
})
