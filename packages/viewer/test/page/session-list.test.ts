import { expect, test } from "vitest"
import { listedSession, marksOf, SessionList, type SessionsLink } from "./door.js"

const stores = ["pi", "codex", "kilo", "omp", "omp:my work"].map((name) => ({ name, agent: name.replace(/:.*/, "") }))
const link = { stores, home: "/home/ada", hrefOf: (_: string, id: string) => id } as unknown as SessionsLink
const session = (store: string, id: string, modified: number, copies: readonly string[] = []) =>
  listedSession(link, { store, id, cwd: "/home/ada/shop", firstMessage: "Why?", modified, size: 1, copies } as never)

test("a session whose newest copy is in another store now takes the place of the one before, and is in both stores", () => {
  const list = new SessionList()
  list.add([session("codex", "a", 1), session("pi", "b", 3)])
  list.add([session("pi", "a", 2, ["codex"])])
  const found = (filter: object) => list.filtered(filter, 0).map(({ store, id }) => `${store} ${id}`)
  expect(found({})).toEqual(["pi b", "pi a"])
  expect(found({ store: "codex" })).toEqual(["pi a"])
  expect([list.size, list.projects()[0]?.count]).toEqual([2, 2])
})

test("sessions are limited to those of an agent: by their header, or else the agent of their store", () => {
  const list = new SessionList()
  const imported = { id: "d", store: "treelog", agent: "codex", cwd: "/", firstMessage: "", modified: 4, size: 1 }
  list.add([session("codex", "a", 1), session("omp:my work", "b", 2), session("omp", "c", 3)])
  list.add([listedSession(link, imported as never)])
  const found = (agent: string) => list.filtered({ agent }, 0).map(({ id }) => id)
  expect([found("omp"), found("codex"), found("treelog")]).toEqual([["c", "b"], ["d", "a"], []])
  expect(list.agents()).toEqual(["codex", "omp"])
})

test("sessions that cannot be read are copies of nothing", () => {
  const list = new SessionList()
  list.add([session("codex", "", 1), session("pi", "", 2)])
  expect(list.size).toBe(2)
})

test("a session says that others have it, that it is a fork, that it is archived, and how its last turn ended", () => {
  const list = new SessionList()
  const of = (fields: object) => listedSession(link, { id: "a", cwd: "/", firstMessage: "", ...fields } as never)
  list.add([session("pi", "a", 3, ["kilo", "codex"]), session("pi", "b", 4)])
  expect(list.all().map(marksOf)).toEqual([[], ["also in kilo, codex"]])
  expect(marksOf(of({ parentSession: "/x.jsonl", kind: "archived", status: "pending" }))).toEqual([
    "in progress",
    "archived",
    "fork",
  ])
  expect(marksOf(of({ kind: "empty", status: "pending" }))).toEqual(["no conversation"])
  const live = { state: "waits-for-permission", since: 1 }
  expect(marksOf(of({ status: "pending", live }))).toEqual(["waits for permission"])
})
