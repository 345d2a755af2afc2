import { type IndexedSession, oldestFirst } from "@treelog/session-core/search"
import { expect, it } from "vitest"

const session = (id: string, fields: Partial<IndexedSession> = {}): IndexedSession => ({
  key: `/s/${id}.jsonl`,
  id,
  cwd: "/x",
  name: "",
  created: 1,
  ...fields,
})
/** Both orders, so that neither of them is an accident. */
const isFirst = (a: IndexedSession, b: IndexedSession): boolean => oldestFirst(a, b) < 0 && oldestFirst(b, a) > 0

it("An older session comes before a newer one, whatever that names as its source", () => {
  expect(isFirst(session("z", { created: 1 }), session("a", { created: 2 }))).toBe(true)
})

it.each([
  ["its id", "z"],
  ["its path", "/s/z.jsonl"],
  ["its path before it was moved", "/old/2026-03-07T14-00-00-000Z_z.jsonl"],
])("Of one time, a session comes before a fork that names %s", (_, parentSession) => {
  expect(isFirst(session("z"), session("a", { parentSession }))).toBe(true)
  const fork = session("m", { parentSession: "z" })
  expect(isFirst(fork, session("a", { parentSession: "m" }))).toBe(true)
})

it("Of one time, a session comes before its copy in a backup, which has a longer name", () => {
  const copy = session("a", { key: "/s/opencode-backup.db/a" })
  expect(isFirst(session("a", { key: "/s/opencode.db/a" }), copy)).toBe(true)
})

it("Of one time, a session that is no fork comes first, and then the keys decide", () => {
  expect(isFirst(session("z"), session("a", { parentSession: "gone" }))).toBe(true)
  expect(isFirst(session("a"), session("z"))).toBe(true)
})
