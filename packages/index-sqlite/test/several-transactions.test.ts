import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { expect, it } from "vitest"
import { lineOf, testStore, textOf } from "./store.js"

it("an update that is written in several transactions answers as a scan does", async () => {
  const store = testStore(10, 20)
  for (let session = 0; session < 10; session++)
    for (let at = 20; at < 24; at++) {
      const text = Array.from({ length: 400 }, (_, word) => textOf(session * 7919 + at * 401 + word)).join("\n")
      store.append(
        session,
        lineOf(session, at).replace(/x\d+|"n/, (found) => found + JSON.stringify(text).slice(1, -1)),
      )
    }
  const index = new SqliteSessionIndex({ storage: store.storage, path: store.indexPath })
  await index.update()
  const oracle = new MemorySessionIndex(store.storage)
  await oracle.update()
  for (const query of [{ terms: [{ text: "retry" }] }, { terms: [{ text: "重试" }] }, { terms: [{ text: "tryPol" }] }])
    expect(await index.search({ ...query, limit: 100_000 })).toEqual(await oracle.search({ ...query, limit: 100_000 }))
  await index.close()
})
