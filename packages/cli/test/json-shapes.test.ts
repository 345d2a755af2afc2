import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sampleEntries } from "./sample.js"
import { sandbox } from "./sandbox.js"

// What README.md documents under "JSON". A change here is a change for everyone who reads it: raise `v`.

test.each([
  ["list", ["list"]],
  ["show", ["show"]],
  ["tree", ["tree"]],
  ["context", ["context"]],
  ["verify", ["verify"]],
  ["name", ["name", "@last"]],
  ["name set", ["name", "@last", "Audit"]],
  ["new", ["new", "--id", "fresh"]],
  ["append", ["append", "@last", "--role", "user", "--text", "Hi"]],
  ["branch", ["branch", "@last", "aaaa0005"]],
  ["branch with a summary", ["branch", "@last", "root", "--summary", "S"]],
  ["label", ["label", "@last", "aaaa0005", "here"]],
  ["fork", ["fork", "@last"]],
])("%s", async (_, argv) => {
  const box = sandbox()
  box.store(sampleEntries())
  const { code, json, stderr } = await box.run([...argv, "--json"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(json).toHaveLength(1)
  expect(shapeOf(json[0])).toMatchSnapshot()
})

test("verify of a file that cannot be looked at", async () => {
  const box = sandbox()
  const path = box.write("bad.jsonl", "nonsense\n")
  expect(shapeOf((await box.run(["verify", path, "--json"])).json[0])).toMatchSnapshot()
})

test("list gives a document a line", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "a" })
  box.store([userEntry("one", null)], { id: "b" })
  expect((await box.run(["list", "--json"])).json.map(({ v }) => v)).toEqual([1, 1])
})

/** Names and types. Of a list, the shapes that occur in it; entries and messages are the format's, not ours. */
function shapeOf(value: unknown, name = ""): unknown {
  if (name === "entry" || name === "messages") return "as stored"
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort()
  if (typeof value !== "object" || value === null) return name === "v" ? value : value === null ? "null" : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item, key)]))
}
