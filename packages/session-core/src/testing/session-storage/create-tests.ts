import { joinBytes } from "../../log/join-bytes.js"
import { equal, failsWith, ok } from "../assert.js"
import { bytes } from "./bytes.js"
import { failingChunks, failsWithSource, largeChunks, laterChunks } from "./chunks.js"
import type { Tests } from "./fixture.js"

export const createTests: Tests = {
  "stores the chunks, one after the other, and returns their stat": async ({ storage, lease, holds }) => {
    const writer = await lease()
    const before = Date.now()
    const stat = await writer.create([bytes("one\n"), bytes(""), bytes("two\n")])
    await holds(writer.key, "one\ntwo\n")
    equal(stat.size, 8, "the size that create returns")
    equal(stat.identity, (await storage.stat(writer.key))?.identity, "the identity that create returns")
    ok(Math.abs(stat.modified - before) < 3_600_000, "`modified` is the time in milliseconds, give or take an hour")
  },

  "takes chunks that come later": async ({ lease, holds }) => {
    const writer = await lease()
    await writer.create(laterChunks("one\n", "", "two\n"))
    await holds(writer.key, "one\ntwo\n")
  },

  "stores a session of many chunks and several megabytes": async ({ lease, holds }) => {
    const writer = await lease()
    const chunks = largeChunks()
    await writer.create(chunks)
    await holds(writer.key, joinBytes(chunks))
  },

  "stores an empty session": async ({ lease, holds, listed }) => {
    const writer = await lease()
    equal((await writer.create([])).size, 0, "the size")
    await holds(writer.key, "")
    equal(await listed(), [writer.key], "the listing")
  },

  "keeps its own copy of the bytes": async ({ lease, holds }) => {
    const writer = await lease()
    const chunk = bytes("mine\n")
    await writer.create([chunk])
    chunk.fill(0)
    await holds(writer.key, "mine\n")
  },

  "never overwrites a session": async ({ session, holds }) => {
    const { key, lease } = await session("first\n")
    const error = await failsWith("SessionExistsError", lease.create([bytes("second\n")]), "a second create")
    equal(error.data.key, key, "the key of the error")
    await holds(key, "first\n")
  },

  "leaves nothing behind when the source of the chunks fails": async ({ lease, holds, holdsNothing, listed }) => {
    const writer = await lease()
    await failsWithSource(writer.create(failingChunks()), "a create whose chunks fail")
    await holdsNothing(writer.key)
    equal(await listed(), [], "the listing")
    await writer.create([bytes("again\n")])
    await holds(writer.key, "again\n")
  },
}
