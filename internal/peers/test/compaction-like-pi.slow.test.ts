import type { Message, SessionEntry } from "@treelog/session-core"
import {
  abandonedEntries,
  type CompactionSettings,
  estimateContextTokens,
  estimateTokens,
  findCutPoint,
  prepareBranchSummary,
  prepareCompaction,
  serializeConversation,
  shouldCompact,
} from "@treelog/session-core/compaction"
import { convertToLlm } from "@treelog/session-core/messages"
import { allKinds, generateSession, Random, type SessionShape } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"
import { leavesOf } from "./as-pi-sees.js"
import { piCompaction } from "./compaction-in-pi.js"
import { pi } from "./pi.js"

// Each way in which treelog differs from pi 0.74.2 is listed in docs/decisions/0008-compaction.md, and has a test at the end.

const SHAPE = { style: "pi", entries: 500, compactions: 3, branching: 0.2, edits: 0, images: 0 } as const
const SEEDS = [1, 2, 3, 4, 5, 6]
const BUDGETS = [0, 1, 500, 3_000, 20_000, 1_000_000]

const settingsWith = (keepRecentTokens: number): CompactionSettings => ({
  ...piCompaction.DEFAULT_COMPACTION_SETTINGS,
  keepRecentTokens,
})

describe.each(SEEDS)("a session that pi wrote (seed %i)", (seed) => {
  const entries = entriesOf({ ...SHAPE, seed })
  const paths = pathsOf(entries)

  test("has pi's tokens, message by message and in all", () => {
    const messages = pi.buildSessionContext(entries).messages
    expect(messages.length).toBeGreaterThan(10)
    expect(messages.map(estimateTokens)).toEqual(messages.map(piCompaction.estimateTokens))
    for (let end = 0; end <= messages.length; end++) {
      const some = messages.slice(0, end)
      expect(estimateContextTokens(some)).toEqual(piCompaction.estimateContextTokens(some))
    }
  })

  test("is cut where pi cuts it, in as many pieces", () => {
    let splits = 0
    for (const path of paths.map((list) => list.filter(isPlain))) {
      for (const keep of BUDGETS) {
        const ours = findCutPoint(path, 0, path.length, keep)
        const theirs = piCompaction.findCutPoint(path, 0, path.length, keep)
        if (isStuckOnResults(path, keep)) continue
        expect(ours.firstKeptEntryIndex).toBe(theirs.firstKeptEntryIndex)
        expect(ours).toEqual(asCleanCut(path, theirs))
        if (ours.isSplitTurn) splits++
      }
    }
    expect(splits).toBeGreaterThan(0)
  })

  test("is cut where pi cuts it when pi counts every message", () => {
    for (const path of paths) {
      const counted = path.map(asMessageEntry)
      for (const keep of BUDGETS) {
        if (isStuckOnResults(counted, keep)) continue
        const theirs = piCompaction.findCutPoint(counted, 0, path.length, keep)
        expect(findCutPoint(path, 0, path.length, keep).firstKeptEntryIndex).toBe(theirs.firstKeptEntryIndex)
      }
    }
  })

  test("is prepared for compaction as in pi", () => {
    let prepared = 0
    for (const path of paths.map((list) => list.filter(isPlain))) {
      for (const keep of BUDGETS) {
        if (isStuckOnResults(path, keep)) continue
        const ours = prepareCompaction(path, settingsWith(keep))
        const theirs = piCompaction.prepareCompaction(rechained(path), settingsWith(keep))
        const summarized = theirs && [...theirs.messagesToSummarize, ...theirs.turnPrefixMessages]
        if (!theirs || !summarized?.length) {
          expect(ours).toBeUndefined()
          continue
        }
        prepared++
        expect(ours?.firstKeptEntryId).toBe(theirs.firstKeptEntryId)
        expect([...(ours?.messagesToSummarize ?? []), ...(ours?.turnPrefixMessages ?? [])]).toEqual(summarized)
        expect(ours?.previousSummary).toBe(theirs.previousSummary)
        expect(ours?.files).toEqual(piCompaction.computeFileLists(theirs.fileOps))
        if (isAnswered(path)) expect(ours?.tokensBefore).toBe(theirs.tokensBefore)
      }
    }
    expect(prepared).toBeGreaterThan(5)
  })

  test("is serialized as in pi", () => {
    const messages = convertToLlm(pi.buildSessionContext(entries).messages).messages
    const short = messages.filter((message) => message.role !== "toolResult" || estimateTokens(message) <= 500)
    expect(serializeConversation(short)).toBe(piCompaction.serializeConversation(short))
  })

  test("leaves the branches that pi finds, with the same messages within the same budget", () => {
    const byId = new Map(entries.map((entry) => [entry.id, entry]))
    const session = { getBranch: (id: string) => pathTo(byId, id), getEntry: (id: string) => byId.get(id) }
    const random = new Random(seed)
    const ids = entries.map(({ id }) => id)
    for (let time = 0; time < 20; time++) {
      const [from, to] = [random.pick(ids), random.pick(ids)]
      const ours = abandonedEntries(pathTo(byId, from), pathTo(byId, to))
      expect(ours).toEqual(piCompaction.collectEntriesForBranchSummary(session, from, to).entries)
      for (const budget of [0, 2_000, 50_000]) {
        const theirs = piCompaction.prepareBranchEntries(ours, budget)
        if (theirs.messages.length === 0) continue
        const { messages, totalTokens } = prepareBranchSummary(ours, budget)
        expect({ messages, totalTokens }).toEqual({ messages: theirs.messages, totalTokens: theirs.totalTokens })
      }
    }
  })
})

