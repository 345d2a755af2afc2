import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sampleEntries } from "../sample.js"
import { type Sandbox, sandbox } from "../sandbox.js"
import { forkedEntries } from "../tui/terminal/store.js"

function forked(): { box: Sandbox; path: string } {
  const box = sandbox()
  return { box, path: box.store(forkedEntries(), { id: "forked" }) }
}

test("--select of a message of the user goes before it, and prints its text", async () => {
  const { box } = forked()
  const { stdout, stderr } = await box.run(["tree", "@last", "--select", "bbbb0007"])
  expect(stdout).toBe("bbbb0004\n変更日志を更新して 🎉\nand nothing else\n")
  expect(stderr).toBe("The session continues at bbbb0004.\n")
  await box.print("append", "@last", "--role", "user", "--text", "Said differently")
  expect(await box.print("tree")).toMatch(/^● \w{8} user {2}Said differently {2}← leaf/m)
})

test("--select of anything else goes to it, and of the first message before everything", async () => {
  const { box } = forked()
  expect(await box.print("tree", "--select", "bbbb0006")).toBe("bbbb0006")
  expect(await box.print("tree", "--select", "bbbb0001")).toBe("root\nAdd a discount field")
  expect((await box.run(["show"])).stdout).not.toContain("Add a discount field")
})

test("where the session stands there already, nothing is written", async () => {
  const { box } = forked()
  const before = box.snapshot().filter((line) => line.includes(".jsonl"))
  const { json } = await box.run(["tree", "--select", "bbbb0008", "--json"])
  expect(json[0]).toMatchObject({ entryId: null, leafId: "bbbb0008", targetId: "bbbb0008", selectedId: "bbbb0008" })
  expect(box.snapshot().filter((line) => line.includes(".jsonl"))).toEqual(before)
})

test("--json reports what was written, where the session stands, and the text to edit", async () => {
  const { box, path } = forked()
  const { json } = await box.run(["tree", "--select", "bbbb0005", "--json"])
  expect(json[0]).toEqual({
    v: 1,
    sessionId: "forked",
    path,
    entryId: expect.stringMatching(/^[0-9a-f]{8}$/),
    leafId: json[0]?.entryId,
    targetId: "bbbb0004",
    selectedId: "bbbb0005",
    editorText: "Rewrite it all",
  })
})

test("--summarizer says there what the branch that is left was about", async () => {
  const { box } = forked()
  const argv = ["tree", "--select", "bbbb0002", "--summarizer", "cat > asked; echo About that", "--json"]
  const { json } = await box.run([...argv, "--instructions", "mind the width"])
  expect(json[0]).toMatchObject({ targetId: json[0]?.entryId, summarized: true })
  expect(await box.print("show")).toContain("About that")
  const again = await box.run(["tree", "--select", String(json[0]?.entryId), "--summarizer", "touch ran"])
  expect(again.stderr).toContain("There was nothing to summarize.")
})

test("1: a summarizer that fails leaves every byte as it was", async () => {
  const { box } = forked()
  const before = box.snapshot().filter((line) => line.includes(".jsonl"))
  const { code, stderr } = await box.run(["tree", "--select", "bbbb0002", "--summarizer", "exit 3"])
  expect(code).toBe(1)
  expect(stderr).toContain("The summarizer ended with exit code 3.")
  expect(box.snapshot().filter((line) => line.includes(".jsonl"))).toEqual(before)
})

test("3: an entry that is not there is gone to by nobody", async () => {
  const { box } = forked()
  expect((await box.run(["tree", "--select", "zz"])).code).toBe(3)
})

test.each([
  [["--interactive", "--select", "a"], "Give --interactive or --select, not both."],
  [["--summarizer", "x"], "--summarizer and --instructions need --interactive or --select."],
  [["--select", "a", "--instructions", "x"], "--instructions needs --summarizer."],
  [["-i"], "`--select ENTRY` continues from an entry without asking."],
  [["-i", "--no-input"], "`--select ENTRY` continues from an entry without asking."],
])("2: %j cannot be carried out", async (argv, message) => {
  const box = sandbox()
  box.store(sampleEntries())
  const { code, stdout, stderr } = await box.run(["tree", "@last", ...argv])
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain(message)
})

test("the text to edit keeps its tabs, and commands no terminal", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "all:\n\tmake \u001b]0;title\u0007\u001b[2J\u202eit\r\n")])
  const { stdout } = await box.run(["tree", "--select", "one"])
  expect(stdout).toBe("root\nall:\n\tmake \\u202eit\n\n")
  expect(await box.print("fork", "@last", "--before", "one")).toMatch(/\nall:\n\tmake \\u202eit$/)
})
