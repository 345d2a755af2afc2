import type { SessionEntry } from "@treelog/session-core"
import { Labels } from "@treelog/session-core/adapter"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type EntryLine, SessionState, waitingLine } from "../door.js"

let made = 0
/** No two are equal, though they may have the same id. Each labels an entry, so that the order of all shows in the labels. */
const entry = (id: string): SessionEntry => ({
  type: "label",
  id,
  parentId: null,
  timestamp: "",
  targetId: "a",
  label: `${made++}`,
})
const lineAt = (number: number): EntryLine => ({ place: { line: number, offset: number, length: 1 }, verbatim: true })

/** A few ids only: others give their entries the ids of ours as well. */
const id = fc.constantFrom("a", "b", "c", "d")
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("own" as const), id }) },
  fc.record({ kind: fc.constant("foreign" as const), id }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("written" as const), count: fc.nat(3) }) },
  fc.record({ kind: fc.constant("found" as const), which: fc.nat(3) }),
  fc.record({ kind: fc.constant("stored anew" as const), withoutLast: fc.nat(3) }),
)

it("the order is that of the file, now or once all is written, in whatever order lines come", () => {
  fc.assert(
    fc.property(fc.array(step, { size: "medium" }), (steps) => {
      const state = new SessionState()
      const stored: SessionEntry[] = []
      const waiting: SessionEntry[] = []
      const lines = new Map<SessionEntry, EntryLine>()
      let number = 1
      const place = (entries: readonly SessionEntry[]) =>
        entries.map((one) => {
          const line = lineAt(number++)
          lines.set(one, line)
          return line.place
        })
      for (const each of steps) {
        if (each.kind === "own") {
          const own = entry(each.id)
          state.append(waitingLine(own))
          waiting.push(own)
        } else if (each.kind === "foreign") {
          const foreign = entry(each.id)
          place([foreign])
          state.add(foreign, lines.get(foreign))
          stored.push(foreign)
        } else if (each.kind === "written") {
          const written = waiting.splice(0, each.count)
          state.stored(place(written))
          stored.push(...written)
        } else if (each.kind === "found") {
          const wanted = waiting[each.which]?.id ?? "none"
          const at = waiting.findIndex((one) => one.id === wanted)
          const line = lineAt(number)
          expect(state.recognize(wanted, line.place)).toBe(at !== -1)
          const [found] = at === -1 ? [] : waiting.splice(at, 1)
          if (!found) continue
          place([found])
          stored.push(found)
        } else {
          stored.push(...waiting.splice(0, waiting.length - Math.min(each.withoutLast, waiting.length)))
          state.stored(place(stored), 0)
        }
        const order = [...stored, ...waiting]
        expect(state.entries()).toEqual(order)
        expect(order.map((_, ordinal) => state.line(ordinal))).toEqual(order.map((one) => lines.get(one)))
        expect(state.waiting.map((line) => line.entry)).toEqual(waiting)
        expect([...state.labels.entries()]).toEqual([...new Labels(order).entries()])
        expect(order.map(({ id }) => state.entry(id))).toEqual(
          order.map(({ id }) => order.filter((one) => one.id === id).at(-1)),
        )
      }
      state.clear()
      expect([state.size, state.tree.size, state.waiting]).toEqual([0, 0, []])
    }),
  )
})
