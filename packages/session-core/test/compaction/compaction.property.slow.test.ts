import type { Message, Session, SessionEntry, ToolCall } from "@treelog/session-core"
import { buildSessionContext } from "@treelog/session-core"
import { contextBoundary, EntryTree } from "@treelog/session-core/adapter"
import { compact, estimateTokens, prepareCompaction, serializeConversation } from "@treelog/session-core/compaction"
import { entryList, tries } from "@treelog-internal/test-kit"
import { generateSession, type SessionStyle } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { pathOfEntries } from "../door.js"
import { givenManager } from "../session/given-manager.js"
import { putStored } from "../session/stored-bytes.js"
import { answered, called, givenSummarizer, inMemory, returned, said } from "./given.js"

type Step = (session: Session, nth: number) => void

/** Steps of a conversation of which every message is another one, and every text names its place. */
const tokens = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 3, max: 40 }) }, fc.integer({ min: 100, max: 300 }))
const step: fc.Arbitrary<Step> = fc.oneof(
  tokens.map(
    (size): Step =>
      (session, nth) =>
        session.appendMessage(said(size, `<${nth}>`)),
  ),
  tokens.map(
    (size): Step =>
      (session, nth) =>
        session.appendMessage(answered(size, `<${nth}>`)),
  ),
  fc.tuple(fc.constantFrom("read", "write", "edit", "bash"), fc.nat(5)).map(
    ([tool, file]): Step =>
      (session, nth) =>
        session.appendMessage(called(`call-${nth}`, tool, { path: `f${file}.ts`, nth: `<${nth}>` })),
  ),
  { weight: 2, arbitrary: fc.tuple(tokens, fc.nat(2)).map(([size, skipped]): Step => resultOfOpenCall(size, skipped)) },
  tokens.map(
    (size): Step =>
      (session, nth) =>
        session.appendCustomMessageEntry("note", `<${nth}>`.padEnd(size), true),
  ),
  fc.constant<Step>((session, nth) => session.appendMessage(run(`<${nth}>`))),
  fc.constant<Step>((session) => session.appendModelChange("anthropic", "claude-test")),
  fc.constant<Step>((session) => session.appendLabelChange(session.getEntries()[0]?.id ?? "", "mark")),
  fc.constant<Step>((session) => session.appendCustomEntry("todo", {})),
)

const conversation = fc.array(step, { minLength: 1, maxLength: 40 })
const keepRecentTokens = fc.oneof(fc.nat(60), fc.integer({ min: 0, max: 1_500 }))

