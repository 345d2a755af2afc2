import { MemorySessionStorage, TreelogError } from "@treelog/session-core"
import { sessionTitle } from "@treelog/session-core/search"
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

const SIGNAL = new AbortController().signal

async function titleIn(text: string, { name = "", signal = SIGNAL } = {}): Promise<string> {
  const storage = new MemorySessionStorage()
  const lease = await storage.lease("key", { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(text)])
  await lease.release()
  return sessionTitle(storage, { key: "key", name }, signal)
}

test("a session is called by its name, or else by the first that its user said, as text or in blocks", async () => {
  const blocks = [
    { type: "image", data: "", mimeType: "image/png" },
    { type: "text", text: "one" },
  ]
  const text = sessionText(
    testHeader(),
    entry("custom", "a", null, { customType: "user", data: { role: "user" } }),
    assistantEntry("b", "a", 'says "user" too'),
    messageEntry("c", "b", { role: "user", content: blocks, timestamp: 0 }),
    userEntry("d", "c", "two"),
  )
  expect(await titleIn(text)).toBe("one")
  expect(await titleIn(text, { name: "Named" })).toBe("Named")
})

test("files of version 1, with line ends of any kind, glued and damaged lines have a title", async () => {
  const old = JSON.stringify({ type: "message", message: { role: "user", content: "old" } }, null, 1)
  const header = testHeader({ version: 1 })
  expect(await titleIn(sessionText(header, `${old.replaceAll("\n", " ")}\r`))).toBe("old")
  const glued = [assistantEntry("a", null, "left"), userEntry("b", "a", "right")].map((one) => JSON.stringify(one))
  expect(await titleIn(sessionText(header, '{"type":"message","message":{"role":"user",', glued.join("")))).toBe(
    "right",
  )
})

test("a prompt that spans blocks is whole, up to where it is no prompt any more", async () => {
  const long = "変更日志 ".repeat(100_000)
  const title = await titleIn(sessionText(testHeader(), userEntry("a", null, long)))
  expect(title).toHaveLength(19_999)
  expect(long.startsWith(title)).toBe(true)
})

test("what is not there or cannot be read has none, and an interruption ends the reading", async () => {
  expect(await sessionTitle(new MemorySessionStorage(), { key: "nowhere", name: "" }, SIGNAL)).toBe("")
  const broken = new (class extends MemorySessionStorage {
    override stat(key: string): never {
      throw new TreelogError("InvalidSessionError", "Not a session", { key, found: "nonsense" })
    }
  })()
  expect(await sessionTitle(broken, { key: "key", name: "" }, SIGNAL)).toBe("")
  await expect(titleIn(sessionText(testHeader()), { signal: AbortSignal.abort() })).rejects.toThrow("abort")
})
