import type { SessionInfo } from "@treelog/session-core"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, test } from "vitest"
import { byFolder, groupLines, sessionColumns, sessionTable, styleFor, widthOf } from "../door.js"

const LEAST_TITLE = 36
/** The id, its age and the status of a session, with the gaps. */
const NARROWEST_OTHERS = 20 + 4 + 11 + 6

function look(columns: number, withCwd: boolean) {
  const style = styleFor({ isTTY: true, columns }, { NO_COLOR: "1" }, {})
  return { style, now: 0, shortId: (id: string) => id, withCwd, home: "/home/ada" }
}

const statuses = fc.constantFrom<SessionInfo["status"]>("complete", "interrupted", "aborted", "error", "pending")
const infos = fc.array(
  fc.record({
    id: fc.string({ unit: fc.constantFrom("a", "b"), minLength: 8, maxLength: 36 }),
    cwd: fc.constantFrom("", "/home/ada/shop", "/srv/a/folder/with/a/very/long/name"),
    status: statuses,
    messageCount: fc.integer({ min: 0, max: 1_000_000 }),
    size: fc.integer({ min: 0, max: 10 ** 12 }),
  }),
  { minLength: 1, maxLength: 10 },
)

function infoOf(fields: Pick<SessionInfo, "id" | "cwd" | "status" | "messageCount" | "size">, at: number): SessionInfo {
  return { path: `/s/${at}.jsonl`, created: 0, modified: 0, firstMessage: `${at}:${"x".repeat(200)}`, ...fields }
}

test("titles have 36 columns before the other columns have theirs, and no line is wider than the screen", () => {
  fc.assert(
    fc.property(
      infos,
      fc.integer({ min: NARROWEST_OTHERS + LEAST_TITLE, max: 140 }),
      fc.boolean(),
      (fields, columns, withCwd) => {
        const [, ...lines] = sessionTable(fields.map(infoOf), look(columns, withCwd))
        expect(lines).toHaveLength(fields.length)
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThanOrEqual(columns)
          expect(/\d:x+…$/.exec(line)?.[0].length).toBeGreaterThanOrEqual(LEAST_TITLE)
        }
      },
    ),
    { numRuns: tries(100) },
  )
})

test("groups have every session once, below its folder, in the order in which folders and sessions come", () => {
  fc.assert(
    fc.property(infos, (fields) => {
      const all = fields.map(infoOf)
      const groups = byFolder(all, (cwd) => cwd)
      const firsts = [...groups.values()].map(([first]) => all.indexOf(first as SessionInfo))
      for (const [folder, group] of groups) expect(group).toEqual(all.filter(({ cwd }) => cwd === folder))
      expect(new Set([...groups.values()].flat())).toEqual(new Set(all))
      expect(firsts).toEqual([...firsts].sort((a, b) => a - b))
      const options = look(80, false)
      const lines = [...groupLines(groups, sessionColumns(options), options)]
      expect(lines).toHaveLength(1 + all.length + groups.size * 2)
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80)
    }),
    { numRuns: tries(100) },
  )
})

test("cost and model are shown where a title keeps 60 columns beside them, or all it needs, and only where there are any", () => {
  const usage = { calls: 1, input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: 1.25 }
  const reported = { model: "anthropic/claude-sonnet-4-5", usage }
  const plain = infoOf({ id: "abcdefgh", cwd: "", status: "complete", messageCount: 2, size: 100 }, 0)
  const info = { ...plain, model: "anthropic/claude-sonnet-4-5", usages: [reported] }
  const titles = (columns: number, ...rows: readonly SessionInfo[]): string =>
    sessionTable(rows, look(columns, false))[0] ?? ""
  expect(titles(160, info)).toMatch(/MSGS +COST +MODEL +STATUS/)
  expect(sessionTable([info], look(160, false))[1]).toMatch(/ \$1\.25 {2}claude-sonnet-4-5 /)
  expect(titles(100, info)).not.toContain("MODEL")
  expect(titles(100, { ...info, firstMessage: "short" })).toContain("MODEL")
  expect(titles(110, info)).toContain("COST")
  expect(titles(80, info)).not.toContain("COST")
  expect(titles(160, plain)).not.toMatch(/COST|MODEL/)
  expect(titles(160, plain, info)).toMatch(/COST +MODEL/)
})