describe("compacting any conversation, again and again", () => {
  it("loses no message between what is summarized and what is kept", () =>
    everyRound(async ({ session, before, keep, compactNow }) => {
      const preparation = prepareCompaction(session.getBranch(), settingsOf(keep))
      const outcome = await compactNow()
      expect(outcome.status).toBe(preparation ? "compacted" : "nothing-to-compact")
      if (!preparation) return
      const summarized = [...preparation.messagesToSummarize, ...preparation.turnPrefixMessages]
      const after = session.buildSessionContext().messages
      expect([...summarized, ...preparation.messagesToKeep]).toEqual(before.filter(isNoSummary))
      expect(after.filter(isNoSummary)).toEqual(preparation.messagesToKeep)
      expect(after[0]?.role).toBe("compactionSummary")
    }))

  it("passes each message to the summarizer, and the previous summary", () =>
    everyRound(async ({ session, before, asked, compactNow }) => {
      const first = asked.length
      await compactNow()
      const kept = session.buildSessionContext().messages
      const still = new Set(kept.map((message) => JSON.stringify(message)))
      const gone = before.filter((message) => isNoSummary(message) && !still.has(JSON.stringify(message)))
      const prompts = asked.slice(first).map(({ prompt }) => prompt)
      for (const message of gone) {
        const place = /<\d+>/.exec(JSON.stringify(message))?.[0]
        expect(prompts.some((prompt) => place !== undefined && prompt.includes(place))).toBe(true)
      }
      const [previous] = before.filter((message) => !isNoSummary(message)) as { summary: string }[]
      const stored = session.getLeafEntry() as { type: string; summary: string }
      if (!previous || gone.length === 0) return
      const text = previous.summary.split("\n\n<")[0] ?? ""
      expect(prompts.some((prompt) => prompt.includes(text)) || stored.summary.startsWith(text)).toBe(true)
    }))

  it("leaves a context of no more than the tokens to keep and one turn", () =>
    everyRound(async ({ session, keep, compactNow }) => {
      // What was compacted just before is not compacted again, even if less is to be kept now.
      if (session.getBranch().at(-1)?.type === "compaction") return
      await compactNow()
      const kept = session.buildSessionContext().messages.filter(isNoSummary)
      expect(sizeOf(kept)).toBeLessThanOrEqual(keep + Math.max(0, ...turnsOf(session).map(sizeOf)))
    }))

  it("leaves no tool result without its call", () =>
    everyRound(async ({ session, compactNow }) => {
      await compactNow()
      const called = new Set<unknown>()
      for (const message of session.buildSessionContext().messages) {
        for (const id of callIdsOf(message)) called.add(id)
        if (message.role === "toolResult") expect(called).toContain((message as { toolCallId: string }).toolCallId)
      }
    }))

  it("carries the files of everything that was ever summarized", () =>
    everyRound(async ({ session, compactNow }) => {
      await compactNow()
      const path = session.getBranch()
      const compaction = [...path].reverse().find(({ type }) => type === "compaction") as
        | { firstKeptEntryId: string; details: { readFiles: string[]; modifiedFiles: string[] } }
        | undefined
      if (!compaction) return
      const gone = path.slice(
        0,
        path.findIndex(({ id }) => id === compaction.firstKeptEntryId),
      )
      expect(compaction.details).toEqual(filesOf(gone))
    }))
})

describe("preparing the compaction of any path", () => {
  it("throws for no entries, and parts them into two without loss", () => {
    const property = fc.property(entryList, fc.nat(50), (entries, keep) => {
      const leaf = entries.length - 1
      const path = leaf < 0 ? [] : new EntryTree(entries).pathTo(leaf).map((at) => entries[at] as SessionEntry)
      const preparation = prepareCompaction(path, settingsOf(keep))
      if (!preparation) return
      const parts = [...preparation.messagesToSummarize, ...preparation.turnPrefixMessages]
      const { messages } = buildSessionContext(path)
      const seen = contextBoundary(pathOfEntries(path)).compaction ? messages.slice(1) : messages
      expect(parts).toEqual(seen.slice(0, parts.length))
      expect(typeof serializeConversation(parts)).toBe("string")
    })
    fc.assert(property, { numRuns: tries(30) })
  })
})

describe.each(["pi", "pi-v1", "omp"] as const)("a generated session (%s)", (style) => {
  it.each([1, 2, 3])("is compacted within its bound, and loses nothing (seed %i)", async (seed) => {
    const session = await opened(style, seed)
    for (const keep of [20_000, 2_000]) {
      const before = session.buildSessionContext().messages
      const preparation = prepareCompaction(session.getBranch(), settingsOf(keep))
      const outcome = await compact(session, givenSummarizer().summarize, { settings: settingsOf(keep) })
      const after = session.buildSessionContext().messages
      expect(outcome.status).toBe(preparation ? "compacted" : "nothing-to-compact")
      const gone = preparation ? [...preparation.messagesToSummarize, ...preparation.turnPrefixMessages] : []
      expect([...gone, ...after.filter(isNoSummary)]).toEqual(before.filter(isNoSummary))
      expect(sizeOf(after.filter(isNoSummary))).toBeLessThanOrEqual(keep + Math.max(...turnsOf(session).map(sizeOf)))
      session.appendMessage(said(100))
    }
  })
})

interface Round {
  readonly session: Session
  readonly before: readonly Message[]
  readonly keep: number
  readonly asked: readonly { prompt: string }[]
  readonly compactNow: () => ReturnType<typeof compact>
}

