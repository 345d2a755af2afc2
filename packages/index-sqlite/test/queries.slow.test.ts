import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemorySessionIndex, parseQuery } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"
import { testStore, textOf } from "./store.js"

const NOW = Date.UTC(2026, 10, 23)
const QUERIES = tries(30)

/** Parts of stored texts, of any length and from anywhere, so that words are cut and scripts mixed. */
const part = fc
  .tuple(fc.nat(20_000), fc.nat(30), fc.integer({ min: 1, max: 12 }))
  .map(([seed, from, length]) => [...textOf(seed)].slice(from, from + length).join(""))
const single = part.map((text) => text.replace(/\s+/g, ""))
const term = fc.oneof(
  single,
  part.map((text) => `"${text.replaceAll('"', "")}"`),
  single.map((text) => `${text}*`),
  single.map((text) => `-${text}`),
  fc.constantFrom(
    "修",
    "复重",
    "复重试",
    "テ",
    "ストを",
    "재",
    "시도",
    "retry",
    "clock",
    "etr",
    "tryPol",
    "%",
    "_b",
    "b-c",
    "caf",
    // Beginnings of thousands of words.
    "n*",
    "n1*",
  ),
)
const filter = fc.constantFrom(
  "role:user",
  "role:result",
  "role:call",
  "tool:edit",
  "model:claude-1",
  "project:project-2",
  "since:2026-02-01",
  "until:2026-02-10",
  "session:s7",
  "file:src/3/index.ts",
)
const query = fc
  .tuple(fc.array(term, { minLength: 1, maxLength: 3 }), fc.option(filter))
  .map(([terms, filtered]) => [...terms, ...(filtered === null ? [] : [filtered])].join(" "))

const distinct = fc.constantFrom("text" as const, "session" as const)

it(`${QUERIES} queries over 5,000 entries find what a scan finds`, async () => {
  const { storage, indexPath } = testStore(100, 50)
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  const oracle = new MemorySessionIndex(storage)
  await Promise.all([index.update(), oracle.update()])
  let found = 0
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom(1, 5, 50), distinct, async (text, limit, once) => {
      const parsed = { ...parseQuery(text, NOW), limit, distinct: once }
      const expected = await oracle.search(parsed)
      expect(await index.search(parsed), text).toEqual(expected)
      if (expected.sessions.length > 0) found++
    }),
    { numRuns: QUERIES },
  )
  // Queries that find nothing show little.
  expect(found).toBeGreaterThan(0)
  await index.close()
})
