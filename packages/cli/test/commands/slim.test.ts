import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { expect, test } from "vitest"
import { hashOf, IMAGE_SIZE, imageEntry, storeBlob } from "../images.js"
import { type Sandbox, sandbox } from "../sandbox.js"

/** Three messages with two images. */
const ENTRIES = [imageEntry("one", null, 1), imageEntry("two", "one", 2), imageEntry("three", "two", 1)]

const blobsOf = (box: Sandbox, folder = "agent/blobs"): string[] => readdirSync(join(box.folder, folder)).sort()

test("slim moves images out, each once, and leaves no backup", async () => {
  const box = sandbox()
  const path = box.store(ENTRIES)
  const { code, stdout } = await box.run(["blobs", "slim", "@last"])
  expect(code).toBe(0)
  expect(stdout.replaceAll(box.folder, "")).toMatch(
    /^session {2}\S+\nbefore {3}13 KB\nafter {4}1 KB\nchanged {2}3 lines\nblobs {4}2 blobs, 6 KB, in \/agent\/blobs\n$/,
  )
  expect(blobsOf(box)).toEqual([hashOf(1), hashOf(2)].sort())
  expect(readdirSync(dirname(path))).toEqual([basename(path)])
})

test("inflate puts everything back as it was", async () => {
  const box = sandbox()
  const path = box.store(ENTRIES)
  const before = readFileSync(path, "utf8")
  const [slim] = (await box.run(["blobs", "slim", "@last", "--json"])).json
  const [inflated] = (await box.run(["blobs", "inflate", "@last", "--json"])).json
  expect(readFileSync(path, "utf8")).toBe(before)
  expect(inflated).toMatchObject({ before: slim?.after, after: slim?.before, changed: 3, diagnostics: [] })
  expect([slim?.blobs, inflated?.blobs]).toEqual([
    { folder: `${box.agentDir}/blobs`, count: 2, bytes: 2 * IMAGE_SIZE, hashes: [hashOf(1), hashOf(2)] },
    { folder: `${box.agentDir}/blobs`, count: 2, bytes: 2 * IMAGE_SIZE, hashes: [hashOf(1), hashOf(2)] },
  ])
})

test("--dry-run reports the same sizes, and does nothing", async () => {
  const box = sandbox()
  box.store(ENTRIES)
  const before = box.snapshot()
  const [dry] = (await box.run(["blobs", "slim", "@last", "--dry-run", "--json"])).json
  expect(box.snapshot()).toEqual(before)
  const [slim] = (await box.run(["blobs", "slim", "@last", "--json"])).json
  expect(dry).toEqual({ ...slim, dryRun: true })
})

test("where there is nothing to move, nothing is written", async () => {
  const box = sandbox()
  box.store([])
  const before = box.snapshot().filter((line) => line.includes(".jsonl"))
  const { code, stdout, stderr } = await box.run(["blobs", "slim", "test-session"])
  expect(code).toBe(0)
  expect(stdout).toContain("after    the same\n")
  expect(stderr).toBe("Nothing to change.\n")
  expect(box.snapshot().filter((line) => line.includes(".jsonl"))).toEqual(before)
})

test("4: inflate names the blobs that are missing, and where it looked", async () => {
  const box = sandbox()
  const path = box.store([imageEntry("one", null, `blob:sha256:${hashOf("gone")}`)])
  const { code, stdout, stderr } = await box.run(["blobs", "inflate", "@last"])
  expect(code).toBe(4)
  expect(stdout).toMatch(new RegExp(`${path}:2:\\d+ missing-blob Blob ${hashOf("gone")}`))
  expect(stderr).toContain(`missing in ${box.agentDir}/blobs; --blobs names another folder`)
})

test("a session of another store keeps its blobs there", async () => {
  const box = sandbox()
  box.store(ENTRIES)
  renameSync(box.agentDir, join(box.folder, "other"))
  const path = join(box.folder, "other", "sessions", ...sessionIn(box, "other"))
  expect((await box.run(["blobs", "slim", path])).code).toBe(0)
  expect(blobsOf(box, "other/blobs")).toHaveLength(2)
  const { code, stderr } = await box.run(["verify", path])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "1 session, 3 entries: no damage.\n" })
  expect((await box.run(["context", path, "--json"])).json[0]?.diagnostics).toEqual([])
  expect((await box.run(["verify", path, "--blobs", "../nowhere"])).code).toBe(4)
})

test("a session outside of any store gets its blobs beside it, where no sweep of a store can take them", async () => {
  const box = sandbox()
  const path = join(box.folder, "s.jsonl")
  renameSync(box.store(ENTRIES), path)
  const { stderr, code } = await box.run(["blobs", "slim", path])
  expect([stderr, code]).toEqual(["", 0])
  expect(existsSync(join(box.folder, "blobs"))).toBe(true)
})

test("a session outside of any store has its blobs beside it", async () => {
  const box = sandbox()
  storeBlob(box, "bytes", "loose/blobs")
  const path = join(box.folder, "loose", "s.jsonl")
  const stored = box.store([imageEntry("one", null, `blob:sha256:${hashOf("bytes")}`)])
  renameSync(stored, path)
  expect((await box.run(["verify", path])).code).toBe(0)
  expect((await box.run(["show", path, "--json"])).code).toBe(0)
  expect((await box.run(["blobs", "inflate", path])).code).toBe(0)
  expect(readFileSync(path, "utf8")).toContain(Buffer.from("bytes").toString("base64"))
})

test("says so when a sweep will not know of the session", async () => {
  const box = sandbox()
  const path = join(box.folder, "s.jsonl")
  renameSync(box.store(ENTRIES), path)
  const { stderr } = await box.run(["blobs", "slim", path, "--blobs", join(box.agentDir, "blobs")])
  expect(stderr).toBe(
    `\`blobs gc\` of ${box.agentDir}/blobs does not know this session: give it --root ${box.folder}\n`,
  )
})

test("what is appended goes to the blobs of the session, not to those of the store that is meant", async () => {
  const box = sandbox()
  box.store([])
  renameSync(box.agentDir, join(box.folder, "other"))
  const path = join(box.folder, "other", "sessions", ...sessionIn(box, "other"))
  const { message } = imageEntry("one", null, 1) as { message: object }
  expect((await box.run(["append", path, JSON.stringify(message)])).code).toBe(0)
  expect(blobsOf(box, "other/blobs")).toEqual([hashOf(1)])
})

/** Bucket and name of the one session in a store. */
function sessionIn(box: Sandbox, store: string): string[] {
  const [path = ""] = readdirSync(join(box.folder, store, "sessions"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".jsonl"),
  )
  return path.split("/")
}
