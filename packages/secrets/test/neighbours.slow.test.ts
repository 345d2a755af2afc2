import { redactText } from "@treelog/secrets"
import { PLANTED_KINDS, plantedSecrets, Random } from "@treelog-internal/test-kit/secrets"
import { expect, it } from "vitest"

const ESC = "\x1b"
/** What may stand directly beside a secret. */
const NEIGHBOURS: readonly string[] = [
  ..."axZQ059 \t\n\r_-.,:;=/+|&?!@#$*~^<>()[]{}\"'`",
  "token",
  "2024",
  "密钥",
  "ключ",
  "é",
  "é1",
  "…",
  "\u200b",
  "\ufeff",
  `${ESC}[32m`,
  `${ESC}[0m`,
  `${ESC}[1;38;5;208m`,
  `${ESC}[38:2::10:20:30m`,
  `${ESC}[K`,
  `${ESC}(B`,
  `${ESC}]8;;https://example.com${ESC}\\`,
  `${ESC}]8;;${ESC}\\`,
  `x${ESC}[1m`,
  "\x9b32m",
  "\\u001b[32m",
  "\\u001B[0m",
  "\\\\u001b[32m",
  "\\x1b[32m",
  "\\x1B[0;1m",
  "\\033[32m",
  "\\e[32m",
  "^[[32m",
  "%3D",
  "%3d",
  "%3A",
  "%20",
  "%22",
  "%253D",
  "\\u003d",
  "\\u003A",
  "\\\\u003d",
  "\\u0020",
  "\\x3d",
  "\\x20",
  "\\n",
  "\\t",
  "\\r\\n",
  "\\\\n",
  "\\\\\\\\n",
  '\\"',
  '\\\\\\"',
  "\\/",
  "&quot;",
  "&#61;",
  "&#x3D;",
  "&amp;",
]

const perKind = plantedSecrets(PLANTED_KINDS.length, 23)

async function missedAmong(
  cases: readonly { readonly name: string; readonly text: string; readonly core: string }[],
): Promise<string[]> {
  const missed: string[] = []
  for (const { name, text, core } of cases) {
    const redacted = redactText(text)
    if (core.split("\n").some((line) => redacted.text.includes(line))) missed.push(name)
  }
  return missed
}

const named = (kind: string, before: string, behind: string): string =>
  `${kind}, between ${JSON.stringify(before)} and ${JSON.stringify(behind)}`

it.each(perKind)("finds $kind directly behind anything", async ({ kind, text, core }) => {
  const cases = NEIGHBOURS.map((before) => ({ name: named(kind, before, ""), text: before + text, core }))
  expect(await missedAmong(cases)).toEqual([])
})

it.each(perKind)("finds $kind directly before anything", async ({ kind, text, core }) => {
  const cases = NEIGHBOURS.map((behind) => ({ name: named(kind, "", behind), text: text + behind, core }))
  expect(await missedAmong(cases)).toEqual([])
})

it.each(perKind)("finds $kind between two things", async ({ kind, text, core }) => {
  const random = new Random(20261122 + text.length)
  const cases = NEIGHBOURS.flatMap((before) =>
    Array.from({ length: 6 }, () => {
      const behind = NEIGHBOURS[random.below(NEIGHBOURS.length)] ?? ""
      return { name: named(kind, before, behind), text: before + text + behind, core }
    }),
  )
  expect(await missedAmong(cases)).toEqual([])
})
