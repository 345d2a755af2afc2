import fc from "fast-check"
import { expect, it } from "vitest"
import type { SessionEntry } from "../../src/entry/entry.js"
import { type EntryLine, SessionState } from "../../src/session/session-state.js"

let made = 0
/** No two are equal, though they may have the same id. */
const entry = (id: string): SessionEntry => ({
  type: "custom",
  id,
  parentId: null,
  timestamp: "",
  customType: `${made++}`,
})
const lineAt = (number: number): EntryLine => ({ place: { line: number, offset: number, length: 1 }, verbatim: true })

/** A few ids only: others give their entries the ids of ours as well. */
const id = fc.constantFrom("a", "b", "c", "d")
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("own" as const), id }) },
  fc.record({ kind: fc.constant("foreign" as const), id }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("written" as const), which: fc.nat(3) }) },
)

it("an entry keeps its place and gets its line, in whatever order lines come and whatever ids others give", () => {
  fc.assert(
    fc.property(fc.array(step, { size: "medium" }), (steps) => {
      const state = new SessionState()
      let placed: SessionEntry[] = []
      let pending: SessionEntry[] = []
      const lines = new Map<SessionEntry, EntryLine>()
      for (const each of steps) {
        const line = lineAt(lines.size + 1)
        if (each.kind === "own") {
          const own = entry(each.id)
          state.add(own)
          pending.push(own)
        } else if (each.kind === "foreign") {
          const foreign = entry(each.id)
          // Where one in the middle was written first, others come behind it.
          const at = Math.max(-1, ...pending.map((own, index) => (lines.has(own) ? index : -1))) + 1
          placed = [...placed, ...pending.slice(0, at), foreign]
          pending = pending.slice(at)
          state.add(foreign, line)
          lines.set(foreign, line)
        } else {
          const own = [...placed, ...pending].filter((one) => !lines.has(one))[each.which]
          if (!own) continue
          expect(state.isPlaced(own)).toBe(false)
          state.placed(own, line)
          lines.set(own, line)
          expect(state.isPlaced(own)).toBe(true)
        }
        const order = [...placed, ...pending]
        expect(state.entries()).toEqual(order)
        expect(order.map((_, ordinal) => state.line(ordinal))).toEqual(order.map((one) => lines.get(one)))
        expect(order.filter((one) => !state.isPlaced(one))).toEqual(order.filter((one) => !lines.has(one)))
      }
    }),
  )
})