test("asks for compaction when pi does", () => {
  const random = new Random(1)
  for (let time = 0; time < 500; time++) {
    const window = random.between(0, 300_000)
    const reserveTokens = random.between(0, 60_000)
    const tokens = random.chance(0.3) ? window - reserveTokens + random.between(-1, 1) : random.between(0, 300_000)
    const settings = { enabled: random.chance(0.8), reserveTokens, keepRecentTokens: 1 }
    expect(shouldCompact(tokens, { contextWindow: window, settings })).toBe(
      piCompaction.shouldCompact(tokens, window, settings),
    )
  }
})

describe("where treelog differs from pi 0.74.2", () => {
  const head = { parentId: null, timestamp: "2026-03-02T09:00:00.000Z" }
  const say = (id: string, message: object): SessionEntry => ({ ...head, type: "message", id, message }) as SessionEntry
  const user = (id: string, chars = 4): SessionEntry => say(id, { role: "user", content: "u".repeat(chars) })
  const answer = (id: string, chars = 4, more: object[] = []): SessionEntry =>
    say(id, { role: "assistant", content: [{ type: "text", text: "a".repeat(chars) }, ...more] })
  const call = (id: string): SessionEntry =>
    answer(id, 4, [{ type: "toolCall", id: `of-${id}`, name: "read", arguments: { path: `${id}.ts` } }])
  const result = (id: string, of: string, chars: number): SessionEntry =>
    say(id, { role: "toolResult", toolCallId: `of-${of}`, content: [{ type: "text", text: "r".repeat(chars) }] })
  const other = (type: string, id: string, fields = {}): SessionEntry => ({ ...head, type, id, ...fields })
  const note = (id: string, chars = 4): SessionEntry =>
    other("custom_message", id, { customType: "note", content: "n".repeat(chars), display: true })
  const cuts = (path: SessionEntry[], keep: number) => ({
    ours: findCutPoint(path, 0, path.length, keep),
    theirs: piCompaction.findCutPoint(path, 0, path.length, keep),
  })

  test("an image counts wherever it stands; pi counts none of the user's", () => {
    const image = { type: "image", data: "", mimeType: "image/png" }
    const message = { role: "user", content: [image], timestamp: 1 } as Message
    expect([estimateTokens(message), piCompaction.estimateTokens(message)]).toEqual([1_200, 0])
    const ofTool = { ...message, role: "toolResult" } as Message
    expect(estimateTokens(ofTool)).toBe(piCompaction.estimateTokens(ofTool))
  })

  test("system and developer messages count; pi 0.74 does not know them", () => {
    const message = { role: "system", content: "12345678" } as Message
    expect([estimateTokens(message), piCompaction.estimateTokens(message)]).toEqual([2, 0])
  })

  test("messages of the wild have tokens; pi throws", () => {
    const poor = allKinds("pi")
      .slice(1)
      .map(parse)
      .flatMap((entry) => ("message" in entry ? [entry.message as Message] : []))
    expect(poor.map(estimateTokens).every(Number.isInteger)).toBe(true)
    expect(() => poor.map(piCompaction.estimateTokens)).toThrow()
  })

  test("a message of the user behind bookkeeping is a clean cut; pi takes the turn before for split", () => {
    const path = [user("u1"), answer("a1"), other("model_change", "m"), user("u2"), answer("a2")]
    expect(cuts(path, 2)).toEqual({
      ours: { firstKeptEntryIndex: 2, turnStartIndex: -1, isSplitTurn: false },
      theirs: { firstKeptEntryIndex: 2, turnStartIndex: 0, isSplitTurn: true },
    })
  })

  test("a cut where a command or a note begins a turn is clean; pi calls it split, with nothing in its first part", () => {
    const run = say("b", { role: "bashExecution", command: "ls", output: "ab" })
    expect(cuts([user("u1"), answer("a1"), run, answer("a2")], 2)).toEqual({
      ours: { firstKeptEntryIndex: 2, turnStartIndex: -1, isSplitTurn: false },
      theirs: { firstKeptEntryIndex: 2, turnStartIndex: 2, isSplitTurn: true },
    })
  })

  test("notes of extensions count as kept, and are not drawn in from before the cut; pi counts none", () => {
    const path = [user("u1"), answer("a1"), note("n1", 4_000), user("u2"), answer("a2"), note("n2", 4_000)]
    expect(cuts(path, 500).ours.firstKeptEntryIndex).toBe(5)
    expect(cuts(path, 500).theirs.firstKeptEntryIndex).toBe(0)
    expect(cuts(path, 1_002).ours.firstKeptEntryIndex).toBe(3)
    expect(cuts(path, 2).theirs.firstKeptEntryIndex).toBe(2)
  })

  test("results that fill the budget alone are kept with their call; pi keeps everything", () => {
    const path = [user("u1"), answer("a1"), user("u2"), call("a2"), result("r1", "a2", 4_000)]
    expect(cuts(path, 500).ours.firstKeptEntryIndex).toBe(3)
    expect(cuts(path, 500).theirs.firstKeptEntryIndex).toBe(0)
  })

  test("a call and its result are never parted, whatever stands between them; pi checks roles alone", () => {
    const path = [user("u1"), call("a1"), user("u2", 400), result("r1", "a1", 4), answer("a2")]
    expect(cuts(path, 100).ours.firstKeptEntryIndex).toBe(4)
    expect(cuts(path, 100).theirs.firstKeptEntryIndex).toBe(2)
  })

  test("where nothing would be summarized there is no preparation; pi prepares nothing at length", () => {
    const path = rechained([user("u1"), answer("a1")])
    expect(prepareCompaction(path)).toBeUndefined()
    expect(piCompaction.prepareCompaction(path, settingsWith(20_000))).toMatchObject({ messagesToSummarize: [] })
  })

  test("the usage of an answer before the last compaction does not count as the size of the context; in pi it does", () => {
    const used = say("a1", { role: "assistant", content: [], usage: { totalTokens: 150_000 } })
    const fields = { summary: "12345678", firstKeptEntryId: "a1", tokensBefore: 1 }
    const path = rechained([user("u1"), used, other("compaction", "c", fields), user("u2", 400), answer("a2", 400)])
    expect(prepareCompaction(path, settingsWith(100))?.tokensBefore).toBe(202)
    expect(piCompaction.prepareCompaction(path, settingsWith(100))?.tokensBefore).toBe(150_200)
  })

  test("what lies before a reset is neither summarized nor carried on; pi does not know resets", () => {
    const path = [user("u1", 400), other("reset_boundary", "r"), user("u2"), answer("a2"), user("u3", 400)]
    expect(prepareCompaction(rechained(path), settingsWith(100))?.messagesToSummarize).toHaveLength(2)
    expect(piCompaction.prepareCompaction(rechained(path), settingsWith(100))?.messagesToSummarize).toHaveLength(3)
  })

  test("edited messages are summarized as the model got them; pi 0.74 knows no edits", () => {
    const edit = other("context_edit", "e", { targetId: "u1", replacement: { content: "edited" } })
    const path = rechained([user("u1"), edit, answer("a1"), user("u2", 400)])
    const ours = prepareCompaction(path, settingsWith(100))?.messagesToSummarize[0]
    const theirs = piCompaction.prepareCompaction(path, settingsWith(100))?.messagesToSummarize[0]
    expect([ours, theirs]).toMatchObject([{ content: "edited" }, { content: "uuuu" }])
  })

  test("`file_path` names a file too, and branch summaries bring theirs along; pi knows `path`, and forgets the latter", () => {
    const wrote = { type: "toolCall", id: "w", name: "write", arguments: { file_path: "w.ts" } }
    const summary = other("branch_summary", "s", { fromId: "x", summary: "sum", details: { readFiles: ["s.ts"] } })
    const path = rechained([user("u1"), answer("a1", 4, [wrote]), summary, call("a2"), user("u2", 400)])
    const theirs = piCompaction.prepareCompaction(path, settingsWith(100))
    expect(prepareCompaction(path, settingsWith(100))?.files).toEqual({
      readFiles: ["a2.ts", "s.ts"],
      modifiedFiles: ["w.ts"],
    })
    expect(theirs && piCompaction.computeFileLists(theirs.fileOps)).toEqual({
      readFiles: ["a2.ts"],
      modifiedFiles: [],
    })
  })

  test("a branch gives all its files, also of what does not fit; pi those down to where the budget ends", () => {
    const path = [call("a1"), user("u2", 400), user("u3", 400)]
    expect(prepareBranchSummary(path, 150).files.readFiles).toEqual(["a1.ts"])
    const { fileOps } = piCompaction.prepareBranchEntries(path, 150)
    expect(piCompaction.computeFileLists(fileOps).readFiles).toEqual([])
  })

  test("the newest message of a branch is summarized even if it does not fit; pi then has nothing to say", () => {
    const path = [user("u1", 4), user("u2", 4_000)]
    expect(prepareBranchSummary(path, 150).messages).toHaveLength(1)
    expect(piCompaction.prepareBranchEntries(path, 150).messages).toEqual([])
  })

  test("an image is mentioned to the summarizer, and texts stay apart; pi drops the one and glues the others", () => {
    const image = { type: "image", data: "", mimeType: "image/png" }
    const texts = ["one", "two"].map((text) => ({ type: "text", text }))
    const message = { role: "user", content: [...texts, image], timestamp: 1 } as Message
    expect(serializeConversation([message])).toBe("[User]: one\ntwo\n[image]")
    expect(piCompaction.serializeConversation([message])).toBe("[User]: onetwo")
  })

  test("an image in the arguments of a call is only mentioned to the summarizer; pi writes it out", () => {
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }
    const draw = {
      type: "toolCall",
      id: "d",
      name: "draw",
      arguments: { on: image, like: "data:image/png;base64,AA==" },
    }
    const message = { role: "assistant", content: [draw], timestamp: 1 } as unknown as Message
    const call = (data: string, like: string): string =>
      `[Assistant tool calls]: draw(on={"type":"image","data":"${data}","mimeType":"image/png"}, like="${like}")`
    expect(serializeConversation([message])).toBe(call("[image]", "data:image/png;base64,AA=="))
    expect(piCompaction.serializeConversation([message])).toBe(call(image.data, "data:image/png;base64,AA=="))
  })
})

