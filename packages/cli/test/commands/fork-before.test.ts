import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { forkedEntries } from "../tui/terminal/store.js"

function forked(): { box: Sandbox; path: string } {
  const box = sandbox()
  return { box, path: box.store(forkedEntries(), { id: "forked" }) }
}

test("--before copies the way to what precedes a message, and prints its text", async () => {
  const { box, path } = forked()
  const before = box.snapshot().find((line) => line.includes("forked"))
  const [made = "", ...text] = (await box.print("fork", "forked", "--before", "bbbb0007")).split("\n")
  expect(text).toEqual(["変更日志を更新して 🎉", "and nothing else"])
  const [id = "", copy = ""] = made.split("  ")
  expect(copy).not.toBe(path)
  const tree = await box.print("tree", id)
  expect(tree).toContain("bbbb0004 assistant  Done.  ← leaf")
  expect(tree).not.toContain("bbbb0005")
  expect(box.snapshot().find((line) => line.includes("forked"))).toBe(before)
})

test("--before the first message begins an empty session that says where it comes from", async () => {
  const { box, path } = forked()
  const { json } = await box.run(["fork", "forked", "--before", "bbbb0001", "--json"])
  expect(json[0]).toMatchObject({ cwd: box.project, leafId: null, editorText: "Add a discount field" })
  const listed = (await box.run(["list", "--json"])).json.find(({ id }) => id === json[0]?.sessionId)
  expect(listed).toMatchObject({ messageCount: 0, parentSession: path })
})

test("--to gives the copy to another folder", async () => {
  const { box } = forked()
  mkdirSync(join(box.project, "other"))
  const { json } = await box.run(["fork", "forked", "--before", "bbbb0003", "--to", "other", "--json"])
  expect(json[0]).toMatchObject({ cwd: `${box.project}/other`, editorText: "Into the checkout form" })
})

test.each([
  [["--before", "bbbb0004"], 2, "bbbb0004 is not a message of the user"],
  [["--before", "zz"], 3, 'begins with "zz"'],
  [["--before", "bbbb0003", "--leaf", "bbbb0004"], 2, "Give one of --leaf, --before and --interactive."],
  [["-i"], 2, "use `--before ENTRY` instead."],
  [["-i", "--no-input"], 2, "use `--before ENTRY` instead."],
])("%j cannot be carried out", async (argv, exitCode, message) => {
  const { box } = forked()
  const { code, stdout, stderr } = await box.run(["fork", "forked", ...argv])
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" })
  expect(stderr).toContain(message)
  expect((await box.run(["list", "--json"])).json).toHaveLength(1)
})

test.each([["--cwd"], ["--to"]])(
  "%s of a folder that is not there is refused, and nothing is written",
  async (option) => {
    const box = sandbox()
    box.store(forkedEntries(), { id: "one" })
    const before = box.snapshot()
    const { code, stdout, stderr } = await box.run(["fork", "one", option, `${box.folder}/gone`])
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("There is no folder")])
    expect(box.snapshot()).toEqual(before)
  },
)
