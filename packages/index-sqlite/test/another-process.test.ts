import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { expect, it } from "vitest"
import { lineOf, testStore } from "./store.js"

it("answers by the sessions that fit a filter now, after it was changed by itself or by another", async () => {
  const { storage, indexPath, append } = testStore(4, 2)
  const [index, other] = [0, 1].map(() => new SqliteSessionIndex({ storage, path: indexPath })) as [
    SqliteSessionIndex,
    SqliteSessionIndex,
  ]
  const fitting = async (): Promise<string[]> =>
    (await index.search({ name: "flaky" })).sessions.map(({ session }) => session.id).sort()
  const rename = (session: number, name: string): void => {
    const info = { ...JSON.parse(lineOf(session, 90)), type: "session_info", id: `${name}-${session}`, name }
    append(session, `${JSON.stringify(info)}\n`)
  }
  rename(1, "Flaky test")
  await index.update()
  expect(await fitting()).toEqual(["s1"])
  rename(2, "Flaky clock")
  await other.update()
  expect(await fitting()).toEqual(["s1", "s2"])
  rename(1, "Done")
  await index.update()
  expect(await fitting()).toEqual(["s2"])
  await Promise.all([index.close(), other.close()])
})
