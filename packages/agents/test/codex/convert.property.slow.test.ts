import { type CodexFile, type CodexSession, convertCodex } from "@treelog/agents/codex"
import type { SessionEntry, Usage } from "@treelog/session-core"
import { tries } from "@treelog-internal/test-kit"
import { generateCodexHome, type WrittenRollout } from "@treelog-internal/test-kit/codex"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const shapes = fc.record({ seed: fc.nat(), rollouts: fc.integer({ min: 1, max: 12 }) })

/** Checks something of many folders. */
function everyHome(
  check: (files: CodexFile[], random: number, rollouts: readonly WrittenRollout[]) => void,
  numRuns = tries(5),
): void {
  const property = fc.property(shapes, fc.nat(), (shape, random) => {
    const rollouts = generateCodexHome(shape)
    const files = rollouts.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) }))
    check(files, random, rollouts)
  })
  fc.assert(property, { numRuns })
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

  it("counts the usage of each response once, in the thread that recorded it", () => {
    everyHome((files, _, rollouts) => {
      for (const { header, entries } of everySession(files)) {
        const own = rollouts.filter(({ threadId }) => threadId === header.id)
        const usages = entries.flatMap((entry) => usageIn(entry) ?? [])
        expect(usages.reduce((sum, { input }) => sum + input, 0)).toBe(own.reduce((sum, { input }) => sum + input, 0))
      }
    })
  })

  it("reads a rollout once that is there plain and compressed, or also in the archive", () => {
    everyHome((files) => {
      const twice = files.flatMap(({ name, bytes }, index) => [
        ...(index % 2 === 0 ? [{ name: `${name}.zst`, bytes }] : []),
        { name, bytes },
        { name: `archived_sessions/${name.slice(name.lastIndexOf("/") + 1)}`, bytes },
      ])
      expect(everySession(twice).map(({ header, entries }) => [header, entries])).toEqual(
        everySession(files).map(({ header, entries }) => [header, entries]),
      )
    })
  })

  it("has all that a fork of a fork or of a revert goes on from, and nothing of a base that is missing", () => {
    let found = 0
    everyHome((files) => {
      const sessions = everySession(files)
      const items = new Map(sessions.map(({ header, entries }) => [header.id, new Set(entries.map(({ id }) => id))]))
      for (const { header, entries, report } of sessions) {
        const parent = items.get(header.parentSession ?? "")
        const missing = report.diagnostics.filter(({ kind }) => kind === "missing-parent")
        const base = files
          .map(({ name, bytes }) => (name.includes(header.id) ? baseOfFork(bytes) : undefined))
          .find(Boolean)
        if (base === undefined) continue
        const inherited = entries.filter(({ id }) => parent?.has(id)).length
        const isThere = files.some(({ name }) => name.endsWith(`${base}.jsonl`))
        if (isThere) found += 1
        if (isThere) expect(inherited > 0 || missing.length > 0, JSON.stringify(report.diagnostics)).toBe(true)
        else expect([inherited, missing.length > 0]).toEqual([0, true])
      }
    }, tries(30))
    expect(found).toBeGreaterThan(0)
  })
})

/** The rollout that a fork goes on from; undefined for a rollout that is no such fork. */
function baseOfFork(bytes: Uint8Array): string | undefined {
  const { payload } = JSON.parse(new TextDecoder().decode(bytes).split("\n", 1)[0] ?? "")
  return payload.forked_from_id === undefined ? undefined : payload.history_base?.thread_id
}

function usageIn(entry: SessionEntry): Usage | undefined {
  const own = "usage" in entry ? entry.usage : undefined
  const message = "message" in entry ? (entry.message as { usage?: Usage }) : undefined
  return (own as Usage | undefined) ?? message?.usage
}
