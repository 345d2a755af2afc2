import type { BlobStore, Message, Session } from "@treelog/session-core"
import {
  compact,
  compactionRequests,
  estimateTokens,
  planCompaction,
  summarizeBranch,
} from "@treelog/session-core/compaction"
import { assistantMessage, toolResultMessage, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { LIMIT, NOTICE, sha256 } from "../persist/samples.js"
import { IMAGES, keyOf, withImage, workbench } from "../persist/workbench.js"
import { givenSummarizer } from "./given.js"

/** Longer than a line may hold, and each another one. */
const long = (name: string, length = 600_000): string => name.padEnd(length, `${name} `)

const dataUrl = `data:image/png;base64,${IMAGES[3]}`

const rest = userMessage("kept".padEnd(2_000))
const settings = { keepRecentTokens: 400 }

const conversation: Message[] = [
  { role: "system", content: long("system") } as Message,
  userMessage(long("user")),
  assistantMessage("", {
    content: [
      { type: "thinking", thinking: long("thinking") },
      { type: "text", text: long("answer") },
      {
        type: "toolCall",
        id: "c1",
        name: "write",
        arguments: { path: "a.ts", content: long("argument"), image_url: dataUrl, details: long("detailed") },
      },
    ],
    stopReason: "toolUse",
  }),
  toolResultMessage(long("result"), { toolCallId: "c1", toolName: "write", details: { diff: long("diff") } }),
  { role: "bashExecution", command: "ls", output: long("output"), cancelled: false, truncated: false, timestamp: 1 },
  withImage(IMAGES[0], long("look")),
]

/** The session as it was appended, with every text whole, and where it is stored without them. */
async function stored() {
  const bench = workbench()
  const session = await bench.manager.create("/project")
  for (const message of conversation) session.appendMessage(message)
  session.appendCustomMessageEntry("note", long("note"), true)
  session.appendMessage(rest)
  await session.close()
  return { ...bench, whole: session, key: keyOf(session) }
}

describe("a session whose long texts are in a blob store", () => {
  it("is compacted as if they stood in its lines", async () => {
    const { manager, whole, key } = await stored()
    const [inline, asked] = [givenSummarizer(), givenSummarizer()]
    const session = await manager.open(key)
    expect(JSON.stringify(session.buildSessionContext().messages)).toContain("[full content: blob:sha256:")
    for (const keepRecentTokens of [10, 1_000, 130_000, 160_000, 300_000, 400_000])
      expect(await factsOf(session, keepRecentTokens)).toEqual(await factsOf(whole, keepRecentTokens))
    const outcome = await compact(session, asked.summarize, { settings })
    const again = workbench().manager.inMemory("/project")
    for (const message of whole.buildSessionContext().messages) again.appendMessage(message)
    await compact(again, inline.summarize, { settings })
    expect(asked.asked).toEqual(inline.asked)
    expect(outcome).toMatchObject({ status: "compacted", diagnostics: [] })
    const prompts = asked.asked.map(({ prompt }) => prompt).join("")
    for (const name of ["user", "thinking", "answer", "argument", "output", "look", "note"])
      expect(prompts).toContain(long(name))
    expect(prompts).toContain("598000 more characters were left out")
    for (const hidden of ["blob:sha256:", NOTICE, IMAGES[0] ?? "", IMAGES[3] ?? "", "diff diff"])
      expect(prompts).not.toContain(hidden)
    expect(prompts.match(/\[image\]/g)).toHaveLength(2)
    await session.close()
  })

  it("keeps its system message whole, and stores it once", async () => {
    const { manager, key, blobs } = await stored()
    const session = await manager.open(key)
    const before = await hashesIn(blobs)
    await compact(session, givenSummarizer().summarize, { settings })
    expect(session.getLeafEntry()).toMatchObject({ systemMessage: { content: long("system") } })
    await session.close()
    expect(await hashesIn(blobs)).toEqual(before)
    expect((await manager.readContext(key)).messages[0]).toMatchObject({ role: "system", content: long("system") })
  })

  it("reads no blob of an image, of details, nor of what an earlier compaction left behind", async () => {
    const { manager, key, blobs } = await stored()
    const session = await manager.open(key)
    await compact(session, givenSummarizer().summarize, { settings })
    const read = blobs.reads
    expect(read).toContain(`get ${sha256(long("user"))}`)
    expect(read).not.toContain(`get ${sha256(long("diff"))}`)
    expect(read).not.toContain(`get ${sha256(Buffer.from(IMAGES[0] ?? "", "base64"))}`)
    blobs.events.length = 0
    session.appendMessage(userMessage(long("later")))
    session.appendMessage(rest)
    await session.close()
    const again = await planCompaction(await manager.open(key), settings)
    expect(again?.messagesToSummarize.length).toBeGreaterThan(0)
    expect(blobs.reads).not.toContain(`get ${sha256(long("user"))}`)
    expect(blobs.reads).toContain(`get ${sha256(long("later"))}`)
  })

  it("whose blobs are missing or damaged is compacted with what is there, and says so", async () => {
    const { manager, key, blobs } = await stored()
    const [missing, damaged] = [sha256(long("user")), sha256(long("output"))]
    const get = blobs.get.bind(blobs)
    blobs.get = async (hash) => (hash === missing ? undefined : get(hash))
    blobs.damaged.add(damaged)
    const session = await manager.open(key)
    const { asked, summarize } = givenSummarizer()
    const outcome = await compact(session, summarize, { settings })
    expect(outcome).toMatchObject({
      status: "compacted",
      diagnostics: [
        { kind: "missing-blob", entryId: session.getEntries()[1]?.id },
        { kind: "damaged-blob", entryId: session.getEntries()[4]?.id },
      ],
    })
    expect(asked[0]?.prompt).toContain(long("user").slice(0, LIMIT - 500))
  })

  it("cannot be compacted while the blob store fails, and stays as it is", async () => {
    const { manager, key, blobs } = await stored()
    const session = await manager.open(key)
    blobs.get = () => Promise.reject(Object.assign(new Error("the disk is away"), { code: "EIO" }))
    const before = session.getEntries()
    await expect(compact(session, givenSummarizer().summarize, { settings })).rejects.toThrow("the disk is away")
    expect(session.getEntries()).toEqual(before)
    expect(session.pending).toBe(0)
  })
})

describe("a branch whose long texts are in a blob store", () => {
  it("is summarized as if they stood in its lines, without a look at results", async () => {
    const { manager, whole, key, blobs } = await stored()
    const [inline, asked] = [givenSummarizer(), givenSummarizer()]
    const options = { contextWindow: 10_000_000 }
    const session = await manager.open(key)
    const first = session.getEntries()[0]?.id ?? ""
    const outcome = await summarizeBranch(session, first, asked.summarize, options)
    const again = workbench().manager.inMemory("/project")
    for (const message of whole.buildSessionContext().messages) again.appendMessage(message)
    await summarizeBranch(again, again.getEntries()[0]?.id ?? "", inline.summarize, options)
    expect(outcome).toMatchObject({ status: "summarized", diagnostics: [] })
    expect(asked.asked).toEqual(inline.asked)
    expect(asked.asked[0]?.prompt).toContain(long("output"))
    expect(blobs.reads).not.toContain(`get ${sha256(long("result"))}`)
  })

  it("reads no more of it than the summarizer is shown", async () => {
    const { manager, key, blobs } = await stored()
    const session = await manager.open(key)
    const { asked, summarize } = givenSummarizer()
    await summarizeBranch(session, session.getEntries()[0]?.id ?? "", summarize, { contextWindow: 20_000 })
    expect(asked[0]?.prompt).not.toContain("user user")
    expect(blobs.reads).toEqual([])
  })
})

/** All that a plan says, its messages as the summarizer is shown them. */
async function factsOf(session: Session, keepRecentTokens: number): Promise<object> {
  const plan = await planCompaction(session, { keepRecentTokens })
  if (!plan) throw new Error("there is nothing to compact")
  const { messagesToSummarize, turnPrefixMessages, messagesToKeep, ...facts } = plan
  const tokens = [...messagesToSummarize, ...turnPrefixMessages, ...messagesToKeep].map(estimateTokens)
  return { ...facts, tokens, requests: compactionRequests(plan) }
}

async function hashesIn(blobs: BlobStore): Promise<string[]> {
  const hashes: string[] = []
  for await (const { hash } of blobs.list()) hashes.push(hash)
  return hashes.sort()
}
