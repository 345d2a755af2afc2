import type { SessionInfo } from "@treelog/session-core"
import {
  FILTER_NAMES,
  FILTERS,
  parseQuery,
  type SessionIndex,
  sessionMatcher,
  sumOfUsages,
} from "@treelog/session-core/search"
import { expect, test } from "vitest"

type ListLimits = Parameters<typeof sessionMatcher>[0]

const day = (day: number): number => Date.UTC(2026, 10, day)

/** Of which a list knows all. */
const INFO: SessionInfo = {
  path: "a.jsonl",
  id: "a",
  cwd: "/home/ada/shop",
  name: "Checkout",
  created: day(1),
  modified: day(2),
  messageCount: 2,
  firstMessage: "Why?",
  size: 100,
  status: "complete",
  model: "anthropic/claude-opus-5",
  usages: [{ model: "openai/gpt-5.5", usage: sumOfUsages([]) }],
}

const noIndex = () => Promise.reject(new Error("There is nothing to ask an index for."))

function fits(limits: ListLimits, info = INFO, index: Parameters<typeof sessionMatcher>[1] = noIndex) {
  return sessionMatcher(limits, index, { agent: "codex" })(info)
}

test.each<[ListLimits, boolean]>([
  [{}, true],
  [{ agent: "Codex" }, true],
  [{ agent: "pi" }, false],
  [{ project: "ADA/shop" }, true],
  [{ project: "blog" }, false],
  [{ name: "check" }, true],
  [{ name: "why" }, false],
  [{ model: "opus" }, true],
  [{ model: "GPT" }, true],
  [{ model: "gemini" }, false],
  [{ since: day(2), until: day(3) }, true],
  [{ since: day(3) }, false],
  [{ until: day(2) }, false],
  [{ agent: "codex", model: "gemini" }, false],
])("of %j a listed session is %s", async (limits, expected) => {
  expect(await fits(limits)).toBe(expected)
})

test("the header's agent counts before that of the store", async () => {
  expect([
    await fits({ agent: "pi" }, { ...INFO, agent: "pi" }),
    await fits({ agent: "codex" }, { ...INFO, agent: "pi" }),
  ]).toEqual([true, false])
})

test("where a list reads only the ends of sessions, the index says which used the model", async () => {
  const { messageCount: _, model: __, usages: ___, ...ends } = INFO
  const asked: unknown[] = []
  const index = {
    usage: async (query) => {
      asked.push(query)
      return [{ key: "a.jsonl", totals: sumOfUsages([]), usages: [] }]
    },
  } satisfies Pick<SessionIndex, "usage">
  const isMatch = sessionMatcher({ model: "opus", since: day(1) }, async () => index, { name: "/shop" })
  expect([await isMatch(ends), await isMatch({ ...ends, path: "b.jsonl" })]).toEqual([true, false])
  expect(asked).toEqual([{ model: "opus", by: "session", sources: ["/shop"] }])
  expect(await isMatch({ ...ends, modified: 0 })).toBe(false)
})

test("each filter is a filter of typed queries, by its label", () => {
  for (const name of FILTER_NAMES) {
    expect(parseQuery(`${name}:"some text" word`, 0)).toEqual({
      terms: [{ text: "word" }],
      [name]: "some text",
    })
    expect(FILTERS[name].help).toMatch(/^only /)
  }
})
