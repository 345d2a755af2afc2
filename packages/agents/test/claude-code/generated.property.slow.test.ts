import { type ConvertedSession, convertClaudeCode } from "@treelog/agents/claude-code"
import { isEntry, type SessionEntry } from "@treelog/session-core"
import { sessionStats } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import { type ClaudeFile, generateClaudeFile } from "@treelog-internal/test-kit/claude-code"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { openCalls, violations } from "./check-conversion.js"
import { unitsOf } from "./units.js"

const FILES = tries(20)

/** Generated within the property, so that a counterexample is short. */
const shapes = fc.record({ seed: fc.integer({ min: 0, max: 2 ** 31 }), events: fc.integer({ min: 1, max: 25 }) })

type Shape = { readonly seed: number; readonly events: number }

function fileOf({ seed, events }: Shape): ClaudeFile {
  return generateClaudeFile(seed, events)
}

function bytesOf({ lines, isOpen }: ClaudeFile): Uint8Array {
  return new TextEncoder().encode(lines.join("\n") + (isOpen ? "" : "\n"))
}

function convert(file: ClaudeFile): ConvertedSession {
  return convertClaudeCode(bytesOf(file), { name: file.sessionId })
}

function pathIds(entries: readonly SessionEntry[]): string[] {
  return unitsOf(entries)
    .filter(({ isOnPath, kind }) => isOnPath && kind !== "summary")
    .map(({ id }) => id)
}

describe("Any file of Claude Code", () => {
  it("becomes one tree, with each result right behind its reply, each line accounted for, and a context without faults", () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const file = fileOf(shape)
        const { entries, report } = convert(file)
        expect(violations(entries, report)).toEqual([])
      }),
      { numRuns: FILES },
    )
  })

  it("has the path that was spoken, the usage of each response once, the calls without result, the title, the copies and the repairs", () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const file = fileOf(shape)
        const { entries, report } = convert(file)
        const { truth } = file
        expect(pathIds(entries)).toEqual(truth.path)
        const { total } = sessionStats(entries)
        const sum = { calls: truth.usage.size, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
        for (const usage of truth.usage.values())
          for (const part of ["input", "output", "cacheRead", "cacheWrite"] as const) sum[part] += usage[part]
        expect(total).toMatchObject(sum)
        expect(openCalls(entries)).toEqual(truth.openCalls)
        expect(entries.flatMap((entry) => (isEntry(entry, "session_info") ? [entry.name] : [])).at(-1) ?? "").toBe(
          truth.title,
        )
        const of = (kind: string): number => report.diagnostics.filter((diagnostic) => diagnostic.kind === kind).length
        expect({ copies: of("duplicate-id"), repairs: of("missing-parent") }).toEqual({
          copies: truth.copies,
          repairs: truth.repairs,
        })
      }),
      { numRuns: FILES },
    )
  })
})
