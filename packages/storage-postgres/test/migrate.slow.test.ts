import { fromPg, migrate, schemaSql } from "@treelog/storage-postgres"
import pg from "pg"
import { expect, test } from "vitest"
import { scene } from "./scene.js"

const { database, pool } = scene()

async function inNewDatabase<Result>(name: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  await pool.query(`create database ${name}`)
  const other = new pg.Pool({ ...database, database: name })
  try {
    return await work(other)
  } finally {
    await other.end()
  }
}

const columnsOf = async (on: pg.Pool) =>
  (
    await on.query(
      `select table_name, column_name, data_type, is_nullable from information_schema.columns
      where table_schema = 'treelog' order by 1, 2`,
    )
  ).rows

test("several processes can migrate at once: one does it", async () => {
  const done = await inNewDatabase("many_migrate", (other) =>
    Promise.all([1, 2, 3, 4].map(() => migrate(fromPg(other)))),
  )
  expect(done.flat()).toEqual([1])
})

test("the script for hand makes the same tables, and migrate then has nothing to do", async () => {
  const [byHand, missing] = await inNewDatabase("by_hand", async (other) => {
    await other.query(schemaSql())
    return [await columnsOf(other), await migrate(fromPg(other))] as const
  })
  expect(byHand).toEqual(await columnsOf(pool))
  expect(byHand.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

test("tables of a newer version are refused", async () => {
  await inNewDatabase("newer", async (other) => {
    await migrate(fromPg(other))
    await other.query("insert into treelog.migration (version) values (99)")
    await expect(migrate(fromPg(other))).rejects.toMatchObject({ code: "InvalidArgumentError", data: { value: 99 } })
  })
})
