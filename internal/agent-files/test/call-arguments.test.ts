import { callArguments } from "@treelog-internal/agent-files"
import { expect, it } from "vitest"

it.each([
  ["an object", { path: "a" }, { path: "a" }],
  ["its JSON", ' {"path":"a"}', { path: "a" }],
  ["JSON that was cut off", '{"path":"a', { input: '{"path":"a' }],
  ["a text", "*** Begin Patch", { input: "*** Begin Patch" }],
  ["a list", ["a"], { input: ["a"] }],
  ["an empty text", "", {}],
  ["nothing", null, {}],
])("makes arguments of %s", (_, value, args) => {
  expect(callArguments(value)).toEqual(args)
})
