import { joinBytes } from "../../log/join-bytes.js"
import { equal } from "../assert.js"
import { bytes } from "./bytes.js"
import { largeChunks } from "./chunks.js"
import type { Tests } from "./fixture.js"
import { staleTests } from "./stale-tests.js"

export const appendTests: Tests = {
  "adds the bytes at the end and returns the new stat": async ({ storage, session, holds }) => {
    const { key, lease, stat } = await session("one\n")
    const second = await lease.append(bytes("two\n"), stat)
    const third = await lease.append(bytes("three\n"), second)
    await holds(key, "one\ntwo\nthree\n")
    equal([second.size, third.size], [8, 14], "the sizes that append returns")
    equal(third.identity, (await storage.stat(key))?.identity, "the identity that append returns")
  },

  "keeps the identity": async ({ session }) => {
    const { lease, stat } = await session("one\n")
    const appended = await lease.append(bytes("two\n"), stat)
    equal(appended.identity, stat.identity, "the identity after an append")
  },

  "adds to a session that an earlier lease wrote": async ({ session, lease, holds }) => {
    const { key, lease: first, stat } = await session("one\n")
    await first.release()
    const second = await lease(key)
    await second.append(bytes("two\n"), stat)
    await holds(key, "one\ntwo\n")
  },

  "takes no bytes at all": async ({ session, holds }) => {
    const { key, lease, stat } = await session("one\n")
    equal((await lease.append(bytes(""), stat)).size, 4, "the size")
    await holds(key, "one\n")
  },

  "takes several megabytes": async ({ session, holds }) => {
    const { key, lease, stat } = await session("")
    const large = joinBytes(largeChunks())
    await lease.append(large, stat)
    await holds(key, large)
  },

  "keeps its own copy of the bytes": async ({ session, holds }) => {
    const { key, lease, stat } = await session("one\n")
    const chunk = bytes("two\n")
    await lease.append(chunk, stat)
    chunk.fill(0)
    await holds(key, "one\ntwo\n")
  },

  ...staleTests((lease, expected) => lease.append(bytes("two\n"), expected)),
}
