import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { expect, it } from "vitest"
import { testStore } from "./store.js"

it("counts what the index has, and names its driver", async () => {
  const { storage, indexPath } = testStore(3, 8)
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  await index.update()
  expect(await index.status()).toEqual({
    driver: expect.stringMatching(/^better-sqlite3 \d/),
    path: indexPath,
    bytes: expect.any(Number),
    sessions: 3,
    entries: 24,
    texts: 24,
  })
  expect((await index.status()).bytes).toBeGreaterThan(10_000)
  await index.close()
})

it("says what to do where there is no driver", async () => {
  const { storage, indexPath } = testStore(1, 1)
  const loadDriver = async () => {
    throw Object.assign(new Error("no driver"), { code: "IndexUnavailableError" })
  }
  const index = new SqliteSessionIndex({ storage, path: indexPath, loadDriver })
  for (const attempt of [index.update(), index.search({}), index.usage({}), index.status()])
    await expect(attempt).rejects.toMatchObject({ code: "IndexUnavailableError" })
})
