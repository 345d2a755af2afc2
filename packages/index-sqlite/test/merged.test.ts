import { SqliteConnection } from "@treelog-internal/sqlite"
import { expect, it } from "vitest"
import { SqliteSessionIndex } from "../src/index.js"
import { loadDriver } from "../src/load-driver.js"
import { indexFile } from "../src/open-index.js"
import { mergeWords } from "../src/tables/merge-words.js"
import { lineOf, testStore } from "./store.js"

it("has the words of many updates in one place after they are merged, and lacks none", async () => {
  const { storage, indexPath, append } = testStore(5, 40)
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  for (let at = 0; at < 5; at++) {
    append(at, lineOf(at, 100 + at))
    await index.update()
  }
  const connection = new SqliteConnection((await loadDriver()).open(indexPath), indexPath)
  const segments = () => connection.sql("SELECT count(DISTINCT segid) AS n FROM words_idx").get<{ n: number }>()?.n
  expect(segments()).toBeGreaterThan(3)
  const file = indexFile({ path: indexPath, loadDriver, now: Date.now, onQuarantine() {}, onUnwritable: undefined })
  await mergeWords(file)
  expect(segments()).toBe(1)
  expect(await index.verify()).toEqual([])
  connection.close()
  await Promise.all([file.close(), index.close()])
})
