import { joinBytes } from "../../log/bytes.js"
import { equal, failsWith, ok } from "../assert.js"
import { bytes, largeChunks } from "../session-storage/samples.js"
import { holds, listed, NO_BLOB, sha256, streamed, type Tests, where } from "./fixture.js"

export const readTests: Tests = {
  "knows no blob that was not put": async ({ store }) => {
    await store.put(bytes("another"))
    equal(await store.get(NO_BLOB), undefined, "what get gives")
    equal(await store.has(NO_BLOB), false, "whether the store has it")
    equal(await store.size(NO_BLOB), undefined, "its size")
    const error = await failsWith("BlobNotFoundError", streamed(store, NO_BLOB), "openRead")
    equal(error.data, { hash: NO_BLOB }, "the data of the error")
  },

  "gives bytes that are the caller's to change": async ({ store }) => {
    const hash = await store.put(bytes("original"))
    ;(await store.get(hash))?.fill(0)
    for await (const piece of store.openRead(hash)) piece.fill(0)
    await holds(store, hash, bytes("original"))
  },

  "gives pieces that stay as they are while others come": async ({ store }) => {
    const large = joinBytes(largeChunks())
    const hash = await store.put(large)
    equal(await streamed(store, hash), large, "the pieces, joined after the last")
  },

  "can be left after the first piece": async ({ store }) => {
    const hash = await store.put(joinBytes(largeChunks()))
    for await (const piece of store.openRead(hash)) {
      ok(piece.length > 0, "the first piece is not empty")
      break
    }
    ok(await store.has(hash), "the blob is still there")
  },
}

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

export const damageTests = where("damage", {
  "never come out of get as good ones": async ({ store, damage }) => {
    const hash = await store.put(bytes("sound"))
    await damage(hash)
    const error = await failsWith("BlobDamagedError", store.get(hash), "get")
    equal([error.data.hash, error.data.actual === hash], [hash, false], "the data of the error")
  },

  "end openRead with the error, before it is done": async ({ store, damage }) => {
    const hash = await store.put(joinBytes(largeChunks()))
    await damage(hash)
    const error = await failsWith("BlobDamagedError", streamed(store, hash), "openRead")
    equal(error.data.hash, hash, "the hash in the error")
  },

  "are replaced when the blob is put again": async ({ store, damage }) => {
    const hash = await store.put(bytes("sound"))
    await damage(hash)
    await failsWith("BlobDamagedError", store.get(hash), "get")
    equal(await store.put(bytes("sound")), await sha256(bytes("sound")), "the hash")
    await holds(store, hash, bytes("sound"))
  },

  "leave other blobs alone": async ({ store, damage }) => {
    const [one, two] = [await store.put(bytes("one")), await store.put(bytes("two"))]
    await damage(one)
    await failsWith("BlobDamagedError", store.get(one), "get")
    await holds(store, two, bytes("two"))
  },
})
