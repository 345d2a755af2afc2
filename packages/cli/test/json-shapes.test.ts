import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { imageEntry, storeBlob } from "./images.js"
import { sampleEntries } from "./sample.js"
import { sandbox } from "./sandbox.js"

// What README.md documents under "JSON". A change here is a change for everyone who reads it: raise `v`.

/** So late that no blob is too young. */
const LATER = Date.UTC(2100, 0)

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
  ["branch with a summarizer", ["branch", "@last", "root", "--summarize", "echo S"]],
  ["compact", ["compact", "@last", "--keep", "1", "--summarizer", "echo S"]],
  ["compact --dry-run", ["compact", "@last", "--keep", "1", "--dry-run"]],
  ["compact with nothing to do", ["compact", "@last", "--summarizer", "echo S"]],
  ["context --llm", ["context", "--llm", "anthropic", "--repair"]],
  ["stats", ["stats"]],
  ["stats --all", ["stats", "--all"]],
  ["repair", ["repair", "@last"]],
  ["repair --migrate", ["repair", "--migrate", "@last"]],
  ["blobs slim", ["blobs", "slim", "@last"]],
  ["blobs inflate", ["blobs", "inflate", "@last"]],
  ["blobs gc", ["blobs", "gc"]],
  ["blobs gc --undo", ["blobs", "gc", "--undo"]],
])("%s", async (_, argv) => {
  const box = sandbox()
  box.store(sampleEntries())
  const { code, json, stderr } = await box.run([...argv, "--json"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(json).toHaveLength(1)
  expect(shapeOf(json[0])).toMatchSnapshot()
})

test("verify of a file that cannot be read", async () => {
  const box = sandbox()
  const path = box.write("bad.jsonl", "nonsense\n")
  expect(shapeOf((await box.run(["verify", path, "--json"])).json[0])).toMatchSnapshot()
})

test("what changes a session, where there is something to change", async () => {
  const box = sandbox()
  const shapes = async (...argv: string[]): Promise<unknown> =>
    (await box.run([...argv, "--json"], { now: () => LATER })).json.map((document) => shapeOf(document))
  box.store([userEntry("one", null), '{"torn'], { id: "torn" })
  box.store([{ type: "message", message: userEntry("", null) }], { id: "old", version: 1 })
  box.store([imageEntry("one", null, 1)], { id: "large" })
  expect(await shapes("repair", "torn")).toMatchSnapshot("repair")
  expect(await shapes("repair", "--migrate", "old")).toMatchSnapshot("migrate")
  expect(await shapes("blobs", "slim", "large")).toMatchSnapshot("slim")
  box.write(`agent/blobs/${storeBlob(box, "damaged")}`, "other bytes")
  expect(await shapes("blobs", "ls")).toMatchSnapshot("blobs ls")
  expect(await shapes("blobs", "verify")).toMatchSnapshot("blobs verify")
  expect(await shapes("blobs", "gc", "--apply", "--grace", "0")).toMatchSnapshot("blobs gc")
})

test("migrate --all of a session that cannot be migrated", async () => {
  const box = sandbox()
  box.store([], { version: 9 })
  expect(shapeOf((await box.run(["repair", "--migrate", "--all", "--json"])).json[0])).toMatchSnapshot()
})

test("watch gives an entry a line", async () => {
  const box = sandbox()
  box.store(sampleEntries().slice(0, 2))
  const { json } = await box.run(["watch", "--from-start", "--json"], { interrupted: AbortSignal.abort() })
  expect(json.map((document) => shapeOf(document))).toMatchSnapshot()
})

test("list gives a document a line", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "a" })
  box.store([userEntry("one", null)], { id: "b" })
  expect((await box.run(["list", "--json"])).json.map(({ v }) => v)).toEqual([1, 1])
})

test.each([
  ["history recent", ["recent"]],
  ["history search", ["search", "discount"]],
  ["history add", ["add", "Hi"]],
  ["history import", ["import"]],
  ["history delete", ["delete", "--query", "discount"]],
  ["history delete --yes", ["delete", "--query", "discount", "--yes"]],
  ["history stats", ["stats"]],
])("%s", async (_, argv) => {
  const box = sandbox()
  box.store(sampleEntries())
  await box.print("history", "import")
  const { code, json, stderr } = await box.run(["history", ...argv, "--json"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(shapeOf(json)).toMatchSnapshot()
})

/** Names and types. Of a list, the shapes that occur in it; entries and messages are the format's, not ours. */
function shapeOf(value: unknown, name = ""): unknown {
  if (name === "entry" || (name === "messages" && Array.isArray(value))) return "as stored"
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort()
  if (typeof value !== "object" || value === null) return name === "v" ? value : value === null ? "null" : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item, key)]))
}
