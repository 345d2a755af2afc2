import type { Session, SessionStorage } from "@treelog/session-core"
import { MemorySessionStorage } from "@treelog/session-core"
import { compact } from "@treelog/session-core/compaction"
import { chain, entry, sessionText, testHeader, userEntry, userMessage } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { WritingOptions } from "../door.js"
import { OpenMemoryStorage } from "../session/foreign-writer.js"
import { givenManager, idsOf } from "../session/given-manager.js"
import { ObservedStorage } from "../session/observed-storage.js"
import { putStored, storedRecords, storedText } from "../session/stored-bytes.js"
import { givenSummarizer, waitingSummarizer } from "./given.js"

const KEY = "memory:/project/test-session"
const settings = { keepRecentTokens: 100 }

const turns = (count: number): object[] =>
  chain(...Array.from({ length: count }, (_, nth) => userEntry(`u${nth}`, null, `${nth} `.padEnd(400, "u"))))

async function given<Storage extends SessionStorage>(
  storage: Storage,
  sharers = 2,
  options: WritingOptions = { access: "shared" },
) {
  await putStored(storage, KEY, sessionText(testHeader(), ...turns(4)))
  const open = (nth: number): Promise<Session> => givenManager(storage, nth).sessions.open(KEY, options)
  const sessions = await Promise.all(Array.from({ length: sharers }, (_, nth) => open(nth)))
  const compactions = async () =>
    (await storedRecords(storage, KEY)).filter(({ type }) => type === "compaction") as { id: string }[]
  return { sessions: sessions as [Session, ...Session[]], compactions }
}

describe("several compactions at once of a session that processes share", () => {
  it("land once, however their summaries come", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(12), { minLength: 2, maxLength: 4 }), async (waits) => {
        const { sessions, compactions } = await given(new MemorySessionStorage(), waits.length)
        const outcomes = await Promise.all(
          sessions.map((session, nth) => compact(session, summarizerAfter(waits[nth] ?? 0), { settings })),
        )
        const landed = outcomes.flatMap((outcome) => (outcome.status === "compacted" ? outcome.entryId : []))
        expect(landed).toHaveLength(1)
        expect(outcomes.filter(({ status }) => status === "overtaken")).toHaveLength(waits.length - 1)
        expect(idsOf(await compactions())).toEqual(landed)
        await Promise.all(sessions.map((session) => session.close()))
        expect(idsOf(await compactions())).toEqual(landed)
      }),
      { numRuns: 60 },
    ))

  it("leave the others where they stand: nothing of theirs was ever in memory", async () => {
    const { sessions } = await given(new MemorySessionStorage())
    const both = sessions.map(() => waitingSummarizer())
    const running = sessions.map((session, nth) =>
      compact(session, both[nth]?.summarize ?? givenSummarizer().summarize, { settings }),
    )
    for (const { answer } of both) answer("sum")
    const outcomes = await Promise.all(running)
    const loser = sessions[outcomes.findIndex(({ status }) => status === "overtaken")]
    const winner = outcomes.find((outcome) => outcome.status === "compacted")
    expect(loser?.getLeafId()).toBe("u3")
    expect(loser?.pending).toBe(0)
    expect(idsOf(loser?.getEntries() ?? [])).toEqual(["u0", "u1", "u2", "u3", winner?.entryId])
    expect(idsOf((await loser?.refresh()) ?? [])).toEqual([winner?.entryId])
  })

  it("land each on its own branch, where the branches parted before", async () => {
    const { sessions, compactions } = await given(new MemorySessionStorage())
    for (const session of sessions) session.appendMessage(userMessage("mine".padEnd(400)))
    const outcomes = await Promise.all(
      sessions.map((session) => compact(session, givenSummarizer().summarize, { settings })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(["compacted", "compacted"])
    expect(await compactions()).toHaveLength(2)
  })
})

