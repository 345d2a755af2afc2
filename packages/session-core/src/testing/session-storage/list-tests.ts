import type { SessionStorage, SyncSessionStorage } from "../../ports/session-storage.js"
import { equal, ok } from "../assert.js"
import type { Fixture, Tests } from "./fixture.js"
import { bytes } from "./samples.js"

const MEMBERS = [
  "addArtifacts",
  "leasesExpire",
  "leaseAndAppend",
  "openRanges",
  "watch",
  "breadcrumbs",
  "leaseSync",
] as const

export const capabilityTests: Tests = {
  "are those of the example": async ({ storage, example }) => {
    for (const member of MEMBERS) {
      const [own, expected] = [storage, example].map((one: SessionStorage & Partial<SyncSessionStorage>) => one[member])
      equal(Boolean(own), Boolean(expected), `whether it has \`${member}\``)
    }
  },
}

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

export const findTests: Tests = {
  "finds the session with the id, and no other": async ({ storage, place, session, found }) => {
    const places = [
      place(),
      place(`${place().cwd}/elsewhere`),
      { ...place(), id: "mine" },
      { ...place(), id: "mine_2.b" },
    ]
    for (const somewhere of places) await session("{}\n", storage.keyFor(somewhere))
    for (const somewhere of places) equal(await found(somewhere.id), [storage.keyFor(somewhere)], "what is found")
  },

  "finds nothing for an id that no session has, and for a part of one": async ({ place, session, storage, found }) => {
    const somewhere = place()
    await session("{}\n", storage.keyFor(somewhere))
    for (const id of ["other", somewhere.id.slice(0, -1), somewhere.id.slice(1), `${somewhere.id}0`, ""])
      equal(await found(id), [], `what is found for ${JSON.stringify(id)}`)
  },

  "finds no removed session, and no backup": async ({ place, session, storage, found }) => {
    const [kept, removed] = [place(), place()]
    const { lease, stat } = await session("old\n", storage.keyFor(kept))
    await lease.replace([bytes("new\n")], { expected: stat, keepAs: ".bak" })
    await (await session("{}\n", storage.keyFor(removed))).lease.remove()
    equal(await found(kept.id), [storage.keyFor(kept)], "what is found of a replaced session")
    equal(await found(removed.id), [], "what is found of a removed session")
  },

  "finds nothing once its signal is aborted": async ({ storage, place, session }) => {
    const somewhere = place()
    await session("{}\n", storage.keyFor(somewhere))
    const controller = new AbortController()
    controller.abort()
    const names = storage.find(somewhere.id, { signal: controller.signal })[Symbol.asyncIterator]()
    const [first] = await Promise.allSettled([names.next()])
    ok(first.status === "rejected" || first.value.done === true, "an aborted search fails or ends")
  },
}

export const listTests: Tests = {
  "names the sessions of a project for each of its folders, if it groups by project": async (fixture) => {
    const { storage, place, session, listed } = fixture
    const here = { ...place("/home/me/shop"), project: "shop" }
    const there = { ...place("/Users/me/shop"), project: "shop" }
    const other = { ...place("/home/me/shop"), project: "another" }
    for (const somewhere of [here, there, other]) await session("{}\n", storage.keyFor(somewhere))
    const key = storage.keyFor(here)
    ok((await listed(here.cwd, "shop")).includes(key), "a session is listed for its folder and project")
    equal((await listed()).length, 3, "the number of sessions in all")
    let isGrouped = false
    for await (const name of storage.list()) if (name.key === key) isGrouped = name.project !== undefined
    if (!isGrouped) return
    equal(await listed(here.cwd, "shop"), [key, storage.keyFor(there)].sort(), "the sessions of the project")
    for await (const { project } of storage.list({ cwd: there.cwd, project: "shop" }))
      equal(project, "shop", "the project")
  },

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
