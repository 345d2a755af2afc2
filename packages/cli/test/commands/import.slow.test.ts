import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { type Session, SessionManager } from "@treelog/session-core"
import { blobRef } from "@treelog/session-core/adapter"
import { FileSessionStorage } from "@treelog/storage-fs"
import { entryList, sessionText, testHeader, tries, userEntry } from "@treelog-internal/test-kit"
import { generateSession, type SessionStyle } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { hashOf, imageEntry, storeBlob } from "../images.js"
import { sampleEntries } from "../sample.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const STYLES: readonly SessionStyle[] = ["pi", "pi-migrated", "omp", "treelog", "pi-v1"]

function open(box: Sandbox, path: string): Promise<Session> {
  const storage = new FileSessionStorage({ agentDir: box.agentDir, env: {} })
  return new SessionManager({ anyFile: true, storage }).open(path, { access: "read" })
}

/** What has to come back: entries, leaf, labels, name, header. */
async function contentOf(box: Sandbox, path: string): Promise<object> {
  const session = await open(box, path)
  const entries = session.getEntries()
  const labels = entries.map(({ id }) => session.getLabel(id))
  const [leafId, name] = [session.getLeafId(), session.getSessionName()]
  const content = { entries, leafId, labels, name, header: session.getHeader() }
  await session.close()
  return content
}

/** Exports a session, takes it into another store, and compares what is there with what was. */
async function roundTrip(path: string, from: Sandbox, ...options: string[]): Promise<string> {
  const file = `${from.folder}/${readdirSync(from.folder).length}.jsonl`
  await from.print("export", path, "-o", file, ...options)
  const to = sandbox()
  const imported = JSON.parse(await to.print("import", file, "--json")) as { path: string; leafId: string | null }
  const [before, after] = [await contentOf(from, path), await contentOf(to, imported.path)]
  expect(after).toEqual(before)
  expect(imported.leafId).toBe((before as { leafId: string | null }).leafId)
  return imported.path
}

describe("what was exported as JSONL comes back entry for entry", () => {
  test("of every kind, in any tree, with any labels and leaf", async () => {
    const box = sandbox()
    let count = 0
    await fc.assert(
      fc.asyncProperty(entryList, async (entries) => {
        const path = box.store(entries, { id: `s${count++}` })
        await roundTrip(path, box, "--no-redact")
        if (!JSON.stringify(entries).includes("[redacted")) await roundTrip(path, box)
      }),
      { numRuns: tries(4) },
    )
  })

  test.each(STYLES)("of a session such as %s writes", async (style) => {
    const box = sandbox()
    const path = box.write(
      "loose.jsonl",
      [...generateSession({ seed: 5, style, entries: 300, images: 0, branching: 0.2 })].join(""),
    )
    const imported = await roundTrip(path, box)
    if (style !== "pi-v1") expect(readFileSync(imported, "utf8")).toBe(readFileSync(path, "utf8"))
  })

  test("of the sample, and of one branch of it", async () => {
    const box = sandbox()
    await roundTrip(box.store(sampleEntries()), box)
    const file = `${box.folder}/branch.jsonl`
    await box.print("export", "--leaf", "aaaa0006", "-o", file)
    const { path } = JSON.parse(await sandbox().print("import", file, "--json"))
    const text = readFileSync(file, "utf8")
    expect(text).toContain('"id":"aaaa0006"')
    expect(path).toContain("_test-session.jsonl")
  })
})

test("the session belongs to the folder that its header says, or that --cwd says", async () => {
  const box = sandbox()
  const file = box.write("talk.jsonl", sessionText(testHeader({ cwd: "/home/them/shop" }), userEntry("one", null)))
  expect(JSON.parse(await box.print("import", file, "--json"))).toMatchObject({ cwd: "/home/them/shop" })
  const mine = box.write("mine.jsonl", sessionText(testHeader({ id: "mine", cwd: "/home/them/shop" })))
  const { path, cwd } = JSON.parse(await box.print("import", mine, "--json", "--cwd", "../mine"))
  expect(cwd).toBe(`${box.folder}/mine`)
  expect(path).toContain("mine--")
  const none = box.write("none.jsonl", '{"type":"session","version":3,"id":"x","timestamp":"soon"}\n')
  expect(JSON.parse(await box.print("import", none, "--json"))).toMatchObject({ sessionId: "x", cwd: "" })
})

