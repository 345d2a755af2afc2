import type { SessionStorage } from "@treelog/session-core"
import { CURRENT_VERSION, isTreelogError, MemorySessionStorage } from "@treelog/session-core"
import { linesOf, readLog } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SessionState } from "../door.js"
import { loadState, loadStored, run, runNow } from "../door.js"

const KEY = "memory:/project/session"
const STYLES: readonly SessionStyle[] = ["pi", "omp", "pi-migrated", "treelog"]

async function stored(bytes: Uint8Array): Promise<SessionStorage> {
  const storage = new MemorySessionStorage()
  const lease = await storage.lease(KEY, { access: "exclusive", waitMs: 0 })
  await lease.create([bytes])
  await lease.release()
  return storage
}

/** The state as it comes from the index, and as it comes from parsing every line; undefined where the bytes are no session. */
async function inAllWays(bytes: Uint8Array): Promise<Record<"indexed" | "parsed" | "small", SessionState> | undefined> {
  const log = await readLog(linesOf(bytes), KEY).catch((error: unknown) => {
    if (isTreelogError(error, "InvalidSessionError")) return undefined
    throw error
  })
  if (!log) return undefined
  const storage = await stored(bytes)
  const stat = await storage.stat(KEY)
  if (!stat) throw new Error("Nothing was stored.")
  const [indexed, small] = [runNow(loadStored(storage, KEY, stat, 0)), await run(loadStored(storage, KEY, stat))]
  if (!indexed || !small) throw new Error("Nothing was loaded.")
  if (typeof log.version === "number" && log.version < CURRENT_VERSION) return undefined
  return { indexed: indexed.content.state, parsed: loadState(log).state, small: small.content.state }
}

function described(state: SessionState) {
  const { tree, size } = state
  return {
    heads: Array.from({ length: size }, (_, ordinal) => {
      const head = tree.headAt(ordinal)
      return [head.id, head.parentId, head.timestamp, tree.parentOf(ordinal), tree.childrenOf(ordinal)]
    }),
    labels: [...state.labels.entries()],
    name: state.name,
    leafId: state.leafId,
    // Behind a record that something was glued to, the index has that as well: what it is shows when the line is read.
    places: Array.from({ length: size }, (_, ordinal) => state.line(ordinal)?.place.offset),
  }
}

// One damage: two that meet in one line can hide a record that nothing else names from a reader that looks at its two ends.
describe("a session that is opened by its index, or parsed as a small one", () => {
  it("has the tree, the labels, the name, the leaf, the entries and the faults that parsing every line gives", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STYLES),
        fc.nat(),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 1 }),
        async (style, seed, entries, damages) => {
          const random = new Random(seed)
          const shape = { seed, style, entries, toolOutput: 300, images: 0.05, imageBytes: 900, compactions: 2 }
          let bytes: Uint8Array = new TextEncoder().encode([...generateSession(shape)].join(""))
          for (let done = 0; done < damages; done++) ({ bytes } = damageBytes(bytes, random))
          const all = await inAllWays(bytes)
          if (!all) return
          const { indexed, parsed, small } = all
          for (const state of [indexed, small]) {
            expect(described(state)).toEqual(described(parsed))
            expect(state.entries()).toEqual(parsed.entries())
            expect(sorted(state.diagnostics)).toEqual(sorted(parsed.diagnostics))
          }
        },
      ),
      { numRuns: tries(20) },
    )
  })
})

function sorted(diagnostics: readonly object[]): string[] {
  return diagnostics.map((diagnostic) => JSON.stringify(diagnostic)).sort()
}
