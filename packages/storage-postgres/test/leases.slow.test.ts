import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { bytes, EXCLUSIVE, newKey, SHARED, scene } from "./scene.js"

const { storage, rows, client } = scene()

test("a lease is renewed while its holder lives", async () => {
  const [store, key] = [storage({ leaseMs: 6_000 }), newKey()]
  const lease = await store.lease(key, EXCLUSIVE)
  const expires = async () =>
    Number((await rows("select expires from treelog.lease where key = $1", [key]))[0]?.expires)
  const first = await expires()
  await expect.poll(expires).toBeGreaterThan(first)
  await expect(storage().lease(key, EXCLUSIVE)).rejects.toMatchObject({ code: "SessionBusyError" })
  expect((await lease.create([bytes("one\n")])).size).toBe(4)
  await lease.release()
})

test("a lease that could not be renewed in time is lost, and is taken over once it lapsed", async () => {
  const errors: unknown[] = []
  const cut = { ...client, query: async () => Promise.reject(new Error("no route")) }
  let isCut = false
  const query: typeof client.query = (...args) => (isCut ? cut.query() : client.query(...args))
  const [key, start] = [newKey(), Date.now()]
  const holder = storage({ client: { ...client, query }, leaseMs: 600, onError: (error) => errors.push(error) })
  const lost = await holder.lease(key, EXCLUSIVE)
  const stat = await lost.create([bytes("one\n")])
  isCut = true
  const next = await storage().lease(key, { access: "exclusive", waitMs: 300_000 })
  expect(Date.now() - start).toBeGreaterThanOrEqual(590)
  isCut = false
  await expect(lost.append(bytes("late\n"), stat)).rejects.toMatchObject({ code: "LeaseLostError" })
  expect(errors[0]).toMatchObject({ code: "StorageError", data: { operation: "renew" } })
  await next.release()
})

test("who holds a session is reported", async () => {
  const [store, key] = [storage(), newKey()]
  const lease = await store.lease(key, EXCLUSIVE)
  const busy = await store.lease(key, SHARED).catch((error: unknown) => error)
  expect(busy).toMatchObject({ code: "SessionBusyError", data: { key, pid: process.pid } })
  await lease.release()
})

test("a released lease leaves a row only where there is a session", async () => {
  const store = storage()
  const lease = await store.lease(newKey(), EXCLUSIVE)
  await lease.release()
  expect(await rows("select * from treelog.lease where key = $1", [lease.key])).toEqual([])
  const writer = await store.lease(newKey(), EXCLUSIVE)
  await writer.create([bytes("one\n")])
  await writer.release()
  expect(await rows("select fence::int, owner from treelog.lease where key = $1", [writer.key])).toEqual([
    { fence: 1, owner: null },
  ])
})

test("an append that waits in the server while its lease is taken over writes nothing", async () => {
  const [store, key] = [storage(), newKey()]
  const lost = await store.lease(key, EXCLUSIVE)
  const stat = await lost.create([bytes("one\n")])
  const late = await client.transaction(async (query) => {
    // The row of the session is locked, so that the append waits after it has read its lease.
    await query("select from treelog.session where key = $1 for update", [key])
    const append = lost.append(bytes("late\n"), stat).catch((error: unknown) => error)
    await sleep(200)
    await query("update treelog.lease set fence = fence + 1, owner = gen_random_uuid() where key = $1", [key])
    await query("update treelog.session set fence = fence + 1 where key = $1", [key])
    return { append }
  })
  expect(await late.append).toMatchObject({ code: "LeaseLostError" })
  expect((await store.stat(key))?.size).toBe(4)
})

test("an append that was stored, but whose answer was lost, is found by the same lease at its offset", async () => {
  const [store, key] = [storage(), newKey()]
  const lease = await store.lease(key, EXCLUSIVE)
  const stat = await lease.create([bytes("one\n")])
  const grown = await lease.append(bytes("two\n"), stat)
  expect(await lease.append(bytes("two\n"), stat)).toEqual(grown)
  await expect(lease.append(bytes("owt\n"), stat)).rejects.toMatchObject({ data: { change: "grown" } })
  expect((await store.stat(key))?.size).toBe(8)
  await lease.release()
})
