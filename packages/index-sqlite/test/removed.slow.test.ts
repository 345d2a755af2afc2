import { rmSync } from "node:fs"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { answersAsNew } from "@treelog-internal/test-kit/session-index"
import { expect, it } from "vitest"
import { lineOf, testStore } from "./store.js"

it("is built anew once most of it was removed, and only then", async () => {
  const store = testStore(60, 250)
  const index = new SqliteSessionIndex({ storage: store.storage, path: store.indexPath })
  expect((await index.update()).read).toBe(60)
  for (const path of store.paths.slice(0, 20)) rmSync(path)
  expect(await index.update()).toMatchObject({ read: 0, removed: 20 })
  expect(await index.update()).toMatchObject({ read: 0, removed: 0 })
  for (const path of store.paths.slice(20, 50)) rmSync(path)
  expect(await index.update()).toMatchObject({ read: 0, removed: 30 })
  expect(await index.update()).toMatchObject({ read: 10, removed: 0 })
  expect(await index.status()).toMatchObject({ sessions: 10, texts: 2500 })
  store.append(55, lineOf(55, 250))
  expect(await index.update()).toMatchObject({ read: 1, removed: 0 })
  await answersAsNew(index, store.storage)
  await index.close()
})
