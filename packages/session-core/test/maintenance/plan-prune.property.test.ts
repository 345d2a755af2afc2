import type { SessionInfo } from "@treelog/session-core"
import { planPrune } from "@treelog/session-core/maintenance"
import fc from "fast-check"
import { expect, test } from "vitest"

type PruneRules = Parameters<typeof planPrune>[1]

const NOW = 1_000_000

const session = fc.record({
  path: fc.uuid(),
  cwd: fc.constantFrom("/a", "/b", "/c"),
  modified: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: NOW })),
  messageCount: fc.integer({ min: 0, max: 2 }),
  isBroken: fc.boolean(),
})
const sessions = fc.uniqueArray(session, { selector: ({ path }) => path }).map((all) => all.map(infoOf))
const olderThan = fc.integer({ min: 0, max: NOW })
const more = fc.record(
  {
    keepLast: fc.integer({ min: 1, max: 5 }),
    empty: fc.boolean(),
    since: fc.integer({ min: 0, max: NOW }),
    until: fc.integer({ min: 0, max: NOW }),
  },
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
  return { ...rest, size: 10, ...(isBroken && { error: { code: "x", message: "" } }) } as unknown as SessionInfo
}

/** Whether it can be read, and names a time. */
const isDated = ({ error, modified }: SessionInfo): boolean => !error && modified > 0

/** No session has a name, a label or an owner. */
const FACTS: Parameters<typeof planPrune>[2] = {
  sizeOf: async ({ size }) => size,
  isInUse: async () => false,
  hasLabels: async () => false,
}

async function planned(all: readonly SessionInfo[], rules: PruneRules, facts = FACTS): Promise<SessionInfo[]> {
  const { items } = await planPrune(all, rules, facts, NOW)
  return items.map(({ info }) => info)
}

const pathsOf = (infos: readonly SessionInfo[]) => infos.map(({ path }) => path)

test("Each further rule matches fewer sessions.", async () => {
  await fc.assert(
    fc.asyncProperty(sessions, olderThan, more, async (all, age, rules) => {
      const wide = new Set((await planned(all, { olderThan: age })).map(({ path }) => path))
      for (const path of (await planned(all, { olderThan: age, ...rules })).map(({ path }) => path))
        expect(wide).toContain(path)
    }),
  )
})

test("The newest of each project stay, as many as asked for, and nothing goes that cannot be read or names no time.", async () => {
  await fc.assert(
    fc.asyncProperty(sessions, fc.integer({ min: 1, max: 5 }), async (all, keepLast) => {
      const gone = new Set((await planned(all, { olderThan: 0, keepLast })).map(({ path }) => path))
      for (const cwd of ["/a", "/b", "/c"]) {
        const readable = all.filter((info) => info.cwd === cwd && isDated(info))
        const [stay, go] = [
          readable.filter(({ path }) => !gone.has(path)),
          readable.filter(({ path }) => gone.has(path)),
        ]
        expect(stay).toHaveLength(Math.min(keepLast, readable.length))
        const oldest = Math.min(...stay.map(({ modified }) => modified))
        for (const { modified } of go) expect(modified).toBeLessThanOrEqual(oldest)
      }
      for (const { path } of all.filter((info) => !isDated(info))) expect(gone).not.toContain(path)
    }),
  )
})

test("The oldest goes first, and the order of the list does not matter.", async () => {
  await fc.assert(
    fc.asyncProperty(sessions, olderThan, more, async (all, age, rules) => {
      const candidates = await planned(all, { olderThan: age, ...rules })
      const times = candidates.map(({ modified }) => modified)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      const turned = await planned([...all].reverse(), { olderThan: age, ...rules })
      expect(pathsOf(turned)).toEqual(pathsOf(candidates))
    }),
  )
})

test("With a size, the oldest match until the rest is as small; a session whose facts cannot be read is kept.", async () => {
  await fc.assert(
    fc.asyncProperty(sessions, fc.integer({ min: 0, max: 200 }), fc.boolean(), async (all, maxSize, fails) => {
      const refused = fails ? all.find(({ error }) => !error) : undefined
      const sizeOf = async (info: SessionInfo) =>
        info === refused ? Promise.reject(new Error("unreadable")) : info.size
      const rules = { olderThan: 0, maxSize }
      const plan = await planPrune(all, rules, { ...FACTS, sizeOf }, NOW)
      expect(plan.failures.map(({ info }) => info)).toEqual(refused ? [refused] : [])
      const left = 10 * (all.length - plan.items.length)
      expect(plan.excess).toBe(Math.max(0, left - maxSize))
      if (plan.items.length > 0) expect(left + 10).toBeGreaterThan(maxSize)
    }),
  )
})

test("A session with a name, in use, or with a label is in the plan, with the reason why it is kept.", async () => {
  const infos = ["plain", "named", "leased", "labelled"].map((path, at) => ({
    ...infoOf({ isBroken: false, path, cwd: "/a", modified: at + 1 }),
    ...(path === "named" && { name: "Audit" }),
  }))
  const isInUse = async ({ path }: SessionInfo) => path === "leased"
  const hasLabels = async ({ path }: SessionInfo) => path === "labelled"
  const kept = async (rules: Partial<PruneRules>) => {
    const { items } = await planPrune(infos, { olderThan: 0, ...rules }, { ...FACTS, isInUse, hasLabels }, NOW)
    return items.map(({ keptFor }) => keptFor)
  }
  expect(await kept({})).toEqual([undefined, "named", "leased", "labelled"])
  expect(await kept({ includeNamed: true, includeLabelled: true })).toEqual([undefined, undefined, "leased", undefined])
})

test("With limits of time, exactly the sessions in between match, whatever else is asked.", async () => {
  await fc.assert(
    fc.asyncProperty(
      sessions,
      fc.integer({ min: 0, max: NOW }),
      fc.integer({ min: 0, max: NOW }),
      async (all, since, until) => {
        const expected = all.filter((info) => isDated(info) && info.modified >= since && info.modified < until)
        expect(new Set(pathsOf(await planned(all, { olderThan: 0, since, until })))).toEqual(new Set(pathsOf(expected)))
      },
    ),
  )
})