describe("a compaction of a shared session", () => {
  it("is stored, behind all that was appended before, when its promise resolves", async () => {
    const { sessions, compactions } = await given(new MemorySessionStorage(), 1)
    const [session] = sessions
    const { answer, summarize } = waitingSummarizer()
    const running = compact(session, summarize, { settings })
    const added = session.appendMessage(userMessage("meanwhile"))
    answer("sum")
    const outcome = await running
    expect(session.pending).toBe(0)
    expect(await compactions()).toMatchObject([{ id: session.getLeafId(), parentId: added }])
    expect(outcome).toMatchObject({ status: "compacted", entryId: session.getLeafId() })
  })

  it("that another process does not let in changes nothing, and can be tried again", async () => {
    const storage = new ObservedStorage()
    const { sessions, compactions } = await given(storage, 1, { access: "shared", busyTimeoutMs: 0 })
    const [session] = sessions
    const held = await storage.memory.lease(KEY, { access: "shared", waitMs: 0 })
    const before = await storedText(storage, KEY)
    await expect(compact(session, givenSummarizer().summarize, { settings })).rejects.toMatchObject({
      code: "SessionBusyError",
    })
    expect([idsOf(session.getEntries()), session.pending, session.getLeafId()]).toEqual([idsOfTurns(4), 0, "u3"])
    expect(await storedText(storage, KEY)).toBe(before)
    await held.release()
    expect(await compact(session, givenSummarizer().summarize, { settings })).toMatchObject({ status: "compacted" })
    expect(await compactions()).toHaveLength(1)
    await session.close()
  })

  it.each(["append", "sync"] as const)("whose %s fails waits for a retry, like anything else", async (operation) => {
    const storage = new ObservedStorage()
    const { sessions, compactions } = await given(storage, 1)
    const [session] = sessions
    storage.failNext(operation)
    await expect(compact(session, givenSummarizer().summarize, { settings })).rejects.toMatchObject({
      code: "PersistError",
    })
    expect(() => session.appendMessage(userMessage("refused"))).toThrow()
    await session.retry()
    await session.close()
    expect(idsOf(await compactions())).toEqual([session.getLeafId()])
    expect(storage.held).toBe(0)
  })

  it("is not run on a session whose earlier write failed", async () => {
    const storage = new ObservedStorage()
    const { sessions, compactions } = await given(storage, 1)
    const [session] = sessions
    const { answer, summarize } = waitingSummarizer()
    const running = compact(session, summarize, { settings })
    storage.failNext("append")
    session.appendMessage(userMessage("meanwhile"))
    answer("sum")
    await expect(running).rejects.toMatchObject({ code: "PersistError", data: { pending: 1 } })
    await session.retry()
    await session.close()
    expect(await compactions()).toEqual([])
  })

  it("that was closed in the meantime is not written", async () => {
    const { sessions, compactions } = await given(new MemorySessionStorage(), 1)
    const [session] = sessions
    const { answer, summarize } = waitingSummarizer()
    const running = compact(session, summarize, { settings })
    await session.close()
    answer("sum")
    await expect(running).rejects.toMatchObject({ code: "SessionClosedError" })
    expect(await compactions()).toEqual([])
  })
})

describe("a session that one process has for itself", () => {
  it("is not compacted after a program that knows no lease has done so", async () => {
    const storage = new OpenMemoryStorage()
    const { sessions, compactions } = await given(storage, 1, {})
    const [session] = sessions
    const { answer, summarize } = waitingSummarizer()
    const running = compact(session, summarize, { settings })
    const theirs = { summary: "theirs", firstKeptEntryId: "u3", tokensBefore: 400 }
    await storage.foreignAppend(KEY, sessionText(entry("compaction", "f", "u3", theirs)))
    answer("sum")
    expect(await running).toEqual({ status: "overtaken" })
    await session.close()
    expect(idsOf(await compactions())).toEqual(["f"])
  })

  it("is compacted in memory while nothing of it is worth a file", async () => {
    const storage = new MemorySessionStorage()
    const session = await givenManager(storage).sessions.create("/project", { persist: "pi" })
    for (const text of ["one", "two"]) session.appendMessage(userMessage(text.padEnd(400)))
    expect(await compact(session, givenSummarizer().summarize, { settings })).toMatchObject({ status: "compacted" })
    expect(await storage.stat(session.getSessionFile() ?? "")).toBeUndefined()
    await session.close()
  })
})

const idsOfTurns = (count: number): string[] => Array.from({ length: count }, (_, nth) => `u${nth}`)

/** A summarizer that lets others go first, so many times. */
function summarizerAfter(turns: number) {
  return async (): Promise<{ text: string }> => {
    for (let turn = 0; turn < turns; turn++) await undefined
    return { text: `after ${turns}` }
  }
}
