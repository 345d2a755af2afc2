import type { BlobStore, SessionTreeNode } from "@treelog/session-core"
import { MemoryBlobStore, SessionManager } from "@treelog/session-core"
import { streamBranch } from "@treelog/session-core/adapter"
import { planCompaction } from "@treelog/session-core/compaction"
import { verifySession } from "@treelog/session-core/maintenance"
import {
  assistantMessage,
  sessionText,
  testClock,
  testHeader,
  testIds,
  userEntry,
  userMessage,
} from "@treelog-internal/test-kit"
import { describe, expect, it, vi } from "vitest"
import { ObjectLease } from "../door.js"
import { OpenMemoryStorage } from "./foreign-writer.js"
import { givenManager, idsOf, keyOf } from "./given-manager.js"
import { putStored, storedRecords } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const stored = sessionText(testHeader(), userEntry("a", null))
const foreign = `${JSON.stringify(userEntry("foreign", "a"))}\n`
const node = ({ entry, children }: SessionTreeNode): unknown => ({ id: entry.id, children: children.map(node) })

/** Lines of others are placed before entries that are not stored yet: whatever was requested before must not change. */
describe.each(["exclusive", "shared"] as const)("what another program appends to a session (%s)", (access) => {
  async function given() {
    const made = givenManager(new OpenMemoryStorage())
    await putStored(made.storage, KEY, stored)
    const session = await made.sessions.open(KEY, { access })
    return { ...made, session, append: () => made.storage.foreignAppend(KEY, foreign) }
  }

  it("is not copied into a branch in the place of an entry that was not stored yet", async () => {
    const { session, sessions, storage, append } = await given()
    const mine = session.appendMessage(userMessage("mine"))
    await append()
    const branch = await session.createBranchedSession(mine)
    expect(idsOf(branch.getBranch())).toEqual(["a", mine])
    await branch.close()
    expect((await storedRecords(storage, keyOf(branch))).slice(1).map(({ id }) => id)).toEqual(["a", mine])
    expect((await verifySession(sessions, keyOf(branch))).diagnostics).toEqual([])
  })

  it("is not in the bytes of a branch that are asked for one by one", async () => {
    const { session, append } = await given()
    const first = session.appendMessage(userMessage("first"))
    const second = session.appendMessage(userMessage("second"))
    const text = new TextDecoder()
    const lines: string[] = []
    for await (const piece of streamBranch(session, second)) {
      lines.push(text.decode(piece))
      if (lines.length === 1) await append()
    }
    const records = lines.join("").trim().split("\n")
    expect(records.slice(1).map((line) => JSON.parse(line).id)).toEqual(["a", first, second])
  })

  it("changes no tree and no iteration that was begun before", async () => {
    const { session, append } = await given()
    const mine = session.appendMessage(userMessage("mine"))
    const tree = session.getTree()
    const entries = session.iterateEntries()
    const transcript = session.iterateTranscript()
    const ids = [entries.next().value?.id]
    const read = [transcript.next().value?.entry.id]
    await append()
    await session.flush()
    for (const { id } of entries) ids.push(id)
    for (const item of transcript) read.push(item.entry.id)
    expect(ids).toEqual(["a", mine])
    expect(read).toEqual(["a", mine])
    expect(tree.map(node)).toEqual([{ id: "a", children: [{ id: mine, children: [] }] }])
  })

  it("changes no compaction that is being planned", async () => {
    const memory = new MemoryBlobStore()
    let onRead = async () => {}
    const blobs = new Proxy<BlobStore>(memory, {
      get: (store, name) => {
        const member: unknown = Reflect.get(store, name, store)
        if (typeof member !== "function") return member
        if (name !== "get") return member.bind(store)
        return async (...args: unknown[]) => {
          await onRead()
          return Reflect.apply(member, store, args)
        }
      },
    })
    const storage = new OpenMemoryStorage()
    await putStored(storage, KEY, sessionText(testHeader()))
    const sessions = new SessionManager({ storage, blobs, clock: testClock(), ids: testIds() })
    const first = await sessions.open(KEY, { access })
    first.appendMessage(userMessage("x".repeat(600_000)))
    await first.close()

    const session = await sessions.open(KEY, { access })
    session.appendMessage(assistantMessage("an answer"))
    const kept = session.appendMessage(userMessage("kept".padEnd(2_000)))
    let reads = 0
    onRead = async () => {
      reads += 1
      await storage.foreignAppend(KEY, `${JSON.stringify(userEntry("foreign", null))}\n`)
      await session.flush()
    }
    const plan = await planCompaction(session, { keepRecentTokens: 400 })
    expect(reads).toBe(1)
    expect(plan?.firstKeptEntryId).toBe(kept)
    expect(plan?.messagesToSummarize.map(({ role }) => role)).toEqual(["user", "assistant"])
  })

  it("beside a write that fails rejects what waits for that write, and nothing else", async () => {
    const unhandled = vi.fn()
    process.on("unhandledRejection", unhandled)
    const { session, storage, append } = await given()
    const failing = vi.spyOn(ObjectLease.prototype, "append").mockImplementationOnce(async () => {
      await append()
      throw new Error("no space left")
    })
    const mine = session.appendMessage(userMessage("mine"))
    const outcomes = await Promise.allSettled([session.flush(), session.refresh(), session.flush()])
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"])
    await new Promise(setImmediate)
    expect(unhandled).not.toHaveBeenCalled()
    process.off("unhandledRejection", unhandled)
    failing.mockRestore()
    await session.retry()
    expect((await storedRecords(storage, KEY)).slice(1).map(({ id }) => id)).toEqual(["a", "foreign", mine])
    expect(idsOf(session.getEntries())).toEqual(["a", "foreign", mine])
    await session.close()
  })
})
