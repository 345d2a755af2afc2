import type { Summarizer } from "@treelog/session-core/compaction"
import {
  compact,
  DEFAULT_COMPACTION_SETTINGS,
  navigateTo,
  prepareCompaction,
  summarizeBranch,
} from "@treelog/session-core/compaction"
import { userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { pathOfEntries, preparePath } from "../door.js"
import { givenManager, idsOf, keyOf } from "../session/given-manager.js"
import { storedRecords, storedText } from "../session/stored-bytes.js"
import { answered, called, givenSummarizer, inMemory, returned, said, USAGE, waitingSummarizer } from "./given.js"

const settings = { keepRecentTokens: 100 }

const conversation = () =>
  inMemory(
    said(10, "first"),
    called("c1", "read", { path: "a.ts" }),
    returned("c1", 50),
    answered(50),
    said(10, "second"),
    called("c2", "edit", { path: "b.ts" }),
    returned("c2", 5),
    answered(100, "last"),
  )

describe("compact", () => {
  it("puts a summary in the place of everything but the newest messages", async () => {
    const session = conversation()
    const { asked, summarize } = givenSummarizer()
    const before = idsOf(session.getBranch())
    const outcome = await compact(session, summarize, { settings: { keepRecentTokens: 117 } })
    expect(asked.map(({ kind }) => kind)).toEqual(["history"])
    expect(outcome).toMatchObject({ status: "compacted", entryId: session.getLeafId(), firstKeptEntryId: before[4] })
    expect(session.buildSessionContext().entries).toEqual([session.getLeafId(), ...before.slice(4)])
  })

  it("stores the summary with its lists of files, the size before, the usage and the settings", async () => {
    const session = conversation()
    await compact(session, givenSummarizer("sum").summarize, { settings: { keepRecentTokens: 117 } })
    expect(session.getLeafEntry()).toMatchObject({
      type: "compaction",
      summary: "sum (1)\n\n<read-files>\na.ts\n</read-files>",
      tokensBefore: 235,
      details: { readFiles: ["a.ts"], modifiedFiles: [] },
      usage: USAGE,
      settings: { model: { provider: "anthropic" } },
    })
  })

  it("summarizes the first part of a turn that is cut apart, and adds up both usages", async () => {
    const session = conversation()
    const { asked, summarize } = givenSummarizer()
    await compact(session, summarize, { settings })
    expect(asked.map(({ kind, maxTokens }) => [kind, maxTokens])).toEqual([
      ["history", 13_107],
      ["split-turn", 8_192],
    ])
    expect(asked[0]?.prompt).toContain("first")
    expect(asked[0]?.prompt).not.toContain("second")
    expect(asked[1]?.prompt).toContain("second")
    const entry = session.getLeafEntry() as { summary?: string; usage?: object }
    expect(entry.summary).toMatch(/The goal. \(1\)\n\n---\n\n# .*\n\n## Goal\nThe goal. \(2\)\n\n<read-files>/)
    expect(entry.usage).toEqual({
      input: 200,
      output: 20,
      cacheRead: 10,
      cacheWrite: 2,
      totalTokens: 232,
      cost: { input: 0.2, output: 0.4, cacheRead: 0.6, cacheWrite: 0.8, total: 2 },
    })
  })

  it("passes on to the summarizer what to pay attention to", async () => {
    const { asked, summarize } = givenSummarizer()
    await compact(conversation(), summarize, { settings, instructions: "the tests" })
    expect(asked.every(({ prompt }) => prompt.endsWith("the tests"))).toBe(true)
  })

  it("has nothing to do where nothing would be summarized, or was just compacted, and asks nobody", async () => {
    const { asked, summarize } = givenSummarizer()
    expect(await compact(inMemory(), summarize)).toEqual({ status: "nothing-to-compact" })
    expect(await compact(conversation(), summarize)).toEqual({ status: "nothing-to-compact" })
    const session = conversation()
    await compact(session, summarize, { settings })
    const askedOnce = asked.length
    expect(await compact(session, summarize, { settings: { keepRecentTokens: 0 } })).toMatchObject({
      status: "nothing-to-compact",
    })
    expect(asked).toHaveLength(askedOnce)
  })

  it("may be given a summary that is written already, for all of it, whose lists are joined with ours", async () => {
    const session = conversation()
    const text = "By hand.\n\n<read-files>\nz.ts\n</read-files>"
    const outcome = await compact(session, { text, usage: USAGE }, { settings })
    const files = { readFiles: ["a.ts", "z.ts"], modifiedFiles: ["b.ts"] }
    expect(outcome).toMatchObject({ status: "compacted", files, usage: USAGE })
    expect(session.getLeafEntry()).toMatchObject({
      summary: "By hand.\n\n<read-files>\na.ts\nz.ts\n</read-files>\n\n<modified-files>\nb.ts\n</modified-files>",
      details: files,
      usage: USAGE,
    })
    for (const nothing of [
      { text: " " },
      { text: "<read-files>\nz.ts\n</read-files>" },
      {} as Awaited<ReturnType<Summarizer>>,
    ])
      expect(await compact(conversation(), nothing, { settings })).toEqual({ status: "empty-summary" })
  })

  it("compacts also where compaction on its own is off", async () => {
    const outcome = await compact(conversation(), givenSummarizer().summarize, {
      settings: { ...settings, enabled: false },
    })
    expect(outcome.status).toBe("compacted")
  })

  it("keeps a system message that is summarized away whole, from one compaction to the next", async () => {
    const system = { role: "system", content: "Rules.", sections: { a: 1 }, timestamp: 1 }
    const session = inMemory(system, said(100), answered(100), said(100), answered(50))
    for (let round = 0; round < 2; round++) {
      await compact(session, givenSummarizer().summarize, { settings })
      expect(session.buildSessionContext().messages[0]).toEqual(system)
      session.appendMessage(said(100))
      session.appendMessage(answered(100))
    }
  })

  it("combines the system messages that it summarizes, and loses nothing of them", async () => {
    const [read, bash] = [{ name: "read" }, { name: "bash" }]
    const base = { role: "system", content: "Rules.", sections: { a: 1, b: 2 }, toolsAdded: [read, bash], timestamp: 1 }
    const change = { role: "system", content: "", sections: { a: null, c: 3 }, toolsRemoved: [bash], timestamp: 1 }
    const odd = {
      role: "system",
      content: [{ type: "text", text: "Be kind." }],
      toolsAdded: 5,
      sections: [],
      timestamp: 1,
    }
    const session = inMemory(base, said(100), change, odd, answered(100), said(50), answered(50))
    const combined = {
      role: "system",
      content: "Rules.\n\nBe kind.",
      sections: { b: 2, c: 3 },
      toolsAdded: [read],
      timestamp: 1,
    }
    for (let round = 0; round < 2; round++) {
      await compact(session, givenSummarizer().summarize, { settings })
      expect(session.buildSessionContext().messages.filter(({ role }) => role === "system")).toEqual([combined])
      session.appendMessage(said(100))
      session.appendMessage(answered(100))
    }
  })
})

describe("a tool that is running while its session is compacted", () => {
  it("keeps its call, so that the result finds it", async () => {
    const session = inMemory(said(100), answered(100), said(10), called("c1", "bash", {}), answered(200))
    await compact(session, givenSummarizer().summarize, { settings })
    session.appendMessage(returned("c1", 5))
    expect(session.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "compactionSummary",
      "assistant",
      "assistant",
      "toolResult",
    ])
  })

  it("is not waited for once the user has gone on", async () => {
    const session = inMemory(said(100), called("c1", "bash", {}), said(100), answered(10))
    await compact(session, givenSummarizer().summarize, { settings })
    expect(session.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "compactionSummary",
      "user",
      "assistant",
    ])
  })
})

