import { equal, ok } from "../assert.js"
import { bytes } from "./bytes.js"
import type { Tests } from "./fixture.js"

export const listTests: Tests = {
  "names nothing in a fresh storage": async ({ listed, place }) => {
    equal(await listed(), [], "the listing")
    equal(await listed(place().cwd), [], "the listing of a cwd")
  },

  "names every session with its id, with and without its cwd": async ({ storage, place, session }) => {
    const places = [place(), place(), { ...place(), id: "mine_2.b" }, { ...place(), id: "0123456789abcdef" }]
    for (const somewhere of places) await session("{}\n", storage.keyFor(somewhere))
    const expected = places.map((somewhere) => [storage.keyFor(somewhere), somewhere.id]).sort()
    for (const filter of [undefined, {}, { cwd: place().cwd }]) {
      const names: [string, string | undefined][] = []
      for await (const name of storage.list(filter)) {
        equal(name.error, undefined, `the error of ${name.key}`)
        names.push([name.key, name.id])
      }
      equal(names.sort(), expected, `the keys and ids, filtered by ${JSON.stringify(filter)}`)
    }
  },

  "names the sessions of all folders": async ({ storage, place, session, listed }) => {
    const folders = [place().cwd, `${place().cwd}/deeper`, `${place().cwd}-elsewhere`]
    const keys = folders.map((cwd) => storage.keyFor(place(cwd)))
    for (const key of keys) await session("{}\n", key)
    equal(await listed(), keys.sort(), "the listing")
  },

  "names a session once, however often it was written": async ({ session, listed }) => {
    const { key, lease, stat } = await session("one\n")
    const appended = await lease.append(bytes("two\n"), stat)
    await lease.replace([bytes("three\n")], { expected: appended })
    equal(await listed(), [key], "the listing")
  },

  "ends early when its reader does": async ({ storage, session }) => {
    await session("{}\n")
    await session("{}\n")
    for await (const name of storage.list()) {
      ok(name.key !== "", "a key is named")
      break
    }
  },

  "names nothing once its signal is aborted": async ({ storage, session }) => {
    await session("{}\n")
    const controller = new AbortController()
    controller.abort()
    const names = storage.list({ signal: controller.signal })[Symbol.asyncIterator]()
    const [first] = await Promise.allSettled([names.next()])
    ok(first.status === "rejected" || first.value.done === true, "an aborted listing fails or ends")
  },
}
