import { expect, test } from "vitest"
import type { StoreLink } from "../../src/page/source/store-client.js"
import { listedSession } from "../../src/page/stores/listed-session.js"
import { SessionList } from "../../src/page/stores/session-list.js"

const link = (name: string) => ({ name, home: "/home/ada", hrefOf: (id: string) => id }) as unknown as StoreLink
const session = (store: string, id: string, modified: number) =>
  listedSession(link(store), { id, cwd: "/home/ada/shop", firstMessage: "Why?", modified, size: 1 } as never)

test("a session that several stores have is listed once, as its newest copy, and each store has its own", () => {
  const list = new SessionList()
  list.add([session("codex", "a", 1), session("pi", "a", 2), session("pi", "b", 3)])
  const found = (filter: object) => list.filtered(filter, 0).map(({ store, id }) => `${store} ${id}`)
  expect(found({})).toEqual(["pi b", "pi a"])
  expect(found({ store: "codex" })).toEqual(["codex a"])
  expect([list.size, list.projects()[0]?.count]).toEqual([2, 2])
})

test("sessions that cannot be read are copies of nothing", () => {
  const list = new SessionList()
  list.add([session("codex", "", 1), session("pi", "", 2)])
  expect(list.size).toBe(2)
})
