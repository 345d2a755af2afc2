import { equal } from "../assert.js"
import { bytes } from "../session-storage/bytes.js"
import { holds, listed, where } from "./fixture.js"

export const reopenTests = where("reopen", {
  "has what was put, and stores it no second time": async ({ store, reopen }) => {
    const hash = await store.put(bytes("kept"))
    const second = await reopen()
    await holds(second, hash, bytes("kept"))
    equal(await second.put(bytes("kept")), hash, "the hash")
    equal((await listed(second)).length, 1, "the number of blobs")
  },

  "sees what the first one puts later, and vice versa": async ({ store, reopen }) => {
    const second = await reopen()
    const [one, two] = [await store.put(bytes("one")), await second.put(bytes("two"))]
    await holds(second, one, bytes("one"))
    await holds(store, two, bytes("two"))
  },

  "can put the same bytes at the same time": async ({ store, reopen }) => {
    const stores = [store, await reopen(), await reopen()]
    const hashes = await Promise.all(stores.map((each) => each.put(bytes("the same"))))
    equal(new Set(hashes).size, 1, "the number of hashes")
    for (const each of stores) await holds(each, hashes[0] ?? "", bytes("the same"))
    equal((await listed(store)).length, 1, "the number of blobs")
  },
})
