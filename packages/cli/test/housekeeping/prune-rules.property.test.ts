import type { SessionInfo } from "@treelog/session-core"
import fc from "fast-check"
import { expect, test } from "vitest"
import { type PruneRules, pruneCandidates } from "../../src/housekeeping/prune-rules.js"

const NOW = 1_000_000

const session = fc.record({
  path: fc.uuid(),
  cwd: fc.constantFrom("/a", "/b", "/c"),
  modified: fc.integer({ min: 0, max: NOW }),
  messageCount: fc.integer({ min: 0, max: 2 }),
  isBroken: fc.boolean(),
})
const sessions = fc.uniqueArray(session, { selector: ({ path }) => path }).map((all) => all.map(infoOf))
const olderThan = fc.integer({ min: 0, max: NOW })
const more = fc.record(
  { keepLast: fc.integer({ min: 1, max: 5 }), empty: fc.boolean() },
  { requiredKeys: [] },
) as fc.Arbitrary<Omit<PruneRules, "olderThan">>

function infoOf({
  isBroken,
  ...rest
}: {
  isBroken: boolean
  path: string
  cwd: string
  modified: number
}): SessionInfo {
  return { ...rest, ...(isBroken && { error: { code: "x", message: "" } }) } as unknown as SessionInfo
}

const pathsOf = (infos: readonly SessionInfo[]) => infos.map(({ path }) => path)

test("Each further option takes less, never more.", () => {
  fc.assert(
    fc.property(sessions, olderThan, more, (all, age, rules) => {
      const wide = new Set(pathsOf(pruneCandidates(all, { olderThan: age }, NOW)))
      for (const path of pathsOf(pruneCandidates(all, { olderThan: age, ...rules }, NOW))) expect(wide).toContain(path)
    }),
  )
})

test("The newest of each project stay, as many as asked for, and nothing goes that cannot be read.", () => {
  fc.assert(
    fc.property(sessions, fc.integer({ min: 1, max: 5 }), (all, keepLast) => {
      const gone = new Set(pathsOf(pruneCandidates(all, { olderThan: 0, keepLast }, NOW)))
      for (const cwd of ["/a", "/b", "/c"]) {
        const readable = all.filter((info) => info.cwd === cwd && !info.error)
        const [stay, go] = [
          readable.filter(({ path }) => !gone.has(path)),
          readable.filter(({ path }) => gone.has(path)),
        ]
        expect(stay).toHaveLength(Math.min(keepLast, readable.length))
        const oldest = Math.min(...stay.map(({ modified }) => modified))
        for (const { modified } of go) expect(modified).toBeLessThanOrEqual(oldest)
      }
      for (const { path, error } of all) if (error) expect(gone).not.toContain(path)
    }),
  )
})

test("The oldest goes first, and the order of the list does not matter.", () => {
  fc.assert(
    fc.property(sessions, olderThan, more, (all, age, rules) => {
      const candidates = pruneCandidates(all, { olderThan: age, ...rules }, NOW)
      const times = candidates.map(({ modified }) => modified)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      const turned = pruneCandidates([...all].reverse(), { olderThan: age, ...rules }, NOW)
      expect(pathsOf(turned)).toEqual(pathsOf(candidates))
    }),
  )
})
