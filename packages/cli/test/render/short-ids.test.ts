import fc from "fast-check"
import { expect, test } from "vitest"
import { shortIds } from "../../src/render/short-ids.js"

test("ids of one minute are told apart, others are shown by eight characters", () => {
  const short = shortIds(["01a20071-d917", "01a20071-e51e", "7f000000-0000", "short"])
  expect(["01a20071-d917", "01a20071-e51e", "7f000000-0000", "short"].map(short)).toEqual([
    "01a20071-d",
    "01a20071-e",
    "7f000000",
    "short",
  ])
})

test("what is shown of an id fits no other, unless it is the whole of it", () => {
  const ids = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 14 }), { maxLength: 30 })
  fc.assert(
    fc.property(ids, (given) => {
      const short = shortIds(given)
      for (const id of given) {
        const fitting = [...new Set(given)].filter((other) => other.startsWith(short(id)))
        expect(fitting.length === 1 || short(id) === id).toBe(true)
      }
    }),
  )
})
