import { writeFileSync } from "node:fs"
import type { Worker } from "node:worker_threads"
import { loadDriver } from "@treelog/index-sqlite"
import { MemorySessionIndex, type SessionIndex } from "@treelog/session-core/search"
import { expect, it, onTestFinished } from "vitest"
import { lineOf, type TestStore, testStore, textOf } from "./store.js"

// The built package: from the sources, no thread is started.
const BUILT = new URL("../dist/index.js", import.meta.url).href
const { SqliteSessionIndex } = (await import(BUILT)) as typeof import("@treelog/index-sqlite")

/** Sessions of 8 million characters, which are written in several transactions. */
function largeStore(): TestStore {
  const store = testStore(40, 20)
  for (let session = 0; session < 40; session++)
    for (let at = 20; at < 30; at++) {
      const text = Array.from({ length: 400 }, (_, word) => textOf(session * 7919 + at * 401 + word)).join("\n")
      store.append(session, lineOf(session, at).replace('"n', `"${JSON.stringify(text).slice(1, -1)} n`))
      store.append(session, lineOf(session, at).replace(/x\d+/, JSON.stringify(text).slice(1, -1)))
    }
  return store
}

/** Calls back for each thread that starts. */
function onThread(run: (thread: Worker) => void): () => void {
  process.on("worker", run)
  const stop = () => void process.off("worker", run)
  onTestFinished(stop)
  return stop
}

async function expectWhole(index: SessionIndex, { storage }: TestStore): Promise<void> {
  const oracle = new MemorySessionIndex(storage)
  await oracle.update()
  for (const query of [{ terms: [{ text: "retry" }] }, { terms: [{ text: "重试" }] }, { terms: [{ text: "tryPol" }] }])
    expect(await index.search({ ...query, limit: 100_000 })).toEqual(await oracle.search({ ...query, limit: 100_000 }))
  const used = async (one: SessionIndex) =>
    (await one.usage({ by: "total" })).flatMap(({ usages }) => usages.map((row) => JSON.stringify(row))).sort()
  expect(await used(index)).toEqual(await used(oracle))
}

it("an update that reads much is written by one thread, which ends with it, and answers as a scan does", async () => {
  const store = largeStore()
  const exits: Promise<number>[] = []
  onThread((thread) => exits.push(new Promise((resolve) => thread.once("exit", resolve))))
  const index = new SqliteSessionIndex({ storage: store.storage, path: store.indexPath })
  await index.update()
  expect(await Promise.all(exits)).toEqual([0])
  await expectWhole(index, store)
  store.append(0, lineOf(0, 31))
  await index.update()
  expect(exits).toHaveLength(1)
  await expectWhole(index, store)
  await index.close()
})

it("a thread that ends fails the update, and the next one is whole", async () => {
  const store = largeStore()
  const index = new SqliteSessionIndex({ storage: store.storage, path: store.indexPath })
  const stop = onThread((thread) => void thread.terminate())
  const [failed] = await Promise.allSettled([index.update()])
  expect(failed).toMatchObject({
    reason: { code: "StorageError", message: expect.stringContaining("its thread ended") },
  })
  stop()
  await index.update()
  await expectWhole(index, store)
  await index.close()
})

it("waits for a lock of another process, and begins again where the database is damaged", async () => {
  const store = largeStore()
  let damaged = 0
  const index = new SqliteSessionIndex({
    storage: store.storage,
    path: store.indexPath,
    onDamaged: () => damaged++,
  })
  const { open } = await loadDriver()
  onThread(() => {
    const other = open(store.indexPath)
    other.exec("BEGIN IMMEDIATE")
    setTimeout(() => {
      other.exec("ROLLBACK")
      other.close()
    }, 400)
  })
  await index.update()
  await expectWhole(index, store)
  await index.close()
  for (const file of ["-wal", "-shm", ""])
    writeFileSync(store.indexPath + file, file === "" ? "no database".repeat(1000) : "")
  const again = new SqliteSessionIndex({
    storage: store.storage,
    path: store.indexPath,
    onDamaged: () => damaged++,
  })
  await again.update()
  expect(damaged).toBe(1)
  await expectWhole(again, store)
  await again.close()
})
