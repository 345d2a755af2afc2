import fc from "fast-check"
import { expect, test } from "vitest"
import { readViewAddress, writeViewAddress } from "./door.js"

const id = fc.option(fc.string({ unit: "grapheme", minLength: 1 }), { nil: undefined })

test("an address that was written is read as it was, whatever its ids are", () => {
  const addresses = fc.record({ entry: id, agent: id, branch: id, beside: id })
  fc.assert(
    fc.property(addresses, (address) => {
      expect(readViewAddress(writeViewAddress(address))).toEqual(address)
    }),
  )
})

test("an address of earlier versions names an entry, and one that was typed names something", () => {
  expect(readViewAddress("#5e40b9ff").entry).toBe("5e40b9ff")
  expect(readViewAddress("#50%").entry).toBe("50%")
  expect(readViewAddress("")).toEqual({ entry: undefined, agent: undefined, branch: undefined, beside: undefined })
  expect(readViewAddress("#a?what=1&agent=b&agent").agent).toBeUndefined()
  expect(readViewAddress("#a?what=1&agent=b").agent).toBe("b")
})