test("a file that is imported again is known; an id of another session, or that can be no name, becomes a new one", async () => {
  const box = sandbox()
  const file = box.write("talk.jsonl", sessionText(testHeader({ id: "talk" }), userEntry("one", null, "Hello")))
  const before = readFileSync(file)
  expect(await box.print("import", file)).toMatch(/^talk {2}/)
  expect(await box.print("import", file)).toMatch(/^talk {2}unchanged /)
  const header = testHeader({ id: "talk", timestamp: "2020-01-01T00:00:00.000Z" })
  const other = box.write("other.jsonl", sessionText(header, userEntry("one", null, "Hello")))
  const { stdout, stderr } = await box.run(["import", other])
  expect(stdout).not.toMatch(/^talk /)
  expect(stderr).toContain("The id talk is that of another session")
  const odd = box.write("odd.jsonl", sessionText(testHeader({ id: "../up" }), userEntry("one", null)))
  const { sessionId, formerId, path } = JSON.parse(await box.print("import", odd, "--json"))
  expect(formerId).toBe("../up")
  expect(JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "")).toMatchObject({ id: sessionId })
  expect(readFileSync(file)).toEqual(before)
  expect((await box.run(["list", "--all", "--json"])).json).toHaveLength(3)
})

describe("images", () => {
  test("that are inline go to the store's blobs", async () => {
    const box = sandbox()
    const file = box.write("talk.jsonl", sessionText(testHeader(), imageEntry("one", null, 7)))
    const { path } = JSON.parse(await box.print("import", file, "--json"))
    expect(readFileSync(path, "utf8")).toContain(blobRef(hashOf(7)))
    expect(readdirSync(`${box.agentDir}/blobs`)).toEqual([hashOf(7)])
  })

  test("that lie in blobs are copied from --blobs, or from beside the file", async () => {
    for (const options of [["--blobs", "../theirs"], []]) {
      const box = sandbox()
      const hash = storeBlob(box, "picture", options.length > 0 ? "theirs" : "talk/blobs")
      const text = sessionText(
        testHeader(),
        imageEntry("in", null, blobRef(hash)),
        imageEntry("no", "in", blobRef(hashOf(9))),
      )
      const { stdout, stderr } = await box.run(["import", box.write("talk/talk.jsonl", text), ...options])
      expect(stdout).toContain("_test-session.jsonl")
      expect(readFileSync(`${box.agentDir}/blobs/${hash}`, "utf8")).toBe("picture")
      expect(stderr).toMatch(/^Copied 1 blob from /)
      expect(stderr).toContain("1 blob that it names is neither in")
    }
  })
})

test("damaged lines come along as they are", async () => {
  const box = sandbox()
  const text = `${sessionText(testHeader(), userEntry("one", null), "nonsense")}{"torn`
  const { path } = JSON.parse(await box.print("import", box.write("talk.jsonl", text), "--json"))
  expect(readFileSync(path, "utf8")).toBe(`${text}\n`)
})

test.each([
  ["nothing.jsonl", undefined, 3],
  ["notes.txt", "Dear diary\n", 1],
  ["empty.jsonl", "", 1],
  ["other.jsonl", '{"type":"message","id":"a"}\n', 1],
  ["newer.jsonl", sessionText(testHeader({ version: 9 })), 1],
])("treelog import refuses %s, and makes nothing", async (name, text, expected) => {
  const box = sandbox()
  if (text !== undefined) writeFileSync(`${box.folder}/${name}`, text)
  const before = box.snapshot()
  const { code, stderr } = await box.run(["import", `../${name}`])
  expect(code).toBe(expected)
  expect(stderr).toMatch(/^treelog: \S/)
  expect(box.snapshot().filter((line) => line.includes(".jsonl"))).toEqual(
    before.filter((line) => line.includes(".jsonl")),
  )
})
