import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { conversation, entriesOf, storedBytes } from "../conversation.js"
import { sandbox } from "../sandbox.js"

test("a command is asked what the branch that is left was about, and its answer begins the new one", async () => {
  const box = sandbox()
  const path = box.store(conversation())
  const { code, stdout, stderr } = await box.run([
    ...["branch", "@last", "b1", "--instructions", "Failures."],
    ...["--summarize", "grep -o -e 'Third answer' -e 'First answer' -e 'this: Failures'"],
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "The session continues at b1.\n" })
  expect(entriesOf(path).at(-1)).toMatchObject({
    id: stdout.trim(),
    type: "branch_summary",
    parentId: "b1",
    summary: "Third answer\nthis: Failures",
  })
})

test("root is a place to go to, and the files of the branch are named", async () => {
  const box = sandbox()
  const path = box.store(conversation())
  const { json } = await box.run(["branch", "@last", "root", "--summarize", "echo Tried.", "--json"])
  expect(json[0]).toMatchObject({
    targetId: null,
    summary: expect.stringMatching(/^Tried\.\n\n<read-files>\nsrc\/form/),
  })
  expect(entriesOf(path).at(-1)).toMatchObject({ parentId: null, details: { modifiedFiles: ["src/field.ts"] } })
})

test("where nothing is left behind, no command is run, and the place is marked", async () => {
  const box = sandbox()
  const path = box.store(conversation())
  const { code, stderr } = await box.run(["branch", "@last", "a3", "--summarize", "exit 9"])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "There was nothing to summarize.\nThe session continues at a3.\n",
  })
  expect(entriesOf(path).at(-1)).toMatchObject({ type: "custom", parentId: "a3" })
  expect((await box.run(["branch", "@last", "a3", "--summarize", "exit 9", "--json"])).json[0]?.summary).toBeNull()
})

test.each([
  ["exit 3", "ended with exit code 3"],
  ["true", "printed nothing"],
  ["sleep 60", "took longer"],
])("1: without a summary (%s) the session stays where it is, byte for byte", async (command, message) => {
  const box = sandbox()
  box.store(conversation())
  const before = storedBytes(box)
  const { code, stdout, stderr } = await box.run([
    ...["branch", "@last", "b1", "--summarize", command],
    ...(command.startsWith("sleep") ? ["--timeout", "0.001s"] : []),
  ])
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr).toContain(message)
  expect(storedBytes(box)).toEqual(before)
})

test("130: Ctrl-C leaves the session where it is", async () => {
  const box = sandbox()
  box.store([...conversation(), userEntry("u4", "a3")])
  const before = storedBytes(box)
  const interrupt = new AbortController()
  const { code } = await box.run(["branch", "@last", "b1", "--summarize", "echo started >&2; sleep 60"], {
    interrupted: interrupt.signal,
    onWrite: (text) => {
      if (text.includes("started")) interrupt.abort()
    },
  })
  expect(code).toBe(130)
  expect(storedBytes(box)).toEqual(before)
})
