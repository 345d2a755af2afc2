import { matchesId } from "@treelog/session-core/adapter"
import fc from "fast-check"
import { expect, test } from "vitest"
import { shortIds, shortSessionIds } from "../door.js"

test("ids of one minute are distinguished, others are shown by eight characters", () => {
  const short = shortIds(["01a20071-d917", "01a20071-e51e", "7f000000-0000", "short"])
  expect(["01a20071-d917", "01a20071-e51e", "7f000000-0000", "short"].map(short)).toEqual([
    "01a20071-d",
    "01a20071-e",
    "7f000000",
    "short",
  ])
})

test("what stands beside a converted entry, with its id and more behind a colon, makes its id no longer", () => {
  const ids = [
    "01a20071-d917",
    "01a20071-d917:model",
    "01a20071-d917:sent",
    "7f000000-0000",
    "7f000000-0001",
    "7f000000-0000:sent",
  ]
  expect(ids.slice(0, 1).concat(ids.slice(3, 5)).map(shortIds(ids))).toEqual([
    "01a20071",
    "7f000000-0000",
    "7f000000-0001",
  ])
})

test("an id whose end is its beginning is shown by eight characters", () => {
  expect(shortSessionIds(["ffff0000-0000-000000-ffff0000"]).of("ffff0000-0000-000000-ffff0000")).toBe("ffff0000")
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

test("what is shown of a session's id is no longer than its beginning has to be, and means that session alone", () => {
  const digits = fc.string({ unit: fc.constantFrom("0", "f"), minLength: 6, maxLength: 10 })
  const random = fc.tuple(fc.constantFrom("019a1b2c-3d4e", "019a1b2c-3d4f", "ffff0000-0000"), digits, digits)
  const ids = fc.array(
    fc.oneof(
      random.map((parts) => parts.join("-")),
      fc.stringMatching(/^nightly-[a-c]{1,12}$/),
    ),
  )
  fc.assert(
    fc.property(ids, (given) => {
      const [known, beginnings] = [shortSessionIds(given), shortIds(given)]
      for (const id of given) {
        const short = known.of(id)
        expect(short === id || [...new Set(given)].filter((other) => matchesId(short, other)).length === 1).toBe(true)
        if (!given.some((other) => other !== id && matchesId(beginnings(id), other)))
          expect(short.length).toBeLessThanOrEqual(beginnings(id).length)
      }
    }),
  )
})
