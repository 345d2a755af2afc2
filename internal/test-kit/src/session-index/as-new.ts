import { inspect } from "node:util"
import type { SessionSource } from "@treelog/session-core"
import { type IndexSource, MemorySessionIndex, type SearchHit, type SessionIndex } from "@treelog/session-core/search"
import { equal } from "./assert.js"

type TextRole = SearchHit["role"]

const ROLES: readonly TextRole[] = [
  ...(["user", "assistant", "thinking", "toolCall", "toolResult", "summary", "label", "name", "other"] as const),
]
const ALL = { roles: ROLES, limit: 1_000_000 }
/** So many words are searched for. */
const WORDS = 40

/** Asserts that an index answers as a new one in memory does, which has just read the same sessions. */
export async function answersAsNew(
  index: SessionIndex,
  storage: SessionSource,
  options: Pick<IndexSource, "blobs" | "agent"> = {},
): Promise<void> {
  const fresh = new MemorySessionIndex(storage, options)
  await fresh.update()
  const all = await fresh.search(ALL)
  same(await index.search(ALL), all, "what the index has")
  const texts = all.sessions.flatMap(({ hits }) => hits.map(({ snippet }) => snippet.text))
  const words = new Set(texts.flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []))
  for (const text of [...words].slice(0, WORDS)) {
    const query = { ...ALL, terms: [{ text }] }
    same(await index.search(query), await fresh.search(query), `what ${JSON.stringify(text)} finds`)
  }
  for (const by of ["session", "model", "day", "role"] as const)
    same(await sumsOf(index, by), await sumsOf(fresh, by), `the sums by ${by}`)
}

/** The models of a sum come in no order. */
async function sumsOf(index: SessionIndex, by: "session" | "model" | "day" | "role"): Promise<unknown[]> {
  const rows = await index.usage({ by })
  return rows.map(({ usages, ...row }) => ({
    ...row,
    usages: usages.map((one) => inspect(one, { depth: null, sorted: true })).sort(),
  }))
}

/** Compares answers without what is undefined in them. */
function same(actual: unknown, expected: unknown, what: string): void {
  const [is, not] = [expected, actual].map((value) => JSON.parse(JSON.stringify(value)))
  equal(not, is, what)
}
