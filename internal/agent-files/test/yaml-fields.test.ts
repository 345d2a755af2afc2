import { expect, test } from "vitest"
import { yamlFields } from "./door.js"

test("a mapping of YAML has its texts: plain, quoted, in blocks; what is nested is no field", () => {
  const text = `id: 7f3a
name: "A \\"quoted\\" name" 
single: 'it''s'
folded: >-
  one
  two
literal: |
  one
  two
nested:
  inner: no
empty:
nothing: null
neither: ~
comment: value # not this
last: end`
  expect(yamlFields(text)).toEqual({
    id: "7f3a",
    name: 'A "quoted" name',
    single: "it's",
    folded: "one two",
    literal: "one\ntwo",
    nested: "inner: no",
    empty: "",
    nothing: "",
    neither: "",
    comment: "value",
    last: "end",
  })
})
