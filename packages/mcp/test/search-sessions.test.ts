import { parseQuery } from "@treelog/session-core/search"
import { expect, test } from "vitest"
import { QUERY } from "./door.js"

test("the description of a query names every role", () => {
  const [, roles = ""] = /role:([\w|]+)/.exec(QUERY) ?? []
  const known = `use one of ${roles.split("|").join(", ")}.`
  expect(() => parseQuery("role:nobody", 0)).toThrow(known)
})
