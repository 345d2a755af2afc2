import { joinBytes } from "../../log/join-bytes.js"
import { equal, failsWith, ok } from "../assert.js"
import { bytes } from "../session-storage/bytes.js"
import { largeChunks } from "../session-storage/chunks.js"
import { holds, NO_BLOB, streamed, type Tests } from "./fixture.js"

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