function parse(line: string): SessionEntry {
  return JSON.parse(line) as SessionEntry
}

function entriesOf(shape: SessionShape): SessionEntry[] {
  return [...generateSession(shape)].slice(1).map(parse)
}

/** The way to each leaf, and to some points on it. */
function pathsOf(entries: readonly SessionEntry[]): SessionEntry[][] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const ends = [...leavesOf(entries), ...entries.filter((_, index) => index % 41 === 0).map(({ id }) => id)]
  return ends.map((id) => pathTo(byId, id))
}

function pathTo(byId: ReadonlyMap<string, SessionEntry>, id: string): SessionEntry[] {
  const path: SessionEntry[] = []
  for (let at = byId.get(id); at; at = at.parentId === null ? undefined : byId.get(at.parentId)) path.push(at)
  return path.reverse()
}

/** pi counts the tokens of entries of type `message` alone. */
function isPlain({ type }: SessionEntry): boolean {
  return type !== "custom_message" && type !== "branch_summary"
}

function asMessageEntry(entry: SessionEntry): SessionEntry {
  if (isPlain(entry)) return entry
  const [message] = pi.buildSessionContext([{ ...entry, parentId: null }]).messages
  return { ...entry, type: "message", message } as SessionEntry
}

function rechained(path: readonly SessionEntry[]): SessionEntry[] {
  return path.map((entry, index) => ({ ...entry, parentId: path[index - 1]?.id ?? null }) as SessionEntry)
}

