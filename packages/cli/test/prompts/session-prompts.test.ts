import { MemorySessionStorage } from "@treelog/session-core"
import {
  assistantEntry,
  bytesOf,
  entry,
  messageEntry,
  sessionText,
  testHeader,
  userEntry,
} from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { promptsOf } from "../../src/prompts/session-prompts.js"

const SIGNAL = new AbortController().signal

async function all(prompts: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const prompt of prompts) found.push(prompt)
  return found
}

async function promptsIn(text: string, signal = SIGNAL): Promise<string[]> {
  const storage = new MemorySessionStorage()
  const lease = await storage.lease("key", { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(text)])
  await lease.release()
  return all(promptsOf(storage, "key", signal))
}

test("gives what user messages say, on all branches, as text or in blocks", async () => {
  const blocks = [
    { type: "text", text: "two" },
    { type: "image", data: "", mimeType: "image/png" },
  ]
  const text = sessionText(
    testHeader(),
    userEntry("a", null, "one"),
    assistantEntry("b", "a", 'says "user" too'),
    messageEntry("c", "a", { role: "user", content: blocks, timestamp: 0 }),
    entry("custom", "d", "c", { customType: "user", data: { role: "user" } }),
  )
  expect(await promptsIn(text)).toEqual(["one", "two"])
})

test("reads files of version 1, with line ends of any kind, spaces in the JSON, glued and damaged lines", async () => {
  const old = JSON.stringify({ type: "message", message: { role: "user", content: "old" } }, null, 1).replaceAll(
    "\n",
    " ",
  )
  const glued = [userEntry("a", null, "left"), userEntry("b", "a", "right")].map((one) => JSON.stringify(one)).join("")
  const text = sessionText(
    testHeader({ version: 1 }),
    `${old}\r`,
    glued,
    '{"type":"message","message":{"role":"user",',
    '"user"',
  )
  expect(await promptsIn(text)).toEqual(["old", "left", "right"])
})

test("a prompt that spans blocks is whole, up to where it is no prompt any more", async () => {
  const long = "変更日志 ".repeat(100_000)
  const [prompt, next] = await promptsIn(
    sessionText(testHeader(), userEntry("a", null, long), userEntry("b", "a", "next")),
  )
  expect(prompt).toHaveLength(20_000)
  expect(long.startsWith(prompt ?? "?")).toBe(true)
  expect(next).toBe("next")
})

test("what is not there has none, and an interruption ends the reading", async () => {
  expect(await all(promptsOf(new MemorySessionStorage(), "nowhere", SIGNAL))).toEqual([])
  await expect(promptsIn(sessionText(testHeader()), AbortSignal.abort())).rejects.toThrow("abort")
})
