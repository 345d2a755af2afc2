import { equal, ok } from "../assert.js"
import type { Fixture, Tests } from "./fixture.js"

const FOLDERS = {
  "with letters of many scripts": "/home/zoë/作業 🚀/ñandú",
  "of 300 characters": `/${"deep folder/".repeat(25)}x`,
  "that is the root": "/",
}

export const keyTests: Tests = {
  "keyFor gives the same place the same key, and touches nothing": async ({ storage, place, listed }) => {
    const somewhere = place()
    const key = storage.keyFor(somewhere)
    equal(storage.keyFor({ ...somewhere }), key, "the second key of one place")
    equal(await storage.stat(key), undefined, "the stat of a key that nothing was created under")
    equal(await listed(), [], "the listing")
  },

  "keyFor gives different ids different keys": async ({ storage, place }) => {
    const somewhere = place()
    const ids = ["a", "b", "a-b", "a.b", "a_b", "ab", "a.jsonl", "0123456789abcdef", "x".repeat(64)]
    const keys = new Set(ids.map((id) => storage.keyFor({ ...somewhere, id })))
    equal(keys.size, ids.length, "the number of keys")
  },

  "keyFromRef names a key by itself": async ({ storage, newKey }) => {
    const somewhere = newKey()
    equal(storage.keyFromRef(somewhere), somewhere, "the key that a key refers to")
  },

  "folderOf names one folder for the sessions of one cwd": async ({ storage, newKey }) => {
    const folder = storage.folderOf(newKey())
    equal(typeof folder, "string", "the type of a folder")
    equal(storage.folderOf(newKey()), folder, "the folder of another session of the cwd")
  },

  ...Object.fromEntries(
    Object.entries(FOLDERS).map(([which, cwd]) => [
      `a session of a cwd ${which} is stored and listed`,
      async ({ storage, place, session, holds, listed }: Fixture) => {
        const { key } = await session("{}\n", storage.keyFor(place(cwd)))
        await holds(key, "{}\n")
        ok((await listed(cwd)).includes(key), `${key} is listed for its cwd`)
        equal(storage.keyFromRef(key), key, "the key that a key refers to")
      },
    ]),
  ),
}
