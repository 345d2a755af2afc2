import { joinBytes } from "../../log/join-bytes.js"
import { equal, failsWith } from "../assert.js"
import { bytes } from "../session-storage/bytes.js"
import { largeChunks } from "../session-storage/chunks.js"
import { holds, sha256, streamed, where } from "./fixture.js"

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
