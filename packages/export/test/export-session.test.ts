import { type ExportFormat, exportSession, findSessionSecrets, type SessionExport } from "@treelog/export"
import * as redaction from "@treelog/secrets"
import { MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import type { StorageStat } from "@treelog/session-core/adapter"
import { assistantMessage, userMessage } from "@treelog-internal/test-kit"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { expect, test } from "vitest"

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
  const blobs = new MemoryBlobStore()
  const sessions = new SessionManager({ storage, blobs })
  const session = await sessions.create("/shop", { persist: "create" })
  const question = session.appendMessage(userMessage(`Deploy it with ${SECRET}`))
  session.appendMessage(assistantMessage("No."))
  session.branch(question)
  session.appendMessage(assistantMessage("Done."))
  await session.flush()
  return { storage, session, blobs }
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

test.each<ExportFormat>(["md", "text", "json", "jsonl", "atif", "sts", "otel"])(
  "%s of a branch leaves no entry in memory, so that a session of any size is exported",
  async (format) => {
    const { storage, session } = await sample()
    // A small session is in memory anyway.
    for (let i = 0; i < 12; i++) session.appendMessage(userMessage("A log line.\n".repeat(40_000)))
    await session.close()
    const sessions = new SessionManager({ storage })
    const stored = await sessions.open(session.getSessionFile() ?? "", { access: "read" })
    await textOf(exportSession(stored, { format, storage, allBranches: false }))
    // An entry that is in memory is the same object each time.
    const [first] = stored.iterateEntries()
    const [again] = stored.iterateEntries()
    expect(again).toEqual(first)
    expect(again).not.toBe(first)
  },
)

test.each<ExportFormat>(["md", "text", "json", "jsonl", "atif", "sts", "otel"])(
  "%s of a branch that there is not is no empty document",
  async (format) => {
    const { storage, session } = await sample()
    await expect(textOf(exportSession(session, { format, storage, leafId: "nowhere" }))).rejects.toMatchObject({
      code: "EntryNotFoundError",
      data: { id: "nowhere", session: session.getSessionId() },
    })
  },
)

test("a format that is none is refused, with those that there are", async () => {
  const { session } = await sample()
  expect(() => exportSession(session, { format: "markdown" as ExportFormat })).toThrow(
    expect.objectContaining({
      code: "InvalidArgumentError",
      message: "The format is one of md, text, jsonl, json, atif, sts, otel, and not markdown.",
    }),
  )
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

/** Base64 of a picture that has a token of crates.io by chance, as one in ten of 500 KB has. */
const PICTURE = ((noise: string) => `${noise}/cio${"aB3xY7Qz".repeat(4)}/${noise}AAA`)(
  "iVBORw0KGgoAAAANSUhEUgAA".repeat(40),
)

test.each(FORMATS)("%s keeps pictures as they are, wherever they are, and counts no secret in them", async (format) => {
  const { storage, session, blobs } = await sample()
  const image = { type: "image" as const, data: PICTURE, mimeType: "image/png" }
  session.appendMessage(userMessage("", { content: [image] }))
  const result = { role: "toolResult", toolCallId: "c", toolName: "shot", isError: false, timestamp: 1 }
  session.appendMessage({ ...result, content: [image] } as never)
  session.appendMessage(userMessage(`Look: ![](data:image/png;base64,${PICTURE})`))
  await session.flush()
  const exported = exportSession(session, { format, storage, redaction, blobs, allBranches: false })
  const text = await textOf(exported)
  expect(text.split(PICTURE)).toHaveLength(format === "text" ? 2 : 4)
  expect(exported.summary.redacted).toEqual([{ kind: "GitHub token", count: 1 }])
  const found = []
  for await (const one of findSessionSecrets(storage, session.getSessionFile() ?? "", { redaction })) found.push(one)
  expect(found.map(({ line }) => line)).toEqual([2])
})

test("jsonl with a redaction has nothing that a line says beside its value", async () => {
  const { storage, session } = await sample()
  const key = session.getSessionFile() ?? ""
  const line = `{"type":"custom","id":"twice","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"a","data":"${SECRET}","data":"\\"none","n":1.0}\n`
  const clean = line.replace(`"data":"${SECRET}",`, "")
  await session.close()
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  const stat = (await storage.stat(key)) as StorageStat
  await lease.append(new TextEncoder().encode(line + clean.replace("twice", "once")), stat)
  await lease.release()
  const read = await new SessionManager({ storage }).open(key, { access: "read" })
  const text = await textOf(exportSession(read, { format: "jsonl", storage, redaction }))
  expect(text).not.toContain(SECRET)
  expect(text).toContain('"id":"twice"')
  expect(text).toContain(clean.replace("twice", "once"))
  const found = []
  for await (const one of findSessionSecrets(storage, key, { redaction })) found.push(one)
  expect(found.map(({ kind, line }) => [kind, line])).toEqual([
    ["GitHub token", 2],
    ["GitHub token", 5],
  ])
})

test("the caller says where the images of Markdown are, or that there are none", async () => {
  const { session } = await sample()
  session.appendMessage(userMessage("", { content: [{ type: "image", data: PICTURE, mimeType: "image/png" }] }))
  const files = await textOf(exportSession(session, { format: "md", imageAddress: () => "talk.images/1.png" }))
  expect(files).toContain("\n![image](talk.images/1.png)\n")
  const none = await textOf(exportSession(session, { format: "md", imageAddress: () => undefined }))
  expect(none).toMatch(/\n\*\\\[image image\/png \d KB\\\]\*\n/)
})

test("Markdown shows what was typed and what was answered, whatever tags they have", async () => {
  const { session } = await sample()
  session.appendMessage(userMessage("My <details> is <!-- not *open*"))
  session.appendMessage(assistantMessage("Use `<details>` *so*: <details><summary>"))
  session.appendCompaction("Asked about <details>", session.getEntries()[0]?.id ?? "", 1)
  session.appendMessage(userMessage("THIRD"))
  const text = await textOf(exportSession(session, { format: "md" }))
  expect(text).toContain("My \\<details> is \\<!-- not \\*open\\*\n")
  expect(text).toContain("Use `<details>` *so*: \\<details>\\<summary>\n")
  expect(text).toContain("Asked about \\<details>\n")
})
