import { joinBytes } from "../../log/join-bytes.js"
import { equal, ok } from "../assert.js"
import { bytes } from "./bytes.js"
import { failingChunks, failsWithSource, largeChunks, laterChunks } from "./chunks.js"
import type { Tests } from "./fixture.js"
import { staleTests } from "./stale-tests.js"

export const replaceTests: Tests = {
  "puts the chunks in the place of the old bytes, under a new identity": async ({ storage, session, holds }) => {
    const { key, lease, stat } = await session("old and long\n")
    const replaced = await lease.replace(laterChunks("new", "\n"), { expected: stat })
    await holds(key, "new\n")
    equal(replaced.kept, undefined, "what is kept without `keepAs`")
    equal(replaced.stat.size, 4, "the size that replace returns")
    equal(replaced.stat.identity, (await storage.stat(key))?.identity, "the identity that replace returns")
    ok(replaced.stat.identity !== stat.identity, "the identity is another")
  },

  "gives an identity that no earlier object of the key had": async ({ session }) => {
    const { lease, stat } = await session("0\n")
    const identities = [stat.identity]
    let expected = stat
    for (let round = 1; round <= 5; round++) {
      expected = (await lease.replace([bytes(`${round}\n`)], { expected })).stat
      identities.push(expected.identity)
    }
    equal(new Set(identities).size, identities.length, "the number of identities")
  },

  "takes many chunks and several megabytes": async ({ session, holds }) => {
    const { key, lease, stat } = await session("old\n")
    const chunks = largeChunks()
    await lease.replace(chunks, { expected: stat })
    await holds(key, joinBytes(chunks))
  },

  "can be appended to": async ({ session, holds }) => {
    const { key, lease, stat } = await session("old\n")
    const replaced = await lease.replace([bytes("new\n")], { expected: stat })
    await lease.append(bytes("more\n"), replaced.stat)
    await holds(key, "new\nmore\n")
  },

  "keeps the old bytes under the key with the suffix, unlisted": async ({ session, holds, listed }) => {
    const { key, lease, stat } = await session("old\n")
    const { kept } = await lease.replace([bytes("new\n")], { expected: stat, keepAs: ".v1.bak" })
    equal(kept, `${key}.v1.bak`, "the name of what is kept")
    await holds(`${key}.v1.bak`, "old\n")
    await holds(key, "new\n")
    equal(await listed(), [key], "the listing")
  },

  "keeps under another name where the suffix is taken": async ({ session, stored, holds, listed }) => {
    const { key, lease, stat } = await session("0\n")
    const names: string[] = []
    let expected = stat
    for (let round = 1; round <= 3; round++) {
      const { kept, stat } = await lease.replace([bytes(`${round}\n`)], { expected, keepAs: ".bak" })
      names.push(kept ?? "nothing")
      expected = stat
    }
    equal(new Set(names).size, 3, "the number of names")
    ok(
      names.every((name) => name.startsWith(`${key}.bak`)),
      `each of ${names} is the key with the suffix`,
    )
    const kept = await Promise.all(names.map((name) => stored(name)))
    equal(kept, [bytes("0\n"), bytes("1\n"), bytes("2\n")], "what is kept")
    await holds(key, "3\n")
    equal(await listed(), [key], "the listing")
  },

  "leaves the session as it was when the source of the chunks fails": async ({ session, storage, holds, listed }) => {
    const { key, lease, stat } = await session("old\n")
    const replacing = lease.replace(failingChunks(), { expected: stat, keepAs: ".bak" })
    await failsWithSource(replacing, "a replace whose chunks fail")
    await holds(key, "old\n")
    equal((await storage.stat(key))?.identity, stat.identity, "the identity")
    equal(await storage.stat(`${key}.bak`), undefined, "the stat of the kept bytes")
    equal(await listed(), [key], "the listing")
  },

  ...staleTests((lease, expected) => lease.replace([bytes("new\n")], { expected })),
}