/** Three compactions of a growing conversation, with the check around each. */
function everyRound(check: (round: Round) => Promise<void>): Promise<void> {
  const rounds = fc.array(fc.tuple(conversation, keepRecentTokens), { minLength: 1, maxLength: 3 })
  const property = fc.asyncProperty(rounds, async (list) => {
    const session = inMemory(said(3, "<0>"))
    const { asked, summarize } = givenSummarizer("summary")
    let nth = 1
    for (const [steps, keep] of list) {
      for (const one of steps) one(session, nth++)
      const before = session.buildSessionContext().messages
      const compactNow = () => compact(session, summarize, { settings: settingsOf(keep) })
      await check({ session, before, keep, asked, compactNow })
    }
  })
  return fc.assert(property, { numRuns: tries(15) })
}

function settingsOf(keep: number) {
  return { enabled: true, reserveTokens: 16_384, keepRecentTokens: keep }
}

function run(output: string): Message {
  return { role: "bashExecution", command: "ls", output, cancelled: false, truncated: false, timestamp: 1 }
}

/** The result of a call in the context that has none yet, if there is one: of the last, or of one before it. */
function resultOfOpenCall(size: number, skipped: number): Step {
  return (session, nth) => {
    const { messages } = session.buildSessionContext()
    const done = new Set(messages.map((message) => "toolCallId" in message && message.toolCallId))
    const open = messages.flatMap(callIdsOf).filter((id) => !done.has(id))
    const id = open[open.length - 1 - skipped] ?? open[0]
    if (id !== undefined) session.appendMessage(returned(id, size, `<${nth}>`))
  }
}

function callIdsOf(message: Message): string[] {
  const content = "content" in message && Array.isArray(message.content) ? message.content : []
  return content.filter(({ type }) => type === "toolCall").map((block) => (block as ToolCall).id)
}

function isNoSummary({ role }: Message): boolean {
  return role !== "compactionSummary"
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0)
}

/** The turns of the whole path: what is said in the user's place, and all up to the next of that kind when no call is open. */
function turnsOf(session: Session): Message[][] {
  const turns: Message[][] = [[]]
  const open = new Set<string>()
  for (const { message } of session.buildTranscript()) {
    if (!message) continue
    const begins = message.role !== "assistant" && message.role !== "toolResult"
    if (begins && !isResultToCome(session, open)) turns.push([])
    turns[turns.length - 1]?.push(message)
    for (const id of callIdsOf(message)) open.add(id)
    if (message.role === "toolResult") open.delete((message as { toolCallId: string }).toolCallId)
  }
  return turns
}

/** Whether one of these calls gets its result on the path at all: calls that never do hold nothing together. */
function isResultToCome(session: Session, open: ReadonlySet<string>): boolean {
  return session
    .getBranch()
    .some((entry) => "message" in entry && open.has((entry.message as { toolCallId: string }).toolCallId))
}

function filesOf(entries: readonly SessionEntry[]): { readFiles: string[]; modifiedFiles: string[] } {
  const calls = entries
    .flatMap((entry) => ("message" in entry ? [entry.message as { content?: unknown }] : []))
    .flatMap(({ content }) => (Array.isArray(content) ? (content as ToolCall[]) : []))
  const paths = (...names: string[]): Set<string> =>
    new Set(calls.filter(({ name }) => names.includes(name)).map(({ arguments: args }) => args.path as string))
  const modified = paths("write", "edit")
  return {
    readFiles: [...paths("read")].filter((path) => !modified.has(path)).sort(),
    modifiedFiles: [...modified].sort(),
  }
}

async function opened(style: SessionStyle, seed: number): Promise<Session> {
  const { sessions, storage } = givenManager()
  const lines = [...generateSession({ style, seed, entries: 400, compactions: 2, edits: 0.05 })]
  return sessions.open(await putStored(storage, "memory:/home/dev/shop/generated", lines.join("")))
}