function roleOf(entry: SessionEntry | undefined): string | undefined {
  return entry && "message" in entry ? (entry.message as Message).role : undefined
}

type CutPoint = ReturnType<typeof findCutPoint>

/** pi's cut, not split where its first message begins a turn. */
function asCleanCut(path: readonly SessionEntry[], { firstKeptEntryIndex }: CutPoint): CutPoint {
  const first = path.findIndex((entry, index) => index >= firstKeptEntryIndex && roleOf(entry) !== undefined)
  const isClean = roleOf(path[first]) !== "assistant"
  const turnStartIndex = isClean ? -1 : piCompaction.findTurnStartIndex(path, first, 0)
  return { firstKeptEntryIndex, turnStartIndex, isSplitTurn: turnStartIndex !== -1 }
}

/** Whether tool results at the very end take all the tokens that are to be kept. */
function isStuckOnResults(path: readonly SessionEntry[], keep: number): boolean {
  let tokens = 0
  for (const entry of [...path].reverse()) {
    const role = roleOf(entry)
    if (role !== undefined && role !== "toolResult") return false
    if (role !== undefined) tokens += estimateTokens((entry as { message: Message }).message)
    if (role !== undefined && tokens >= keep) return true
  }
  return true
}

/** Whether an answer with a usage followed the last compaction. */
function isAnswered(path: readonly SessionEntry[]): boolean {
  const since = path.slice(path.map(({ type }) => type).lastIndexOf("compaction") + 1)
  const isGood = (entry: SessionEntry): boolean => {
    const { message } = entry as { message?: { usage?: object; stopReason?: string } }
    return message?.usage !== undefined && message.stopReason !== "aborted" && message.stopReason !== "error"
  }
  return since.length === path.length || since.some(isGood)
}
