import fc from "fast-check"
import { expect, test } from "vitest"
import { bytes, EXCLUSIVE, newKey, scene } from "./scene.js"

const { storage, rows, client } = scene()

const piecesOf = (identity: string) =>
  rows("select start::int, length(bytes) as length from treelog.piece where object = $1 order by start", [identity])

async function appended(parts: readonly Uint8Array[]) {
  const [store, key] = [storage(), newKey()]
  const lease = await store.lease(key, EXCLUSIVE)
  let stat = await lease.create([])
  for (const part of parts) stat = await lease.append(part, stat)
  return { store, key, lease, stat, all: Buffer.concat(parts) }
}

test("a range of any session is what was appended there, before and after its pieces are joined", async () => {
  const part = fc.uint8Array({ minLength: 1, maxLength: 400 })
  const range = fc.tuple(fc.nat(3000), fc.nat(3000))
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.array(range, { maxLength: 4 }), async (parts, ranges) => {
      const { store, key, lease, all } = await appended(parts)
      for (const isJoined of [false, true]) {
        if (isJoined) await store.compactPieces(key)
        for (const [offset, length] of [...ranges, [0, all.length] as const])
          expect(Buffer.from(await store.readRange(key, offset, length))).toEqual(all.subarray(offset, offset + length))
      }
      await lease.release()
    }),
    { numRuns: 30 },
  )
})

test("joining leaves pieces of 64 to 256 KB, and appends go on", async () => {
  const parts = Array.from({ length: 40 }, (_, at) => new Uint8Array(10_000).fill(at))
  const { store, key, lease, stat, all } = await appended(parts)
  expect(await piecesOf(stat.identity)).toHaveLength(40)
  expect(await store.compactPieces(key)).toBe(38)
  expect((await piecesOf(stat.identity)).map(({ length }) => length)).toEqual([260_000, 140_000])
  expect(await store.compactPieces(key)).toBe(0)
  const grown = await lease.append(bytes("more"), stat)
  expect(grown.size).toBe(400_004)
  expect(Buffer.from(await store.readRange(key, 0, 500_000))).toEqual(Buffer.concat([all, bytes("more")]))
  await lease.release()
})

test("readers and a writer do not notice that pieces are joined at the same time", async () => {
  const { store, key, lease, stat } = await appended([bytes("0123456789")])
  let [expected, isDone] = [stat, false]
  const read = async () => {
    while (!isDone) {
      const found = Buffer.from(await store.readRange(key, 0, 100_000)).toString()
      expect("0123456789".repeat(found.length / 10)).toBe(found)
    }
  }
  const join = async () => {
    while (!isDone) await store.compactPieces(key)
  }
  const write = async () => {
    for (let round = 0; round < 100; round++) expected = await lease.append(bytes("0123456789"), expected)
    isDone = true
  }
  await Promise.all([read(), join(), write()])
  expect((await store.stat(key))?.size).toBe(1010)
  await lease.release()
})

test("a session that was appended to often is joined when it is closed", async () => {
  const { lease, stat } = await appended(Array.from({ length: 50 }, () => bytes("a line\n")))
  await lease.release()
  expect(await piecesOf(stat.identity)).toEqual([{ start: 0, length: 350 }])
})

test("a large append is cut into pieces of 256 KB", async () => {
  const { stat, lease } = await appended([new Uint8Array(600_000)])
  expect((await piecesOf(stat.identity)).map(({ length }) => length)).toEqual([262_144, 262_144, 75_712])
  await lease.release()
})

test("removing and replacing leave no piece behind", async () => {
  const { lease, stat } = await appended([bytes("one\n")])
  const replaced = await lease.replace([new Uint8Array(9_000_000)], { expected: stat })
  expect(await piecesOf(stat.identity)).toEqual([])
  await lease.remove()
  expect(await piecesOf(replaced.stat.identity)).toEqual([])
  expect(await rows("select * from treelog.upload")).toEqual([])
  await lease.release()
})

test("what a killed program uploaded of a large session is removed, and never becomes a session", async () => {
  const store = storage()
  const lease = await store.lease(newKey(), EXCLUSIVE)
  let removed = 0
  async function* chunks() {
    for (let count = 0; count < 4; count++) {
      yield new Uint8Array(3_000_000)
      removed += await store.removeAbandonedUploads({ olderThanMs: 0 })
    }
  }
  const create = lease.create(chunks())
  await expect(create).rejects.toMatchObject({ code: "StorageError", message: expect.stringMatching(/abandoned/) })
  expect(removed).toBe(1)
  expect(await store.stat(lease.key)).toBeUndefined()
  const stat = await lease.create([bytes("one\n")])
  const replace = lease.replace(chunks(), { expected: stat })
  await expect(replace).rejects.toMatchObject({ code: "StorageError", message: expect.stringMatching(/abandoned/) })
  expect(Buffer.from(await store.readRange(lease.key, 0, 9)).toString()).toBe("one\n")
  const orphaned = "select object from treelog.piece where object not in (select object from treelog.session)"
  expect(await rows(orphaned)).toEqual([])
  await lease.release()
})

test("appends change no index: PostgreSQL updates the row of the session in place", async () => {
  const { lease } = await appended(Array.from({ length: 200 }, () => bytes("a line\n")))
  await lease.release()
  await client.query("select pg_stat_force_next_flush()")
  const [{ updates, hot }] = await rows(
    "select n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'session'",
  )
  expect(updates).toBeGreaterThan(100)
  expect(hot / updates).toBeGreaterThan(0.9)
})