describe("a compaction after another", () => {
  it("gives the summarizer the previous summary without its lists, and carries the lists on", async () => {
    const session = conversation()
    await compact(session, givenSummarizer("one").summarize, { settings })
    for (const message of [said(100), called("c3", "read", { path: "b.ts" }), returned("c3", 5), said(100)])
      session.appendMessage(message)
    const { asked, summarize } = givenSummarizer("two")
    const outcome = await compact(session, summarize, { settings })
    expect(asked[0]).toMatchObject({ kind: "update" })
    expect(asked[0]?.prompt).toContain("<previous-summary>\none (1)\n\n---")
    expect(asked[0]?.prompt).not.toContain("<modified-files>")
    expect(outcome).toMatchObject({ files: { readFiles: ["a.ts"], modifiedFiles: ["b.ts"] } })
  })

  it("carries the previous summary on where there is no history but the turn that is cut", async () => {
    const session = inMemory(said(100), answered(100), said(10, "long turn"))
    await compact(session, givenSummarizer("one").summarize, { settings: { keepRecentTokens: 5 } })
    for (const message of [answered(100), answered(100)]) session.appendMessage(message)
    const { asked, summarize } = givenSummarizer("two")
    await compact(session, summarize, { settings })
    expect(asked.map(({ kind }) => kind)).toEqual(["split-turn"])
    expect(session.getLeafEntry()).toMatchObject({ summary: expect.stringMatching(/^one \(1\)\n\n---\n\n# .*two/s) })
  })

  it("takes no lists from the details of an extension, but what its summary says", async () => {
    const session = inMemory(said(100), said(100), said(10))
    const summary = "theirs\n\n<read-files>\nt.ts\n</read-files>"
    session.appendCompaction(summary, session.getBranch()[1]?.id, 9, { readFiles: ["x.ts"] }, true)
    session.appendMessage(said(100))
    const { asked, summarize } = givenSummarizer()
    const outcome = await compact(session, summarize, { settings })
    expect(asked[0]?.prompt).toContain("<previous-summary>\ntheirs\n</previous-summary>")
    expect(outcome).toMatchObject({ files: { readFiles: ["t.ts"], modifiedFiles: [] } })
  })
})

describe("a plan", () => {
  it("is made without reading what an earlier compaction or a reset left behind", () => {
    const session = inMemory(said(100), answered(100), said(100), answered(100))
    const [, , third] = session.getBranch()
    session.appendCompaction("before", third?.id, 400)
    for (const message of [said(100), answered(100), said(100)]) session.appendMessage(message)
    const whole = pathOfEntries(session.getBranch())
    const unread = (index: number) => {
      if (index < 2) throw new Error(`entry ${index} was read`)
      return whole.entry(index)
    }
    const plan = preparePath({ ...whole, entry: unread }, { ...DEFAULT_COMPACTION_SETTINGS, keepRecentTokens: 150 })
    expect(plan).toEqual(
      prepareCompaction(session.getBranch(), { ...DEFAULT_COMPACTION_SETTINGS, keepRecentTokens: 150 }),
    )
    expect(plan?.messagesToSummarize).toHaveLength(2)
  })
})

describe("a summary that does not come", () => {
  const reason = new Error("no model")
  const timedOut = Object.assign(new Error("time is up"), { name: "TimeoutError" })
  const aborting: Summarizer = (_, signal) => {
    ;(signal as unknown as { abort: () => void }).abort()
    return new Promise(() => undefined)
  }
  const cases: [string, Summarizer, string][] = [
    ["throws", () => Promise.reject(reason), "no model"],
    [
      "throws at once",
      () => {
        throw reason
      },
      "no model",
    ],
    ["is aborted and never answers", aborting, "stopped"],
    ["has an empty text", async () => ({ text: "" }), "empty-summary"],
    ["has blank text", async () => ({ text: " \n\t" }), "empty-summary"],
    ["is nothing", async () => undefined as unknown as Awaited<ReturnType<Summarizer>>, "empty-summary"],
    ["is no text", async () => ({ text: 5 }) as unknown as Awaited<ReturnType<Summarizer>>, "empty-summary"],
    [
      "fails for the second part alone",
      async ({ kind }) => (kind === "split-turn" ? Promise.reject(reason) : { text: "x" }),
      "no model",
    ],
    [
      "is empty for the second part alone",
      async ({ kind }) => ({ text: kind === "split-turn" ? "" : "x" }),
      "empty-summary",
    ],
    [
      "cannot be stored",
      async () => ({ text: "x", usage: { ...USAGE, input: 1n as unknown as number, extra: 1n } }),
      "UnserializableEntryError",
    ],
  ]

  async function given() {
    const { sessions, storage } = givenManager()
    const session = await sessions.create("/project")
    for (const message of conversation().buildSessionContext().messages) session.appendMessage(message)
    await session.flush()
    return { session, storage, before: await storedText(storage, keyOf(session)) }
  }

  it.each(cases)("because it %s leaves the session byte for byte as it was", async (_, summarizer, expected) => {
    const { session, storage, before } = await given()
    const [entries, leafId, target] = [session.getEntries(), session.getLeafId(), session.getEntries()[0]?.id ?? ""]
    const attempts = [
      () => compact(session, summarizer, { settings, signal: stoppable() }),
      () => summarizeBranch(session, target, bothParts(summarizer), { signal: stoppable() }),
      () => navigateTo(session, target, { summarize: bothParts(summarizer), label: "x", signal: stoppable() }),
    ]
    for (const attempt of attempts) {
      const outcome = await attempt().then(
        ({ status }) => status,
        (error: Error) => `${error.name} ${error.message}`,
      )
      expect(outcome).toContain(expected)
    }
    await session.flush()
    expect(session.getEntries()).toEqual(entries)
    expect(session.getLeafId()).toBe(leafId)
    expect(await storedText(storage, keyOf(session))).toBe(before)
  })

  it("because the time is up is not waited for, and not taken when it comes late", async () => {
    const { session, storage, before } = await given()
    const { answer, summarize } = waitingSummarizer()
    const controller = new AbortController()
    const running = compact(session, summarize, { settings, signal: controller.signal })
    controller.abort(timedOut)
    await expect(running).rejects.toBe(timedOut)
    answer("late")
    await session.flush()
    expect(await storedText(storage, keyOf(session))).toBe(before)
  })

  it("is not asked for when the signal has aborted before", async () => {
    const { asked, summarize } = givenSummarizer()
    const signal = AbortSignal.abort(reason)
    await expect(compact(conversation(), summarize, { settings, signal })).rejects.toBe(reason)
    expect(asked).toEqual([])
  })

  it("is not asked for where it could not be stored", async () => {
    const { session, storage } = await given()
    await session.close()
    const { asked, summarize } = givenSummarizer()
    await expect(compact(session, summarize, { settings })).rejects.toMatchObject({ code: "SessionClosedError" })
    const reading = await givenManager(storage).sessions.open(keyOf(session), { access: "read" })
    await expect(compact(reading, summarize, { settings })).rejects.toMatchObject({ code: "ReadOnlySessionError" })
    await expect(summarizeBranch(reading, null, summarize)).rejects.toMatchObject({ code: "ReadOnlySessionError" })
    expect(asked).toEqual([])
  })

  /** A signal with the means to abort it, for a summarizer that does. */
  function stoppable(): AbortSignal {
    const controller = new AbortController()
    return Object.assign(controller.signal, { abort: () => controller.abort(new Error("stopped")) })
  }

  /** A branch has one part only: it is asked as the second would be. */
  function bothParts(summarizer: Summarizer): Summarizer {
    return (request, signal) => summarizer({ ...request, kind: "split-turn" }, signal)
  }
})

describe("a session that moves on while its summary is made", () => {
  it("keeps what was appended in the meantime", async () => {
    const session = conversation()
    const { answer, summarize } = waitingSummarizer()
    const running = compact(session, summarize, { settings: { keepRecentTokens: 117 } })
    const added = session.appendMessage(userMessage("meanwhile"))
    answer("sum")
    const outcome = await running
    expect(outcome).toMatchObject({ status: "compacted" })
    expect(session.buildSessionContext().entries.at(-1)).toBe(added)
    expect(session.buildSessionContext().messages).toHaveLength(6)
  })

  it.each([
    [
      "its leaf went back",
      (session: ReturnType<typeof conversation>) => session.branch(session.getEntries()[2]?.id ?? ""),
    ],
    ["its leaf went before everything", (session: ReturnType<typeof conversation>) => session.resetLeaf()],
    [
      "it was compacted by another",
      (session: ReturnType<typeof conversation>) => session.appendCompaction("theirs", session.getLeafId() ?? "", 1),
    ],
  ])("because %s is not compacted", async (_, move) => {
    const session = conversation()
    const { answer, summarize } = waitingSummarizer()
    const running = compact(session, summarize, { settings })
    move(session)
    const entries = session.getEntries()
    answer("sum")
    expect(await running).toEqual({ status: "overtaken" })
    expect(session.getEntries()).toEqual(entries)
  })

  it("is compacted once when two compactions run at the same time", async () => {
    for (const order of [0, 1]) {
      const session = conversation()
      const both = [waitingSummarizer(), waitingSummarizer()]
      const running = both.map(({ summarize }) => compact(session, summarize, { settings: { keepRecentTokens: 117 } }))
      both[order]?.answer("first")
      await running[order]
      both[1 - order]?.answer("second")
      const outcomes = await Promise.all(running)
      expect(outcomes[order]).toMatchObject({ status: "compacted", summary: expect.stringContaining("first") })
      expect(outcomes[1 - order]).toEqual({ status: "overtaken" })
      expect(session.getEntries().filter(({ type }) => type === "compaction")).toHaveLength(1)
    }
    const session = conversation()
    const { summarize } = givenSummarizer()
    const outcomes = await Promise.all([1, 2, 3].map(() => compact(session, summarize, { settings })))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["compacted", "overtaken", "overtaken"])
  })

  it("is not compacted after another process has done so", async () => {
    const one = givenManager()
    const left = await one.sessions.create("/project", { access: "shared" })
    for (const message of conversation().buildSessionContext().messages) left.appendMessage(message)
    await left.flush()
    const right = await givenManager(one.storage, 1).sessions.open(keyOf(left), { access: "shared" })
    const { answer, summarize } = waitingSummarizer()
    const running = compact(right, summarize, { settings })
    await compact(left, givenSummarizer().summarize, { settings })
    await left.flush()
    answer("too late")
    expect(await running).toEqual({ status: "overtaken" })
    await Promise.all([left.close(), right.close()])
    const records = await storedRecords(one.storage, keyOf(left))
    expect(records.filter(({ type }) => type === "compaction")).toHaveLength(1)
  })
})
