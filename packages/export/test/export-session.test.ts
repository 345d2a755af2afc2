import * as redaction from "@treelog/secrets"
import { MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { assistantMessage, userMessage } from "@treelog-internal/test-kit"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { expect, test } from "vitest"
import { type ExportFormat, exportSession, findSessionSecrets, type SessionExport } from "../src/index.js"

const FORMATS: readonly ExportFormat[] = ["md", "text", "json", "jsonl"]
const [SECRET = ""] = plantedSecrets(3)
  .slice(2)
  .map(({ text }) => text)

async function textOf(exported: SessionExport): Promise<string> {
  let text = ""
  for await (const piece of exported) text += typeof piece === "string" ? piece : new TextDecoder().decode(piece)
  return text
}

/** Two branches: one question, and two answers. */
async function sample() {
  const storage = new MemorySessionStorage()
  const sessions = new SessionManager({ storage, blobs: new MemoryBlobStore() })
  const session = await sessions.create("/shop", { persist: "create" })
  const question = session.appendMessage(userMessage(`Deploy it with ${SECRET}`))
  session.appendMessage(assistantMessage("No."))
  session.branch(question)
  session.appendMessage(assistantMessage("Done."))
  await session.flush()
  return { storage, session }
}

test.each(FORMATS)("%s without a redaction has everything, with one no secret", async (format) => {
  const { storage, session } = await sample()
  const whole = exportSession(session, { format, storage })
  expect(await textOf(whole)).toContain(SECRET)
  expect(whole.summary).toMatchObject({ leftOut: 0, diagnostics: [], redacted: [] })
  const redacted = exportSession(session, { format, storage, redaction })
  expect(await textOf(redacted)).not.toContain(SECRET)
  expect(redacted.summary.redacted).toEqual([{ kind: "GitHub token", count: 1 }])
  expect(redacted.summary.entries).toBe(whole.summary.entries)
})

test.each(FORMATS)("%s has one branch, or all", async (format) => {
  const { storage, session } = await sample()
  const branch = await textOf(exportSession(session, { format, storage, allBranches: false }))
  expect(branch).toContain("Done.")
  expect(branch).not.toContain("No.")
  expect(await textOf(exportSession(session, { format, storage, allBranches: true }))).toContain("No.")
  const other = session.getEntries()[1]?.id
  expect(await textOf(exportSession(session, { format, storage, leafId: other, allBranches: true }))).not.toContain(
    "Done.",
  )
  expect(await textOf(exportSession(session, { format, storage, leafId: null }))).not.toContain("Done.")
})

test("Markdown folds long instructions for the model, and shows short ones", async () => {
  const { session } = await sample()
  session.appendCustomMessageEntry("rules", "One line.", false)
  session.appendCustomMessageEntry("rules", "A line.\n".repeat(20), false)
  session.appendCustomMessageEntry("news", "A line of news.\n".repeat(20), true)
  const text = await textOf(exportSession(session, { format: "md" }))
  expect(text.match(/<summary>.*<\/summary>/g)).toEqual(["<summary>20 lines for the model</summary>"])
})

test("jsonl of all branches is what is stored, and needs the storage", async () => {
  const { storage, session } = await sample()
  const key = session.getSessionFile() ?? ""
  const stat = await storage.stat(key)
  const stored = new TextDecoder().decode(await storage.readRange(key, 0, stat?.size ?? 0))
  expect(await textOf(exportSession(session, { format: "jsonl", storage }))).toBe(stored)
  expect(() => exportSession(session, { format: "jsonl" })).toThrow(/pass the storage/)
  expect(await textOf(exportSession(session, { format: "jsonl", allBranches: false }))).toContain("Done.")
})

test.each(FORMATS)("%s that is for reading has none of the data that programs keep, the others all", async (format) => {
  const { storage, session } = await sample()
  session.appendCustomEntry("my-agent.queue", { length: 1 })
  session.appendMessage(assistantMessage("Anything else?"))
  await session.flush()
  const text = await textOf(exportSession(session, { format, storage }))
  expect(text).toContain("Anything else?")
  expect(text.includes("my-agent.queue")).toBe(format === "json" || format === "jsonl")
})

test("the head is redacted", async () => {
  const { session } = await sample()
  session.appendSessionInfo(`With ${SECRET}`)
  const { name } = exportSession(session, { format: "md", redaction }).head()
  expect(name).toBe("With [redacted GitHub token]")
})

test("the secrets of a stored session are found, with line, entry and place", async () => {
  const { storage, session } = await sample()
  const found = []
  for await (const one of findSessionSecrets(storage, session.getSessionFile() ?? "", { redaction })) found.push(one)
  const entryId = session.getEntries()[0]?.id
  expect(found).toEqual([{ line: 2, entryId, kind: "GitHub token", place: "message.content" }])
})

test("an export ends before a secret that cannot be redacted", async () => {
  const { session } = await sample()
  const findSecrets = () => [{ kind: "key", start: 0, end: 1 }]
  const stubborn = { ...redaction, findSecrets }
  const exporting = textOf(exportSession(session, { format: "md", redaction: stubborn }))
  await expect(exporting).rejects.toMatchObject({
    name: "SecretLeftError",
    code: "SecretLeftError",
    data: { kinds: ["key"] },
  })
  const breaking = { ...redaction, findSecrets, replaceFindings: () => "{" }
  const json = textOf(exportSession(session, { format: "json", redaction: breaking }))
  await expect(json).rejects.toThrow(/without breaking the format/)
})
