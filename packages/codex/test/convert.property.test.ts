import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type CodexFile, type CodexSession, convertCodex } from "../src/index.js"

const shapes = fc.record({ seed: fc.nat(), rollouts: fc.integer({ min: 1, max: 12 }) })

/** Checks something of many folders. */
function everyHome(check: (files: CodexFile[], random: number) => void): void {
  const property = fc.property(shapes, fc.nat(), (shape, random) =>
    check(
      generateCodexHome(shape).map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) })),
      random,
    ),
  )
  fc.assert(property, { numRuns: 50 })
}

function everySession(files: readonly CodexFile[]): Omit<CodexSession, "artifacts">[] {
  return convertCodex(files).sessions.flatMap((session) => [session, ...session.artifacts])
}

const idsOf = ({ entries }: Pick<CodexSession, "entries">): string[] => entries.map(({ id }) => id)

describe("any folder of Codex", () => {
  it("gives each thread once, as a session or as the artifact of one", () => {
    everyHome((files) => {
      const threads = new Set(files.map(({ name }) => /Z?-(01a2[^_.]*)/.exec(name)?.[1]))
      expect(
        everySession(files)
          .map(({ header }) => header.id)
          .sort(),
      ).toEqual([...threads].sort())
    })
  })

  it("has each line in an entry, or counted with its reason", () => {
    everyHome((files) => {
      for (const { header, report } of everySession(files)) {
        const counts = Object.values(report.kinds)
        expect(counts.reduce((sum, kind) => sum + kind.converted + kind.kept + kind.skipped, 0)).toBe(report.lines)
        for (const { skipped, reason } of counts) expect(skipped === 0 || reason !== undefined).toBe(true)
        expect(report.unknownKinds.every((kind) => kind === "kind_of_tomorrow")).toBe(true)
        const own = files.filter(({ name }) => name.includes(header.id))
        const lines = own.reduce((sum, { bytes }) => sum + new TextDecoder().decode(bytes).split("\n").length - 1, 0)
        expect(report.lines).toBeGreaterThanOrEqual(lines)
      }
    })
  })

  it("gives trees: each id once, each parent before its children, each boundary on its path", () => {
    everyHome((files) => {
      for (const { entries } of everySession(files)) {
        const seen = new Set<string | null>([null])
        for (const entry of entries) {
          expect(seen.has(entry.parentId)).toBe(true)
          expect(seen.has(entry.id)).toBe(false)
          seen.add(entry.id)
          if ("firstKeptEntryId" in entry) expect(entry.firstKeptEntryId).toBe(entry.id)
        }
      }
    })
  })

  it("gives the same bytes again", () => {
    everyHome((files) => {
      expect(JSON.stringify(convertCodex(files))).toBe(JSON.stringify(convertCodex([...files])))
    })
  })

  it("keeps the ids of all entries but the last when lines are appended", () => {
    everyHome((files, cut) => {
      const last = files.at(-1)
      if (!last) return
      const lines = new TextDecoder().decode(last.bytes).split("\n").slice(0, -1)
      const part = `${lines.slice(0, 1 + (cut % lines.length)).join("\n")}\n`
      const before = everySession([...files.slice(0, -1), { ...last, bytes: new TextEncoder().encode(part) }])
      for (const whole of everySession(files)) {
        const ids = before.find(({ header }) => header.id === whole.header.id)
        if (!ids) continue
        const stable = idsOf(ids).filter((id) => !id.endsWith(":leaf"))
        const open = Math.max(0, stable.length - 3)
        expect(idsOf(whole).slice(0, open)).toEqual(stable.slice(0, open))
      }
    })
  })

  it("counts no usage of a thread in its forks", () => {
    everyHome((files) => {
      for (const { header, entries } of everySession(files)) {
        if (header.parentSession === undefined) continue
        const own = files.filter(({ name }) => name.includes(header.id))
        const records = own.flatMap(({ bytes }) => new TextDecoder().decode(bytes).match(/"token_usage_record"/g) ?? [])
        if (!own.every(({ bytes }) => new TextDecoder().decode(bytes).includes('"paginated"'))) continue
        const counted = JSON.stringify(entries).match(/"usage":\{/g) ?? []
        expect(counted.length).toBe(records.length)
      }
    })
  })
})
