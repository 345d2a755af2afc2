import { entryLine, FileChanges, messageLines, PLAIN } from "@treelog-internal/text"
import { expect, it } from "vitest"
import { messageMarkdown } from "./door.js"

const python = { role: "pythonExecution", code: "print(1)", output: "1", exitCode: 1, cancelled: false }
const mention = {
  role: "fileMention",
  files: [
    { path: "src/a.ts", content: "const a = 1" },
    { path: "b\u001b[31m.png", content: "", image: { type: "image", data: "AAAA", mimeType: "image/png" } },
  ],
}
const rendering = { changes: new FileChanges(), imageAddress: () => undefined }
const options = { style: PLAIN, full: true }
const line = (message: object) =>
  entryLine({ type: "message", id: "a", parentId: null, timestamp: "", message } as never)

it("shows Python code and its output", () => {
  expect(line(python)).toEqual({ who: "python", text: ">>> print(1)" })
  expect(messageLines(python, options).map((one) => one.trim())).toEqual([">>> print(1)", "1", "(exit code 1)"])
  expect(messageMarkdown(python, rendering)).toBe("```python\nprint(1)\n```\n\n```\n1\n```\n\n*(exit code 1)*\n")
})

it("shows the files that were named, and cleans their paths", () => {
  expect(line(mention)).toEqual({ who: "files", text: "@src/a.ts @b.png" })
  const lines = messageLines(mention, options).map((one) => one.trim())
  expect(lines).toEqual(["@src/a.ts", "const a = 1", "@b.png", "[image image/png 3 B]"])
  const page = messageMarkdown(mention, rendering)
  expect(page).toContain("const a = 1")
  expect(page).toContain("src/a")
  expect(page).not.toContain("\u001b")
})

it("names the type of a message of a hook", () => {
  const hook = { role: "hookMessage", customType: "lint", content: "No faults.", display: true }
  expect(line(hook)).toEqual({ who: "lint", text: "No faults." })
})

it("shows a result that is JSON in one line with the line ends that it escapes", () => {
  const content = `Wall time: 0.1 seconds\nOutput:\n${JSON.stringify([{ type: "text", text: "one\ntwo 悬" }])}`
  const result = { role: "toolResult", toolCallId: "c", toolName: "x", content, isError: false }
  expect(messageLines(result, options).map((one) => one.trim())).toContain('two 悬"}]')
  expect(messageMarkdown(result, rendering)).toContain('[{"type":"text","text":"one\ntwo 悬"}]')
  const pretty = '{\n  "a": "x\\ny"\n}'
  expect(messageMarkdown({ ...result, content: pretty }, rendering)).toContain(pretty)
})
